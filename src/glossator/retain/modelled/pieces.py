"""Which text of a turn goes into which prompt, and how is it fenced?

A prompt holds at most 8,000 characters of a turn. A longer turn becomes several prompts, cut between passages and
sentences, so that its middle is read like its ends; what lies beyond the last prompt is counted, never silently left.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from glossator.model import Passage, Turn
from glossator.retain.chunk import split_text
from glossator.rules.instants import local_time

CHARACTERS_MAX = 8_000
"""Of turn text in one prompt (detail B2)."""
ACTION_CHARACTERS_MAX = 500
"""An action is JSON: its name and first arguments say what was done (detail B2)."""
LABEL_CHARACTERS_MAX = 120
PROMPTS_MAX = 8
"""64,000 characters: a long document. A longer span comes in several turns."""
_FENCE = re.compile(r"[<>]{3,}")
_BLANKED = re.compile(r" {4,}")
"""Runs of blanks: what was taken out of the text before, for example recalled memory, or the indents of a table."""
_OPEN, _CLOSE = "‹", "›"
_LABELS = ("user request", "thought", "action", "observation", "final answer")
"""In the order in which they stand in a turn's text (detail B2)."""
_LOOKS_LABELLED = re.compile(rf"(?<=[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])(?=(?:{'|'.join(_LABELS)})\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a passage: `Turn.passages[passage].text[start:end]`."""

    passage: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Portions:
    """The pieces of each prompt, and how many characters no prompt holds."""

    prompts: tuple[tuple[Piece, ...], ...]
    unread_count: int = 0


def portions(turn: Turn, *, characters_max: int = CHARACTERS_MAX, prompts_max: int = PROMPTS_MAX) -> Portions:
    """The turn cut into prompts: as few as hold it, at most `prompts_max`."""
    prompts: list[list[Piece]] = []
    room = 0
    unread_count = 0
    for piece in _pieces(turn, characters_max):
        size = piece.end - piece.start + LABEL_CHARACTERS_MAX
        if size > room or not prompts:
            if len(prompts) == prompts_max:
                unread_count += piece.end - piece.start
                room = 0
                continue
            prompts.append([])
            room = characters_max
        prompts[-1].append(piece)
        room -= size
    return Portions(prompts=tuple(tuple(pieces) for pieces in prompts), unread_count=unread_count)


def fenced(turn: Turn, pieces: tuple[Piece, ...]) -> str:
    """These pieces of the turn as labelled lines that cannot close their fence."""
    days = {local_time(passage.said).date() for passage in turn.passages}
    return "\n".join(_labelled(turn.passages[piece.passage], piece, dated=len(days) > 1) for piece in pieces)


def neutralised(text: str) -> str:
    """The text with runs of three or more angle brackets replaced by marks that look alike and close nothing."""
    return _FENCE.sub(lambda found: found.group().replace("<", _OPEN).replace(">", _CLOSE), text)


def label_of(passage: Passage) -> str:
    """What a passage is in its turn; a system text is nothing that facts are taken from: ""."""
    match passage.role:
        case "user":
            return "user request"
        case "tool":
            return "observation"
        case "assistant":
            return passage.speaker if passage.speaker in ("thought", "action") else "final answer"
        case "system":
            return ""


def _pieces(turn: Turn, characters_max: int) -> Iterator[Piece]:
    """Every passage but the system's, in the order of a turn's text, cut where it is longer than a prompt."""
    places = [place for place, passage in enumerate(turn.passages) if label_of(passage)]
    if turn.source == "turn":
        places.sort(key=lambda place: _LABELS.index(label_of(turn.passages[place])))
    for place in places:
        passage = turn.passages[place]
        if label_of(passage) == "action":
            yield Piece(passage=place, start=0, end=min(len(passage.text), ACTION_CHARACTERS_MAX))
            continue
        longest = characters_max - LABEL_CHARACTERS_MAX
        for start, end in split_text(passage.text, strategy="message", characters_max=longest):
            yield Piece(passage=place, start=start, end=end)


def _labelled(passage: Passage, piece: Piece, *, dated: bool) -> str:
    """One piece behind its label. A line of its content that looks like a label is set in."""
    words = _BLANKED.sub("   ", neutralised(passage.text[piece.start : piece.end])).strip()
    label = label_of(passage)
    of = [neutralised(passage.speaker)[:60]] if passage.speaker not in (passage.role, label) else []
    of += [f"{local_time(passage.said):%Y-%m-%d}"] if dated else []
    return label + (f" ({', '.join(of)}): " if of else ": ") + _LOOKS_LABELLED.sub("  ", words)
