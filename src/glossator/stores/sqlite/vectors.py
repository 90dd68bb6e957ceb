"""Where do vectors lie? As float16 rows in SQLite, the truth, and as a float32 matrix per scope for the search.

float16 was measured against float32, 100,000 x 384: 82 MB of file against 205, loaded in the same time (0.63 s), and
cosines that differ by less than 0.0001.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from glossator.errors import UsageError
from glossator.model import Scope
from glossator.stores.sqlite.growing import Matrix, MatrixView, products
from glossator.stores.sqlite.journal import ROWS_MAX, found_or_added
from glossator.stores.sqlite.rows import ids_json, scope_parameters
from glossator.stores.sqlite.statements import SQL

STORED = np.dtype("<f2")
LOAD_ROWS = 4_096
DEAD_SHARE_MAX = 0.25
"""Replaced vectors stay in the matrix until they are this share of it; then it is loaded anew."""


def unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vector at length 1; zeros stay zeros."""
    given = np.asarray(vector, np.float32)
    norm = float(np.linalg.norm(given))
    return given / np.float32(norm) if norm > 0 else given


def put(
    connection: sqlite3.Connection,
    model: str,
    vectors: Mapping[int, NDArray[np.float32]],
    texts: Mapping[int, str],
    signs: Mapping[int, NDArray[np.uint8]],
) -> int:
    """Keep the vectors of chunks that are there, replacing, with their signs; returns how many were kept."""
    checked = checked_vectors(vectors, texts)
    model_id = found_or_added(connection, "model_id", (model,), "add_model", (model,))
    scopes = dict(connection.execute(SQL["chunk_scopes"], (ids_json(checked),)).fetchall())
    rows = [
        (
            chunk_id,
            scopes[chunk_id],
            model_id,
            len(vector),
            sha256(texts[chunk_id].encode()).digest(),
            vector.astype(STORED).tobytes(),
        )
        for chunk_id, vector in checked.items()
        if chunk_id in scopes
    ]
    connection.executemany(SQL["put_vector"], rows)
    kept = [(signs[row[0]].tobytes(), row[0], model_id) for row in rows if row[0] in signs]
    connection.executemany(SQL["put_signs"], kept)
    connection.execute(SQL["revise_scopes"], (ids_json(sorted(set(scopes.values()))),))
    return len(rows)


def checked_vectors(
    vectors: Mapping[int, NDArray[np.float32]], texts: Mapping[int, str]
) -> dict[int, NDArray[np.float32]]:
    """The vectors at unit length. Raises UsageError for one that is no finite row or has no text."""
    checked: dict[int, NDArray[np.float32]] = {}
    for chunk_id, vector in vectors.items():
        if chunk_id not in texts:
            raise UsageError(f"texts[{chunk_id}]", "is missing", remedy="pass the text of every vector")
        given = np.asarray(vector, np.float32)
        if given.ndim != 1 or not len(given) or not np.isfinite(given).all():
            raise UsageError(f"vectors[{chunk_id}]", "is no row of finite numbers", remedy="check the embedder")
        checked[int(chunk_id)] = unit(given)
    return checked


