"""What do all parts of the contract stand on? A fresh store for each test, and short ways to ask it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from glossator.model import FACT_STATES, Ask, Decided, Entry, Fact, FactFilter, Filters, Pool, Recorded, Ruling, Scope
from glossator.ports import Store
from glossator.testing.clock import START
from glossator.testing.drafts import SCOPE, batch

NOW = START
LATER = START + timedelta(seconds=600)
MODEL = "test-model"

NASTY = (
    "e\u0301 with a combining accent, and é without",
    "שלום עולם mixed with \u202eright-to-left\u202c",
    "100% of a_b LIKE '%_%'",
    'O\'Hara said "no"; DROP TABLE messages; --',
    'AND OR NOT NEAR(a b) "x" * ^ col:val {a b}: -minus +plus (paren',
    "👍 👩‍👩‍👧 emoji only 🇩🇪",
    "猫を二匹飼っています",
    "แมวสองตัว",
    "кошка в мае",
    "line one\nline two\r\n\ttabbed",
    "\ufeffbyte order mark, \u200bzero width, \u2028separator",
    "c++ c# .net pre-edit src/app 3.14 1,000",
    '{"json": ["in", "text"]} \\u0041 \\',
    "word " * 200_000,
)
"""Texts that broke stores: marks, operators, wildcards, quotes, every kind of script, and one of a megabyte."""


class Contract(ABC):
    """Subclass as `class TestMyStore(StoreContract)` and say how a store is opened."""

    durable = True
    """False for a store that keeps nothing once it is closed."""

    @abstractmethod
    def open_store(self, folder: Path) -> Store:
        """The store that lies in this folder, made if there is none."""

    @abstractmethod
    def open_reference(self) -> Store:
        """An empty store that is known to be right: stores.memory.MemoryStore."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        """An empty store."""
        store = self.open_store(tmp_path)
        yield store
        store.close()


def record(store: Store, *entries: Entry, **where: Any) -> tuple[Recorded, ...]:
    """Append the entries at NOW."""
    return store.append(batch(*entries, **where), now=NOW)


def survey(
    store: Store,
    *terms: str,
    scope: Scope = SCOPE,
    vector: NDArray[np.float32] | None = None,
    model: str = MODEL,
    **filters: Any,
) -> Pool:
    """One search."""
    return store.survey(Ask(scope=scope, filters=Filters(**filters), terms=terms, vector=vector, model=model))


def found(store: Store, term: str, *, scope: Scope = SCOPE, **filters: Any) -> list[str]:
    """External ids of the messages that a search for the term finds, in the pool's order."""
    pool = survey(store, term, scope=scope, **filters)
    chunks = store.chunks(scope, [int(pool.chunk_id[row]) for row in pool.postings[term]])
    return [chunk.external_id for chunk in chunks]


def embed(store: Store, vectors: dict[int, list[float]], model: str = MODEL) -> int:
    """Put these vectors."""
    arrays = {chunk_id: np.array(vector, np.float32) for chunk_id, vector in vectors.items()}
    return store.put_vectors(model, arrays, texts={chunk_id: f"text {chunk_id}" for chunk_id in vectors})


def commit(store: Store, *rulings: Ruling, now: datetime = NOW) -> list[Decided]:
    """Write the rulings one after the other; what was decided."""
    return [decided for ruling in rulings for decided in store.commit(ruling, now=now)]


def fact(store: Store, fact_id: int, *, scope: Scope = SCOPE) -> Fact:
    """The fact in whatever state."""
    (found,) = store.facts(scope, FactFilter(states=FACT_STATES, fact_ids=(fact_id,)))
    return found


def texts(store: Store, *, scope: Scope = SCOPE, **conditions: Any) -> list[str]:
    """The texts of the facts that a filter lets through, in its order."""
    return [each.text for each in store.facts(scope, FactFilter(**conditions))]
