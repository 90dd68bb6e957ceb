"""The read path: query - parse - candidates - fuse - rerank - suppress - render. Only this room calls ports."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, Protocol

import numpy as np

from glossator.errors import ProviderError, StoreError
from glossator.model import Answer, Degradation, EncodedQuestion, Filters, Hit, Pool, Query, Scope
from glossator.options import Options
from glossator.ports import Embedder, Index, PieceEmbedder, Ranker, Reranker
from glossator.recall.candidates import TERMS_MAX, ask_for, within_budgets
from glossator.recall.explain import trace_of
from glossator.recall.factual import Book, Ground, fact_hit, found_facts, noted, with_facts
from glossator.recall.features import feature_matrix
from glossator.recall.fuse import Blend, best_row, blend, mixed, with_late, with_second
from glossator.recall.late import late_columns, late_scores, piece_weights, rows_to_read
from glossator.recall.layout import F32, I32, Layout, layout_of, scaled_to_top
from glossator.recall.parse import addressed, parse_question
from glossator.recall.render import hit_of
from glossator.recall.suppress import first_of_sessions, newest_first, people_first
from glossator.rules.questions import asks_how_things_stand
from glossator.rules.tokens import query_terms

Per = Literal["turn", "session"]
RERANK_COUNT = 50
TRUST_MIN = 0.5
"""Below this share of letters that the embedder knows, the words alone order the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Providers:
    """The models that recall may use; each may be missing, and the answer says so where that costs something."""

    embedder: Embedder | None
    embedder_missing: str = ""
    ranker: Ranker | None = None
    ranker_missing: str = "none was given"
    reranker: Reranker | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranked:
    """Candidate rows best first, with the score that orders them, the same as a share of the best (for the caller),
    and the features that went in.
    """

    rows: I32
    score: F32
    share: F32
    features: Mapping[str, F32]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """What one recall has in its hands after the index search."""

    query: Query
    pool: Pool
    layout: Layout
    blended: Blend
    question: EncodedQuestion | None
    now: datetime


class Shelves(Index, Book, Protocol):
    """What recall asks of a store: chunks, facts and their evidence."""


def recall(
    index: Shelves,
    providers: Providers,
    options: Options,
    text: str,
    *,
    scope: Scope,
    filters: Filters,
    now: datetime,
    limit: int,
    per: Per,
    explain: bool,
    history: bool,
) -> Answer:
    """Answer a question from what the scope may see; never raises for a missing model, says so instead."""
    degraded: list[Degradation] = []
    search = _searched(index, providers, options, text, scope, filters, now, degraded)
    if {"second", "lexical"} <= options.signals and not _trusted(search.question):
        search = _second_step(index, providers, options, search, scope, filters)
    ranked = _ranked(index, providers, options, search, scope, limit, degraded)
    first = first_of_sessions(search.layout.session, ranked.rows) if per == "session" else slice(None)
    rows, score = ranked.rows[first], ranked.score[first]
    if "newest" in options.signals and _trusted(search.question) and asks_how_things_stand(text):
        rows = newest_first(search.pool, rows, score)
    hits = _with_facts(index, providers, options, search, ranked, rows, scope, filters, limit, per, explain, history)
    hits = _reranked(providers, text, hits, degraded)
    asked = search.query.times[0].interval if search.query.times else None
    return Answer(hits=hits, degraded=tuple(degraded), filters=filters, asked_time=asked)


def late_of(
    index: Index, scope: Scope, model: str, pool: Pool, layout: Layout, query: Query, rows: I32,
    question: EncodedQuestion | None,
) -> Mapping[str, F32]:  # fmt: skip
    """The columns of late interaction for the candidate rows; empty without word pieces."""
    if question is None or not len(question.pieces) or not len(rows):
        return {}
    read = rows_to_read(layout, rows)
    held = index.signs(scope, model, pool.chunk_id[read].tolist())
    if not held:
        return {}
    signs = [held.get(chunk_id) for chunk_id in pool.chunk_id[read].tolist()]
    own, near = late_scores(layout, rows, read, signs, question, piece_weights(pool, query, question))
    return late_columns(own, near)


