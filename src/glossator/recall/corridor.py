"""The read path: query - parse - candidates - fuse - rerank - suppress - render. Only this room calls ports."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from glossator.errors import ProviderError, StoreError
from glossator.model import Answer, Degradation, Filters, Hit, Pool, Query, Scope
from glossator.options import Options
from glossator.ports import Embedder, Index, Ranker, Reranker
from glossator.recall.candidates import ask_for, within_budgets
from glossator.recall.explain import trace_of
from glossator.recall.features import feature_matrix
from glossator.recall.fuse import Blend, blend
from glossator.recall.layout import F32, I32, Layout, layout_of
from glossator.recall.parse import addressed, parse_question
from glossator.recall.render import hit_of
from glossator.recall.suppress import newest_first, one_per_session

Per = Literal["turn", "session"]
RERANK_COUNT = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Providers:
    """The models that recall may use; each may be missing, and the answer says so where that costs something."""

    embedder: Embedder | None
    embedder_missing: str
    ranker: Ranker | None
    ranker_missing: str
    reranker: Reranker | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranked:
    """Rows best first with the scores that order them."""

    rows: I32
    score: F32
    session: F32
    learned: dict[str, F32]


def recall(
    index: Index,
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
) -> Answer:
    """Answer a question from what the scope may see; never raises for a missing model, says so instead."""
    query = parse_question(text, now=now)
    degraded: list[Degradation] = []
    vector = _query_vector(providers, options, text, degraded)
    model = providers.embedder.name if providers.embedder is not None else ""
    pool = index.survey(
        ask_for(query, scope=scope, filters=filters, vector=vector, model=model, lexical="lexical" in options.signals)
    )
    _note_missing_vectors(pool, vector, degraded)
    if "speaker" in options.signals:
        query = addressed(query, pool.speakers)
    layout = layout_of(pool)
    blended = blend(pool, layout, query, signals=options.signals)
    ranked = _ranked(providers, options, pool, layout, query, blended, limit, degraded)
    rows, notes = _order(pool, layout, ranked, options, per)
    hits = _hydrated(index, scope, pool, query, blended, ranked, rows[:limit], notes, explain)
    hits = _reranked(providers, text, hits, degraded)
    asked = query.times[0].interval if query.times else None
    return Answer(hits=hits, degraded=tuple(degraded), filters=filters, asked_time=asked)


def _query_vector(
    providers: Providers, options: Options, text: str, degraded: list[Degradation]
) -> NDArray[np.float32] | None:
    if "vector" not in options.signals:
        return None
    if providers.embedder is None:
        degraded.append(Degradation(part="embedder", reason=providers.embedder_missing))
        return None
    try:
        vector: NDArray[np.float32] = providers.embedder.embed([text])[0]
        return vector
    except ProviderError as error:
        degraded.append(Degradation(part="embedder", reason=str(error)))
        return None


def _note_missing_vectors(pool: Pool, vector: NDArray[np.float32] | None, degraded: list[Degradation]) -> None:
    if vector is None or pool.similarity is None:
        return
    missing = int(np.isnan(pool.similarity).sum())
    if missing:
        degraded.append(Degradation(part="vectors", reason=f"{missing} of {len(pool)} chunks are not embedded yet"))


def _ranked(
    providers: Providers,
    options: Options,
    pool: Pool,
    layout: Layout,
    query: Query,
    blended: Blend,
    limit: int,
    degraded: list[Degradation],
) -> _Ranked:
    rows = within_budgets(blended.score, pool.namespace, limit=limit)
    rows = rows[blended.score[rows] > 0]
    plain = _Ranked(rows=rows, score=blended.score[rows], session=blended.session, learned={})
    if "ranker" not in options.signals or not len(rows) or pool.similarity is None:
        return plain
    if providers.ranker is None:
        degraded.append(Degradation(part="ranker", reason=providers.ranker_missing))
        return plain
    features = feature_matrix(pool, layout, query, blended, rows)
    try:
        score = providers.ranker.score(features)
    except ProviderError as error:
        degraded.append(Degradation(part="ranker", reason=str(error)))
        return plain
    order = np.argsort(-score, kind="stable")
    return replace(
        plain, rows=rows[order], score=score[order], learned={name: column[order] for name, column in features.items()}
    )


def _order(pool: Pool, layout: Layout, ranked: _Ranked, options: Options, per: Per) -> tuple[I32, tuple[str, ...]]:
    rows = ranked.rows
    if per == "session":
        rows = one_per_session(layout.session, rows, ranked.session)
    if "newest" in options.signals:
        rows = newest_first(pool, rows, ranked.score)
    return rows, ()


def _hydrated(
    index: Index,
    scope: Scope,
    pool: Pool,
    query: Query,
    blended: Blend,
    ranked: _Ranked,
    rows: I32,
    notes: tuple[str, ...],
    explain: bool,
) -> tuple[Hit, ...]:
    place = {int(row): at for at, row in enumerate(ranked.rows.tolist())}
    row_of = {int(pool.chunk_id[row]): int(row) for row in rows.tolist()}
    hits: list[Hit] = []
    for chunk in index.chunks(scope, tuple(row_of)):
        if not scope.covers(chunk.scope):
            raise StoreError(f"chunk {chunk.chunk_id} came back from outside the scope; run `glossator doctor`")
        row = row_of[chunk.chunk_id]
        at = place[row]
        learned = {name: round(float(column[at]), 4) for name, column in ranked.learned.items()}
        trace = trace_of(pool, query, blended, row, learned=learned, notes=notes) if explain else None
        hits.append(hit_of(chunk, score=float(ranked.score[at]), trace=trace))
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
