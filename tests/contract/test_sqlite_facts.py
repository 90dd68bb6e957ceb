"""What does the SQLite store do with its fact tables: columns, rules, plans, bytes of the forgotten, drift?"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.contract.test_sqlite_files import files_with

from glossator.model import FACT_STATES, FactFilter, ForgetTarget, Merge, QueuedTurn
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.stores.sqlite.facts import filter_parameters, listed_statement
from glossator.stores.sqlite.rows import fact_parameters
from glossator.stores.sqlite.statements import SQL
from glossator.testing.contract.base import MODEL, NOW, commit, fact, record, texts
from glossator.testing.contract.facts import matched
from glossator.testing.contract.ledger import moved
from glossator.testing.contract.queue import queued
from glossator.testing.contract.steps import numbers, step
from glossator.testing.contract.upkeep import forget
from glossator.testing.drafts import SCOPE, admitted, draft, entry, passage, ruling, turn

COUNT = 30


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(path, options=Options(busy_timeout_s=5))
    yield store
    store.close()


COLUMNS = (
    "id agent_id owner_id scope_type scope_id category key value confidence promote_target source_id source_type"
    " source_name source_description session_id run_id source_message_id archived_at archived_by archive_reason"
    " created_at updated_at"
).split()
NULLABLE = {
    "promote_target", "session_id", "run_id", "source_message_id", "archived_at", "archived_by", "archive_reason",
}  # fmt: skip


def test_the_memories_table_has_the_columns_of_the_specification(store: SqliteStore, path: Path) -> None:
    # proves: F8
    (message,) = record(store, entry("m1", "I like tea"))
    commit(store, admitted("I like tea", recorded=message, run_id="r1"))
    moved(store, 1, "archived", reason="old")
    with closing(sqlite3.connect(path)) as connection:
        columns = connection.execute("PRAGMA table_info(memories)").fetchall()
        assert [row[1] for row in columns][: len(COLUMNS)] == COLUMNS
        optional = {row[1] for row in columns[: len(COLUMNS)] if not row[3] and not row[5]}
        assert optional == NULLABLE
        row = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM memories").fetchone()
        written = dict(zip(COLUMNS, row, strict=True))
    assert (written["promote_target"], written["source_id"], written["source_name"]) == ("user_md", "m1", "Ann")
    assert (written["source_message_id"], written["run_id"], written["session_id"]) == (1, "r1", "s1")
    assert (written["archived_by"], written["archive_reason"]) == ("operator", "old")
    moved(store, 1, "active")
    with closing(sqlite3.connect(path)) as connection:
        kept = connection.execute("SELECT archived_at, archived_by, archive_reason FROM memories").fetchone()
    assert kept == (None, None, None)


BROKEN = (
    "UPDATE memories SET state = 'odd'",
    "UPDATE memories SET category = 'odd'",
    "UPDATE memories SET kind = 'odd'",
    "UPDATE memories SET confidence = 1.01",
    "UPDATE memories SET confidence = -0.01",
    "UPDATE memories SET promote_target = 'memory_md'",
    "UPDATE memories SET promote_target = NULL",
    "UPDATE memories SET archived_at = 1",
    "UPDATE memories SET archived_at = 1, archived_by = 'x'",
    "UPDATE memories SET state = 'erased'",
    "UPDATE memories SET valid_to = valid_from - 1",
    "UPDATE memories SET agent_id = NULL",
    "UPDATE memories SET key = NULL",
    "UPDATE memories SET seen_count = 0",
    "INSERT INTO evidence SELECT NULL, memory_id, message_id, external_id, conversation, session, source, speaker,"
    " role, said_at, said_offset, said_precision, said_given, start, stop, quote FROM evidence",
    "INSERT INTO work (kind, payload, scope_id, due_at, created_at) VALUES ('embed_fact', '{}', 1, 0, 0)",
    "INSERT INTO work (kind, memory_id, scope_id, due_at, created_at) VALUES ('embed', 1, 1, 0, 0)",
)


@pytest.mark.parametrize("statement", BROKEN)
def test_the_database_itself_refuses_what_no_fact_can_be(store: SqliteStore, path: Path, statement: str) -> None:
    commit(store, admitted("I like tea", key="taste:tea"))
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)


def test_the_database_itself_keeps_one_fact_per_statement_and_per_key(store: SqliteStore, path: Path) -> None:
    # proves: A43, F9, I3
    commit(store, admitted("I like tea", key="taste:tea"))
    commit(store, admitted("I like milk", key="taste:milk"))
    with closing(sqlite3.connect(path)) as connection:
        for column in ("content_hash", "key"):
            change = f"UPDATE memories SET {column} = (SELECT {column} FROM memories WHERE id = 1) WHERE id = 2"
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(change)
            connection.execute("UPDATE memories SET state = 'superseded' WHERE id = 1")
            connection.execute(change)
            connection.rollback()


@pytest.mark.parametrize(
    "asked",
    [
        FactFilter(),
        FactFilter(limit=5, categories=("identity", "preference")),
        FactFilter(states=("active",), project="p", tags=("t",)),
    ],
    ids=str,
)
def test_the_durable_facts_are_one_indexed_query(store: SqliteStore, path: Path, asked: FactFilter) -> None:
    # proves: A46
    commit(store, admitted("I like tea"))
    for scope in (SCOPE, replace(SCOPE, conversation="c")):
        with closing(sqlite3.connect(path)) as connection:
            statement = SQL[listed_statement(asked)]
            rows = connection.execute(f"EXPLAIN QUERY PLAN {statement}", filter_parameters(scope, asked))
            plan = [row[3] for row in rows]
        reads = [each for each in plan if "SEARCH f" in each or "SCAN f" in each]
        assert len(reads) == 2
        assert all("INDEX turn_facts (owner_scope=? AND state=?)" in each for each in reads), plan
        assert not [each for each in plan if "TEMP B-TREE" in each], plan


def rare(stem: str, number: int) -> str:
    """A word like no other, so that an index can hide little of it in what it shares with its neighbours."""
    return f"x{sha256(f'{stem}{number}'.encode()).hexdigest()[:24]}"


def traces(path: Path, stems: tuple[str, ...], erased: list[int]) -> list[str]:
    """Files in which the middle of one of the words can be read."""
    return files_with(path, *(rare(stem, number)[8:20] for stem in stems for number in erased))


def test_no_byte_of_a_forgotten_fact_is_left_in_any_file(store: SqliteStore, path: Path) -> None:
    # proves: K20, D20
    generator = np.random.default_rng(7)
    for number in range(COUNT):
        filler = " ".join(f"w{word}" for word in generator.integers(0, 300, int(generator.choice([3, 60, 300]))))
        gone, speaker = f"{rare('gone', number)} {filler}", rare("speaker", number)
        (message,) = record(store, entry(f"m{number}", gone, speaker=speaker))
        named: dict[str, Any] = {name: rare(name, number) for name in ("key", "value", "subject")}
        commit(store, admitted(gone, recorded=message, speaker=speaker, **named))
        commit(store, admitted(f"{rare('told', number)} {filler}", source="explicit", tags=(rare("tag", number),)))
        store.put_fact_vectors(MODEL, {2 * number + 1: np.ones(8, np.float32)}, texts={2 * number + 1: "x"})
        store.push(queued(f"before {gone} after"), capacity=999, now=NOW)
    matched(store, "w1", vector=np.ones(8, np.float32))
    erased = [int(each) for each in generator.permutation(COUNT)[:15]]
    forget(store, ForgetTarget(scope=SCOPE, message_ids=tuple(f"m{number}" for number in erased)))
    assert traces(path, ("gone", "key", "value", "subject", "speaker"), erased) == []
    # and an explicit fact goes by itself
    for number in erased[:3]:
        moved(store, 2 * number + 2, "erased")
    assert traces(path, ("told", "tag"), erased[:3]) == []
    kept = [number for number in range(COUNT) if number not in erased]
    for stem in ("gone", "told", "key", "subject"):
        assert traces(path, (stem,), kept) == [path.name]
    # and with everything, the rest
    store.put_steps(SCOPE, [step(1, rare("thought", 1), rare("observation", 1))], now=NOW)
    forget(store, ForgetTarget(scope=SCOPE, everything=True))
    assert traces(path, ("gone", "told", "key", "tag", "speaker"), kept) == []
    assert traces(path, ("thought", "observation"), [1]) == []
    assert all(finding.ok for finding in store.examine(model=MODEL, repair=False, now=NOW))


def test_saying_the_same_turn_fifty_times_leaves_the_facts_as_they_were(store: SqliteStore) -> None:
    # proves: D45
    (message,) = record(store, entry("m1", "I like tea"))
    commit(store, admitted("I like tea", recorded=message))
    before = fact(store, 1)
    again = turn(passage("I like tea", recorded=message))
    for _ in range(50):
        merge = Merge(draft=draft("I like tea"), fact=before, confidence=0.9, reason="again")
        commit(store, ruling(again, merge))
    assert fact(store, 1) == before
    assert len(store.evidence(SCOPE, fact_ids=[1])) == store.status().fact_count == 1


def test_the_fact_index_and_the_step_index_follow_inserts_updates_and_deletes(store: SqliteStore, path: Path) -> None:
    # proves: A66, F7
    commit(store, admitted("tea"))
    store.put_steps(SCOPE, [step(1, "tea")], now=NOW)
    with closing(sqlite3.connect(path)) as connection:

        def hits(table: str, word: str) -> int:
            asked = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"
            return int(connection.execute(asked, (word,)).fetchone()[0])

        for table, rows, column in (("memories_fts", "fact_terms", "body"), ("steps_fts", "steps", "thought_words")):
            assert (hits(table, "1stea"), hits(table, "tea")) == (1, 0)
            connection.execute(f"UPDATE {rows} SET {column} = '1smilk'")
            assert (hits(table, "1stea"), hits(table, "1smilk")) == (0, 1)
            connection.execute(f"DELETE FROM {rows}")
            assert hits(table, "1smilk") == 0


DAMAGE = {
    "fact words": "DELETE FROM fact_terms WHERE memory_id = 1",
    "stray fact words": "INSERT INTO fact_terms VALUES (77, '1stea')",
    "fact index": "INSERT INTO memories_fts (memories_fts) VALUES ('delete-all')",
    "step index": "INSERT INTO steps_fts (steps_fts) VALUES ('delete-all')",
    "fact vectors": "UPDATE fact_vectors SET dimension = 3 WHERE memory_id = 2",
    "stray fact vectors": "UPDATE fact_vectors SET memory_id = 77 WHERE memory_id = 2",
    "fact embedding": "DELETE FROM fact_vectors WHERE memory_id = 2",
    "other models": "INSERT INTO models (name) VALUES ('old');"
    " UPDATE fact_vectors SET model_id = 2 WHERE memory_id = 2;",
}


@pytest.mark.parametrize("check", DAMAGE)
def test_the_doctor_finds_drift_of_facts_and_puts_it_right(store: SqliteStore, path: Path, check: str) -> None:
    # proves: D46, D47
    commit(store, admitted("tea with milk"), admitted("coffee"))
    store.put_steps(SCOPE, [step(1, "tea")], now=NOW)
    ones = {1: np.array([1, 0], np.float32), 2: np.array([1, 0], np.float32)}
    store.put_fact_vectors(MODEL, ones, texts=dict.fromkeys(ones, "x"))
    store.settle(store.claim(["embed_fact"], now=NOW, lease_s=9, limit=9))
    assert all(finding.ok for finding in store.examine(model=MODEL, repair=False, now=NOW))
    with closing(sqlite3.connect(path)) as other:
        other.executescript(DAMAGE[check])
    # when the doctor looks, then it is found; when it repairs, then all is in order again
    assert not {each.check: each for each in store.examine(model=MODEL, repair=False, now=NOW)}[check].ok
    assert {each.check: each for each in store.examine(model=MODEL, repair=True, now=NOW)}[check].repaired
    for row in store.claim(["embed_fact"], now=NOW + timedelta(seconds=99), lease_s=9, limit=9):
        store.put_fact_vectors(MODEL, {row.fact_id or 0: ones[2]}, texts={row.fact_id or 0: "x"})
        store.settle([row])
    assert all(finding.ok for finding in store.examine(model=MODEL, repair=False, now=NOW))
    found = [match.fact.text for match in matched(store, "tea", "coffe").matches]
    assert found == ["tea with milk", "coffee"]
    pool = matched(store, vector=np.array([1, 0], np.float32))
    assert [match.similarity for match in pool.matches] == [1, 1]
    assert numbers(store, "tea") == [1]


def test_a_fact_that_rests_on_nothing_is_said_and_left_alone(store: SqliteStore, path: Path) -> None:
    # proves: I5
    commit(store, admitted("tea"))
    with closing(sqlite3.connect(path)) as other:
        other.executescript("DELETE FROM evidence")
    findings = {each.check: each for each in store.examine(model="", repair=True, now=NOW)}
    assert not findings["evidence"].ok
    assert "f1" in findings["evidence"].detail
    assert texts(store) == ["tea"]


def test_the_backlog_is_told_by_kind(store: SqliteStore) -> None:
    record(store, entry("m1", "tea"), entry("m2", "milk"))
    commit(store, admitted("tea"))
    store.push(queued("x"), capacity=9, now=NOW)
    backlog = {each.check: each for each in store.examine(model="", repair=False, now=NOW)}["backlog"]
    assert backlog.detail.startswith(
        "2 chunks wait to be embedded and 1 cut turn waits for extraction and 1 fact waits to be embedded, the oldest"
    )


def test_a_search_among_facts_is_brought_up_to_date_by_what_changed_only(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        commit(store, admitted(f"tea {number}", project="pq"[number % 2]))
    matched(store, "tea")
    held = store._fact_columns.scope(1)
    before = held._columns
    record(store, entry("m1", "nothing about facts"))
    matched(store, "tea")
    assert held._columns.fact_id is before.fact_id
    moved(store, 2, "archived")
    commit(store, admitted("tea 5"))
    assert [match.fact.fact_id for match in matched(store, "tea").matches] == [1, 3, 4, 5, 6]
    assert before.fact_state.tolist() == [FACT_STATES.index("active")] * 5  # what a search held does not change


def test_a_queued_turn_of_an_older_version_was_said_when_it_was_queued(store: SqliteStore, path: Path) -> None:
    # proves: O13
    older_turn = QueuedTurn(kind="pre_compress", turn=turn(passage("I like tea."), source="pre_compress"))
    store.push(older_turn, capacity=9, now=NOW)
    with closing(sqlite3.connect(path)) as connection, connection:
        (payload,) = connection.execute("SELECT payload FROM work WHERE kind = 'pre_compress'").fetchone()
        older = json.loads(payload)
        for each in older["passages"]:
            del each["said"]
        connection.execute("UPDATE work SET payload = ? WHERE kind = 'pre_compress'", (json.dumps(older),))
    (row,) = store.claim(("pre_compress",), now=NOW, lease_s=60, limit=9)
    (open_turn,) = store.turns([row])
    said = open_turn.turn.passages[0].said
    assert (said.at, said.given) == (row.created_at, False) == (NOW, False)


def test_what_holds_no_more_under_a_key_is_not_read_with_it(store: SqliteStore, path: Path) -> None:
    # a key that was told a thousand times would cost each new telling a thousand rows
    for number in range(20):
        commit(store, admitted(f"I live in town {number}", key="home"))
        moved(store, number + 1, "archived")
    commit(store, admitted("I live in Oslo", key="home"))
    asked = {"fact_ids": json.dumps(list(range(1, 22))), "states": '["active","deprioritised"]'}
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute(SQL["facts"], {**asked, **fact_parameters(SCOPE)}).fetchall()
        plan = connection.execute(f"EXPLAIN QUERY PLAN {SQL['facts']}", {**asked, **fact_parameters(SCOPE)}).fetchall()
    assert [row[7] for row in found] == ["I live in Oslo"]
    assert any("id=?" in row[3] for row in plan if row[3].startswith("SEARCH f")), plan
    assert texts(store, keys=(("user", "home"),)) == ["I live in Oslo"]
    assert len(texts(store, keys=(("user", "home"),), states=FACT_STATES)) == 21
