"""How good is recall on a published benchmark? One call: read, record, ask, score, report."""

import importlib.metadata
import platform
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import glossator
from glossator import Options, UsageError
from glossator.evaluate.answering import Models, check_answers, models_of, read_and_judged
from glossator.evaluate.datasets import load
from glossator.evaluate.differences import differences_of
from glossator.evaluate.embedding import CachingEmbedder, caching
from glossator.evaluate.figures import Choices, report_of
from glossator.evaluate.report import write
from glossator.evaluate.runner import BLOCK_HITS_COUNT, HITS_COUNT, SESSION_HITS_COUNT, Progress, Run, run
from glossator.evaluate.values import Dataset
from glossator.options import FactsJoin
from glossator.ports import LanguageModel
from glossator.wiring import default_embedder

__all__ = ["DEFAULT_KS", "check_targets", "run_bench", "versions"]

DEFAULT_KS = (5, 10, 20)
FACTS = ("off", "offline", "model")
JOINS: tuple[FactsJoin, ...] = ("separate", "merge", "replace")
ALWAYS_KS = (1, 5, 10, 20)
"""Figures every report has. recall@1 because recall@10 of all systems meets near 1 on easy haystacks."""
K_MAX = 200
HOW = (
    f'turn figures and session_by_turn: one recall per question with per="turn", limit {HITS_COUNT} (or the largest k)',
    f'session figures: a second recall with per="session", limit {SESSION_HITS_COUNT} (or the largest k)',
    f"token budgets: a third recall with limit {BLOCK_HITS_COUNT}; shown are turns with at least 80 % of their text",
    "95 % intervals: percentile bootstrap over questions, 2,000 resamples; gain: paired on the same questions",
    'baselines: the same store file opened with signals {"lexical"} and {"vector"}',
    'latency of per="turn" includes embedding the question, and loading a scope that is asked for the first time',
)


def run_bench(
    dataset: str,
    data: str | Path,
    *,
    pool: str | int | None = None,
    k: str | Sequence[int] = DEFAULT_KS,
    filler: str | Path | None = None,
    out: str | Path | None = None,
    seed: int = 0,
    limit_questions: int | None = None,
    cache: str | Path | None = None,
    facts: str = "off",
    join: str | None = None,
    reader: str | LanguageModel | None = None,
    judge: str | LanguageModel | None = None,
    progress: Progress | None = None,
    options: Options | None = None,
) -> dict[str, object]:
    """Measure recall on a benchmark in its published format; returns the report, and writes it to `out` as JSON.

    `dataset` is locomo, longmemeval, memdaily or realmem, `data` its file (or a folder of files). `pool` and `filler`
    make haystacks for longmemeval: a number of sessions, or "all". `k` are the cut-offs beside 1, 5, 10 and 20.
    `limit_questions` scores the first so many only, `cache` keeps vectors in a file across runs (ingest speed is then
    not measured). `facts` is off, offline or model (the options' `language_model`): what takes facts out of the turns.
    The same questions are then asked without facts too. `join` is how facts stand beside chunks: separate, merge or
    replace. A `reader` (provider:model, or a model) answers each question from what recall found, the `judge`, else
    the reader, compares with the gold answer; with facts also from facts only. Raises UsageError naming the argument.
    """
    ks = _cut_offs(k)
    check_targets(out, cache, limit_questions, seed)
    options = with_facts(options or Options(), facts, join)
    models = models_of(reader, judge)
    drawn = None if pool is None else str(pool)
    read = load(dataset, data, pool=drawn, filler=filler, seed=seed, unscored=models is not None)
    loaded = _limited(read, limit_questions, models)
    embedder = _cached(options, cache)
    measured = partial(run, hits_count=max(HITS_COUNT, *ks), session_hits_count=max(SESSION_HITS_COUNT, *ks))
    measured = partial(measured, facts=facts != "off", facts_only=_facts_only(facts, options, models))
    done = measured(loaded, options=options, embedder=embedder, progress=progress)
    choices = Choices(ks=ks, seed=seed, published_ndcg=dataset == "longmemeval")
    figures = _figures(loaded, done, choices, (facts, options.facts_join))
    if models is not None:
        figures["answering"] = read_and_judged(done, models, progress=progress, seed=seed)
    report: dict[str, object] = {
        "dataset": dataset,
        "data": loaded.source,
        "pool": drawn,
        "filler": None if filler is None else Path(filler).name,
        "k": list(ks),
        **figures,
        "saturated": _saturated(ks, figures),
        "protocol": [*loaded.protocol, *HOW, *_caveats(limit_questions, cache, models)],
        "versions": versions(embedder),
        "seed": seed,
    }
    if out is not None:
        write(report, Path(out))
    return report


