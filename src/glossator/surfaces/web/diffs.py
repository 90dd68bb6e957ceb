"""How is a unified diff read, line by line: what was taken out, what was put in, and where?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

LineKind = Literal["same", "added", "removed", "place", "note"]
SIGNS: dict[str, LineKind] = {" ": "same", "+": "added", "-": "removed", "\\": "note"}
HEAD_LINES = 2
"""Names of the two texts, which the page says itself."""
_PLACE = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """One line of a diff: its sign, its words, and its number in the earlier and in the later text where it is there.

    A "place" begins a part that stands further down; a "note" says that the last line of a text has no end.
    """

    kind: LineKind
    sign: str
    words: str
    before: int | None = None
    after: int | None = None


def diff_lines(diff: str) -> tuple[DiffLine, ...]:
    """The lines of a unified diff, without its head; () for texts that say the same."""
    return tuple(_read(diff.removesuffix("\n").split("\n")[HEAD_LINES:]))


def _read(lines: list[str]) -> Iterator[DiffLine]:
    before = after = 0
    for line in lines:
        if place := _PLACE.match(line):
            before, after = int(place[1]), int(place[2])
            yield DiffLine(kind="place", sign="", words=f"from line {after}")
            continue
        kind = SIGNS[line[0]]
        in_before, in_after = kind in ("same", "removed"), kind in ("same", "added")
        yield DiffLine(
            kind=kind,
            sign=line[0] if kind in ("added", "removed") else "",
            words=line[1:].strip() if kind == "note" else line[1:],
            before=before if in_before else None,
            after=after if in_after else None,
        )
        before, after = before + in_before, after + in_after
