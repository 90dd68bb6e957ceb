"""What does the SQLite store do with its file: bytes of the forgotten, size, copies, files that are no stores?"""

import os
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from glossator.errors import (
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
    UsageError,
)
from glossator.model import WORK_KINDS, ForgetTarget, Scope
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore, columns
from glossator.testing.contract.base import LATER, MODEL, NOW, embed, found, record, survey
from glossator.testing.drafts import SCOPE, batch, entry


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(path, options=Options(busy_timeout_s=5))
    yield store
    store.close()


def files_with(path: Path, *words: str) -> list[str]:
    """Names of the database's files in which one of the words can be read."""
    files = sorted(path.parent.glob(f"{path.name}*"))
    return [each.name for each in files if any(word.encode() in each.read_bytes() for word in words)]


def test_no_byte_of_the_forgotten_is_left_in_any_file(store: SqliteStore, path: Path) -> None:
    # proves: K20
    # given many rows of many sizes, so that pages were split and balanced, and a reader that has them in memory
    generator = np.random.default_rng(5)  # a history after which secure_delete alone leaves bytes in the gaps of pages
    for number in range(150):
        filler = " ".join(f"w{word}" for word in generator.integers(0, 300, int(generator.choice([3, 60, 600]))))
        text = f"gone{number}xyz {filler} tail{number}xyz"
        (recorded,) = record(store, entry(f"m{number}", text, speaker=f"Speaker{number}xyz", session=f"s{number % 7}"))
        embed(store, {recorded.chunk_ids[0]: generator.standard_normal(64).tolist()})
    survey(store, "w1", vector=np.ones(64, np.float32))
    erased = [int(each) for each in generator.permutation(150)[:80]]
    # when they are forgotten, in two calls
    for part in (erased[:40], erased[40:]):
        target = ForgetTarget(scope=SCOPE, message_ids=tuple(f"m{number}" for number in part))
        receipt = store.erase(target, confirm=store.preview(target).token, now=LATER)
        assert receipt.message_count == 40
    # then neither their words nor their index words nor their speakers' names can be read anywhere
    words = [f"{stem}{number}xyz" for number in erased for stem in ("gone", "tail", "Speaker", "speaker")]
    assert files_with(path, *words) == []
    kept = next(number for number in range(150) if number not in erased)
    assert files_with(path, f"gone{kept}xyz") == [path.name]
    assert all(finding.ok for finding in store.examine(model="", repair=False, now=NOW))


def test_what_an_erasure_could_not_reach_is_said(store: SqliteStore, path: Path) -> None:
    record(store, entry("m1", "tea"), entry("m2", "milk"))
    path.with_name(f"{path.name}.before-0002.backup").write_bytes(b"")
    target = ForgetTarget(scope=SCOPE, message_ids=("m1",))
    receipt = store.erase(target, confirm=store.preview(target).token, now=LATER)
    assert any("before-0002" in each for each in receipt.not_covered)


def test_recording_the_same_turns_fifty_times_leaves_the_file_as_it_was(store: SqliteStore, path: Path) -> None:
    # proves: K30, D45
    turns = [entry(f"m{number}", f"turn number {number} about tea") for number in range(1000)]
    record(store, *turns)
    size = store.status().file_bytes
    for _ in range(49):
        assert {each.outcome for each in record(store, *turns)} == {"duplicate"}
    assert store.status().file_bytes == size
    assert store.status().message_count == 1000


def test_the_messages_table_has_the_columns_and_the_index_of_the_specification(store: SqliteStore, path: Path) -> None:
    # proves: F6
    record(store, entry("m1", "tea"))
    connection = sqlite3.connect(path)
    columns = [row[1] for row in connection.execute("PRAGMA table_info(messages)")]
    wanted = ["id", "agent_id", "owner_id", "channel", "chat_id", "thread_scope", "sender", "role", "kind", "content"]
    assert [name for name in [*wanted, "metadata_json", "created_at"] if name not in columns] == []
    index = [row[2] for row in connection.execute("PRAGMA index_info(messages_by_chat)")]
    assert index == ["agent_id", "channel", "chat_id", "thread_scope", "created_at", "id"]
    connection.close()


def test_the_keyword_index_follows_inserts_updates_and_deletes(store: SqliteStore, path: Path) -> None:
    # proves: F7
    record(store, entry("m1", "tea"))
    connection = sqlite3.connect(path)

    def hits(word: str) -> int:
        return len(connection.execute("SELECT 1 FROM messages_fts WHERE messages_fts MATCH ?", (word,)).fetchall())

    assert hits("1stea") == 1
    connection.execute("UPDATE chunk_terms SET body = '1smilk'")
    assert (hits("1stea"), hits("1smilk")) == (0, 1)
    connection.execute("DELETE FROM chunk_terms")
    assert (hits("1smilk"), hits("1pann")) == (0, 0)
    connection.close()


