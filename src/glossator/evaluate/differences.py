"""What are facts worth? The same questions with facts and without, category by category."""

from collections.abc import Iterable, Mapping, Sequence

from glossator.evaluate.figures import Choices, Figure, Scores, audited, figures_of, scores_of
from glossator.evaluate.runner import PRODUCT, WITHOUT, Asked, Run

__all__ = ["ALL", "differences_of"]

ALL = "all"
"""The row of all categories together."""
MEASURES = {
    "turn": ("recall@5", "recall@10", "recall@20", "ndcg@10"),
    "session": ("recall_any@5", "recall_any@20", "recall_all@5", "recall_all@20"),
    "budget": ("tokens@2000", "tokens@4000"),
}
"""What a category is judged by: the turns and sessions found, near the top and at the end of the list, where facts
could take the places of chunks; and the evidence that a prompt would hold."""


def differences_of(run: Run, choices: Choices) -> dict[str, object]:
    """For each category the paired differences, [mean, low, high], and whether it fell.

    A category fell where a difference's 95 % interval lies wholly below 0. `lower` names the measures whose mean is
    below 0, within the noise or not.
    """
    pairs = list(zip(run.asked[PRODUCT], run.asked[WITHOUT], strict=True))
    categories = sorted({mine.question.category for mine, _ in pairs})
    rows = {ALL: _row(pairs, choices)}
    for category in categories:
        rows[category] = _row([pair for pair in pairs if pair[0].question.category == category], choices)
    return {
        "by_category": rows,
        "fell": [name for name, row in rows.items() if row["fell"]],
        "facts": run.fact_count,
        "empty_recalls": {
            "with": sum(mine.empty for mine, _ in pairs),
            "without": sum(theirs.empty for _, theirs in pairs),
        },
    }


def _row(pairs: Sequence[tuple[Asked, Asked]], choices: Choices) -> dict[str, object]:
    mine = scores_of([each for each, _ in pairs], audited, choices)
    theirs = scores_of([each for _, each in pairs], audited, choices)
    found: dict[str, dict[str, list[float]]] = {}
    for group, names in MEASURES.items():
        figures = figures_of(_paired(mine[group], theirs[group], names), seed=choices.seed)
        found[group] = {name: _written(figure) for name, figure in figures.items()}
    named = {f"{group} {name}": each for group, block in found.items() for name, each in block.items()}
    return {
        "count": len(pairs),
        **found,
        "lower": [name for name, each in named.items() if each[0] < 0],
        "fell": [name for name, each in named.items() if each[2] < 0],
    }


def _paired(mine: Iterable[Scores], theirs: Iterable[Scores], names: Sequence[str]) -> list[Mapping[str, float]]:
    return [{name: own[name] - other[name] for name in names} for own, other in zip(mine, theirs, strict=True)]


def _written(figure: Figure) -> list[float]:
    return [round(figure.mean, 4), round(figure.low, 4), round(figure.high, 4)]
