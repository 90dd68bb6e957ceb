"""`glossator bench`: measure recall on a published benchmark, and show the report."""

from pathlib import Path
from typing import Any

from glossator.surfaces.call import Call, Interrupted


def run(call: Call, dataset: str, data: Path, *, out: Path | None, **choices: Any) -> None:
    """Run it; the report goes to the screen, and to `out` if it is given."""
    from glossator.evaluate import render, run_bench

    try:
        with call.screen.progress("measuring", total=1.0) as advance:
            report = run_bench(
                dataset,
                data,
                out=out,
                options=call.options,
                progress=lambda done, total, what: advance(done / max(total, 1), f"{what} {done:,}/{total:,}"),
                **choices,
            )
    except KeyboardInterrupt:
        raise Interrupted("no report was written") from None
    call.screen.answer(report, render=lambda: render(report))
