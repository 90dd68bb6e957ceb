"""Which options does `bench` have? The verb with the most of them; cli.py has all others."""

from pathlib import Path
from typing import Annotated

import typer

from glossator.surfaces.call import Call


def bench(
    call: Call,
    *,
    dataset: Annotated[
        str, typer.Argument(help="locomo, longmemeval, memdaily or realmem; or extract.", show_default=False)
    ],
    data: Annotated[Path, typer.Option(help="Its published file, or a folder of such.", show_default=False)],
    pool: Annotated[
        str | None, typer.Option(help="Sessions per haystack, or all (longmemeval).", show_default=False)
    ] = None,
    k: Annotated[str, typer.Option("--k", help="Cut-offs.")] = "5,10,20",
    filler: Annotated[Path | None, typer.Option(help="Sessions to fill haystacks with.", show_default=False)] = None,
    out: Annotated[Path | None, typer.Option(help="Write the report there as JSON.", show_default=False)] = None,
    seed: Annotated[int, typer.Option(help="Seed of haystacks and intervals.")] = 0,
    limit_questions: Annotated[int | None, typer.Option(help="Ask the first so many only.", show_default=False)] = None,
    cache: Annotated[Path | None, typer.Option(help="Keep vectors here across runs.", show_default=False)] = None,
    facts: Annotated[str, typer.Option(help="off, offline or model: recall with facts, and without.")] = "off",
    join: Annotated[
        str | None, typer.Option(help="separate, merge or replace; with --facts.", show_default=False)
    ] = None,
    reader: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="provider:model that answers from what was found.", show_default=False),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="provider:model that judges; else the reader.", show_default=False),
    ] = None,
    extractor: Annotated[
        str | None, typer.Option(help="offline or provider:model (extract).", show_default=False)
    ] = None,
    half: Annotated[
        str | None, typer.Option(help="dev, test or both of the labelled turns (extract).", show_default=False)
    ] = None,
) -> None:
    """Measure recall on a published benchmark, beside plain BM25 and vectors alone; or what extraction finds."""
    from glossator.surfaces.verbs import bench

    shared = {"out": out, "seed": seed, "limit_questions": limit_questions}
    recall = {"pool": pool, "k": k, "filler": filler, "cache": cache, "facts": facts, "join": join}
    answering = {"reader": reader, "judge": judge}
    bench.run(
        call, dataset, data, shared, recall={**recall, **answering}, extraction={"extractor": extractor, "half": half}
    )