def with_facts(options: Options, facts: str, join: str | None) -> Options:
    """The options that take facts out of turns in this way and recall them so."""
    if facts not in FACTS:
        raise UsageError("facts", f"{facts!r} is not known", remedy=f"choose from {', '.join(FACTS)}")
    if join is not None and join not in JOINS:
        raise UsageError("join", f"{join!r} is not known", remedy=f"choose from {', '.join(JOINS)}")
    if facts == "off":
        if join is not None:
            raise UsageError("join", "joins facts, and facts are off", remedy="add --facts offline")
        return options
    chosen = replace(options, facts_join=next((each for each in JOINS if each == join), "separate"))
    if facts == "offline":
        return replace(chosen, capture_mode="offline", turn_fact_extraction_enabled=False)
    if options.language_model == "none":
        problem = "'model' needs a language model"
        raise UsageError("facts", problem, remedy="set GLOSSATOR_LANGUAGE_MODEL to provider:model")
    return replace(chosen, capture_mode="per_turn", turn_fact_extraction_enabled=True)


def _facts_only(facts: str, options: Options, models: Models | None) -> bool:
    """Only where answers are read, and unless the product itself is asked for facts in place of chunks."""
    return facts != "off" and models is not None and options.facts_join != "replace"


def _figures(dataset: Dataset, done: Run, choices: Choices, facts: tuple[str, str]) -> dict[str, object]:
    """The figures of retrieval: of those questions that have evidence to score it on. `facts` are by what, and how."""
    asked = {name: tuple(each for each in rows if each.question.scored) for name, rows in done.asked.items()}
    scored = replace(done, asked=asked)
    questions = tuple(question for question in dataset.questions if question.scored)
    figures = report_of(replace(dataset, questions=questions), scored, choices)
    by, join = facts
    return figures if by == "off" else figures | {"facts": {"by": by, "join": join, **differences_of(scored, choices)}}


def _cached(options: Options, cache: str | Path | None) -> CachingEmbedder | None:
    inner = default_embedder(options)
    return None if inner is None else caching(inner, file=None if cache is None else Path(cache))


def _cut_offs(k: str | Sequence[int]) -> tuple[int, ...]:
    try:
        chosen = [int(each) for each in (k.split(",") if isinstance(k, str) else k)]
    except (TypeError, ValueError) as exc:
        raise UsageError("k", f"{k!r} is no list of numbers", remedy="pass for example 5,10,20") from exc
    if any(not 1 <= each <= K_MAX for each in chosen):
        raise UsageError("k", f"{k!r} is not between 1 and {K_MAX}", remedy="pass for example 5,10,20")
    return tuple(sorted({*ALWAYS_KS, *chosen}))


def check_targets(out: str | Path | None, cache: str | Path | None, limit_questions: int | None, seed: int) -> None:
    """Everything that would fail only after minutes of work is refused at once."""
    for argument, target in (("out", out), ("cache", cache)):
        if target is None:
            continue
        if Path(target).is_dir():
            raise UsageError(argument, f"{target} is a folder", remedy="name a file")
        if not Path(target).absolute().parent.is_dir():
            raise UsageError(argument, f"the folder of {target} does not exist", remedy="create it first")
    if limit_questions is not None and limit_questions < 1:
        raise UsageError("limit_questions", f"{limit_questions} is below 1", remedy="leave it out to ask all")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise UsageError("seed", f"{seed!r} is no number from 0 up", remedy="pass for example 0")


def _limited(dataset: Dataset, limit: int | None, models: Models | None) -> Dataset:
    if not any(question.scored for question in dataset.questions):
        raise UsageError("data", f"{dataset.source} has no question that can be scored", remedy="check the file")
    chosen = dataset if limit is None else replace(dataset, questions=dataset.questions[:limit])
    if not any(question.scored for question in chosen.questions):
        problem = f"none of the first {limit} questions has evidence to score retrieval on"
        raise UsageError("limit_questions", problem, remedy="pass a higher number")
    if models is not None:
        check_answers(chosen)
    return chosen


def _saturated(ks: Sequence[int], figures: dict[str, object]) -> list[str]:
    """The recall figures whose k reaches the whole corpus for half of the questions: they can't tell systems apart."""
    corpus = figures["corpus"]
    assert isinstance(corpus, dict)
    return [f"{unit} @{k}" for unit in ("turn", "session") for k in ks if k >= corpus[f"{unit}s"]["median"]]


def _caveats(limit: int | None, cache: str | Path | None, models: Models | None) -> list[str]:
    which = "scored questions" if models is None else "questions"
    caveats = [] if limit is None else [f"only the first {limit} {which} were asked: not comparable"]
    if cache is not None:
        caveats.append("vectors were kept in a cache file across runs: embedded_per_s is null where most came from it")
    return caveats


def versions(embedder: CachingEmbedder | None) -> dict[str, str]:
    """What a run stood on."""
    found = {
        "glossator": glossator.__version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }
    for package in ("onnxruntime", "numpy"):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    found["model"] = "none" if embedder is None else embedder.name
    return found
