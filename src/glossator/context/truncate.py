"""How is an over-long prompt cut to the window of a model, without asking a model?

Its beginning and its end stay word for word, the middle goes, and a marker says how much went. context/elide.py decides
whether and where: what is queued for extraction before a cut is what the cut drops.
"""

import regex

from glossator.context.elide import CHARACTERS_PER_TOKEN, elided_span, marker

_GRAPHEME = regex.compile(r"\X")
_SURE = regex.compile(
    r"(?r)[ -~\p{Lu}\p{Ll}\p{Han}\u05d0-\u05ea\u0621-\u064a\u0e01-\u0e30\u3041-\u3094\u30a1-\u30fa]"
    r"|(?<!\u200d)\p{Extended_Pictographic}|(?<![\u1100-\u115f\ua960-\ua97c])[\uac00-\ud7a3]"
)
"""The nearest one before a place, found backwards. Where its letter ends does not hang on what precedes it, so letters
can be counted from there."""
_FLAG_HALVES = regex.compile(r"(?r)\p{Regional_Indicator}{3,}")
"""These pair from the beginning of their run; `\\X` counts the run anew at each of them, which takes its square."""


def truncate_to_context(text: str, *, window_tokens: int, reserve_tokens: int = 0) -> str:
    """The text, cut to the window if it is too long for it: unchanged if it fits, never longer than its room.

    The room has three characters for each token of the window; `reserve_tokens` of them are kept free for what else
    goes into it, and whoever queues the dropped span has to take them off the window too. No letter is cut, however
    many characters it is made of. The marker names the number of characters that are missing.
    """
    tokens = max(0, window_tokens - reserve_tokens)
    span = elided_span(len(text), window_tokens=tokens)
    if span is None:
        return text
    head = _boundary_up_to(text, span.start)
    tail = _boundary_from(text, span.end)
    return text[:head] + marker(tail - head, room=CHARACTERS_PER_TOKEN * tokens) + text[tail:]


def _boundary_up_to(text: str, place: int) -> int:
    start, end = _grapheme_over(text, place)
    return place if end == place else start


def _boundary_from(text: str, place: int) -> int:
    return _grapheme_over(text, place)[1]


def _grapheme_over(text: str, place: int) -> tuple[int, int]:
    """The first letter that ends at this place or after it."""
    sure = _SURE.search(text, 0, place)
    start = sure.start() if sure else 0
    if flags := _FLAG_HALVES.search(text, start, place):
        start = flags.start() + (len(flags[0]) - 1) // 2 * 2
    for letter in _GRAPHEME.finditer(text, start):
        if letter.end() >= place:
            return int(letter.start()), int(letter.end())
    return place, place
