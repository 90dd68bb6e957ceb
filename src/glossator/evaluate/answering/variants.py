"""Whose answers are read? Those of the product with its facts, without them, and of its facts alone."""

from collections.abc import Mapping

from glossator.evaluate.answering.exam import examine
from glossator.evaluate.answering.figures import answering_figures
from glossator.evaluate.answering.models import Models
from glossator.evaluate.runner import FACTS_ONLY, PRODUCT, WITHOUT, Asked, Progress, Run

__all__ = ["BOTH", "RAW", "read_and_judged"]

RAW, BOTH = "raw", "both"
"""Chunks without facts, and chunks with facts as the run joins them."""


def read_and_judged(run: Run, models: Models, *, progress: Progress | None = None, seed: int = 0) -> dict[str, object]:
    """The block `answering` of a report. The baselines are not read: every answer costs two calls."""
    asked = _read(run)
    answers = examine(asked, reader=models.reader, judge=models.judge, progress=progress)
    return answering_figures(asked, answers, seed=seed)


def _read(run: Run) -> Mapping[str, tuple[Asked, ...]]:
    product = run.asked[PRODUCT]
    if WITHOUT not in run.asked:
        return {RAW: product}
    raw = {RAW: run.asked[WITHOUT]}
    if FACTS_ONLY in run.asked:
        return {**raw, FACTS_ONLY: run.asked[FACTS_ONLY], BOTH: product}
    return {**raw, FACTS_ONLY: product}  # the product itself was asked for facts in place of chunks