def _searched(
    index: Index, providers: Providers, options: Options, text: str, scope: Scope, filters: Filters, now: datetime,
    degraded: list[Degradation],
) -> _Search:  # fmt: skip
    query = parse_question(text, now=now)
    question = _encoded(providers, options, text, degraded)
    pool = _surveyed(index, providers, options, query, question, scope, filters)
    if question is not None and pool.similarity is not None:
        missing = int(np.isnan(pool.similarity).sum())
        if missing:
            degraded.append(Degradation(part="vectors", reason=f"{missing} of {len(pool)} chunks are not embedded yet"))
    if "speaker" in options.signals:
        query = addressed(query, pool.speakers)
    layout = layout_of(pool)
    blended = blend(pool, layout, query, signals=options.signals, trust=_trust(options, question))
    return _Search(query=query, pool=pool, layout=layout, blended=blended, question=question, now=now)


def _surveyed(
    index: Index, providers: Providers, options: Options, query: Query, question: EncodedQuestion | None, scope: Scope,
    filters: Filters,
) -> Pool:  # fmt: skip
    vector = question.vector if question is not None else None
    model = providers.embedder.name if providers.embedder is not None else ""
    lexical = "lexical" in options.signals
    return index.survey(ask_for(query, scope=scope, filters=filters, vector=vector, model=model, lexical=lexical))


def _trust(options: Options, question: EncodedQuestion | None) -> float:
    """How much cosines and context count; in full where there is no model, or nothing but cosines."""
    return question.trust if question is not None and "lexical" in options.signals else 1.0


def _second_step(
    index: Index, providers: Providers, options: Options, search: _Search, scope: Scope, filters: Filters
) -> _Search:
    """Where words alone order the answer: search again with the words of the best row beside the question's.

    "How large is the event in Beijing?" finds "The X forum is in Beijing", and the forum's name finds how large it is.
    """
    best = index.chunks(scope, search.pool.chunk_id[best_row(search.blended)].tolist())
    terms = tuple(dict.fromkeys((*search.query.terms, *(term for chunk in best for term in query_terms(chunk.text)))))
    if terms == search.query.terms:
        return search
    wider = replace(search.query, terms=terms[:TERMS_MAX])
    pool = _surveyed(index, providers, options, wider, search.question, scope, filters)
    layout = layout_of(pool)
    trust = _trust(options, search.question)
    first = blend(pool, layout, search.query, signals=options.signals, trust=trust)
    second = blend(pool, layout, wider, signals=options.signals, trust=trust)
    return replace(search, pool=pool, layout=layout, blended=with_second(first, second))


def _encoded(providers: Providers, options: Options, text: str, degraded: list[Degradation]) -> EncodedQuestion | None:
    if "vector" not in options.signals:
        return None
    embedder = providers.embedder
    if embedder is None:
        degraded.append(Degradation(part="embedder", reason=providers.embedder_missing))
        return None
    try:
        if isinstance(embedder, PieceEmbedder):
            return embedder.encode_question(text)
        return EncodedQuestion(vector=embedder.embed([text])[0], pieces=np.zeros((0, 0), np.float32), spans=())
    except ProviderError as error:
        degraded.append(Degradation(part="embedder", reason=str(error)))
        return None


def _ranked(
    index: Index, providers: Providers, options: Options, search: _Search, scope: Scope, limit: int,
    degraded: list[Degradation],
) -> _Ranked:  # fmt: skip
    pool, blended = search.pool, search.blended
    rows = within_budgets(pool, search.layout, blended, limit=limit)
    rows = rows[(blended.score[rows] > 0) | _embedded(pool, rows)]
    late: Mapping[str, F32] = {}
    if "late" in options.signals and _trusted(search.question) and providers.embedder is not None:
        model = providers.embedder.name
        late = late_of(index, scope, model, pool, search.layout, search.query, rows, search.question)
    plain = with_late(blended.score[rows], late, pool.weight[rows])
    score, features, share = plain, late, scaled_to_top(plain)
    ranker = _fitting(providers, options, search, degraded)
    if ranker is not None and late:
        features = feature_matrix(pool, search.layout, search.query, blended, rows, late=late)
        try:
            score = mixed(ranker.score(features), plain, pool.weight[rows])
            share = np.exp(score).astype(np.float32)
        except ProviderError as error:
            degraded.append(Degradation(part="ranker", reason=str(error)))
    order = people_first(np.argsort(-score, kind="stable"), pool.weight[rows])
    features = {name: column[order] for name, column in features.items()}
    return _Ranked(rows=rows[order], score=score[order], share=share[order], features=features)


def _trusted(question: EncodedQuestion | None) -> bool:
    """True where the embedder knows the question's language well enough to order by its word pieces."""
    return question is not None and question.trust >= TRUST_MIN


