"""What do the facts say to a question? Their lane in recall: found, joined with the chunks, shown beside their source.

Like corridor.py this room calls ports (Facts, Ledger); what it decides is in join.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from glossator.model import (
    CATEGORIES,
    RECALLABLE,
    Evidence,
    Fact,
    FactAsk,
    FactFilter,
    FactMatch,
    FactPool,
    Filters,
    Hit,
    Namespace,
    Pool,
    Query,
    Scope,
    ScopeType,
)
from glossator.options import Options
from glossator.ports import Facts, Ledger
from glossator.recall.candidates import TERMS_MAX
from glossator.recall.fuse import VECTOR_WEIGHT, Blend
from glossator.recall.join import Join, Placed, fact_scores, joined, standing
from glossator.recall.layout import I32, Layout
from glossator.recall.lexical import rarity
from glossator.rules.tokens import index_terms

CANDIDATES_MAX = 20
"""Facts per lane. Each one costs its row and its evidence; behind the twentieth none has moved a hit of the bench."""
JOB_CANDIDATES_MAX = 3
"""Facts of scheduled jobs per lane, beside those: an hourly job keeps thousands, and they must not fill the lane."""
NOTES_MAX = 1_000
NO_JOB: tuple[ScopeType, ...] = ("workspace", "owner", "agent", "conversation")
"""Where facts lie that no job has kept."""


class Book(Facts, Ledger, Protocol):
    """What the lane asks of a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The facts that match a question, with the evidence of each."""

    pool: FactPool
    evidence: Mapping[int, tuple[Evidence, ...]]

    @property
    def matches(self) -> tuple[FactMatch, ...]:
        """The facts."""
        return self.pool.matches


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What the chunks' own search has found: the facts are placed on it."""

    pool: Pool
    layout: Layout
    blended: Blend
    now: datetime | None = None
    """When the question is asked: facts age."""


NOTHING = Found(pool=FactPool(matches=()), evidence={})


def found_facts(
    book: Book, query: Query, *, scope: Scope, filters: Filters, vector: NDArray[np.float32] | None, model: str,
    history: bool,
) -> Found:  # fmt: skip
    """The facts that match by words or meaning, under the same hard conditions as the chunks."""
    wanted = {"knowledge", "preference"} & set(filters.namespaces)
    if not wanted:
        return NOTHING
    asked = FactFilter(
        states=(*RECALLABLE, "superseded") if history or filters.as_of else RECALLABLE,
        categories=(*CATEGORIES, "summary"),
        as_of=None if history else filters.as_of,
        project=filters.project,
        tags=filters.tags,
    )
    terms = query.terms[:TERMS_MAX]
    ask = FactAsk(scope=scope, filters=asked, terms=terms, vector=vector, model=model, candidates_max=CANDIDATES_MAX)
    pool = matched(book, ask, jobs_max=JOB_CANDIDATES_MAX)
    kept = tuple(each for each in pool.matches if namespace_of(each.fact) in wanted and _in_time(each.fact, filters))
    if not kept:
        return Found(pool=replace(pool, matches=()), evidence={})
    return Found(pool=replace(pool, matches=kept), evidence=_by_fact(book, scope, [each.fact.fact_id for each in kept]))


def matched(book: Facts, ask: FactAsk, *, jobs_max: int) -> FactPool:
    """What a search among facts brings; what jobs have kept is searched apart and brings at most `jobs_max` per lane.

    A job's own search, and one that names where to look, is made as it is.
    """
    if ask.scope.job is not None or ask.filters.scope_types:
        return book.match_facts(ask)
    own = book.match_facts(replace(ask, filters=replace(ask.filters, scope_types=NO_JOB)))
    of_jobs = replace(ask, filters=replace(ask.filters, scope_types=("job",)), candidates_max=jobs_max)
    kept = book.match_facts(of_jobs)
    counts = {term: own.term_counts.get(term, 0) + kept.term_counts.get(term, 0) for term in ask.terms}
    together = sorted((*own.matches, *kept.matches), key=lambda match: match.fact.fact_id)
    return FactPool(matches=tuple(together), fact_count=own.fact_count + kept.fact_count, term_counts=counts)


