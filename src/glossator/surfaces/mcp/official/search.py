"""Which entities does a query find? Those that the official server finds by letters, and those with its words."""

from collections.abc import Sequence
from functools import lru_cache

from glossator.rules.tokens import fold, index_terms, query_terms
from glossator.surfaces.mcp.official.graph import Entity

SHARE_MIN = 0.6
"""Of a question's words so many must be in an entity where none has all of them: two of three, and both of two."""
TERMS_CACHED_MAX = 50_000
ENDING = 2
"""Letters at the end of a word that its stem may write otherwise: "cities" and "city" are both "citi"."""


def found_by(query: str, entities: Sequence[Entity]) -> tuple[Entity, ...]:
    """The entities that the query is in, letter for letter, or that have all its words; in the order of the file.

    Where there is none, those that have most of its words, and more than half of them.
    """
    lowered = query.lower()
    terms = frozenset(query_terms(query))
    shares = {at: 1.0 for at, each in enumerate(entities) if _has_letters(each, lowered)}
    best = 1.0 if shares else SHARE_MIN
    for most, at in _hopeful(entities, terms, at_least=best):
        if most < best:
            break
        if at not in shares:
            shares[at] = len(terms & _terms(_texts(entities[at]))) / len(terms)
            best = max(best, shares[at])
    return tuple(each for at, each in enumerate(entities) if shares.get(at, 0.0) >= best)


def _hopeful(entities: Sequence[Entity], terms: frozenset[str], *, at_least: float) -> list[tuple[float, int]]:
    """The share of the words that each can have at most, the highest first: cutting up 50 MB of text takes long."""
    if not terms:
        return []
    roots = [term[: max(1, len(term) - ENDING)] for term in terms]
    found = []
    for at, each in enumerate(entities):
        text = fold("\n".join(_texts(each)))
        most = sum(root in text for root in roots) / len(roots)
        if most >= at_least:
            found.append((most, at))
    return sorted(found, key=lambda pair: -pair[0])


def _has_letters(entity: Entity, lowered: str) -> bool:
    return any(lowered in each.lower() for each in _texts(entity))


def _texts(entity: Entity) -> tuple[str, ...]:
    return entity.name, entity.kind, *entity.observations


@lru_cache(maxsize=TERMS_CACHED_MAX)
def _terms(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(index_terms("\n".join(texts)))
