"""What do the verdicts amount to? Accuracy of answers beside retrieval, never one for the other."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

from glossator.evaluate import scorers
from glossator.evaluate.answering.values import FAILURES, Answered, Answers
from glossator.evaluate.differences import ALL
from glossator.evaluate.figures import Figure, Scores, figures_of
from glossator.evaluate.runner import BUDGETS, Asked

__all__ = ["answering_figures"]

RETRIEVAL_K = 5
"""Evidence sessions among the first so many, any and all: as in the table of categories."""
Wanted = Callable[[str], bool]


def answering_figures(asked: Mapping[str, Sequence[Asked]], answers: Answers, *, seed: int) -> dict[str, object]:
    """The block `answering` of a report: counts, accuracy and retrieval by category and variant, calls, every answer.

    Accuracy is over judged answers; what failed is counted beside it and is neither right nor wrong.
    """
    every = [each for rows in answers.by_variant.values() for each in rows]
    first = next(iter(answers.by_variant.values()))
    categories = sorted({each.question.category for rows in asked.values() for each in rows})
    golds = [each.question.answer for each in first]
    return {
        "reader": answers.reader,
        "judge": answers.judge,
        "one_model": answers.reader == answers.judge,
        "tokens": BUDGETS[0],
        "questions": len(first),
        "choices": sum(gold is not None and gold.rule == "choice" for gold in golds),
        "without_gold": answers.without_gold,
        "gold_corrected": sum(gold is not None and gold.published is not None for gold in golds),
        "variants": list(answers.by_variant),
        "by_category": {name: _row(asked, answers, _in(name), seed) for name in (ALL, *categories)},
        "differences": _differences(answers, (ALL, *categories), seed),
        "failures": _failures(every),
        "reused": sum(each.reused for each in every),
        "calls": {role: asdict(calls) for role, calls in answers.calls.items()},
        "answers": [_written(name, each) for name, rows in answers.by_variant.items() for each in rows],
    }


def _in(category: str) -> Wanted:
    return lambda name: category in (ALL, name)


def _row(
    asked: Mapping[str, Sequence[Asked]], answers: Answers, wanted: Wanted, seed: int
) -> dict[str, dict[str, object]]:
    return {
        variant: {
            **_accuracy([each for each in rows if wanted(each.question.category)], seed),
            **_retrieval([each for each in asked[variant] if wanted(each.question.category)], seed),
        }
        for variant, rows in answers.by_variant.items()
    }


def _accuracy(rows: Sequence[Answered], seed: int) -> dict[str, object]:
    judged = [each for each in rows if each.verdict is not None]
    figure = figures_of([_score(each) for each in judged], seed=seed).get("accuracy")
    return {
        "asked": len(rows),
        "judged": len(judged),
        "right": sum(each.verdict == "right" for each in judged),
        "accuracy": None if figure is None else round(figure.mean, 4),
        "interval": None if figure is None else [round(figure.low, 4), round(figure.high, 4)],
        "failures": _failures(rows),
    }


def _retrieval(rows: Sequence[Asked], seed: int) -> dict[str, object]:
    """Of the questions that have evidence sessions; empty recalls are counted over all."""
    scores = [_sessions_found(each) for each in rows if each.question.gold_sessions]
    figures = figures_of(scores, seed=seed)
    return {
        "retrieval": {name: round(each.mean, 4) for name, each in figures.items()},
        "retrieval_intervals": {name: [round(each.low, 4), round(each.high, 4)] for name, each in figures.items()},
        "retrieval_scored": len(scores),
        "empty_recalls": sum(each.empty for each in rows),
    }


def _sessions_found(asked: Asked) -> Scores:
    gold = asked.question.gold_sessions
    return {
        f"recall_any@{RETRIEVAL_K}": scorers.recall_any_at(asked.sessions, gold, RETRIEVAL_K),
        f"recall_all@{RETRIEVAL_K}": scorers.recall_all_at(asked.sessions, gold, RETRIEVAL_K),
    }


def _differences(answers: Answers, categories: Sequence[str], seed: int) -> dict[str, object]:
    """Each later variant minus the first one, on the questions that were judged in both: [mean, low, high]."""
    (base, first), *others = answers.by_variant.items()
    return {
        f"{name} minus {base}": {category: _paired(rows, first, _in(category), seed) for category in categories}
        for name, rows in others
    }


def _paired(rows: Sequence[Answered], first: Sequence[Answered], wanted: Wanted, seed: int) -> dict[str, object]:
    scores = [
        {"accuracy": _score(mine)["accuracy"] - _score(theirs)["accuracy"]}
        for mine, theirs in zip(rows, first, strict=True)
        if mine.verdict is not None and theirs.verdict is not None and wanted(mine.question.category)
    ]
    figure = figures_of(scores, seed=seed).get("accuracy")
    return {"judged": len(scores), "accuracy": None if figure is None else _bounded(figure)}


def _bounded(figure: Figure) -> list[float]:
    return [round(figure.mean, 4), round(figure.low, 4), round(figure.high, 4)]


def _score(answered: Answered) -> Scores:
    return {"accuracy": float(answered.verdict == "right")}


def _failures(rows: Sequence[Answered]) -> dict[str, int]:
    counts = Counter(each.failure for each in rows if each.failure is not None)
    return {failure: counts[failure] for failure in FAILURES if counts[failure]}


def _written(variant: str, answered: Answered) -> dict[str, object]:
    gold = answered.question.answer
    assert gold is not None
    return {
        "question_id": answered.question.id,
        "category": answered.question.category,
        "variant": variant,
        "question": answered.question.text,
        "rule": gold.rule,
        "gold": gold.right_choice or gold.text,
        "published": gold.published,
        "answer": answered.answer,
        "verdict": answered.verdict,
        "failure": answered.failure,
        "said": answered.said,
        "reused": answered.reused,
    }
