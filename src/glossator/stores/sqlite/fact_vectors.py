"""Where do the vectors of facts lie? Beside those of chunks, under the fact's own id."""

import sqlite3
from collections.abc import Mapping, Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from glossator.stores.sqlite.journal import ROWS_MAX, found_or_added
from glossator.stores.sqlite.rows import ids_json
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.vectors import STORED, checked_vectors


def put(
    connection: sqlite3.Connection, model: str, vectors: Mapping[int, NDArray[np.float32]], texts: Mapping[int, str]
) -> int:
    """Keep the vectors of facts that are there, replacing; returns how many were kept."""
    checked = checked_vectors(vectors, texts)
    model_id = found_or_added(connection, "model_id", (model,), "add_model", (model,))
    scopes = dict(connection.execute(SQL["fact_scopes"], (ids_json(checked),)).fetchall())
    rows = [
        (fact_id, scopes[fact_id], model_id, len(vector), sha256(texts[fact_id].encode()).digest(),
         vector.astype(STORED).tobytes())
        for fact_id, vector in checked.items()
        if fact_id in scopes
    ]  # fmt: skip
    connection.executemany(SQL["put_fact_vector"], rows)
    connection.execute(SQL["revise_scopes"], (ids_json(sorted(set(scopes.values()))),))
    return len(rows)


def to_embed(connection: sqlite3.Connection, fact_ids: Sequence[int]) -> dict[int, str]:
    """The indexed text of these facts."""
    return dict(connection.execute(SQL["facts_to_embed"], (ids_json(fact_ids),)).fetchall())


def unembedded(connection: sqlite3.Connection, model: str, *, limit: int) -> tuple[int, ...]:
    """Ids of facts without a vector of this model, oldest first."""
    return tuple(row[0] for row in connection.execute(SQL["unembedded_facts"], (model, min(max(limit, 0), ROWS_MAX))))
