"""Which facts pass a filter, and how much is a word worth? What all stores have to agree on to the last digit."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log1p

from glossator.model import ALL_CATEGORIES, Category, Fact, FactFilter, Merge, Ruling, Scope, ScopeType, Trust
from glossator.rules.trust import ORDER, less_believed, shows_directives

SATURATION, LENGTH_SHARE = 1.2, 0.75
"""BM25's usual constants."""


def visible(scope: Scope, asked: FactFilter) -> FactFilter | None:
    """The filter narrowed to what the caller may see; None where that is nothing.

    A job sees its own rows. A guest, a tool and whoever is unknown see no directives, and nothing that was forgotten.
    """
    types: tuple[ScopeType, ...] = asked.scope_types
    ids, categories, states = asked.scope_ids, asked.categories, asked.states
    if scope.job_source is not None:
        if (types and "job" not in types) or (ids and scope.job_source not in ids):
            return None
        types, ids = ("job",), (scope.job_source,)
    if not is_trusted(scope):
        open_to_all: tuple[Category, ...] = tuple(name for name in ALL_CATEGORIES if name != "directive")
        categories = tuple(name for name in open_to_all if not categories or name in categories)
        states = tuple(state for state in states if state != "invalidated")
        if not categories or not states:
            return None
    return replace(asked, scope_types=types, scope_ids=ids, categories=categories, states=states)


def sees_all(scope: Scope) -> bool:
    """True for a caller from whom nothing of the scope is kept."""
    return scope.job is None and is_trusted(scope)


def is_trusted(scope: Scope) -> bool:
    """True for a caller who is shown directives, what was forgotten, and what jobs reported."""
    return shows_directives(scope.believed)


def seen_later(ruling: Ruling, merge: Merge) -> bool:
    """True if a statement was told once more and later, in the very words that are its evidence already.

    Only where it was told to be kept: the other turns outside the journal may be handed in again and again.
    """
    passage = ruling.turn.passages[merge.draft.passage]
    told = ruling.turn.source == "explicit" and passage.message_id is None
    return told and passage.said.at > merge.fact.last_seen_at


def shown(scope: Scope, fact: Fact) -> bool:
    """True if the caller may see the fact: asserted again after each read."""
    of = fact.scope
    if (scope.workspace, scope.agent, scope.owner) != (of.workspace, of.agent, of.owner):
        return False
    if scope.conversation is not None and scope.conversation != of.conversation:
        return False
    if sees_all(scope):
        return True
    narrowed = visible(scope, FactFilter(states=(fact.state,)))
    return (
        narrowed is not None
        and (not narrowed.scope_types or fact.scope_type in narrowed.scope_types)
        and (not narrowed.scope_ids or fact.scope_id in narrowed.scope_ids)
        and (not narrowed.categories or fact.category in narrowed.categories)
    )


def trust_left(before: Trust, said_by: Sequence[Trust | None]) -> Trust:
    """How far a fact is believed that has lost some of what it rests on: as the most believed of those who said the
    rest, and never more than before. What stands in no message (None) says nothing about it.
    """
    left = [trust for trust in said_by if trust is not None]
    return before if len(left) < len(said_by) else less_believed(before, max(left, key=lambda each: ORDER[each]))


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
        and (not asked.scope_types or fact.scope_type in asked.scope_types)
        and (not asked.scope_ids or fact.scope_id in asked.scope_ids)
        and (not asked.sensitivities or fact.sensitivity in asked.sensitivities)
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
