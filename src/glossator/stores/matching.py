"""Which facts pass a filter, and how much is a word worth? What all stores have to agree on to the last digit."""

from collections.abc import Mapping, Sequence
from math import log1p

from glossator.model import Fact, FactFilter

SATURATION, LENGTH_SHARE = 1.2, 0.75
"""BM25's usual constants."""


def passes(fact: Fact, asked: FactFilter) -> bool:
    """True if the fact meets every condition of the filter; order and limit are no conditions."""
    held = asked.as_of is None or (
        fact.valid_from <= asked.as_of and (fact.valid_to is None or fact.valid_to > asked.as_of)
    )
    return (
        held
        and fact.fact_id > asked.after_id
        and fact.state in asked.states
        and (not asked.categories or fact.category in asked.categories)
        and (asked.fact_ids is None or fact.fact_id in asked.fact_ids)
        and (not asked.hashes or fact.content_hash in asked.hashes)
        and (not asked.keys or (fact.subject, fact.key) in asked.keys)
        and (not asked.values or fact.value in asked.values)
        and asked.project in (None, fact.project)
        and set(asked.tags) <= set(fact.tags)
    )


def in_order(facts: Sequence[Fact], asked: FactFilter) -> tuple[Fact, ...]:
    """The facts in the order that the filter asks for, as many as it asks for."""
    if asked.order == "fact_id":
        ordered = sorted(facts, key=lambda fact: fact.fact_id)
    else:
        ordered = sorted(facts, key=lambda fact: (fact.last_seen_at, fact.fact_id), reverse=True)
    return tuple(ordered[: max(asked.limit, 0)])


def rarity(count: int, total: int) -> float:
    """Inverse document frequency of a term that `count` of `total` texts have; never negative."""
    return log1p((total - count + 0.5) / (count + 0.5))


def bm25(
    counts: Mapping[str, int], length: int, *, total: int, length_mean: float, holders: Mapping[str, int]
) -> float:
    """The score of a text that has each term `counts` times, among `total` texts of which `holders` have it.

    Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009).
    """
    long = 1 - LENGTH_SHARE + LENGTH_SHARE * length / max(length_mean, 1.0)
    return sum(
        rarity(holders[term], total) * count * (SATURATION + 1) / (count + SATURATION * long)
        for term, count in counts.items()
        if count
    )
