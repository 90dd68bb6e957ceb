"""What embeds a text in tests, and where no model may be installed?

Feature hashing (Weinberger et al., 2009): each word and each run of three or four characters in a word adds or takes
one weight at a place of the vector that its own hash chooses. Texts that share words or word stems come out near each
other; synonyms don't.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from glossator.errors import UsageError

__all__ = ["HashingEmbedder"]

_WORD = re.compile(r"\w+")

GRAM_WEIGHT = 0.3
"""A word has about as many runs of characters as letters twice over: together they weigh about as much as the word."""

WORD_CHARACTERS_MAX = 64
"""A longer "word" is a token, a hash or a script without spaces; its first characters say enough."""


class HashingEmbedder:
    """A deterministic embedder without a model: the same text has the same vector on every machine and version.

    ``dimension`` is the length of a vector; in fewer than about 64 numbers unrelated texts begin to look alike. It is
    part of ``name``, as another dimension is another space.
    """

    def __init__(self, *, dimension: int = 256) -> None:
        if dimension < 1:
            raise UsageError("dimension", f"{dimension} is below 1", remedy="256 is the default")
        self.dimension = dimension
        self.name = f"hashing-{dimension}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 for each text, in the order given: shape (len(texts), dimension).

        Texts without a word share one vector.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = _embed_one(text, self.dimension)
        return vectors


def _embed_one(text: str, dimension: int) -> NDArray[np.float64]:
    vector = np.zeros(dimension, dtype=np.float64)
    for (feature, weight), count in sorted(Counter(_features(text)).items()):
        place, sign = _place(feature, dimension)
        vector[place] += sign * weight * (1.0 + np.log(count))
    length = float(np.linalg.norm(vector))
    if length == 0.0:  # no word, or features that cancel each other out
        vector[0] = length = 1.0
    return vector / length


def _features(text: str) -> Iterator[tuple[str, float]]:
    """Yield each word and each run of three and four characters of the word between its edges, with its weight."""
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        yield word, 1.0
        edged = f"<{word[:WORD_CHARACTERS_MAX]}>"
        for size in (3, 4):
            for start in range(len(edged) - size + 1):
                yield f"{size}:{edged[start : start + size]}", GRAM_WEIGHT


def _place(feature: str, dimension: int) -> tuple[int, float]:
    """Return where a feature counts and whether it adds or takes; Python's own hash() differs between processes."""
    digest = int.from_bytes(hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest(), "big")
    return (digest >> 1) % dimension, 1.0 if digest & 1 else -1.0
