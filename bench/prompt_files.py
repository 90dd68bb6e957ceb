"""How quick are prompt files? Both rendered from a store of 10,000 facts, and their queries alone, in one run.

    python bench/prompt_files.py [--facts 10000] [--rounds 200]

"even" spreads the facts over all six sections; "rare" puts all but five of them into one, so that the other sections
are looked for among all; "barred" lets none of the latest thousand stand in a prompt.
"""

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from glossator import Memory, Options, Scope
from glossator.model import (
    SELF,
    Admit,
    Category,
    Decision,
    Draft,
    EventTime,
    Interval,
    Passage,
    Ruling,
    SaidTime,
    Sensitivity,
    Turn,
)
from glossator.retain.placing import placed
from glossator.rules.promotion import SECTIONS

SCOPE = Scope(workspace="bench", owner="ana")
START = datetime(2026, 1, 1, tzinfo=UTC)
BATCH = 500
THINGS = "tea jazz chess rain maps bread snow cats dogs boats hills songs paint stone clocks lamps roses coins".split()
CATEGORIES = tuple(section.category for section in SECTIONS)
BARRED = 1_000
BARE = """
SELECT id, text FROM memories WHERE state = 'active' AND owner_scope = 1 AND category = ?
ORDER BY last_seen_at DESC, id DESC LIMIT 12
"""


def main() -> None:
    """Fill a store for each spread and time it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=200)
    chosen = parser.parse_args()
    print(f"{chosen.facts:,} facts, {chosen.rounds} rounds, milliseconds: p50, p95")
    for spread in ("even", "rare", "barred"):
        with tempfile.TemporaryDirectory(prefix="glossator-bench-") as folder:
            options = Options(embedder="none", worker=False, prompt_folder=f"{folder}/prompts")
            with Memory.open(Path(folder) / "memory.db", options=options) as memory:
                fill(memory, chosen.facts, spread)
                measure(memory, Path(folder) / "memory.db", chosen.rounds, spread)


def category_of(number: int, count: int, spread: str) -> Category:
    """The category of one fact."""
    if spread == "rare":
        return CATEGORIES[number] if number < len(CATEGORIES) else "context"
    return CATEGORIES[number % len(CATEGORIES)]


def sensitivity_of(number: int, count: int, spread: str) -> Sensitivity:
    """How sensitive one fact is."""
    return "restricted" if spread == "barred" and number >= count - BARRED else "internal"


def fill(memory: Memory, count: int, spread: str) -> None:
    """Admit facts, some of them at a time."""
    store = memory._prompt_folder._store  # the one that no file follows
    for first in range(0, count, BATCH):
        numbers = range(first, min(first + BATCH, count))
        texts = [
            f"Person{n} likes {THINGS[n % len(THINGS)]} and {THINGS[n * 7 % len(THINGS)]}, number {n}." for n in numbers
        ]
        said = SaidTime(at=START + timedelta(seconds=first), offset_minutes=0, precision="second")
        passage = Passage(text="\n".join(texts), role="user", speaker=SELF, said=said, conversation="chat:1:root",
                          trust="operator")  # fmt: skip
        turn = Turn(scope=SCOPE, passages=(passage,), source="import")
        event = EventTime(interval=Interval(start=said.at, end=said.at, precision="second"), source="session")
        decisions: list[Decision] = []
        at = 0
        for number, text in zip(numbers, texts, strict=True):
            draft = Draft(
                text=text, category=category_of(number, count, spread), kind=None, subject=SELF, key="", value="",
                passage=0, start=at, end=at + len(text), event=event,
                sensitivity=sensitivity_of(number, count, spread),
            )  # fmt: skip
            new = replace(placed(draft, turn), valid_from=said.at)
            decisions.append(Admit(new=new, reason="new"))
            at += len(text) + 1
        store.commit(Ruling(turn=turn, by="bench", decisions=tuple(decisions)), now=said.at)


def measure(memory: Memory, path: Path, rounds: int, spread: str) -> None:
    """Print each figure beside the bare queries of the same sections."""
    bare = sqlite3.connect(path)
    files = memory.rebuild_prompt_files(scope=SCOPE)
    say(f"{spread}: six bare queries", rounds, lambda: [bare.execute(BARE, (each,)).fetchall() for each in CATEGORIES])
    say(f"{spread}: query and render both files", rounds, lambda: memory.prompt_files(scope=SCOPE))
    say(f"{spread}: rebuild, nothing changed", rounds, lambda: memory.rebuild_prompt_files(scope=SCOPE))
    print(f"  {files.kept} rows, {files.user.tokens} and {files.memory.tokens} tokens")


def say(name: str, rounds: int, call: Callable[[], object]) -> None:
    """Time the call."""
    taken = []
    for _ in range(rounds):
        begun = time.perf_counter()
        call()
        taken.append((time.perf_counter() - begun) * 1000)
    ordered = sorted(taken)
    print(f"  {name:44} {statistics.median(ordered):7.2f} {ordered[int(len(ordered) * 0.95)]:7.2f}")


if __name__ == "__main__":
    main()