def test_a_copy_is_whole_and_is_never_put_over_a_file(store: SqliteStore, tmp_path: Path) -> None:
    # proves: D48
    (recorded,) = record(store, entry("m1", "tea"))
    embed(store, {recorded.chunk_ids[0]: [1, 0]})
    store.backup(tmp_path / "copy.db")
    record(store, entry("m2", "tea"))
    with pytest.raises(UsageError, match="exists"):
        store.backup(tmp_path / "copy.db")
    with pytest.raises(UsageError, match="folder"):
        store.backup(tmp_path / "missing" / "copy.db")
    copy = SqliteStore(tmp_path / "copy.db", options=Options())
    assert found(copy, "tea") == ["m1"]
    similarity = survey(copy, vector=np.array([1, 0], np.float32)).similarity
    assert similarity is not None
    assert similarity.tolist() == [1]
    copy.close()
    assert [each.name for each in tmp_path.iterdir() if each.name.endswith(".part")] == []


def test_a_path_that_cannot_be_a_file_is_refused(tmp_path: Path) -> None:
    for wrong in (tmp_path / "missing" / "memory.db", tmp_path):
        with pytest.raises(UsageError, match="path"):
            SqliteStore(wrong, options=Options())


def test_a_file_that_is_no_store_is_refused_and_left_alone(path: Path) -> None:
    path.write_bytes(b"not a database at all, but long enough to be looked at" * 100)
    before = path.read_bytes()
    with pytest.raises(StoreCorruptError):
        SqliteStore(path, options=Options())
    assert path.read_bytes() == before
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name)")
    connection.close()
    with pytest.raises(StoreCorruptError, match="no Glossator store"):
        SqliteStore(path, options=Options())


def test_a_damaged_file_is_called_damaged(store: SqliteStore, path: Path) -> None:
    record(store, *(entry(f"m{number}", "tea " * 200) for number in range(200)))
    store.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * (size - 8192))

    def open_and_read() -> None:
        SqliteStore(path, options=Options()).messages(SCOPE, limit=1000)

    with pytest.raises(StoreCorruptError):
        open_and_read()


def test_a_file_that_may_not_be_written_is_called_so() -> None:
    # given a store and its folder, as somebody else who may only read them (root may write everything)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        SqliteStore(path, options=Options()).close()
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            with pytest.raises(StoreReadOnlyError):
                SqliteStore(path, options=Options())
        finally:
            if root:
                os.seteuid(0)
            Path(folder).chmod(0o755)


def test_a_writer_that_waits_too_long_is_told_and_nothing_is_half_written(path: Path) -> None:
    store = SqliteStore(path, options=Options(busy_timeout_s=0.05))
    record(store, entry("m1", "tea"))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreLockedError) as caught:
        record(store, entry("m2", "milk"))
    assert caught.value.retryable
    assert found(store, "tea") == ["m1"]  # readers go on
    other.execute("ROLLBACK")
    other.close()
    assert [each.outcome for each in record(store, entry("m2", "milk"))] == ["stored"]
    store.close()


def test_a_full_disk_is_called_full_and_nothing_of_the_call_is_kept(store: SqliteStore) -> None:
    record(store, entry("m1", "tea"))
    with store._connections.exclusive() as writer:
        (pages,) = writer.execute("PRAGMA page_count").fetchone()
        writer.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(StoreFullError):
        record(store, *(entry(f"n{number}", "long words " * 500) for number in range(50)))
    assert [message.external_id for message in store.messages(SCOPE)] == ["m1"]
    with store._connections.exclusive() as writer:
        writer.execute("PRAGMA max_page_count = 1000000")
    assert record(store, entry("m2", "milk"))[0].outcome == "stored"


def test_an_error_in_the_middle_of_a_batch_leaves_no_trace(store: SqliteStore) -> None:
    bad = entry("m2", "milk", role="nobody")  # type: ignore[arg-type]
    with pytest.raises(StoreError):
        record(store, entry("m1", "tea"), bad)
    assert store.messages(SCOPE) == ()
    assert (store.pending(), store.status().chunk_count, found(store, "tea")) == (0, 0, [])