def with_facts(rows: I32, search: Ground, found: Found, options: Options, *, per_session: bool) -> list[Placed]:
    """The chunks in their order and the facts as one list.

    A fact stands for its source: for the source's row, or with `per_session` for the row that stands for its session.
    A source that was no candidate is brought in by its fact; a fact stands alone only where the pool has no source. One
    in its source's own words is no second key to it: the sentence was read already (docs/decisions/facts.md).
    """
    if not found.matches and options.facts_join != "replace":
        return [Placed(row=row, match=None, score=0.0) for row in rows.tolist()]
    pool, blended = search.pool, search.blended
    sources = {
        fact_id: _source_rows(pool, [each.message_id for each in evidence if each.message_id is not None])
        for fact_id, evidence in found.evidence.items()
    }
    join: Join = "separate" if options.facts_join == "off" else options.facts_join
    kept = tuple(each for each in found.matches if join != "separate" or not _is_verbatim(each.fact, found, sources))
    now = search.now if options.ageing else None
    scores = fact_scores(replace(found.pool, matches=kept), pool, blended, fact_weight=options.fact_weight, now=now)
    unit = search.layout.session if per_session else pool.message
    place_of: dict[int, int] = {}
    for place, row in enumerate(rows.tolist()):
        place_of.setdefault(int(unit[row]), place)
    everything = rows.tolist()
    for row in (row for each in kept for row in sources.get(each.fact.fact_id, ())):
        if int(unit[row]) not in place_of:
            place_of[int(unit[row])] = len(everything)
            everything.append(row)
    every = np.array(everything, np.int32)
    places = {
        each.fact.fact_id: list(dict.fromkeys(place_of[int(unit[row])] for row in sources.get(each.fact.fact_id, ())))
        for each in kept
    }
    return joined(every, blended.base[every] * pool.weight[every], kept, scores, places, join=join)


def _is_verbatim(fact: Fact, found: Found, sources: Mapping[int, Sequence[int]]) -> bool:
    """True if the pool has the very words of the fact."""
    words = any(each.quote == fact.text for each in found.evidence.get(fact.fact_id, ()))
    return words and bool(sources.get(fact.fact_id))


def _source_rows(pool: Pool, message_ids: Sequence[int]) -> list[int]:
    """The first row of the pool of each of these messages."""
    found = (np.flatnonzero(pool.message == message_id)[:1] for message_id in message_ids)
    return [int(row) for rows in found for row in rows]


def noted(
    book: Book, scope: Scope, hits: Sequence[Hit], spans: Sequence[tuple[int, int, int] | None], *,
    as_of: datetime | None, terms: Sequence[str],
) -> tuple[Hit, ...]:  # fmt: skip
    """The hits with the facts that rest on each, the newer version before the older one.

    `spans` are (message_id, start, stop) of the hits' words, None for a hit that is a fact itself.
    """
    message_ids = sorted({span[0] for span in spans if span is not None})
    evidence = book.evidence(scope, message_ids=message_ids) if message_ids else ()
    if not evidence:
        return tuple(current_first(hits, terms))
    asked = FactFilter(
        states=(*RECALLABLE, "superseded"),
        fact_ids=tuple(sorted({each.fact_id for each in evidence})),
        limit=NOTES_MAX,
    )
    facts = {fact.fact_id: _seen_at(fact, as_of) for fact in book.facts(scope, asked)}
    shown: list[Hit] = []
    for hit, span in zip(hits, spans, strict=True):
        ids = [] if span is None else [each.fact_id for each in evidence if _overlaps(each, span)]
        notes = tuple(facts[each] for each in dict.fromkeys(ids) if each in facts)
        shown.append(replace(hit, facts=notes) if notes else hit)
    return tuple(current_first(shown, terms))


