"""How do index terms of any script pass unchanged through PostgreSQL's `simple` configuration?

Each term becomes one word of ASCII letters and digits that begins with a letter: `s`, the scope's id, `t`, then the
word of stores/words.py. The server's parser takes such a word for one token and leaves it as it is, and
nothing in it can be an operator of a tsquery.
"""

from collections.abc import Iterable

from glossator.stores.words import index_word

PART_CHARACTERS_MAX = 400_000
"""A tsvector holds 1 MB of lexemes and positions. A word of 4 letters and its space take at most 9 bytes there (the
shortest words take most), so this much text never overflows it."""


def step_word(scope_id: int, term: str) -> str:
    """The term as a word under its scope; two terms of one scope, or of two, never share one."""
    return f"s{scope_id}t{index_word(term)}"


def parts(words: Iterable[str]) -> list[str]:
    """The words in order, joined by single spaces, in pieces that a tsvector can hold."""
    pieces: list[list[str]] = []
    room = 0
    for word in words:
        if len(word) + 1 > room:
            pieces.append([])
            room = PART_CHARACTERS_MAX
        pieces[-1].append(word)
        room -= len(word) + 1
    return [" ".join(piece) for piece in pieces]


def any_of(words: Iterable[str]) -> str:
    """A tsquery for rows that have one of the words."""
    return " | ".join(words)