def _embedded(pool: Pool, rows: I32) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Rows that the vector lane knows: they are candidates even where no score tells them apart."""
    if pool.similarity is None:
        return np.zeros(len(rows), np.bool_)
    return ~np.isnan(pool.similarity[rows])


def _fitting(providers: Providers, options: Options, search: _Search, degraded: list[Degradation]) -> Ranker | None:
    """The ranker, if it is switched on and was trained on vectors like those at hand; a missing one is said."""
    if "ranker" not in options.signals or not _trusted(search.question) or providers.embedder is None:
        return None
    if providers.ranker is None:
        degraded.append(Degradation(part="ranker", reason=providers.ranker_missing))
        return None
    return providers.ranker if providers.ranker.embedder == providers.embedder.name else None


def _with_facts(
    index: Shelves, providers: Providers, options: Options, search: _Search, ranked: _Ranked, rows: I32, scope: Scope,
    filters: Filters, limit: int, per: Per, explain: bool, history: bool,
) -> tuple[Hit, ...]:  # fmt: skip
    """The first hits, chunks and facts joined, each with the facts that rest on it."""
    if options.facts_join == "off":
        return _hydrated(index, scope, search, ranked, rows[:limit], explain)
    vector = search.question.vector if search.question is not None else None
    model = providers.embedder.name if providers.embedder is not None else ""
    found = found_facts(
        index, search.query, scope=scope, filters=filters, vector=vector, model=model, history=history
    )  # fmt: skip
    if not found.pool.fact_count and options.facts_join != "replace":
        return _hydrated(index, scope, search, ranked, rows[:limit], explain)
    ground = Ground(pool=search.pool, layout=search.layout, blended=search.blended, now=search.now)
    placed = with_facts(rows, ground, found, options, per_session=per == "session")[:limit]
    shown_rows = np.array([each.row for each in placed if each.row is not None], np.int32)
    by_chunk = {hit.chunk_id: hit for hit in _hydrated(index, scope, search, ranked, shown_rows, explain)}
    hits: list[Hit] = []
    spans: list[tuple[int, int, int] | None] = []
    for each in placed:
        if each.row is not None:
            hit = by_chunk.get(int(search.pool.chunk_id[each.row]))
            if hit is None:
                continue
            hits.append(hit)
            spans.append((int(search.pool.message[each.row]), hit.start, hit.start + len(hit.text)))
        elif each.match is not None and found.evidence.get(each.match.fact.fact_id):
            evidence = found.evidence[each.match.fact.fact_id]
            hits.append(fact_hit(each.match, evidence, score=each.score, conversation=evidence[0].conversation or ""))
            spans.append(None)
    return noted(index, scope, hits, spans, as_of=filters.as_of, terms=search.query.terms)


def _hydrated(
    index: Index, scope: Scope, search: _Search, ranked: _Ranked, rows: I32, explain: bool
) -> tuple[Hit, ...]:
    place = {row: at for at, row in enumerate(ranked.rows.tolist())}
    row_of = {int(search.pool.chunk_id[row]): row for row in rows.tolist()}
    hits: list[Hit] = []
    for chunk in index.chunks(scope, tuple(row_of)):
        if not scope.covers(chunk.scope):
            raise StoreError(f"chunk {chunk.chunk_id} came back from outside the scope; run `glossator doctor`")
        row = row_of[chunk.chunk_id]
        at = place.get(row)  # None for a row that no lane of its own brought, but a fact
        trace = None
        if explain:
            columns = {} if at is None else ranked.features
            learned = {name: round(float(column[at]), 4) for name, column in columns.items()}
            trace = trace_of(search.pool, search.query, search.blended, row, learned=learned)
        hits.append(hit_of(chunk, score=0.0 if at is None else float(ranked.share[at]), trace=trace))
    return tuple(hits)


def _reranked(providers: Providers, text: str, hits: tuple[Hit, ...], degraded: list[Degradation]) -> tuple[Hit, ...]:
    if providers.reranker is None or len(hits) < 2:
        return hits
    head, tail = hits[:RERANK_COUNT], hits[RERANK_COUNT:]
    try:
        scores = providers.reranker.rerank(text, [f"{hit.speaker}: {hit.text}" for hit in head])
    except ProviderError as error:
        degraded.append(Degradation(part="reranker", reason=str(error)))
        return hits
    order = np.argsort(-scores, kind="stable").tolist()
    return tuple(replace(head[place], score=float(scores[place])) for place in order) + tail