def current_first(hits: Sequence[Hit], terms: Sequence[str]) -> list[Hit]:
    """Before a hit whose facts on the matter have all been superseded stands the hit that superseded one of them.

    On the matter are those that have a word of the question; all of them where none has.
    """
    order = list(hits)
    for place in range(len(order)):
        closers = _closers(order[place], frozenset(terms))
        for later in range(place + 1, len(order)):
            if any(fact.fact_id in closers for fact in order[later].facts):
                order.insert(place, order.pop(later))
                break
    return order


def _closers(hit: Hit, terms: frozenset[str]) -> frozenset[int]:
    asked = [fact for fact in hit.facts if terms & set(index_terms(fact.text))] or list(hit.facts)
    if any(fact.state != "superseded" for fact in asked):
        return frozenset()
    return frozenset(fact.superseded_by for fact in asked if fact.superseded_by is not None)


def ranked_facts(pool: FactPool, *, limit: int, now: datetime | None = None) -> tuple[Fact, ...]:
    """Facts alone, best first: the share of the asked words' rarity that they have, plus meaning; jobs' count less.

    Seen from `now`, what was last seen long ago counts less.
    """
    weights = {term: rarity(pool.fact_count, count) for term, count in pool.term_counts.items()}
    top = sum(weights.values()) or 1.0

    def score(match: FactMatch) -> float:
        words = sum(weights.get(term, 0.0) for term in match.terms) / top
        return (words + VECTOR_WEIGHT * (match.similarity or 0.0)) * standing(match.fact, now)

    ordered = sorted(pool.matches, key=lambda match: (-score(match), -match.fact.fact_id))
    return tuple(match.fact for match in ordered[:limit])


def fact_hit(match: FactMatch, evidence: Sequence[Evidence], *, score: float, conversation: str) -> Hit:
    """The hit that shows a fact for which no chunk stands; `source_id` names the message that it rests on."""
    fact, first = match.fact, evidence[0]
    return Hit(
        chunk_id=0,
        fact_id=fact.fact_id,
        text=fact.text,
        score=score,
        namespace=namespace_of(fact),
        message_ids=tuple(dict.fromkeys(each.external_id for each in evidence if each.external_id)),
        conversation=conversation,
        session=first.session or "",
        speaker=first.speaker,
        role=first.role,
        said=first.said,
        event=fact.event,
        project=fact.project,
        tags=fact.tags,
        source_id=first.external_id or fact.id,
        facts=(fact,),
    )


def namespace_of(fact: Fact) -> Namespace:
    """Preferences have a namespace of their own; every other fact is knowledge (C3)."""
    return "preference" if fact.category == "preference" or fact.kind == "implicit_pref" else "knowledge"


def _in_time(fact: Fact, filters: Filters) -> bool:
    said = fact.valid_from
    if (filters.said_since and said < filters.said_since) or (filters.said_until and said >= filters.said_until):
        return False
    start, end = fact.event.interval.start, fact.event.interval.end
    starts_late = filters.until is not None and start is not None and start >= filters.until
    ends_early = filters.since is not None and end is not None and end <= filters.since
    return not (starts_late or ends_early)


def _by_fact(book: Book, scope: Scope, fact_ids: Sequence[int]) -> dict[int, tuple[Evidence, ...]]:
    grouped: dict[int, list[Evidence]] = {}
    for each in book.evidence(scope, fact_ids=fact_ids):
        grouped.setdefault(each.fact_id, []).append(each)
    return {fact_id: tuple(rows) for fact_id, rows in grouped.items()}


def _seen_at(fact: Fact, as_of: datetime | None) -> Fact:
    """The fact as it stood then: what was closed later was not closed yet."""
    if as_of is None or fact.state != "superseded" or fact.valid_to is None or fact.valid_to <= as_of:
        return fact
    return replace(fact, state="active", valid_to=None, superseded_by=None)


def _overlaps(evidence: Evidence, span: tuple[int, int, int]) -> bool:
    message_id, start, stop = span
    return evidence.message_id == message_id and evidence.start < stop and evidence.end > start
