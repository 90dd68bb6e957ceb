"""The embedder without a model: deterministic, offline, good enough to tell texts apart."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.errors import UsageError
from glossator.providers.hashing import HashingEmbedder


@given(st.lists(st.text(max_size=60), max_size=6), st.integers(min_value=1, max_value=300))
def test_every_text_has_one_row_of_length_one(texts: list[str], dimension: int) -> None:
    vectors = HashingEmbedder(dimension=dimension).embed(texts)

    assert vectors.shape == (len(texts), dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


@given(st.text(), st.lists(st.text(), max_size=3))
def test_a_text_has_the_same_vector_whatever_stands_beside_it(text: str, others: list[str]) -> None:
    embedder = HashingEmbedder()

    assert np.array_equal(embedder.embed([text])[0], embedder.embed([*others, text])[-1])


def test_another_process_gives_the_same_vector() -> None:
    program = (
        "from glossator.providers.hashing import HashingEmbedder as H; print(H().embed(['a red boat']).tobytes().hex())"
    )

    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert printed.strip() == HashingEmbedder().embed(["a red boat"]).tobytes().hex()


def test_shared_words_and_stems_bring_texts_near() -> None:
    painted, painting, invoice = HashingEmbedder().embed(
        ["Melanie painted a sunrise", "the painting of a sunrise", "Your invoice is overdue"]
    )

    assert painted @ painting > 0.3
    assert painted @ painting > painted @ invoice + 0.2


def test_case_and_width_make_no_difference() -> None:
    plain, other = HashingEmbedder().embed(["red boat", "\uff32\uff25\uff24 Boat"])

    assert np.array_equal(plain, other)


def test_texts_without_words_share_one_vector() -> None:
    empty, marks = HashingEmbedder().embed(["", "?!… "])

    assert np.array_equal(empty, marks)


def test_the_name_tells_spaces_of_different_dimension_apart() -> None:
    assert HashingEmbedder(dimension=64).name != HashingEmbedder().name


def test_a_dimension_below_one_is_refused() -> None:
    with pytest.raises(UsageError, match="dimension"):
        HashingEmbedder(dimension=0)
