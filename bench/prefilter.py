"""What does the prefilter cost, which share of real turns does it skip, and which facts does it lose?

    python bench/prefilter.py [--data ../shared/data]

Times are taken beside a bare regex search over the same texts in the same run. Miss rate: of the labelled turns
(bench/labelled, dev half) of a user that hold a fact, the share that is skipped. Skip shares are taken over all user
turns of each set; those of LongMemEval's filler are split by origin, since ShareGPT and UltraChat are chats with a
model as people have them, and the others are told by a script that puts a fact into nearly every turn.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from glossator.retain.prefilter import CHARACTERS_MAX, skip_reason
from glossator.rules.blocks import own_words

LABELLED = Path(__file__).parent / "labelled" / "turns_dev.jsonl"
CHARACTERS = 8_192
BARE = re.compile(r"\b(?:prefer|always|never)\b", re.IGNORECASE)
SAMPLE = 200
"""As many turns as the requirement names (A15)."""


def main() -> None:
    """Print all three."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    data: Path = parser.parse_args().data
    if LABELLED.is_file():
        show_misses()
    if not data.is_dir():
        print(f"no benchmark data at {data}; times and skip shares need it")
        return
    turns = dict(user_turns(data))
    show_times([text for texts in turns.values() for text in texts])
    print(f"\n{'user turns':34} {'turns':>6} {'skipped':>8}  by reason")
    for name, texts in turns.items():
        reasons = Counter(reason for text in texts if (reason := skip_reason(own_words(text))))
        shown = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common())
        print(f"{name:34} {len(texts):6} {sum(reasons.values()) / len(texts):8.1%}  {shown}")
    chats = turns["longmemeval: sharegpt"] + turns["longmemeval: ultrachat"]
    shares = [sum(skip_reason(text) is not None for text in random.Random(seed).sample(chats, SAMPLE)) / SAMPLE
              for seed in range(20)]  # fmt: skip
    print(f"{SAMPLE} turns of the chats, 20 draws: {min(shares):.1%} to {max(shares):.1%}")


def show_times(texts: list[str]) -> None:
    """p50 and p99 of one call, at 8 KB, at the longest text that is read, and over the turns as they are."""
    random.Random(0).shuffle(texts)
    joined = "\n".join(texts)
    large = [joined[at : at + CHARACTERS] for at in range(0, min(len(joined), 500 * CHARACTERS), CHARACTERS)]
    asking = " ".join(text for text in texts if text.endswith("?") and len(text) < 120)
    read = [asking[at : at + CHARACTERS_MAX] for at in range(0, min(len(asking), 500 * CHARACTERS_MAX), CHARACTERS_MAX)]
    print(f"{'ms per call':44} {'p50':>8} {'p99':>8}")
    for name, sample in (
        (f"{CHARACTERS} characters", large),
        (f"{CHARACTERS_MAX} characters of questions", read),
        ("user turns as they are", texts[:3000]),
    ):
        for what, call in (("prefilter", skip_reason), ("bare search", BARE.search), ("own_words", own_words)):
            print(f"{name + ', ' + what:44} " + " ".join(f"{value:8.4f}" for value in timed(call, sample)))


def timed(call: Callable[[str], object], texts: list[str]) -> tuple[float, float]:
    """p50 and p99 in milliseconds."""
    times = []
    for text in texts:
        started = time.perf_counter()
        call(text)
        times.append((time.perf_counter() - started) * 1e3)
    times.sort()
    return times[len(times) // 2], times[int(len(times) * 0.99)]


def show_misses() -> None:
    """The labelled turns that hold a fact and are skipped."""
    turns = [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]
    users = [turn for turn in turns if turn["role"] == "user"]
    telling = [turn for turn in users if any(not fact.get("optional") for fact in turn["facts"])]
    missed = [turn["text"] for turn in telling if skip_reason(own_words(turn["text"]))]
    skipped = sum(skip_reason(own_words(turn["text"])) is not None for turn in users)
    print(
        f"labelled turns: {len(missed)} of {len(telling)} with a fact are skipped ({len(missed) / len(telling):.1%});"
    )
    print(f"of all {len(users)}, most of which are hard on purpose, {skipped / len(users):.1%}")
    print("".join(f"  missed: {text}\n" for text in missed))


def user_turns(data: Path) -> Iterator[tuple[str, list[str]]]:
    """What users say in each set."""
    users = [json.loads(line) for line in lines(data / "halumem" / "pilot_slice_user0.jsonl")]
    yield "halumem", said_by_users(turn for user in users for each in user["sessions"] for turn in each["dialogue"])
    dialogues = [
        dialogue
        for path in sorted((data / "realmem").glob("*.json"))
        for dialogue in json.loads(path.read_text(encoding="utf-8"))["dialogues"]
    ]
    yield "realmem", said_by_users(turn for dialogue in dialogues for turn in dialogue["dialogue_turns"])
    questions = json.loads((data / "longmemeval" / "longmemeval_oracle_dev.json").read_text(encoding="utf-8"))
    haystacks = (session for question in questions for session in question["haystack_sessions"])
    yield "longmemeval: answers", said_by_users(turn for session in haystacks for turn in session)
    sessions = [json.loads(line) for line in lines(data / "longmemeval" / "filler_sessions.jsonl")]
    for origin in ("sharegpt", "ultrachat"):
        chats = [session for session in sessions if session["session_id"].startswith(origin)]
        yield f"longmemeval: {origin}", said_by_users(turn for chat in chats for turn in chat["turns"])


def said_by_users(turns: Iterator[dict[str, Any]]) -> list[str]:
    """The words of the user turns among these."""
    return [turn["content"] for turn in turns if str(turn.get("role") or turn.get("speaker")).lower() == "user"]


def lines(path: Path) -> list[str]:
    """A file's lines."""
    return path.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    main()
