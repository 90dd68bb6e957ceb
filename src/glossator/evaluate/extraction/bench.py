"""How good is extraction? One call: find out what the data is, replay it, score it beside a baseline, report."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from glossator import Options, UsageError
from glossator.evaluate.bench import check_targets, versions
from glossator.evaluate.datasets.reading import files_of, json_of, lines_of
from glossator.evaluate.extraction.halumem import is_halumem, load_halumem
from glossator.evaluate.extraction.judging import judge
from glossator.evaluate.extraction.labelled import is_labelled, load_labelled
from glossator.evaluate.extraction.labelled_report import LABELLED_PROTOCOL, labelled_figures
from glossator.evaluate.extraction.naive import naive_facts
from glossator.evaluate.extraction.points_report import POINTS_PROTOCOL, Remembered, points_figures
from glossator.evaluate.extraction.realmem import is_realmem, load_realmem_points
from glossator.evaluate.extraction.replay import OFFLINE, Progress, options_for, replay_people, replay_turns
from glossator.evaluate.extraction.values import LabelledTurn, Person, Points
from glossator.evaluate.report import write

__all__ = ["EXTRACT_HALVES", "run_extract"]

EXTRACT_HALVES = ("dev", "test", "both")
FOREIGN = "negative:other_language"
"""Turns that only the offline extractor, which knows English, has to leave alone."""
NAIVE = "naive baseline: every sentence of the user of four words or more is a fact"


def run_extract(
    data: str | Path,
    *,
    extractor: str = OFFLINE,
    half: str = "dev",
    out: str | Path | None = None,
    seed: int = 0,
    limit: int | None = None,
    progress: Progress | None = None,
    options: Options | None = None,
) -> dict[str, object]:
    """Measure extraction; returns the report, and writes it to `out` as JSON.

    `data` is the labelled set, HaluMem or RealMem, a file or a folder; which of them, its content tells. `extractor`
    is "offline" or "provider:model". `half` of the labelled set is dev, test or both. `limit` keeps to the first so
    many turns, or sessions of each person. Raises UsageError naming the argument.
    """
    check_targets(out, None, limit, seed)
    if half not in EXTRACT_HALVES:
        raise UsageError("half", f"{half!r} is not known", remedy=f"choose from {', '.join(EXTRACT_HALVES)}")
    chosen = options_for(extractor, options)
    loaded = _loaded(Path(data))
    watch = progress or _unseen
    if isinstance(loaded, Points):
        report = _points_report(loaded, chosen, watch, seed=seed, limit=limit)
    else:
        turns = [turn for turn in loaded if extractor == OFFLINE or turn.sort != FOREIGN]
        report = _labelled_report(turns, chosen, watch, half=half, seed=seed, limit=limit)
    whole: dict[str, object] = {
        "bench": "extract",
        "extractor": extractor,
        "data": Path(data).name,
        **report,
        "seed": seed,
        "limit": limit,
        "versions": versions(None),
    }
    if out is not None:
        write(whole, Path(out))
    return whole


def _loaded(path: Path) -> tuple[LabelledTurn, ...] | Points:
    """Whatever the first value of the first file shows the data to be."""
    lined = tuple(sorted(path.glob("*.jsonl"))) if path.is_dir() else (path,) if path.suffix == ".jsonl" else ()
    files = lined or files_of(path)
    values = lines_of(files[0], argument="data")[:1] if lined else (json_of(files[0]),)
    first = values[0] if values else None
    if lined and is_labelled(first):
        return load_labelled(files)
    if lined and is_halumem(first):
        return load_halumem(files)
    if is_realmem(first):
        return load_realmem_points(files)
    problem = f"{files[0]} is neither the labelled set nor a file of HaluMem or RealMem"
    raise UsageError("data", problem, remedy="pass bench/labelled, or a benchmark's published file")


def _labelled_report(
    turns: Sequence[LabelledTurn], options: Options, progress: Progress, *, half: str, seed: int, limit: int | None
) -> dict[str, Any]:
    chosen = [turn for turn in turns if half in ("both", turn.half)][:limit]
    if not chosen:
        raise UsageError("half", f"the data has no turn of the half {half!r}", remedy="pass the folder of both halves")
    judged = replay_turns(chosen, options, progress)
    naive = [judge(turn, naive_facts(turn.text, role=turn.role)) for turn in chosen]
    baseline = labelled_figures(naive, seed=seed)
    for listed in ("misses", "false_positives", "date_misses"):
        baseline.pop(listed)
    return {
        "kind": "labelled",
        "half": half,
        "turns": len(chosen),
        "negative_turns": sum(turn.negative for turn in chosen),
        "figures": labelled_figures(judged, seed=seed),
        "naive": baseline,
        "protocol": [*LABELLED_PROTOCOL, NAIVE],
    }


def _points_report(
    points: Points, options: Options, progress: Progress, *, seed: int, limit: int | None
) -> dict[str, Any]:
    people = [replace(person, sessions=person.sessions[:limit]) for person in points.people]
    remembered = replay_people(people, options, progress)
    naive = [Remembered(person=person, facts=_naive_of(person)) for person in people]
    return {
        "kind": points.name,
        "people": len(people),
        "source": points.source,
        "figures": points_figures(remembered, seed=seed),
        "naive": points_figures(naive, seed=seed, listed=False),
        "mended": dict(points.mended),
        "protocol": [*points.protocol, *POINTS_PROTOCOL, NAIVE],
    }


def _naive_of(person: Person) -> tuple[Any, ...]:
    return tuple(
        fact
        for session in person.sessions
        for turn in session.turns
        for fact in naive_facts(turn.text, role=turn.role, session=session.name)
    )


def _unseen(done: int, total: int, what: str) -> None:
    """Progress that nobody watches."""
