"""`glossator bench`: measure recall on a published benchmark, or extraction on labelled turns, and show the report."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from glossator.errors import UsageError
from glossator.surfaces.call import Call, Interrupted

EXTRACT = "extract"
DEFAULTS: Mapping[str, Any] = {"k": "5,10,20", "facts": "off"}
"""What an option that only recall has says when it was left out; None for all others."""


def run(
    call: Call,
    dataset: str,
    data: Path,
    shared: Mapping[str, Any],
    *,
    recall: Mapping[str, Any],
    extraction: Mapping[str, Any],
) -> None:
    """Run it; the report goes to the screen, and to the file of `--out` if there is one."""
    from glossator.evaluate import DATASETS, render, run_bench
    from glossator.evaluate.extraction import render_extract, run_extract

    if dataset not in (*DATASETS, EXTRACT):
        choices = ", ".join((*DATASETS, EXTRACT))
        raise UsageError("dataset", f"{dataset!r} is not known", remedy=f"choose from {choices}")
    if dataset == EXTRACT:
        _refuse(recall, f"is not for {EXTRACT}")
        chosen = {name: value for name, value in extraction.items() if value is not None}
        limit = shared["limit_questions"]
        measure = partial(run_extract, data, out=shared["out"], seed=shared["seed"], limit=limit, **chosen)
        _measured(call, measure, render_extract)
    else:
        _refuse(extraction, f"is for {EXTRACT} only")
        _measured(call, partial(run_bench, dataset, data, **shared, **recall), render)


def _measured(call: Call, measure: Any, render: Any) -> None:
    try:
        with call.screen.progress("measuring", total=1.0) as advance:
            report = measure(
                options=call.options,
                progress=lambda done, total, what: advance(done / max(total, 1), f"{what} {done:,}/{total:,}"),
            )
    except KeyboardInterrupt:
        raise Interrupted("no report was written") from None
    call.screen.answer(report, render=lambda: render(report))


def _refuse(choices: Mapping[str, Any], problem: str) -> None:
    """An option that would be ignored is told, not ignored."""
    for name, value in choices.items():
        if value != DEFAULTS.get(name):
            raise UsageError(name, problem, remedy=f"leave --{name} out")
