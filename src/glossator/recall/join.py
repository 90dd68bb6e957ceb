"""Where do facts stand among the chunks, and how do the two become one list?

Both kinds of keys are scored alike: words by the chunks' own rarities, meaning by the chunks' own range. A fact never
takes a place of its own beside the words that it rests on: its source is shown once, at the better of both ranks (O21).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np

from glossator.model import JOB_WEIGHT, Fact, FactMatch, FactPool, Pool
from glossator.recall.fuse import VECTOR_WEIGHT, Blend
from glossator.recall.layout import F32, I32
from glossator.recall.lexical import ROW_B, ROW_K1, rarity
from glossator.rules.ageing import age_days, aged_weight
from glossator.rules.states import WEIGHTS

Join = Literal["separate", "merge", "replace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """One line of the joined list: a row of the pool, or a fact that no candidate row stands for (`row` None)."""

    row: int | None
    match: FactMatch | None
    score: float
    """The key's own score, where a fact made the place; 0 for a row that kept its place."""


def fact_scores(found: FactPool, pool: Pool, blended: Blend, *, fact_weight: float, now: datetime | None = None) -> F32:
    """The score of each fact by words and meaning, on the scale of `Blend.base`, times what facts and states count.

    `fact_weight` is what a fact counts beside verbatim words of the same score (0.5: the words come first, O19).
    Where no chunk has any of the words, their rarity among the facts counts. Seen from `now`, what was last seen long
    ago counts less (rules/ageing.py).
    """
    top = float(blended.lexical.max(initial=0.0))
    scores = [
        (_lexical(match, found, pool, top) + VECTOR_WEIGHT * _nearness(match, pool))
        * fact_weight
        * standing(match.fact, now)
        for match in found.matches
    ]
    return np.array(scores, np.float32)


def joined(
    rows: I32,
    base: F32,
    matches: Sequence[FactMatch],
    scores: F32,
    sources: Mapping[int, Sequence[int]],
    *,
    join: Join,
) -> list[Placed]:
    """Rows and facts as one list, best first.

    `rows` are the chunks in their order with `base` beside them, `sources` gives for a fact_id the places in `rows`
    that it rests on. "separate": a source moves up to the fact's rank among the rows if the fact fits better than the
    source itself. "merge": the fact's score is added to its source's first. "replace": only what a fact stands for.
    """
    best: dict[int, float] = {}
    alone: list[tuple[float, FactMatch]] = []
    for match, score in zip(matches, scores.tolist(), strict=True):
        places = sources.get(match.fact.fact_id, ())
        if not places and score > 0:
            alone.append((score, match))
        for place in places:
            best[place] = max(best.get(place, 0.0), score)
    if join == "replace":
        kept = [Placed(row=int(rows[place]), match=None, score=score) for place, score in best.items() if score > 0]
        kept += [Placed(row=None, match=match, score=score) for score, match in alone]
        return sorted(kept, key=lambda each: -each.score)
    ordered = np.sort(base)[::-1]
    own = {place: float(base[place]) for place in best}
    together = {place: score + own[place] if join == "merge" else score for place, score in best.items()}
    lifted = {place: _rank(ordered, score) for place, score in together.items() if score > own[place]}
    keyed: list[tuple[float, int, Placed]] = []
    for place, row in enumerate(rows.tolist()):
        rank = min(place, lifted.get(place, place))
        score = best.get(place, 0.0) if rank < place else 0.0
        keyed.append((rank - 0.5 if rank < place else rank, place, Placed(row=row, match=None, score=score)))
    for score, match in sorted(alone, key=lambda each: -each[0]):  # of those that share a rank the best first
        keyed.append((_rank(ordered, score) - 0.25, len(rows), Placed(row=None, match=match, score=score)))
    return [placed for _, _, placed in sorted(keyed, key=lambda each: each[:2])]


def _rank(ordered: F32, score: float) -> int:
    """How many rows have at least this score."""
    return int(np.searchsorted(-ordered, -score, side="right"))


def _lexical(match: FactMatch, found: FactPool, pool: Pool, top: float) -> float:
    if top <= 0:
        among = {term: rarity(found.fact_count, count) for term, count in found.term_counts.items()}
        return sum(among.get(term, 0.0) for term in match.terms) / (sum(among.values()) or 1.0)
    norm = ROW_K1 * (1 - ROW_B + ROW_B * match.length / max(pool.length_mean, 1.0))
    weights = [rarity(pool.chunk_count, pool.term_counts.get(term, 0)) for term in match.terms]
    return min(1.0, sum(weights) * (ROW_K1 + 1) / (1 + norm) / top)


def _nearness(match: FactMatch, pool: Pool) -> float:
    """The cosine as a share of the way from the chunks' median to their best."""
    if match.similarity is None:
        return 0.0
    known = np.zeros(0) if pool.similarity is None else pool.similarity[~np.isnan(pool.similarity)]
    if not len(known):
        return max(0.0, match.similarity)
    low, top = float(np.median(known)), float(known.max())
    return float(np.clip((match.similarity - low) / (top - low), 0, 1)) if top > low else 0.0


def standing(fact: Fact, now: datetime | None) -> float:
    """What a fact counts for its state, and for its age where `now` is given; worked out anew at each question."""
    whose = JOB_WEIGHT if fact.scope_type == "job" else 1.0
    base = min(fact.weight, WEIGHTS.get(fact.state, 1.0))
    return whose * (base if now is None else aged_weight(base, age_days(fact.last_seen_at, now)))
