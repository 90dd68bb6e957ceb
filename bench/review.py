"""What does a background reviewer leave in the prompt files after months of real talk? Replayed day by day.

    python -m bench.review realmem ../shared/data/realmem [--mode review] [--people 5] [--days 0] [--show files]

Each haystack of a published benchmark becomes one owner with one conversation. Its sessions are recorded at their own
times, and once a day, at midnight, whatever is due is reviewed by the rules; at the end the rest is read with `now`.
With `--mode offline` the extractor reads each turn instead and nothing is reviewed. `--show files` prints USER.md and
MEMORY.md, `--show facts` every fact that holds, `--show sample` 60 of all that were ever kept, drawn with a seed, to
be counted by hand.

In LoCoMo two people speak: the first is the owner, the second a guest. The invariants at the end: the cursor stands
behind the last message, no two facts that hold say the same, and none answer the same question.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Literal, get_args

from glossator import Memory, Options, ReviewResult, Scope
from glossator.evaluate.datasets import DATASETS, load
from glossator.evaluate.values import Haystack, SessionData, TurnData
from glossator.model.fact import FACT_STATES, Fact
from glossator.rules.canonical import normalised
from glossator.testing.clock import FakeClock

Mode = Literal["review", "offline"]
CONVERSATION = "chat:1"
KEY = "chat:1:root"
PAGE = 1_000
SAMPLE = 60
SEED = 7


@dataclass(slots=True, kw_only=True)
class Replayed:
    """What one owner's talk has led to."""

    name: str
    said: int = 0
    results: list[ReviewResult] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    files: tuple[str, str] = ("", "")
    faults: list[str] = field(default_factory=list)


def main() -> None:
    """Replay and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", choices=DATASETS)
    parser.add_argument("data", type=Path)
    parser.add_argument("--mode", choices=get_args(Mode), default="review")
    parser.add_argument("--people", type=int, default=0, help="the first so many haystacks; 0 is all")
    parser.add_argument("--days", type=int, default=0, help="the first so many days of each; 0 is all")
    parser.add_argument("--show", choices=("files", "facts", "sample", "counts"), default="counts")
    chosen = parser.parse_args()
    haystacks = load(chosen.dataset, chosen.data, pool=None, filler=None, seed=0).haystacks
    kept: list[Fact] = []
    for haystack in haystacks[: chosen.people or None]:
        played = replay(haystack, mode=chosen.mode, days=chosen.days)
        told(played, show=chosen.show)
        kept += played.facts
    if chosen.show == "sample":
        for fact in random.Random(SEED).sample(kept, min(SAMPLE, len(kept))):
            print(f"{fact.category:10} {fact.state:10} {fact.subject[:12]:12} {fact.text}")


def replay(haystack: Haystack, *, mode: Mode, days: int) -> Replayed:
    """One owner's talk in a store of its own."""
    played = Replayed(name=haystack.id)
    owner = Scope(workspace="bench", agent="helper", owner=haystack.id)
    clock = FakeClock(haystack.sessions[0].said_at)
    options = Options(embedder="none", worker=False, capture_mode=mode)
    with (
        tempfile.TemporaryDirectory(prefix="glossator-bench-") as folder,
        Memory.open(Path(folder) / "memory.db", options=options, clock=clock) as memory,
    ):
        for day, sessions in list(of_days(haystack.sessions))[: days or None]:
            for session in sessions:
                clock.jump_to(max(clock.now(), session.said_at))
                played.said += record(memory, session, owner, haystack)
            memory.drain()
            clock.jump_to(max(clock.now(), day + timedelta(days=1)))
            if mode != "offline":
                review(memory, owner, played, now=False)
        if mode != "offline":
            review(memory, owner, played, now=True)
        played.facts = all_facts(memory, owner)
        files = memory.prompt_files(scope=owner)
        played.files = (files.user.text, files.memory.text)
        played.faults = list(faults(memory, owner, played, reviewed=mode != "offline"))
    return played


def of_days(sessions: Sequence[SessionData]) -> Iterator[tuple[datetime, list[SessionData]]]:
    """The sessions of each day, with its midnight."""
    for day, group in groupby(sessions, key=lambda each: each.said_at.replace(hour=0, minute=0, second=0)):
        yield day, list(group)


