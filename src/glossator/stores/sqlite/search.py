"""What does one search bring? The rows that pass scope and filters, whole if the scope is small, else the best."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glossator.model import NAMESPACES, Ask, Filters, Pool
from glossator.stores.sqlite.columns import SECOND, Snapshot
from glossator.stores.sqlite.rows import micros

WHOLE_SCOPE_ROWS_MAX = 20_000
"""Up to here all rows are brought: scoring them takes a few ms and no candidate can be missed."""
NEIGHBOUR_POSITIONS = 3
"""Recall looks at most this many messages to either side of a candidate."""
NEIGHBOUR_ROWS = 8
"""Rows looked through for them; a long message has many chunks."""
NARROW_SHARE = 8
"""A filter that leaves less than an eighth of the rows is cheaper to gather than to multiply whole."""
SATURATION, LENGTH_SHARE = 1.2, 0.75
"""BM25's usual constants."""

Rows = NDArray[np.int64]
Postings = Mapping[str, NDArray[np.int32]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search reads from the store; `snapshot` is None where the scope has nothing."""

    snapshot: Snapshot | None
    postings: Postings
    conversation_id: int | None


NOTHING = Found(snapshot=None, postings={}, conversation_id=None)


def empty_pool(ask: Ask) -> Pool:
    """What a scope without rows brings."""
    return Pool(
        chunk_id=np.empty(0, np.int64),
        message=np.empty(0, np.int64),
        namespace=np.empty(0, np.int8),
        session=np.empty(0, np.int32),
        position=np.empty(0, np.int32),
        speaker=np.empty(0, np.int32),
        role=np.empty(0, np.int8),
        said_at=np.empty(0, np.float64),
        event_start=np.empty(0, np.float64),
        event_end=np.empty(0, np.float64),
        own_date=np.empty(0, np.bool_),
        length=np.empty(0, np.int32),
        marks=np.empty(0, np.uint16),
        weight=np.empty(0, np.float32),
        speakers=(),
        postings={term: np.empty(0, np.int32) for term in ask.terms},
        similarity=None if ask.vector is None else np.empty(0, np.float32),
        vectors=None if ask.vector is None else np.empty((0, len(ask.vector)), np.float32),
        chunk_count=0,
        term_counts=dict.fromkeys(ask.terms, 0),
        length_mean=0.0,
    )


def seconds(at: datetime) -> float:
    """Epoch seconds as the columns have them."""
    return micros(at) / SECOND


def kept_rows(snapshot: Snapshot, filters: Filters, conversation_id: int | None) -> NDArray[np.bool_] | None:
    """Which rows pass; None when all may."""
    columns = snapshot.columns
    tests: list[NDArray[np.bool_]] = []
    if conversation_id is not None:
        tests.append(columns["conversation_id"] == conversation_id)
    if set(filters.namespaces) != set(NAMESPACES):
        codes = [NAMESPACES.index(name) for name in filters.namespaces]
        tests.append(np.isin(columns["namespace"], codes))
    if filters.project is not None:
        tests.append(columns["project"] == snapshot.projects.get(filters.project, -2))
    tests.extend(_with_tag(snapshot, tag) for tag in filters.tags)
    start, end, said = columns["event_start"], columns["event_end"], columns["said_at"]
    if filters.since is not None:
        since = seconds(filters.since)
        tests.append(np.isnan(end) | (end > since) | (start >= since))
    if filters.until is not None:
        tests.append(np.isnan(start) | (start < seconds(filters.until)))
    if filters.said_since is not None:
        tests.append(said >= seconds(filters.said_since))
    if filters.said_until is not None:
        tests.append(said < seconds(filters.said_until))
    if filters.as_of is not None:
        tests.append(said <= seconds(filters.as_of))
    return np.logical_and.reduce(tests) if tests else None


def _with_tag(snapshot: Snapshot, tag: str) -> NDArray[np.bool_]:
    kept = np.zeros(len(snapshot), np.bool_)
    code = snapshot.tags.get(tag)
    if code is not None:
        kept[snapshot.tag_rows[snapshot.tag_codes == code]] = True
    return kept


def bring(snapshot: Snapshot, ask: Ask, found: Found) -> Pool:
    """The pool of this search."""
    kept = kept_rows(snapshot, ask.filters, found.conversation_id)
    postings = found.postings
    length = snapshot.columns["length"]
    if kept is not None:
        postings = {term: rows[kept[rows]] for term, rows in postings.items()}
        length = length[kept]
    if not len(length):
        return empty_pool(ask)
    length_mean = float(length.mean(dtype=np.float64))
    similarity = None if ask.vector is None else _similarity(snapshot, ask.vector, kept)
    rows = snapshot.order if kept is None else snapshot.order[kept[snapshot.order]]
    if len(rows) > max(WHOLE_SCOPE_ROWS_MAX, ask.candidates_max):
        scores = lexical_scores(postings, snapshot.columns["length"], length_mean, len(length))
        lanes = [lane for lane in (scores, similarity) if lane is not None]
        best = [_best(lane, ask.candidates_max // len(lanes)) for lane in lanes]
        rows = rows[_with_neighbours(snapshot, rows, np.concatenate(best))]
    return _gather(snapshot, rows, postings, similarity, len(length), length_mean)


def _similarity(snapshot: Snapshot, vector: NDArray[np.float32], kept: NDArray[np.bool_] | None) -> NDArray[np.float32]:
    """Cosines of all rows in order of arrival; nan where filtered out or without a vector."""
    assert snapshot.vectors is not None
    if kept is None:
        return snapshot.vectors.similarity(vector, None)
    rows = np.flatnonzero(kept)
    out = np.full(len(snapshot), np.nan, np.float32)
    if len(rows) * NARROW_SHARE < len(snapshot):
        out[rows] = snapshot.vectors.similarity(vector, rows)
    else:
        out[rows] = snapshot.vectors.similarity(vector, None)[rows]
    return out


def lexical_scores(
    postings: Postings, length: NDArray[np.int32], length_mean: float, chunk_count: int
) -> NDArray[np.float32]:
    """BM25 without counts inside a chunk, only to choose what is brought; nan where no term is."""
    sums = np.zeros(len(length), np.float32)
    for rows in postings.values():
        rarity = np.log1p((chunk_count - len(rows) + 0.5) / (len(rows) + 0.5))
        sums[rows] += np.float32(rarity)
    found = np.flatnonzero(sums)
    scores = np.full(len(length), np.nan, np.float32)
    long = 1 - LENGTH_SHARE + LENGTH_SHARE * length[found] / max(length_mean, 1.0)
    scores[found] = sums[found] / (1 + SATURATION * long)
    return scores


def _best(scores: NDArray[np.float32], count: int) -> Rows:
    """The rows with the highest scores."""
    held = np.flatnonzero(~np.isnan(scores))
    if len(held) <= count:
        return held
    return held[np.argpartition(-scores[held], count)[:count]]


def _with_neighbours(snapshot: Snapshot, rows: Rows, best: Rows) -> Rows:
    """Places in `rows` (all that pass, in the pool's order) of the best and of what was said around them."""
    place = np.full(len(snapshot), -1, np.int64)
    place[rows] = np.arange(len(rows))
    centre = place[best]
    session, position = snapshot.columns["session_id"], snapshot.columns["position"]
    found = np.zeros(len(rows), np.bool_)
    for step in range(-NEIGHBOUR_ROWS, NEIGHBOUR_ROWS + 1):
        inside = (centre + step >= 0) & (centre + step < len(rows))
        here, there = rows[centre[inside]], rows[centre[inside] + step]
        near = np.abs(position[here] - position[there]) <= NEIGHBOUR_POSITIONS
        found[centre[inside][near & (session[here] == session[there])] + step] = True
    return np.flatnonzero(found)


def _gather(
    snapshot: Snapshot,
    rows: Rows,
    postings: Postings,
    similarity: NDArray[np.float32] | None,
    chunk_count: int,
    length_mean: float,
) -> Pool:
    """The columns of these rows, which are in the pool's order."""
    all_rows = len(rows) == len(snapshot)
    as_is = all_rows and snapshot.in_order
    columns = {name: column if as_is else column.take(rows) for name, column in snapshot.columns.items()}
    speaker, speakers = columns["speaker"], snapshot.speakers
    if not all_rows:
        present = np.bincount(speaker, minlength=len(speakers)) > 0
        speaker = (np.cumsum(present, dtype=np.int32) - 1)[speaker]
        speakers = tuple(name for name, here in zip(speakers, present.tolist(), strict=True) if here)
    vectors: NDArray[np.float32] | None = None
    if similarity is not None and snapshot.vectors is not None:
        vectors = snapshot.ordered_vectors if all_rows else snapshot.vectors.of(rows, whole=False)
    return Pool(
        chunk_id=columns["chunk_id"],
        message=columns["message"],
        namespace=columns["namespace"],
        session=_dense(columns["session_id"]),
        position=columns["position"],
        speaker=speaker,
        role=columns["role"],
        said_at=columns["said_at"],
        event_start=columns["event_start"],
        event_end=columns["event_end"],
        own_date=columns["own_date"],
        length=columns["length"],
        marks=columns["marks"],
        weight=columns["weight"],
        speakers=speakers,
        postings=postings if as_is else _placed(postings, rows, len(snapshot)),
        similarity=None if similarity is None else (similarity if as_is else similarity[rows]),
        vectors=vectors,
        chunk_count=chunk_count,
        term_counts={term: len(found) for term, found in postings.items()},
        length_mean=length_mean,
    )


def _dense(session_ids: NDArray[Any]) -> NDArray[np.int32]:
    """Sessions numbered from 0 in the order in which they stand."""
    return np.concatenate([[0], np.cumsum(np.diff(session_ids) != 0)]).astype(np.int32)


def _placed(postings: Postings, rows: Rows, row_count: int) -> dict[str, NDArray[np.int32]]:
    """The postings as places in `rows`, rising."""
    place = np.full(row_count, -1, np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    placed = {term: place[found] for term, found in postings.items()}
    return {term: np.sort(found[found >= 0]) for term, found in placed.items()}
