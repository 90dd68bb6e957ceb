"""What does each check of the doctor stand on? One Finding per check; with `repair` the drift is put right."""

import sqlite3
from collections.abc import Callable, Iterable
from datetime import datetime

import numpy as np

from glossator.model import Finding
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.vectors import STORED

REPAIR = "run `glossator doctor --repair`"


def finding(check: str, problems: Iterable[str], remedy: str, *, repaired: bool = False) -> Finding:
    """The finding that names the first of the problems, and how many there are."""
    found = list(problems)
    if not found:
        return Finding(check=check, ok=True, detail="in order")
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return Finding(check=check, ok=False, detail=found[0] + more, remedy=remedy, repaired=repaired)


class Doctor:
    """Checks over one connection."""

    def __init__(self, connection: sqlite3.Connection, *, repair: bool, now: datetime) -> None:
        self._connection = connection
        self._repair = repair
        self._now = now

    def _drift(self, check: str, problems: list[str], repair: Callable[[], object]) -> Finding:
        if problems and self._repair:
            repair()
            return finding(check, problems, "repaired", repaired=True)
        return finding(check, problems, REPAIR)

    def _index(self, check: str, name: str, check_statement: str, rebuild_statement: str) -> Finding:
        """Does this full-text index say what its rows say?"""
        try:
            self._connection.execute(SQL[check_statement])
            problems: list[str] = []
        except sqlite3.DatabaseError as error:
            problems = [f"the full-text index of {name} differs from its rows: {error}"]
        return self._drift(check, problems, lambda: self._connection.execute(SQL[rebuild_statement]))

    def _ids(self, statement: str, *given: object) -> list[int]:
        return [row[0] for row in self._connection.execute(SQL[statement], given)]

    def _broken(self, statement: str) -> dict[int, int]:
        """vector_id -> the id it is of, for vectors that are not finite rows of the width their model began with."""
        widths: dict[int, int] = {}
        broken: dict[int, int] = {}
        for vector_id, of_id, model_id, dimension, blob in self._connection.execute(SQL[statement]):
            width = widths.setdefault(model_id, dimension)
            whole = dimension == width and len(blob) == width * STORED.itemsize
            if not whole or not np.isfinite(np.frombuffer(blob, STORED)).all():
                broken[vector_id] = of_id
        return broken
