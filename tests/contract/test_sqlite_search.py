"""Does a large scope, of which only a part is brought, bring the right part?"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from glossator.model import Ask, Filters
from glossator.options import Options
from glossator.stores.memory import MemoryStore
from glossator.stores.sqlite import SqliteStore, growing, postings, search, vectors
from glossator.stores.sqlite.statements import SQL, named_statements
from glossator.stores.sqlite.terms import index_word, match_term
from glossator.testing.contract.base import MODEL, NOW
from glossator.testing.drafts import SCOPE, batch, entry

COUNT = 900


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits at which the scope of this test is a large one."""
    monkeypatch.setattr(search, "WHOLE_SCOPE_ROWS_MAX", 50)
    monkeypatch.setattr(growing, "BLOCK_ROWS", 128)
    monkeypatch.setattr(postings, "REMEMBERED_ROWS_MIN", 20)
    monkeypatch.setattr(postings, "REMEMBERED_ROWS_MAX", 1000)
    monkeypatch.setattr(vectors, "LOAD_ROWS", 50)


@pytest.fixture
def pair(tmp_path: Path, small_limits: None) -> Iterator[tuple[SqliteStore, MemoryStore]]:
    """The same 900 turns, in sessions that take turns, in both stores, surveyed in between."""
    generator = np.random.default_rng(5)
    store, reference = SqliteStore(tmp_path / "memory.db", options=Options()), MemoryStore()
    for first in range(0, COUNT, 150):
        turns = []
        for number in range(first, first + 150):
            text = " ".join(f"w{int(word)}" for word in np.exp(generator.uniform(0, 6, 8)))
            turns.append(entry(f"m{number}", text, session=f"s{generator.integers(0, 9)}", project="pq"[number % 2]))
        for each in (store, reference):
            each.append(batch(*turns), now=NOW)
        ids = [number for number in range(first + 1, first + 151) if number % 10]
        rows = dict(zip(ids, generator.standard_normal((len(ids), 16), dtype=np.float32), strict=True))
        for each in (store, reference):
            each.put_vectors(MODEL, rows, texts=dict.fromkeys(ids, ""))
        store.survey(Ask(scope=SCOPE, filters=Filters(), terms=("w1",), vector=np.ones(16, np.float32), model=MODEL))
    again = dict.fromkeys(range(1, 400), np.ones(16, np.float32))
    for each in (store, reference):
        each.put_vectors(MODEL, again, texts=dict.fromkeys(again, ""))
    yield store, reference
    store.close()


@pytest.mark.parametrize("filters", [Filters(), Filters(project="p")], ids=("all", "project"))
def test_the_part_that_is_brought_is_what_the_whole_has_there(
    pair: tuple[SqliteStore, MemoryStore], filters: Filters
) -> None:
    store, reference = pair
    query = np.random.default_rng(6).standard_normal(16, dtype=np.float32)
    terms = ("w1", "w7", "w150", "absent")
    ask = Ask(scope=SCOPE, filters=filters, terms=terms, vector=query, model=MODEL, candidates_max=60)
    part, whole = store.survey(ask), reference.survey(ask)
    # then it is a part, with the figures of the whole
    assert len(part) < len(whole) == part.chunk_count
    assert dict(part.term_counts) == dict(whole.term_counts)
    assert part.length_mean == pytest.approx(whole.length_mean)
    # and every row is as in the whole, in the same order
    place = {int(chunk_id): row for row, chunk_id in enumerate(whole.chunk_id)}
    rows = np.array([place[int(chunk_id)] for chunk_id in part.chunk_id])
    assert (np.diff(rows) > 0).all()
    for name in ("message", "position", "said_at", "length", "weight", "namespace", "role", "marks"):
        assert getattr(part, name).tolist() == getattr(whole, name)[rows].tolist()
    assert part.similarity is not None
    assert whole.similarity is not None
    assert part.vectors is not None
    assert whole.vectors is not None
    np.testing.assert_allclose(part.similarity, whole.similarity[rows], atol=2e-3)
    np.testing.assert_allclose(part.vectors, whole.vectors[rows], atol=2e-3)
    for term in terms:
        assert rows[part.postings[term]].tolist() == [row for row in whole.postings[term] if row in set(rows.tolist())]
    # and the nearest by vector and their neighbours in the session are there
    nearest = np.argsort(-np.nan_to_num(whole.similarity, nan=-9))[:25]
    for row in nearest.tolist():
        near = np.flatnonzero(
            (whole.session == whole.session[row]) & (np.abs(whole.position - whole.position[row]) <= 3)
        )
        assert set(near.tolist()) <= set(rows.tolist())
    assert set(whole.postings["w150"].tolist()) <= set(rows.tolist())


def test_two_terms_never_share_a_word() -> None:
    # proves: D36
    terms = ["a", "A", "0x61", "0X61", "0z", "0", "", " ", "é", "e\u0301", "猫", "0xe78cab", "x" * 201, "x" * 200, '"']
    words = [index_word(term) for term in terms]
    assert len(set(words)) == len(terms)
    assert all(word.isascii() and word.isalnum() and word == word.lower() for word in words)
    assert match_term(1, "1s") != match_term(11, "s")


def test_statements_have_names_and_no_two_the_same() -> None:
    assert all(not statement.endswith(";") for statement in SQL.values())
    with pytest.raises(ValueError, match="same name"):
        named_statements("-- name: a\nSELECT 1\n-- name: a\nSELECT 2\n")
