"""How do index terms of any script pass unchanged through FTS5, with nothing in a query that could be syntax?

Each term becomes one word of ASCII letters and digits: the scope's id, `s` for a term of the text or `p` for one of
the speaker's name, then the term itself where it is plain (a-z, 0-9), else `0x` and the hex digits of its UTF-8.
"""

import re
from collections.abc import Iterable
from hashlib import sha256

WORD_BYTES_MAX = 200
"""A longer term is kept as its SHA-256: FTS5 cuts words at 32 KiB, and nobody types such a term twice by chance."""

_plain = re.compile(r"(?!0[xz])[a-z0-9]+").fullmatch


def index_word(term: str) -> str:
    """The term as a word of a-z and 0-9; two terms never share one."""
    if len(term) <= WORD_BYTES_MAX and _plain(term):
        return term
    encoded = term.encode("utf-8", "surrogatepass")
    return f"0z{sha256(encoded).hexdigest()}" if len(encoded) > WORD_BYTES_MAX else f"0x{encoded.hex()}"


def body_words(scope_id: int, terms: Iterable[str]) -> str:
    """The text's terms as the index keeps them, each under its scope."""
    return " ".join(f"{scope_id}s{index_word(term)}" for term in terms)


def speaker_words(scope_id: int, terms: Iterable[str]) -> str:
    """The speaker's terms as the index keeps them, each under its scope."""
    return " ".join(f"{scope_id}p{index_word(term)}" for term in terms)


def match_term(scope_id: int, term: str) -> str:
    """An FTS5 query for one term of the text in one scope."""
    return f'"{scope_id}s{index_word(term)}"'
