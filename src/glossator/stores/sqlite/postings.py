"""Which rows have a term? Asked of FTS once per term; what is common is remembered and brought up to date by delta."""

import sqlite3
import threading
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.terms import match_term

REMEMBERED_ROWS_MIN = 512
"""Rarer terms are read from FTS in less time than it takes to keep them."""
REMEMBERED_ROWS_MAX = 8_000_000
"""Row numbers remembered per scope (32 MB); the term asked longest ago goes first."""


class Postings:
    """The rows of the terms of one scope, as long as nothing is erased from it."""

    def __init__(self, statement: str = "postings") -> None:
        self._statement = statement
        self._lock = threading.Lock()
        self._remembered: OrderedDict[str, tuple[NDArray[np.int32], int]] = OrderedDict()
        self._row_count = 0

    def rows(
        self, connection: sqlite3.Connection, scope_id: int, term: str, chunk_ids: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """Rows (rising places in `chunk_ids`) whose text has the term."""
        last_id = int(chunk_ids[-1]) if len(chunk_ids) else 0
        with self._lock:
            known, known_id = self._remembered.get(term, (np.empty(0, np.int32), 0))
        if known_id < last_id:
            fetched = connection.execute(SQL[self._statement], (match_term(scope_id, term), known_id)).fetchall()
            ids = np.fromiter((row[0] for row in fetched), np.int64, len(fetched))
            known = np.concatenate([known, np.searchsorted(chunk_ids, ids).astype(np.int32)])
            self._remember(term, known, last_id)
        return known[: np.searchsorted(known, len(chunk_ids))]

    def _remember(self, term: str, rows: NDArray[np.int32], last_id: int) -> None:
        if len(rows) < REMEMBERED_ROWS_MIN:
            return
        with self._lock:
            before = self._remembered.pop(term, None)
            self._row_count += len(rows) - (0 if before is None else len(before[0]))
            self._remembered[term] = (rows, last_id)
            while self._row_count > REMEMBERED_ROWS_MAX:
                _, (dropped, _) = self._remembered.popitem(last=False)
                self._row_count -= len(dropped)
