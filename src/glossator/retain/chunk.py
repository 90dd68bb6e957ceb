"""Which verbatim pieces does a text fall into?

Pieces are offsets `(start, end)` into the text, in order, never empty, without white space at their ends. Every visible
character lies in a piece.
"""

import re
from collections.abc import Callable

from glossator.errors import UsageError
from glossator.model import STRATEGIES, Strategy
from glossator.rules.roles import role_labels

Span = tuple[int, int]

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+|(?<=[。！？])|\n+")
_WORD = re.compile(r"\S+")
_BREAKS = ("\n\n", "\n", ". ", "! ", "? ", "。", "！", "？", " ")
FIXED_WORDS = 200
FIXED_OVERLAP_WORDS = 20
"""200 words with a tenth of overlap (detail B21)."""


def split_text(text: str, *, strategy: Strategy, characters_max: int) -> tuple[Span, ...]:
    """The pieces of a text by a strategy; a piece longer than `characters_max` is cut again at its best break.

    "message" keeps the text whole as far as it fits; "turn_pairs" joins a user's turn with the answer to it, read
    from lines that begin with "User:" or "Assistant:"; "fixed_tokens" takes 200 words with 20 of overlap.
    Raises UsageError for an unknown strategy.
    """
    cutters: dict[Strategy, Callable[[str], list[Span]]] = {
        "message": lambda whole: [(0, len(whole))],
        "turn_pairs": _turn_pairs,
        "sentences": lambda whole: _between(whole, _SENTENCE_END),
        "paragraphs": lambda whole: _between(whole, _PARAGRAPH),
        "fixed_tokens": _fixed_words,
    }
    if strategy not in cutters:
        raise UsageError("strategy", f"{strategy!r} is unknown", remedy=f"choose from {', '.join(STRATEGIES)}")
    pieces: list[Span] = []
    for start, end in cutters[strategy](text):
        pieces.extend(_cut_long(text, start, end, characters_max))
    return tuple(pieces)


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))


def _cut_long(text: str, start: int, end: int, characters_max: int) -> list[Span]:
    pieces: list[Span] = []
    start, end = _trimmed(text, start, end)
    while end - start > characters_max:
        cut = start + _best_break(text[start : start + characters_max])
        pieces.append(_trimmed(text, start, cut))
        start, end = _trimmed(text, cut, end)
    if start < end:
        pieces.append((start, end))
    return [(first, last) for first, last in pieces if first < last]


def _best_break(window: str) -> int:
    for mark in _BREAKS:
        place = window.rfind(mark)
        if place >= len(window) // 3:
            return place + len(mark)
    return len(window)


def _between(text: str, mark: re.Pattern[str]) -> list[Span]:
    edges = [0]
    for found in mark.finditer(text):
        edges.extend((found.start(), found.end()))
    edges.append(len(text))
    return [(first, last) for first, last in zip(edges[::2], edges[1::2], strict=True) if first < last]


def _turn_pairs(text: str) -> list[Span]:
    starts = [0]
    answered = False
    for start, _, role in role_labels(text):
        asks = role in ("user", "system")
        if asks and answered and start > 0:
            starts.append(start)
            answered = False
        answered = answered or not asks
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _fixed_words(text: str) -> list[Span]:
    words = [found.span() for found in _WORD.finditer(text)]
    step = FIXED_WORDS - FIXED_OVERLAP_WORDS
    pieces: list[Span] = []
    for first in range(0, len(words), step):
        last = min(first + FIXED_WORDS, len(words)) - 1
        pieces.append((words[first][0], words[last][1]))
        if last == len(words) - 1:
            break
    return pieces
