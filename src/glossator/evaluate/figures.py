"""What do the answers amount to? Scores per question, their means and 95 % intervals, the JSON of a report."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from glossator.evaluate import scorers
from glossator.evaluate.runner import BUDGETS, PRODUCT, Asked, Ingest, Run
from glossator.evaluate.values import Dataset

__all__ = ["Choices", "Figure", "Labels", "Scores", "audited", "figures_of", "published", "report_of", "scores_of"]

DIGITS = 4
COMPUTED_SHARE_MIN = 0.9
"""Embedding speed counts computed texts only; where more than a tenth came from a cache it says nothing (null)."""
Scores = Mapping[str, float]
Labels = Callable[[Asked], tuple[tuple[str, ...], tuple[str, ...]]]
"""From an answer to the gold turns and the gold sessions that it is scored against."""
Group = Mapping[str, "Figure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A mean over questions with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the scores depend on beside the answers: the cut-offs, the seed of the intervals, LongMemEval's own form."""

    ks: tuple[int, ...]
    seed: int
    published_ndcg: bool = False


def audited(asked: Asked) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels to score on."""
    return asked.question.gold_turns, asked.question.gold_sessions


def published(asked: Asked) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels as published, where they differ from those to score on."""
    return asked.question.published_turns or (), asked.question.published_sessions or ()


def turn_scores(asked: Asked, gold: Sequence[str], choices: Choices) -> Scores:
    """Every turn figure of one answer."""
    scores = {f"recall@{k}": scorers.recall_at(asked.turns, gold, k) for k in choices.ks}
    scores.update({f"hit@{k}": scorers.hit_at(asked.turns, gold, k) for k in choices.ks})
    scores["ndcg@10"] = scorers.ndcg_at(asked.turns, gold, 10)
    scores["mrr"] = scorers.reciprocal_rank(asked.turns, gold)
    return scores


def session_scores(ranking: Sequence[str], gold: Sequence[str], choices: Choices) -> Scores:
    """Every session figure of one ranking of sessions."""
    scores = {f"recall_any@{k}": scorers.recall_any_at(ranking, gold, k) for k in choices.ks}
    scores.update({f"recall_all@{k}": scorers.recall_all_at(ranking, gold, k) for k in choices.ks})
    scores.update({f"recall@{k}": scorers.recall_at(ranking, gold, k) for k in choices.ks})
    scores["ndcg@10"] = scorers.ndcg_at(ranking, gold, 10)
    if choices.published_ndcg:
        scores["ndcg_any@10"] = scorers.ndcg_any_at(ranking, gold, 10)
    return scores


def budget_scores(asked: Asked, gold: Sequence[str]) -> Scores:
    """Share of the gold turns that the rendered answer shows, for each token budget."""
    return {f"tokens@{budget}": len(asked.shown[budget] & set(gold)) / len(set(gold)) for budget in BUDGETS}


def scores_of(answers: Sequence[Asked], labels: Labels, choices: Choices) -> dict[str, list[Scores]]:
    """The scores of each answer by group; an answer without gold turns (or sessions) has no row in those groups."""
    rows: dict[str, list[Scores]] = {"turn": [], "session": [], "session_by_turn": [], "budget": []}
    for asked in answers:
        turns, sessions = labels(asked)
        if turns:
            rows["turn"].append(turn_scores(asked, turns, choices))
            rows["budget"].append(budget_scores(asked, turns))
        if sessions:
            rows["session"].append(session_scores(asked.sessions, sessions, choices))
            rows["session_by_turn"].append(session_scores(asked.sessions_by_turn, sessions, choices))
    return rows


def figures_of(rows: Sequence[Scores], *, seed: int) -> dict[str, Figure]:
    """Mean and interval of each score; {} without a row."""
    if not rows:
        return {}
    names = list(rows[0])
    values = np.array([[row[name] for name in names] for row in rows], dtype=np.float64)
    bounds = scorers.mean_interval(values, seed=seed)
    return {
        name: Figure(mean=float(mean), low=float(low), high=float(high))
        for name, mean, low, high in zip(names, *bounds, strict=True)
    }


def report_of(dataset: Dataset, run: Run, choices: Choices) -> dict[str, object]:
    """The figures of a run in the shape of a report; run_bench adds what it was run with."""
    answers = run.asked[PRODUCT]
    others = [name for name in run.asked if name != PRODUCT]
    rows = {name: scores_of(run.asked[name], audited, choices) for name in run.asked}
    own = {group: figures_of(each, seed=choices.seed) for group, each in rows[PRODUCT].items()}
    report: dict[str, object] = {
        "questions": dataset.question_count,
        "scored": len(answers),
        "scored_turns": len(rows[PRODUCT]["turn"]),
        "skipped": dict(dataset.skipped),
        "mended": dict(dataset.mended),
        "empty_recalls": sum(each.empty for each in answers),
        "degraded_recalls": _degraded(answers),
        "turn": _means(own["turn"]),
        "session": _means(own["session"]),
        "session_by_turn": _means(own["session_by_turn"]),
        "by_category": _by_category(answers, choices),
        "budget": _budget(answers, own["budget"]),
        "newest_first": _newest_first(answers),
        "newest_first_count": sum(each.question.newest_session is not None for each in answers),
        "baselines": {name: _baseline(run.asked[name], rows[name], choices) for name in others},
        "gain": {name: _gain(rows[PRODUCT], rows[name], choices) for name in others},
        "intervals": {group: _intervals(each) for group, each in own.items()},
        "latency_ms": _latency(answers),
        "ingest": _ingest(run.ingest),
        "corpus": _corpus(dataset),
        "protocol": list(dataset.protocol),
    }
    if any(each.question.published_turns is not None for each in answers):
        report["published"] = _published(answers, choices)
    return report


