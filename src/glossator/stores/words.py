"""How does an index term of any script become one plain word, with nothing in it that could be syntax?

The term itself where it is plain (a-z, 0-9), else `0x` and the hex digits of its UTF-8. Both stores index these words.
"""

import re
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
