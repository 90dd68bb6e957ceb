"""How is an over-long prompt cut to the window of a model, without asking a model?

Its beginning and its end stay word for word, the middle goes, and a marker says how much went. context/elide.py decides
whether and where: what is queued for extraction before a cut is what the cut drops.
"""

import regex

from glossator.context.elide import CHARACTERS_PER_TOKEN, elided_span, marker

_GRAPHEME = regex.compile(r"\X")
_SURE = regex.compile(r"(?r)[ -~\p{Lu}\p{Ll}\p{Han}\u3041-\u3094\u30a1-\u30fa]")
"""The nearest one before a place, found backwards. Where the letter that holds it ends does not hang on what precedes
it, so letters can be counted from there; a run of flags or joined emoji has to be counted from its beginning."""


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
    for letter in _GRAPHEME.finditer(text, sure.start() if sure else 0):
        if letter.end() >= place:
            return letter.span()
    return place, place