def _published(answers: Sequence[Asked], choices: Choices) -> dict[str, object]:
    rows = scores_of(answers, published, choices)
    figures = {group: figures_of(each, seed=choices.seed) for group, each in rows.items()}
    return {
        "scored": len(rows["turn"]),
        "turn": _means(figures["turn"]),
        "session": _means(figures["session"]),
        "budget": {name: {"evidence_recall": _rounded(each.mean)} for name, each in figures["budget"].items()},
        "intervals": {group: _intervals(each) for group, each in figures.items()},
    }


def _by_category(answers: Sequence[Asked], choices: Choices) -> dict[str, object]:
    found: dict[str, object] = {}
    for category in sorted({each.question.category for each in answers}):
        group = [each for each in answers if each.question.category == category]
        rows = scores_of(group, audited, choices)
        means = {name: _means(figures_of(each, seed=choices.seed)) for name, each in rows.items()}
        found[category] = {"count": len(group), "turn": means["turn"], "session": means["session"]}
    return found


def _baseline(answers: Sequence[Asked], rows: Mapping[str, Sequence[Scores]], choices: Choices) -> dict[str, object]:
    figures = {group: figures_of(each, seed=choices.seed) for group, each in rows.items()}
    return {
        "turn": _means(figures["turn"]),
        "session": _means(figures["session"]),
        "session_by_turn": _means(figures["session_by_turn"]),
        "budget": {name: {"evidence_recall": _rounded(each.mean)} for name, each in figures["budget"].items()},
        "newest_first": _newest_first(answers),
        "empty_recalls": sum(each.empty for each in answers),
    }


def _gain(own: Mapping[str, Sequence[Scores]], other: Mapping[str, Sequence[Scores]], choices: Choices) -> object:
    """Paired differences on the same questions, [mean, low, high]."""
    found: dict[str, dict[str, list[float]]] = {}
    for group in ("turn", "session"):
        pairs = zip(own[group], other[group], strict=True)
        rows = [{name: mine[name] - theirs[name] for name in mine} for mine, theirs in pairs]
        figures = figures_of(rows, seed=choices.seed)
        found[group] = {name: [_rounded(each.mean), *_bounds(each)] for name, each in figures.items()}
    return found


def _newest_first(answers: Sequence[Asked]) -> float | None:
    values = [
        scorers.newest_first(each.sessions, each.question.gold_sessions, each.question.newest_session)
        for each in answers
        if each.question.newest_session is not None
    ]
    return _rounded(sum(values) / len(values)) if values else None


def _budget(answers: Sequence[Asked], figures: Group) -> dict[str, dict[str, float]]:
    used = {f"tokens@{budget}": [each.used[budget] for each in answers] for budget in BUDGETS}
    return {
        name: {"evidence_recall": _rounded(each.mean), "tokens_used_mean": round(float(np.mean(used[name])), 1)}
        for name, each in figures.items()
    }


def _degraded(answers: Sequence[Asked]) -> dict[str, int]:
    parts = sorted({part for each in answers for part in each.degraded})
    return {part: sum(part in each.degraded for each in answers) for part in parts}


def _latency(answers: Sequence[Asked]) -> dict[str, float]:
    columns = {"recall": [each.recall_ms for each in answers], "session": [each.session_recall_ms for each in answers]}
    found = {}
    for name, key in (("recall", "recall"), ("session", "session_recall")):
        found.update({f"{key}_p{part}": round(float(np.percentile(columns[name], part)), 2) for part in (50, 95)})
    return found


def _ingest(ingest: Ingest) -> dict[str, object]:
    measured = ingest.computed >= COMPUTED_SHARE_MIN * ingest.embedded
    return {
        "messages": ingest.messages,
        "messages_per_s": _rate(ingest.messages, ingest.record_s),
        "embedded": ingest.embedded,
        "embedded_per_s": _rate(ingest.computed, ingest.drain_s) if measured else None,
        "taken_from_cache": ingest.embedded - ingest.computed,
    }


def _rate(count: int, seconds: float) -> float | None:
    return round(count / seconds, 1) if count and seconds > 0 else None


def _corpus(dataset: Dataset) -> dict[str, object]:
    by_id = {haystack.id: haystack for haystack in dataset.haystacks}
    asked_over = [by_id[question.haystack_id].sessions[: question.sessions_before] for question in dataset.questions]
    sessions = [len(each) for each in asked_over]
    turns = [sum(len(session.turns) for session in each) for each in asked_over]
    return {
        "haystacks": len({question.haystack_id for question in dataset.questions}),
        "sessions": {"min": min(sessions), "median": median(sessions), "max": max(sessions)},
        "turns": {"min": min(turns), "median": median(turns), "max": max(turns)},
    }


def _means(figures: Group) -> dict[str, float]:
    return {name: _rounded(each.mean) for name, each in figures.items()}


def _intervals(figures: Group) -> dict[str, list[float]]:
    return {name: _bounds(each) for name, each in figures.items()}


def _bounds(figure: Figure) -> list[float]:
    return [_rounded(figure.low), _rounded(figure.high)]


def _rounded(value: float) -> float:
    return round(value, DIGITS)
