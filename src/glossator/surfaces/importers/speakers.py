"""Which lines of a text begin someone's turn, and who is it?"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from glossator.surfaces.importers.pieces import ROLE_WORDS, Home, ImportedMessage, LeftOut, Piece, Rejected, Transcript
from glossator.surfaces.importers.pieces import excerpt as excerpt_of
from glossator.surfaces.importers.reading import Occurrences

_DATE = r"\d{4}-\d\d-\d\d"
_TIME = r"\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?"
_SPEAKER_LINE = re.compile(
    rf"\s{{0,3}}(?:[-*>]\s+)?(?:\[?(?P<at>{_DATE}(?:[T ,]+{_TIME})?)\]?\s*[-–|,]?\s*)?"
    r"(?P<bold>\*\*|__)?(?P<name>[^\W\d_][\w .'’()-]{0,39}?)(?:\*\*|__)?\s*[:：](?:\*\*|__)?(?:\s+|$)(?P<text>.*)$"
)
_SPEAKER_HEADING = re.compile(r"#{1,6}\s+(?:\*\*)?(?P<name>[^\W\d_][\w .'’-]{0,39}?)(?:\*\*)?\s*[:：]?\s*$")
_DATE_LINE = re.compile(rf"(?:#{{1,6}}\s*|[-=*_]{{2,}}\s*)?(?P<at>{_DATE}(?:[T ]{_TIME})?)\s*(?:[-=*_]{{2,}})?$")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")

REGULAR_COUNT_MIN = 2
"""A name that no program gives a role must begin this many lines: "Note:" alone is no speaker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A line that begins a turn."""

    name: str
    text: str
    at: str | None


def speaker_of(line: str) -> Start | None:
    """The start of a turn in this line, whoever the name may be."""
    match = _SPEAKER_LINE.match(line)
    if match:
        return Start(name=" ".join(match["name"].split()), text=match["text"], at=match["at"])
    heading = _SPEAKER_HEADING.match(line)
    if heading and heading["name"].casefold() in ROLE_WORDS:
        return Start(name=heading["name"], text="", at=None)
    return None


def speaker_names(lines: Sequence[str]) -> frozenset[str]:
    """The names that speak in this text, case-folded; empty if it is no transcript.

    It is one if its first words, after dates and headings, begin a turn. Where the usual names of a chat's two sides
    occur ("User", "Assistant"), only these speak; else names that come back do.
    """
    starts = [start for line in unfenced(lines) if (start := speaker_of(line)) is not None]
    counts = Counter(start.name.casefold() for start in starts)
    names = frozenset(counts.keys() & ROLE_WORDS.keys())
    if not names:
        names = frozenset(name for name, count in counts.items() if count >= REGULAR_COUNT_MIN)
    start = speaker_of(next((line for line in lines if not _is_ahead(line)), ""))
    return names if start is not None and start.name.casefold() in names else frozenset()


def _is_ahead(line: str) -> bool:
    """A blank line, a date or a title: what may stand before the first turn."""
    bare = line.strip()
    return not bare or bool(_DATE_LINE.match(bare)) or (bare.startswith("#") and speaker_of(line) is None)


def unfenced(lines: Sequence[str]) -> Iterator[str]:
    """The lines, blank where they lie in a fenced block of code: code is quoted, nobody begins to speak in it."""
    balanced = sum(1 for line in lines if _FENCE.match(line)) % 2 == 0
    inside = False
    for line in lines:
        fence = bool(_FENCE.match(line))
        yield "" if balanced and (inside or fence) else line
        inside ^= fence


class _Turns:
    """Turns as they come together, line by line; a dated line opens a session."""

    def __init__(self, home: Home, at: str | None) -> None:
        self._ids = Occurrences()
        self._start: Start | None = None
        self._lines: list[str] = []
        self._day: str | None = None
        self._at = at or home.at
        self.messages: list[ImportedMessage] = []
        self.conversation = home.fallback_conversation

    def begin(self, start: Start) -> None:
        self.end()
        self._start, self._lines = start, [start.text]

    def go_on(self, line: str) -> bool:
        """Add a line to the turn; False if nobody has begun to speak."""
        self._lines.append(line)
        return self._start is not None or not line.strip()

    def end(self) -> None:
        """Close the turn."""
        start, text = self._start, "\n".join(self._lines).strip()
        self._start, self._lines = None, []
        if start is None or not text:
            return
        role = ROLE_WORDS.get(start.name.casefold(), "user")
        speaker = role if start.name.casefold() == role else start.name
        self.messages.append(
            ImportedMessage(
                message_id=self._ids.id_of(role, speaker, text),
                role=role,
                content=text,
                speaker=speaker,
                at=_joined(start.at) or self._at,
            )
        )

    def new_day(self, at: str) -> Transcript | None:
        """Close the session; the next one carries this date."""
        done = self.session()
        self._at, self._day = _joined(at), at[:10]
        return done

    def session(self) -> Transcript | None:
        """Close and return what was said since the last date, if anything."""
        self.end()
        messages, self.messages = tuple(self.messages), []
        if not messages:
            return None
        return Transcript(conversation=self.conversation, session=self._day, messages=messages)


def _joined(at: str | None) -> str | None:
    return None if at is None else re.sub(r"[ ,]+", "T", at, count=1)


def read_turns(text: str, *, names: frozenset[str], home: Home, at: str | None = None) -> Iterator[Piece]:
    """The turns of these speakers, one Transcript per dated part. `at` dates what carries no date itself."""
    lines = text.split("\n")
    turns = _Turns(home, at)
    headings = 0
    for number, (line, bare) in enumerate(zip(lines, unfenced(lines), strict=True), start=1):
        start = speaker_of(bare)
        day = _DATE_LINE.match(bare.strip())
        if start is not None and start.name.casefold() in names:
            turns.begin(start)
        elif day:
            done = turns.new_day(day["at"])
            if done is not None:
                yield done
        elif not turns.go_on(line):
            if line.startswith("#"):
                headings += 1
            else:
                reason = "nobody has begun to speak here"
                yield Rejected(where=f"line {number}", reason=reason, excerpt=excerpt_of(line))
    done = turns.session()
    if done is not None:
        yield done
    if headings:
        yield LeftOut(reason="headings before the first turn", count=headings)
