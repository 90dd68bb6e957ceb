"""How do index terms of any script pass unchanged through FTS5, with nothing in a query that could be syntax?

Each term becomes one word of ASCII letters and digits: the scope's id, `s` for a term of the text or `p` for one of
the speaker's name, then the word of stores/words.py.
"""

from collections.abc import Iterable

from glossator.stores.words import index_word


def body_words(scope_id: int, terms: Iterable[str]) -> str:
    """The text's terms as the index keeps them, each under its scope."""
    return " ".join(f"{scope_id}s{index_word(term)}" for term in terms)


def speaker_words(scope_id: int, terms: Iterable[str]) -> str:
    """The speaker's terms as the index keeps them, each under its scope."""
    return " ".join(f"{scope_id}p{index_word(term)}" for term in terms)


def match_term(scope_id: int, term: str) -> str:
    """An FTS5 query for one term of the text in one scope."""
    return f'"{scope_id}s{index_word(term)}"'
