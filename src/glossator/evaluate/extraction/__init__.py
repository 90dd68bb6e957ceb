"""How good is extraction? Labelled turns and published memory points, replayed through the public API and scored."""

from glossator.evaluate.extraction.bench import EXTRACT_HALVES, run_extract
from glossator.evaluate.extraction.table import render_extract

__all__ = ["EXTRACT_HALVES", "render_extract", "run_extract"]