def signs_of(
    connection: sqlite3.Connection, scope: Scope, model: str, chunk_ids: Sequence[int]
) -> dict[int, NDArray[np.uint8]]:
    """The sign rows of these chunks, as far as the scope covers them."""
    asked = {"chunk_ids": ids_json(chunk_ids), "model": model, **scope_parameters(scope)}
    return {
        chunk_id: np.frombuffer(blob, np.uint8).reshape(-1, (dimension + 7) // 8)
        for chunk_id, dimension, blob in connection.execute(SQL["signs"], asked)
    }


def unembedded(connection: sqlite3.Connection, model: str, *, limit: int) -> tuple[int, ...]:
    """Ids of chunks without a vector of this model, oldest first."""
    return tuple(row[0] for row in connection.execute(SQL["unembedded"], (model, min(limit, ROWS_MAX))))


def drop_others(connection: sqlite3.Connection, *, keep_model: str) -> int:
    """Drop the vectors of all other models."""
    dropped = connection.execute(SQL["drop_vectors"], (keep_model,)).rowcount
    dropped += connection.execute(SQL["drop_fact_vectors"], (keep_model,)).rowcount
    if dropped:
        connection.execute(SQL["revise_all_erased"])
    connection.execute(SQL["drop_models"], (keep_model,))
    return dropped


class VectorView:
    """The vectors of a scope's rows at one revision."""

    def __init__(self, matrix: MatrixView, places: NDArray[np.int32]) -> None:
        self._matrix = matrix
        self.places = places
        """For each row of the scope its place in the matrix, -1 if it has none."""

    def similarity(self, query: NDArray[np.float32], rows: NDArray[np.int64] | None) -> NDArray[np.float32]:
        """Cosine with the query for all rows of the scope, or for `rows` only; nan where there is no vector."""
        asked = unit(query)
        places = self.places if rows is None else self.places[rows]
        out = np.full(len(places), np.nan, np.float32)
        held = places >= 0
        if rows is None:
            out[held] = self._matrix.dot(asked)[places[held]]
        else:
            out[held] = products(self._matrix.rows(places[held]), asked)
        return out

    def of(self, rows: NDArray[np.int64], *, whole: bool) -> NDArray[np.float32]:
        """The vectors of these rows, zeros where missing. `whole`: the rows are all, in order of arrival."""
        if whole and len(rows) and bool((self.places == np.arange(len(rows))).all()):
            return self._matrix.first(len(rows))
        return self._matrix.rows(self.places[rows])


class VectorRows:
    """The vectors of one model that a scope has in memory; appended to, in order of vector_id."""

    def __init__(self, model: str, dimension: int, *, statement: str = "scope_vectors") -> None:
        self._statement = statement
        self._model = model
        self._dimension = dimension
        self._matrix = Matrix(dimension)
        self._places: NDArray[np.int32] = np.empty(0, np.int32)
        self._last_id = 0
        self.revision = -1

    def holds(self, model: str, dimension: int) -> bool:
        """True if these are vectors of this model and dimension."""
        return (self._model, self._dimension) == (model, dimension)

    def load(
        self, connection: sqlite3.Connection, scope_id: int, chunk_ids: NDArray[np.int64], *, revision: int
    ) -> None:
        """Append what was put since, and say for each row of the scope where its vector is."""
        model = connection.execute(SQL["model_id"], (self._model,)).fetchone()
        places = np.full(len(chunk_ids), -1, np.int32)
        places[: len(self._places)] = self._places
        self._places = places
        if model is not None:
            self._append(connection, (scope_id, model[0]), chunk_ids)
        live_count = int((self._places >= 0).sum())
        if self._matrix.count - live_count > max(LOAD_ROWS, DEAD_SHARE_MAX * self._matrix.count):
            fresh = VectorRows(self._model, self._dimension, statement=self._statement)
            fresh.load(connection, scope_id, chunk_ids, revision=revision)
            self._matrix, self._places, self._last_id = fresh._matrix, fresh._places, fresh._last_id
        self.revision = revision

    def view(self, count: int) -> VectorView:
        """The vectors as they are now, for a scope of `count` rows."""
        places = self._places
        if len(places) < count:
            places = np.concatenate([places, np.full(count - len(places), -1, np.int32)])
        return VectorView(self._matrix.view(), places)

    def _append(self, connection: sqlite3.Connection, owner: tuple[int, int], chunk_ids: NDArray[np.int64]) -> None:
        cursor = connection.execute(SQL[self._statement], (*owner, self._last_id, self._dimension))
        while rows := cursor.fetchmany(LOAD_ROWS):
            vectors = np.frombuffer(b"".join(row[2] for row in rows), STORED).reshape(len(rows), self._dimension)
            first = self._matrix.count
            self._matrix.extend(vectors, expected=len(chunk_ids) - first)
            at = np.searchsorted(chunk_ids, np.fromiter((row[1] for row in rows), np.int64, len(rows)))
            self._places[at] = np.arange(first, first + len(rows), dtype=np.int32)
            self._last_id = rows[-1][0]
