"""Which words of a hit matched the question?"""

import re

from glossator.rules.tokens import fold, index_terms

_WORD = re.compile(r"\w+(?:['’ʼ]\w+)*")

Span = tuple[int, int]


def matched_spans(text: str, terms: tuple[str, ...]) -> tuple[Span, ...]:
    """Places of the words that have one of these index terms, in order, neighbours joined.

    In scripts without spaces these are the matched letters, not the whole run.
    """
    wanted = frozenset(terms)
    if not wanted:
        return ()
    spans: list[Span] = []
    for word in _WORD.finditer(text):
        found = wanted.intersection(index_terms(word.group()))
        if found:
            spans += _letters(word.group(), word.start(), found) or [word.span()]
    return _joined(spans)


def matched_words(text: str, terms: tuple[str, ...]) -> tuple[str, ...]:
    """The distinct words at these places, as written."""
    found: dict[str, str] = {}
    for start, end in matched_spans(text, terms):
        found.setdefault(fold(text[start:end]), text[start:end])
    return tuple(found.values())


def _letters(word: str, offset: int, found: frozenset[str]) -> list[Span]:
    if len(index_terms(word)) < 2:
        return []
    pieces = [match.span() for term in sorted(found) for match in re.finditer(re.escape(term), word)]
    return sorted((offset + start, offset + end) for start, end in pieces)


def _joined(spans: list[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
