"""What an embedder makes of texts: a vector each, and the signs of the vectors of its word pieces."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingText:
    """A text to embed; from `own_start` on it is the chunk's own words, before that what was said before them."""

    text: str
    own_start: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """`vectors` float32 (n, d), rows of length 1. `signs`: per text uint8 (pieces, d / 8), one row for each telling
    word piece of its own words, the sign bits of that piece's vector, packed.
    """

    vectors: NDArray[np.float32]
    signs: tuple[NDArray[np.uint8], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedQuestion:
    """`vector` float32 (d,) of length 1. `pieces` float32 (q, d), rows of length 1: the vectors of its word pieces;
    `spans` the offsets of each piece in the question.
    """

    vector: NDArray[np.float32]
    pieces: NDArray[np.float32]
    spans: tuple[tuple[int, int], ...]
    trust: float = 1.0
    """How far the model knows the question's language, 0 to 1: its cosines count that much."""
