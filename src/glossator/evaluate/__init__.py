"""How good is recall? Published benchmarks read in their own formats, asked through the public API, scored."""

from glossator.evaluate.bench import DEFAULT_KS, run_bench
from glossator.evaluate.datasets import DATASETS
from glossator.evaluate.report import render, show, write

__all__ = ["DATASETS", "DEFAULT_KS", "render", "run_bench", "show", "write"]