def record(memory: Memory, session: SessionData, owner: Scope, haystack: Haystack) -> int:
    """Record a session, as its speakers; how many messages users said."""
    for is_guest, turns in groupby(session.turns, key=lambda each: spoken_by_guest(each, haystack)):
        messages = [
            {"id": turn.id, "role": turn.role, "speaker": turn.speaker, "content": turn.text, "at": turn.at}
            for turn in turns
        ]
        scope = replace(owner, trust="guest" if is_guest else "owner")
        memory.record(messages, scope=scope, conversation=CONVERSATION, session=session.name)
    return sum(turn.role == "user" for turn in session.turns)


def spoken_by_guest(turn: TurnData, haystack: Haystack) -> bool:
    """True for the second person of a talk between two people."""
    first = next(each.speaker for session in haystack.sessions for each in session.turns if each.role == "user")
    return turn.role == "user" and turn.speaker != first


def review(memory: Memory, owner: Scope, played: Replayed, *, now: bool) -> None:
    """Review what is due and keep the time of it."""
    begun = time.perf_counter()
    results = memory.review(scope=owner, now=now)
    if any(result.status != "skipped" for result in results):
        played.seconds.append(time.perf_counter() - begun)
    played.results += results


def all_facts(memory: Memory, owner: Scope) -> list[Fact]:
    """Every fact there ever was."""
    found: list[Fact] = []
    while True:
        after = found[-1].fact_id if found else 0
        page = memory.facts(scope=owner, states=FACT_STATES, limit=PAGE, after_id=after)
        found += page
        if len(page) < PAGE:
            return found


def faults(memory: Memory, owner: Scope, played: Replayed, *, reviewed: bool) -> Iterator[str]:
    """What must never be."""
    holding = [fact for fact in played.facts if fact.state == "active"]
    words = Counter((fact.scope_type, fact.scope_id, normalised(fact.text)) for fact in holding)
    yield from (f"said twice: {text}" for (*_, text), count in words.items() if count > 1)
    asked = Counter((fact.scope_type, fact.scope_id, normalised(fact.subject), fact.key) for fact in holding)
    yield from (f"two answers to {key!r}" for (*_, key), count in asked.items() if key and count > 1)
    if reviewed:
        state = memory._store.review_state(replace(owner, conversation=KEY))
        rest = () if state is None else memory._store.messages_to_review(state.scope, after=state.cursor, limit=1)
        if state is None or rest or state.lease_until is not None:
            yield f"the review has not ended: {state}"
        if sum(result.input_messages for result in played.results) > played.said:
            yield "a message was read twice"


def told(played: Replayed, *, show: str) -> None:
    """Print one owner."""
    done = [result for result in played.results if result.status != "skipped"]
    counts = Counter(fact.state for fact in played.facts)
    sorts = Counter(fact.category for fact in played.facts if fact.state == "active")
    left_out: Counter[str] = Counter()
    for result in done:
        left_out.update(result.skipped_ops)
    print(f"== {played.name}: {played.said} messages of users")
    if done:
        by_day = sum(result.input_messages for result in done[:-1])
        every = sum(result.input_messages for result in done)
        print(
            f"   reviews {len(done)}: {Counter(result.status for result in done)}; read {by_day} in their days, "
            f"{every} in all; seconds {statistics.median(played.seconds):.3f} median, {max(played.seconds):.3f} most"
        )
        changes = {name: sum(getattr(each, name) for each in done) for name in ("added", "replaced", "archived")}
        print(f"   {changes}, left out {dict(left_out.most_common())}")
    print(f"   facts {dict(counts)}; that hold {dict(sorts)}; faults {played.faults}")
    if show == "files":
        print("\n".join(played.files))
    if show == "facts":
        for fact in sorted(played.facts, key=lambda each: (each.category, each.fact_id)):
            if fact.state == "active":
                print(f"   {fact.category:10} {fact.subject[:12]:12} {fact.key[:24]:24} {fact.text}")


if __name__ == "__main__":
    main()
