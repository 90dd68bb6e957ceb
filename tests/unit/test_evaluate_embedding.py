"""Is each distinct text embedded once, and is the vector the same as without the cache?"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from glossator.errors import UsageError
from glossator.evaluate.embedding import CachingEmbedder
from glossator.ports import Embedder
from glossator.providers.hashing import HashingEmbedder


class Counting(HashingEmbedder):
    """A hashing embedder that keeps what it was asked."""

    def __init__(self, *, dimension: int = 32) -> None:
        super().__init__(dimension=dimension)
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen.extend(texts)
        return super().embed(texts)


def test_a_text_is_computed_once_and_every_row_is_right() -> None:
    inner = Counting()
    cached = CachingEmbedder(inner)

    first = cached.embed(["a cat", "a dog", "a cat"])
    second = cached.embed(["a dog", "a bird"])

    assert inner.seen == ["a cat", "a dog", "a bird"]
    plain = HashingEmbedder(dimension=32)
    assert np.array_equal(first, plain.embed(["a cat", "a dog", "a cat"]))
    assert np.array_equal(second, plain.embed(["a dog", "a bird"]))
    assert (cached.asked_count, cached.computed_count) == (5, 3)


def test_it_is_an_embedder_with_the_name_of_the_one_inside() -> None:
    cached = CachingEmbedder(Counting())

    assert isinstance(cached, Embedder)
    assert (cached.name, cached.dimension) == ("hashing-32", 32)
    assert cached.embed([]).shape == (0, 32)


def test_within_a_measurement_a_known_text_is_computed_anew() -> None:
    inner = Counting()
    cached = CachingEmbedder(inner)
    cached.embed(["a cat"])

    with cached.measured():
        cached.embed(["a cat"])
    cached.embed(["a cat"])

    assert inner.seen == ["a cat", "a cat"]


def test_vectors_are_kept_in_a_file_by_model_and_text(tmp_path: Path) -> None:
    file = tmp_path / "vectors.db"
    kept = CachingEmbedder(Counting(), file=file).embed(["a cat", "\ud800 lone"])

    again, other = Counting(), Counting(dimension=16)
    assert np.array_equal(CachingEmbedder(again, file=file).embed(["a cat", "\ud800 lone"]), kept)
    CachingEmbedder(other, file=file).embed(["a cat"])

    assert (again.seen, other.seen) == ([], ["a cat"])


def test_a_file_that_is_no_cache_is_refused_naming_the_argument(tmp_path: Path) -> None:
    file = tmp_path / "vectors.db"
    file.write_bytes(b"no database at all" * 100)

    with pytest.raises(UsageError, match=r"^cache: "):
        CachingEmbedder(Counting(), file=file).embed(["a cat"])


def test_a_file_of_another_program_is_refused_naming_the_argument(tmp_path: Path) -> None:
    file = tmp_path / "vectors.db"
    with sqlite3.connect(file) as store:
        store.execute("CREATE TABLE vectors (something TEXT)")
    store.close()

    with pytest.raises(UsageError, match=r"^cache: "):
        CachingEmbedder(Counting(), file=file).embed(["a cat"])
