"""The learned rankers that ship: plain data, complete, monotone, and said when missing."""

import json
from collections.abc import Mapping
from importlib import resources

import numpy as np
import pytest
from numpy.typing import NDArray

from glossator import ProviderError
from glossator.providers.minilm import MiniLM
from glossator.providers.ranker import OnnxRanker

STEMS = ("turn_ranker",)


def card(stem: str) -> dict[str, object]:
    text = resources.files("glossator.providers").joinpath(f"{stem}.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]


def columns(stem: str, count: int) -> dict[str, NDArray[np.float32]]:
    draw = np.random.default_rng(0)
    return {name: draw.random(count, np.float32) for name in card(stem)["features"]}  # type: ignore[attr-defined]


@pytest.mark.parametrize("stem", STEMS)
def test_a_shipped_ranker_scores_every_row_the_same_way_every_time(stem: str) -> None:
    ranker = OnnxRanker.shipped(stem)
    rows = columns(stem, 150)
    first = ranker.score(rows)
    assert first.shape == (150,)
    assert np.isfinite(first).all()
    assert (OnnxRanker.shipped(stem).score(rows) == first).all()
    assert ranker.embedder == MiniLM.name


@pytest.mark.parametrize(
    ("stem", "name", "direction"),
    [
        ("turn_ranker", "bm25_top", 1),
        ("turn_ranker", "sim", 1),
        ("turn_ranker", "late", 1),
        ("turn_ranker", "blend", 1),
        ("turn_ranker", "bm25_rank", -1),
    ],
)
def test_a_better_match_never_lowers_a_score(stem: str, name: str, direction: int) -> None:
    ranker = OnnxRanker.shipped(stem)
    rows = columns(stem, 200)
    rising: Mapping[str, NDArray[np.float32]] = {
        key: np.linspace(-1, 3, 200, dtype=np.float32) if key == name else np.full(200, value[0])
        for key, value in rows.items()
    }
    assert (np.diff(ranker.score(rising)) * direction >= -1e-5).all()


def test_a_missing_column_or_file_is_a_provider_error_that_names_it() -> None:
    rows = columns("turn_ranker", 3)
    del rows["late"]
    with pytest.raises(ProviderError, match="late"):
        OnnxRanker.shipped("turn_ranker").score(rows)
    with pytest.raises(ProviderError, match="no_such"):
        OnnxRanker.shipped("no_such")
