"""RealMem's memory points: which of them can be found in what was stored of their session?

A point names the turn that it was taken from; nearly half of them were taken from the assistant's turns (plans and
proposals), which a memory that keeps to the user's own words does not take.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from glossator.evaluate.datasets.reading import expecting, json_of
from glossator.evaluate.datasets.realmem import load_realmem
from glossator.evaluate.extraction.values import GoldPoint, GoldSession, Person, Points
from glossator.evaluate.values import Haystack

__all__ = ["is_realmem", "load_realmem_points"]

TUNED_ON = "Kim_Ji_young"
NO_SENTENCE = "points that are no sentence left out"
PROTOCOL = (
    "origin: whose turn a memory point was taken from",
    f"the thresholds of the match rule were chosen on {TUNED_ON}, who is left out where others are there",
)
_HEADING = re.compile(r"^【[^】]*】\s*")
"""A point's class ("【Travel Plan】"): the annotators' word, which nobody said."""


def is_realmem(value: object) -> bool:
    """Whether the value of a file is a person of RealMem."""
    return isinstance(value, Mapping) and {"_metadata", "dialogues"} <= value.keys()


def load_realmem_points(files: Sequence[Path]) -> Points:
    """Read each file as one person."""
    chosen = [file for file in files if not file.stem.startswith(TUNED_ON)] or list(files)
    people = []
    counts: Counter[str] = Counter()
    for file in chosen:
        (haystack,) = load_realmem(file).haystacks
        with expecting("RealMem", file):
            people.append(_person(haystack, json_of(file), counts))
    return Points(
        name="realmem",
        source=", ".join(file.name for file in chosen),
        people=tuple(people),
        mended={reason: count for reason, count in counts.items() if count},
        protocol=PROTOCOL,
    )


def _person(haystack: Haystack, content: Mapping[str, Any], counts: Counter[str]) -> Person:
    points = {row["session_uuid"]: _points(row.get("extracted_memory") or (), counts) for row in content["dialogues"]}
    sessions = tuple(
        GoldSession(
            name=each.name,
            said_at=each.said_at,
            turns=tuple(replace(turn, speaker=turn.role) for turn in each.turns),
            points=points[each.name],
        )
        for each in haystack.sessions
        if each.turns
    )
    return Person(id=haystack.id, names=tuple(haystack.id.split("_")), sessions=sessions)


def _points(rows: Sequence[Mapping[str, Any]], counts: Counter[str]) -> tuple[GoldPoint, ...]:
    """A few points are whole tables instead of a sentence; those are left out and counted."""
    sentences = [row for row in rows if isinstance(row["content"], str)]
    counts[NO_SENTENCE] += len(rows) - len(sentences)
    return tuple(_point(row) for row in sentences)


def _point(row: Mapping[str, Any]) -> GoldPoint:
    return GoldPoint(
        text=_HEADING.sub("", row["content"]),
        group=str(row.get("type") or "untyped"),
        origin=str(row.get("source_role_snapshot") or "unknown").casefold(),
    )
