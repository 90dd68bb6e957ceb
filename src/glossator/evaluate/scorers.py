"""How good is a ranking? Pure functions over ids: `ranking` is what was found, best first, `gold` what answers.

A ranking may repeat an id (two pieces of one turn); it counts where it first appears. Every scorer but `mean_interval`
needs at least one gold id and raises UsageError without: a question without evidence is not scored, it is counted.
"""

import math
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from glossator.errors import UsageError

__all__ = [
    "distinct",
    "hit_at",
    "laid_out",
    "mean_interval",
    "ndcg_any_at",
    "ndcg_at",
    "newest_first",
    "recall_all_at",
    "recall_any_at",
    "recall_at",
    "reciprocal_rank",
    "shown_share",
]

SHOWN_SHARE_MIN = 0.8
"""A turn that the token budget cut counts as shown when at least this much of its text is there."""
PREFIX_CHARACTERS_MIN = 12
"""The beginning of a cut piece proves something only from about two words on: "I" is in every block."""
RESAMPLES = 2000


def distinct(ranking: Iterable[str]) -> tuple[str, ...]:
    """Each id once, in the order of first appearance."""
    return tuple(dict.fromkeys(ranking))


def laid_out(hits: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The distinct turns of hits in order; a hit that shows a turn pair counts as two."""
    return distinct(turn_id for message_ids in hits for turn_id in message_ids)


def recall_at(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Share of the gold ids among the first k distinct ones."""
    return len(_found(ranking, gold, k)) / len(set(gold))


def hit_at(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 if any gold id is among the first k distinct ones, else 0."""
    return float(bool(_found(ranking, gold, k)))


recall_any_at = hit_at


def recall_all_at(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 if all gold ids are among the first k distinct ones, else 0; always 0 where gold has more than k."""
    return float(_found(ranking, gold, k) == set(gold))


def reciprocal_rank(ranking: Sequence[str], gold: Collection[str]) -> float:
    """1 / the rank of the first gold id, 0 where none was found."""
    wanted = _wanted(gold, 1)
    return next((1.0 / rank for rank, each in enumerate(distinct(ranking), start=1) if each in wanted), 0.0)


def ndcg_at(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Normalised discounted cumulative gain with gain 1: sum of 1 / log2(rank + 1), over the best that can be had."""
    return _ndcg(ranking, gold, k, [1.0 / math.log2(rank + 1) for rank in range(1, k + 1)])


def ndcg_any_at(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """As published with LongMemEval: ranks 1 and 2 count fully, then 1 / log2(rank)."""
    return _ndcg(ranking, gold, k, [1.0, *(1.0 / math.log2(rank) for rank in range(2, k + 1))][:k])


def newest_first(ranking: Sequence[str], evidence: Collection[str], newest: str) -> float:
    """1 if of the evidence sessions the newest comes first; 0 also where it was not found."""
    wanted = _wanted(evidence, 1)
    return float(next((each for each in ranking if each in wanted), None) == newest)


def shown_share(turn: str, block: str, pieces: Iterable[str]) -> float:
    """How much of a turn's text a rendered block shows, 0 to 1; blanks and line ends don't matter.

    `pieces` are the texts of the hits that hold this turn: pieces of a long turn add up, each as far as it is shown
    from its beginning, since rendering cuts at the end.
    """
    words, shown = _plain(turn), _plain(block)
    if not words or words in shown:
        return float(bool(words))
    covered = np.zeros(len(words), dtype=bool)
    for piece in [words, *(_plain(each) for each in pieces)]:
        part = piece if piece in words else words
        begin, length = words.find(part), _prefix_shown(part, shown)
        if length == len(part) or length >= PREFIX_CHARACTERS_MIN:
            covered[begin : begin + length] = True
    return float(covered.mean())


def mean_interval(
    values: NDArray[np.float64], *, seed: int, resamples: int = RESAMPLES
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Mean, lower and upper bound of each column's 95 % bootstrap interval (percentile), questions being the rows.

    All columns are drawn alike, so that intervals of differences of columns may be taken as columns too.
    """
    count = len(values)
    if not count:
        raise UsageError("values", "has no row", remedy="score at least one question")
    draws = np.random.default_rng(seed).multinomial(count, np.full(count, 1.0 / count), size=resamples)
    means = draws @ values / count
    low, high = np.percentile(means, [2.5, 97.5], axis=0)
    return values.mean(axis=0), low, high


def _wanted(gold: Collection[str], k: int) -> set[str]:
    if not gold:
        raise UsageError("gold", "is empty", remedy="leave questions without evidence out")
    if k < 1:
        raise UsageError("k", f"{k} is below 1", remedy="pass a positive number")
    return set(gold)


def _found(ranking: Sequence[str], gold: Collection[str], k: int) -> set[str]:
    return _wanted(gold, k) & set(distinct(ranking)[:k])


def _ndcg(ranking: Sequence[str], gold: Collection[str], k: int, weights: Sequence[float]) -> float:
    wanted = _wanted(gold, k)
    gained = sum(weight for weight, each in zip(weights, distinct(ranking), strict=False) if each in wanted)
    return gained / sum(weights[: len(wanted)])


def _prefix_shown(piece: str, block: str) -> int:
    """Length of the longest beginning of `piece` that the block holds."""
    low, high = 0, len(piece)
    while low < high:
        middle = (low + high + 1) // 2
        if piece[:middle] in block:
            low = middle
        else:
            high = middle - 1
    return low


def _plain(text: str) -> str:
    return " ".join(text.split())
