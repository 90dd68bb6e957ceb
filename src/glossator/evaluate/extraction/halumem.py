"""HaluMem: sessions of a person with the memory points to take from them, updates, and false statements as traps.

The traps stand in the assistant's words ("if you had accepted a promotion to Vice President"): a memory that takes an
assistant's words for the person's stores them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from glossator.evaluate.datasets.reading import expecting, lines_of, said_at, text_of
from glossator.evaluate.extraction.values import GoldPoint, GoldSession, Person, Points
from glossator.evaluate.values import TurnData

__all__ = ["is_halumem", "load_halumem"]

TIME_FORMAT = "%b %d, %Y, %H:%M:%S"
TURN_GAP = timedelta(seconds=1)
"""A question and its answer have one time in the file; the answer is put a second later so that order is kept."""
INTERFERENCE = "interference"
PROTOCOL = (
    "traps: memory points whose source is interference, false statements that only the assistant's words make",
    "gold points are paraphrases in the third person; many join words of several turns, or of the persona's file",
)


def is_halumem(value: object) -> bool:
    """Whether the first value of a file is a person of HaluMem."""
    return isinstance(value, Mapping) and {"uuid", "persona_info", "sessions"} <= value.keys()


def load_halumem(files: Sequence[Path]) -> Points:
    """Read the people of these files."""
    people: list[Person] = []
    counts: Counter[str] = Counter()
    for file in files:
        rows = lines_of(file, argument="data")
        with expecting("HaluMem", file):
            people.extend(_person(row, counts) for row in rows)
    return Points(
        name="halumem",
        source=", ".join(file.name for file in files),
        people=tuple(people),
        mended=dict(counts),
        protocol=PROTOCOL,
    )


def _person(row: Mapping[str, Any], counts: Counter[str]) -> Person:
    described = str(row["persona_info"])
    name = described.split("Name:", 1)[1].split(";", 1)[0] if "Name:" in described else ""
    sessions = [_session(number, each, counts) for number, each in enumerate(row["sessions"], start=1)]
    return Person(
        id=str(row["uuid"]),
        names=tuple(name.split()),
        sessions=tuple(sorted(sessions, key=lambda session: session.said_at)),
    )


def _session(number: int, row: Mapping[str, Any], counts: Counter[str]) -> GoldSession:
    name = f"session-{number:03}"
    turns: list[TurnData] = []
    for place, turn in enumerate(row["dialogue"]):
        words = text_of(turn, "content")
        if not words:
            counts["blank turns left out"] += 1
            continue
        role = "assistant" if turn["role"] == "assistant" else "user"
        at = _at(turn["timestamp"]) + (TURN_GAP if role == "assistant" else timedelta())
        turns.append(TurnData(id=f"{name}:{place}", role=role, speaker=role, text=words, at=at))
    return GoldSession(
        name=name,
        said_at=_at(row["start_time"]),
        turns=tuple(turns),
        points=tuple(_point(each) for each in row["memory_points"]),
    )


def _point(row: Mapping[str, Any]) -> GoldPoint:
    return GoldPoint(
        text=row["memory_content"],
        group=row["memory_type"],
        origin=row["memory_source"],
        trap=row["memory_source"] == INTERFERENCE,
        reference=text_of(row, "reference_memory_content"),
        updates=tuple(row["original_memories"]),
        update=str(row["is_update"]) == "True",
    )


def _at(text: str) -> datetime:
    return said_at(text, TIME_FORMAT)