def test_threads_write_and_search_one_store_at_once(store: SqliteStore) -> None:
    # given four writers and two readers on one store object
    failures: list[BaseException] = []

    def write(name: str) -> None:
        for number in range(15):
            (recorded,) = record(store, entry(f"{name}{number}", "tea", session=name))
            embed(store, {recorded.chunk_ids[0]: [1, 0]})
            if number == 7:
                target = ForgetTarget(scope=SCOPE, message_ids=(f"{name}3",))
                store.erase(target, confirm=store.preview(target).token, now=NOW)

    def read() -> None:
        count = 0
        while count < 56:
            pool = survey(store, "tea", vector=np.array([1, 0], np.float32))
            assert len(pool.postings["tea"]) == len(pool) == pool.chunk_count
            assert pool.session.tolist() == sorted(pool.session.tolist())
            count = len(pool)

    def guarded(call: object, *given: str) -> None:
        try:
            call(*given)  # type: ignore[operator]
        except BaseException as error:  # pragma: no cover
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(write, name)) for name in "abcd"]
    threads += [threading.Thread(target=guarded, args=(read,), daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert store.status().message_count == 56
    assert len(store._connections._readers) <= 8  # threads that ended took their connections with them


def test_only_the_latest_scopes_stay_in_memory(path: Path) -> None:
    store = SqliteStore(path, options=Options(column_cache_scopes_max=2))
    for owner in ("a", "b", "c", "a"):
        scope = Scope(workspace="w", owner=owner)
        store.append(batch(entry("m1", "tea"), scope=scope), now=NOW)
        assert len(survey(store, "tea", scope=scope)) == 1
    assert len(store._columns._scopes) == 2
    store.close()


def test_large_scopes_leave_memory_before_their_number_is_reached(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # proves: K30
    monkeypatch.setattr(columns, "CACHED_ROWS_MAX", 30)
    store = SqliteStore(path, options=Options())
    for owner in ("a", "b", "c", "a"):
        scope = Scope(workspace="w", owner=owner)
        store.append(batch(*(entry(f"m{number}", "tea") for number in range(14)), scope=scope), now=NOW)
        assert len(survey(store, "tea", scope=scope)) == 14
        assert sum(each.row_count for each in store._columns._scopes.values()) <= 42
    assert len(store._columns._scopes) < 4
    store.close()


def test_another_process_is_seen_at_the_next_search(store: SqliteStore, path: Path) -> None:
    other = SqliteStore(path, options=Options())
    record(store, entry("m1", "tea"), entry("m2", "tea"))
    assert found(other, "tea") == found(store, "tea") == ["m1", "m2"]
    (recorded,) = record(other, entry("m3", "tea"))
    embed(other, {recorded.chunk_ids[0]: [1, 0]})
    assert found(store, "tea") == ["m1", "m2", "m3"]
    target = ForgetTarget(scope=SCOPE, message_ids=("m1",))
    other.erase(target, confirm=other.preview(target).token, now=LATER)
    assert found(store, "tea") == ["m2", "m3"]
    similarity = survey(store, vector=np.array([1, 0], np.float32)).similarity
    assert similarity is not None
    assert np.isnan(similarity).tolist() == [True, False]
    other.close()


DAMAGE = {
    "index words": "DELETE FROM chunk_terms WHERE chunk_id = 1",
    "keyword index": "INSERT INTO messages_fts (messages_fts) VALUES ('delete-all')",
    "offsets": "UPDATE chunks SET text = 'something else' WHERE chunk_id = 1",
    "vectors": "UPDATE vectors SET dimension = 3 WHERE chunk_id = 2",
    "stray vectors": "UPDATE vectors SET chunk_id = 77 WHERE chunk_id = 2",
    "stray index words": "INSERT INTO chunk_terms VALUES (77, '1stea', '')",
    "embedding": "DELETE FROM vectors WHERE chunk_id = 2",
}


@pytest.mark.parametrize("check", DAMAGE)
def test_the_doctor_finds_what_drifted_and_puts_it_right(store: SqliteStore, path: Path, check: str) -> None:
    # proves: D46, D47
    # given a store in order, with its work done, and then damage done behind its back
    recorded = record(store, entry("m1", "tea with milk"), entry("m2", "coffee"))
    embed(store, {each.chunk_ids[0]: [1, 0] for each in recorded})
    store.settle(store.claim(WORK_KINDS, now=NOW, lease_s=9, limit=9))
    assert all(finding.ok for finding in store.examine(model=MODEL, repair=False, now=NOW))
    other = sqlite3.connect(path)
    other.execute(DAMAGE[check])
    other.commit()
    other.close()
    # when the doctor looks, then it is found; when it repairs, then all is in order again
    assert not {each.check: each for each in store.examine(model=MODEL, repair=False, now=NOW)}[check].ok
    assert {each.check: each for each in store.examine(model=MODEL, repair=True, now=NOW)}[check].repaired
    for row in store.claim(WORK_KINDS, now=NOW + timedelta(seconds=99), lease_s=9, limit=9):
        embed(store, {row.chunk_ids[0]: [1, 0]})
        store.settle([row])
    assert all(finding.ok for finding in store.examine(model=MODEL, repair=False, now=NOW))
    assert (found(store, "tea"), found(store, "coffe")) == (["m1"], ["m2"])
    similarity = survey(store, vector=np.array([1, 0], np.float32)).similarity
    assert similarity is not None
    assert similarity.tolist() == [1, 1]


def test_an_old_backlog_is_not_in_order(store: SqliteStore) -> None:
    record(store, entry("m1", "tea"))
    findings = {each.check: each for each in store.examine(model="", repair=False, now=NOW + timedelta(days=2))}
    assert not findings["backlog"].ok
    assert "worker" in findings["backlog"].remedy
