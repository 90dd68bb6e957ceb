"""`glossator top`: the numbers are right, others may write meanwhile, and it fits and ends wherever it is run."""

import asyncio
import os
import pty
import re
import select
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from glossator import Memory, Options, Scope
from glossator.errors import ProviderError, StoreError, StoreTooNewError, UsageError
from glossator.surfaces.watch.asgi import ServerMeters, metrics_page
from glossator.surfaces.watch.drawing import age_words, draw, size_words, time_words
from glossator.surfaces.watch.picture import Latency, Picture, Queue, picture_of_server
from glossator.surfaces.watch.scrape import metrics_address, read_scrape
from glossator.testing.contract.base import NASTY
from glossator.wiring import vitals_at

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SOURCES = Path(__file__).parents[2] / "src"
SCOPE = Scope(workspace="acme", agent="helper", owner="ana")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with messages, facts and work that waits."""
    path = tmp_path / "memory.db"
    with Memory.open(path, options=Options(embedder="hashing", worker=False)) as memory:
        memory.warm(30)
        memory.record(
            [{"role": "user", "content": f"I live in town {each}."} for each in range(3)],
            scope=SCOPE,
            conversation="x:1",
        )
        memory.drain()
        memory.record([{"role": "user", "content": "One more."}], scope=SCOPE, conversation="x:1")
    return path


@pytest.fixture
def served() -> Iterator[Callable[[Callable[[], tuple[int, str]]], str]]:
    """A server of our own that answers /metrics; gives its address."""
    servers: list[ThreadingHTTPServer] = []

    def serve(answer: Callable[[], tuple[int, str]]) -> str:
        class Answering(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, text = answer() if self.path == "/metrics" else (404, "")
                if status == 200 and "secret" in text and self.headers["Authorization"] != "Bearer gl_key":
                    status = 401
                self.send_response(status)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_args: object) -> None:
                """Quiet."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield serve
    for each in servers:
        each.shutdown()
        each.server_close()


def environment(path: Path, **more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCES), "GLOSSATOR_DB": str(path), **more}


COMMAND = [sys.executable, "-m", "glossator.surfaces.cli", "top"]


def test_a_look_at_the_file_counts_what_is_there_and_what_waits(cli: Any, path: Path) -> None:
    result = cli("top", "--json", "--db", path)
    picture = result.json
    assert (result.code, picture["source"]) == (0, str(path))
    assert (picture["message_count"], picture["fact_count"], picture["vector_count"]) == (4, 3, 3)
    assert picture["recorded_per_minute"] == 4
    assert picture["decided"]["admit"] == 3
    waiting = {each["kind"]: each for each in picture["queues"]}
    assert (waiting["embed"]["open_count"], waiting["extract"]["open_count"]) == (1, 1)
    assert 0 <= waiting["embed"]["oldest_s"] < 60
    assert picture["file_bytes"] > 4096
    assert (picture["in_flight"], picture["verbs"], picture["reviewed_s"]) == (None, [], None)


def test_one_picture_is_plain_text_without_a_terminal(cli: Any, path: Path) -> None:
    result = cli("top", "--once", "--db", path)
    assert (result.code, result.err) == (0, "")
    assert "messages 4   facts 3" in result.out
    assert re.search(r"^embed +1 +\d+ s +0$", result.out, re.MULTILINE)
    assert not CONTROL.search(result.out)


def test_it_looks_while_another_holds_the_write_lock_and_takes_none(cli: Any, path: Path) -> None:
    before = path.read_bytes()
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    result = cli("top", "--once", "--db", path)
    assert (result.code, "messages 4" in result.out) == (0, True)
    writer.execute("ROLLBACK")
    writer.execute("PRAGMA busy_timeout = 0")
    writer.execute("BEGIN IMMEDIATE")  # nothing was left locked
    writer.execute("ROLLBACK")
    writer.close()
    assert path.read_bytes() == before


def test_it_looks_at_a_file_and_a_folder_that_cannot_be_written(path: Path) -> None:
    statements: list[str] = []

    def connect(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        made = real(*args, **kwargs)
        made.set_trace_callback(statements.append)
        return made

    real = sqlite3.connect
    sqlite3.connect = connect  # type: ignore[assignment]
    try:
        assert vitals_at(path).message_count == 4
    finally:
        sqlite3.connect = real
    assert {each.split()[0] for each in statements} <= {"PRAGMA", "BEGIN", "SELECT"}
    assert "BEGIN" in statements


def test_what_is_no_memory_is_told_and_left_alone(cli: Any, path: Path, tmp_path: Path) -> None:
    missing = cli("top", "--once", "--db", tmp_path / "none.db")
    assert (missing.code, "there is no memory at " in missing.err) == (1, True)
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "text.db").write_text("no database at all, only words " * 200)
    assert cli("top", "--once", "--db", tmp_path / "text.db").code == 1
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE t (a)")
    other.close()
    with pytest.raises(StoreError, match="no Glossator store"):
        vitals_at(tmp_path / "other.db")
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 9000")
    newer.close()
    with pytest.raises(StoreTooNewError):
        vitals_at(path)


def metrics_of(memory: Memory, meters: ServerMeters) -> str:
    return asyncio.run(metrics_page(memory, meters))


def test_a_server_tells_latencies_requests_and_what_was_turned_away(cli: Any, path: Path, served: Any) -> None:
    meters = ServerMeters()
    for _ in range(20):
        meters.began()
        meters.ended(route="/v1/recall", method="POST", status=200, seconds=0.02)
    meters.began()
    meters.rejected("rate")
    with Memory.open(path, options=Options(embedder="hashing", worker=False)) as memory:
        memory.warm(30)
        memory.recall("where?", scope=SCOPE)
        memory.hook_failed("prefetch")
        url = served(lambda: (200, metrics_of(memory, meters)))
        picture = cli("top", "--json", "--url", url).json
        shown = cli("top", "--once", "--url", url + "/metrics").out
    assert (picture["message_count"], picture["in_flight"], picture["rejected"]) == (4, 1, {"rate": 1})
    assert picture["failures"] == {"hooks": 1}
    assert [each["name"] for each in picture["verbs"]] == ["recall"]
    (route,) = picture["routes"]
    assert (route["name"], route["count"]) == ("/v1/recall", 20)
    assert 0.01 < route["p50_s"] <= route["p95_s"] <= 0.025
    assert picture["embedder_ready"]
    assert "requests since its start" in shown
    assert "turned away: rate 1" in shown


def test_rates_and_latencies_are_those_since_an_earlier_answer_of_the_same_run(path: Path) -> None:
    meters = ServerMeters()

    def answered(count: int, seconds: float) -> None:
        for _ in range(count):
            meters.began()
            meters.ended(route="/v1/recall", method="POST", status=200, seconds=seconds)

    with Memory.open(path, options=Options(embedder="hashing", worker=False)) as memory:
        answered(100, 5.0)
        first = read_scrape(metrics_of(memory, meters), at=NOW)
        answered(30, 0.02)
        memory.record([{"role": "user", "content": "tea"}], scope=SCOPE, conversation="x:1")
        second = read_scrape(metrics_of(memory, meters), at=NOW + timedelta(seconds=30))
    picture = picture_of_server(second, first, url="http://here")
    assert (picture.requests_per_s, picture.recorded_per_minute) == (1.0, 2.0)
    assert (picture.routes[0].count, picture.timed_when) == (30, "in the last minute")
    assert picture.routes[0].p95_s < 0.03
    anew = picture_of_server(first, second, url="http://here")  # counters that fall: another run
    assert (anew.requests_per_s, anew.timed_when) == (None, "since its start")


def test_a_key_is_sent_from_the_environment_only(cli: Any, served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    url = served(lambda: (200, "# secret\nglossator_messages 1.0\n"))
    refused = cli("top", "--once", "--url", url)
    assert (refused.code, "GLOSSATOR_API_KEY" in refused.err) == (1, True)
    monkeypatch.setenv("GLOSSATOR_API_KEY", "gl_key")
    assert cli("top", "--once", "--url", url).code == 0


@pytest.mark.parametrize("answer", [(500, ""), (200, "<html>"), (200, "up 1\n"), (200, "a{b=")])
def test_what_is_no_server_of_ours_is_told_in_one_line(cli: Any, served: Any, answer: tuple[int, str]) -> None:
    url = served(lambda: answer)
    result = cli("top", "--once", "--url", url)
    assert (result.code, result.err.count("\n"), result.out) == (1, 1, "")
    with pytest.raises(UsageError, match="--url"):
        metrics_address("ftp://here")
    with pytest.raises(ProviderError):
        read_scrape("up 1\n", at=NOW)


def test_misuse_is_refused(cli: Any, path: Path) -> None:
    for arguments in (("--every", "0"), ("--every", "nan"), ("--url", "here")):
        assert cli("top", "--once", "--db", path, *arguments).code == 2


names = st.one_of(st.sampled_from(NASTY), st.text(max_size=80))
latencies = st.builds(
    Latency, name=names, count=st.integers(0, 10**9), p50_s=st.floats(0, 900), p95_s=st.floats(0, 900)
)  # fmt: skip
pictures = st.builds(
    Picture,
    at=st.just(NOW),
    source=names,
    message_count=st.integers(0, 10**9),
    fact_count=st.integers(0, 10**9),
    chunk_count=st.integers(0, 10**9),
    vector_count=st.integers(0, 10**9),
    recorded_per_minute=st.one_of(st.none(), st.floats(0, 10**7)),
    queues=st.lists(
        st.builds(
            Queue, kind=names, open_count=st.integers(0, 10**7), failed_count=st.integers(0, 10**7),
            oldest_s=st.one_of(st.none(), st.floats(0, 10**9)),
        ),
        max_size=5,
    ).map(tuple),
    decided=st.dictionaries(st.sampled_from(["admit", "refuse"]), st.integers(0, 10**9)),
    decided_when=st.just("in the last hour"),
    file_bytes=st.integers(0, 10**13),
    log_bytes=st.integers(0, 10**10),
    reviewed_s=st.one_of(st.none(), st.floats(0, 10**9)),
    embedder_ready=st.one_of(st.none(), st.booleans()),
    breakers=st.dictionaries(names, st.sampled_from(["closed", "open"]), max_size=3),
    verbs=st.lists(latencies, max_size=3).map(tuple),
    routes=st.lists(latencies, max_size=3).map(tuple),
    in_flight=st.one_of(st.none(), st.integers(0, 999)),
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(pictures, st.sampled_from((40, 60, 80, 200)))
def test_every_line_fits_and_steers_no_terminal(picture: Picture, width: int) -> None:
    console = Console(width=width, no_color=True, highlight=False, file=None, record=False)
    with console.capture() as captured:
        console.print(draw(picture, width=width, every_s=2, problem="\x1b[2J broken"))
    lines = captured.get().split("\n")
    assert max(cell_len(line.rstrip()) for line in lines) <= width
    assert not CONTROL.search("".join(lines))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (size_words(0), "0 B"), (size_words(1_400_000), "1.4 MB"), (age_words(99), "99 s"), (age_words(180), "3 min"),
        (age_words(7_200), "2 h"), (age_words(864_000), "10 d"), (time_words(0.0008), "0.8 ms"),
        (time_words(0.024), "24 ms"), (time_words(1.3), "1.3 s"),
    ],
)  # fmt: skip
def test_sizes_and_times_are_short(words: str, expected: str) -> None:
    assert words == expected


class Terminal:
    """`glossator top` in a terminal of its own."""

    def __init__(self, path: Path, *arguments: str, columns: int = 80, **more: str) -> None:
        self.master, slave = pty.openpty()
        size = {"COLUMNS": str(columns), "LINES": "30", "TERM": "xterm-256color"}
        self.process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment(path, **size, **more)
        )
        os.close(slave)
        self.shown = b""

    def until(self, words: bytes, *, times: int = 1, timeout_s: float = 20) -> None:
        """Read until the words have been shown so often."""
        while self.shown.count(words) < times:
            ready, _, _ = select.select([self.master], [], [], timeout_s)
            assert ready, self.shown[-2000:]
            self.shown += os.read(self.master, 65536)

    def end(self) -> int:
        """Read to the end; the exit code."""
        while True:
            try:
                piece = os.read(self.master, 65536)
            except OSError:
                break
            if not piece:
                break
            self.shown += piece
        code = self.process.wait(20)
        os.close(self.master)
        return code


def test_in_a_terminal_it_goes_on_until_q_and_gives_the_screen_back(path: Path) -> None:
    terminal = Terminal(path, "--every", "0.2")
    terminal.until(b"messages", times=3)
    os.write(terminal.master, b"xq")
    assert terminal.end() == 0
    assert terminal.shown.count(b"\x1b[?1049h") == terminal.shown.count(b"\x1b[?1049l") == 1
    assert terminal.shown.rfind(b"\x1b[?25h") > terminal.shown.rfind(b"\x1b[?25l")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_0_when_it_is_told_to(path: Path, number: signal.Signals) -> None:
    terminal = Terminal(path, "--every", "30", columns=40, NO_COLOR="1")
    terminal.until(b"decisions")
    terminal.process.send_signal(number)
    assert terminal.end() == 0
    assert b"\x1b[?1049l" in terminal.shown
    assert not re.search(rb"\x1b\[[0-9;]*3[0-7]m", terminal.shown), "NO_COLOR"


def test_what_fails_later_is_told_and_tried_again(path: Path) -> None:
    terminal = Terminal(path, "--every", "0.2")
    terminal.until(b"decisions")
    aside = path.with_suffix(".aside")
    path.rename(aside)
    terminal.until(b"the last look failed")
    aside.rename(path)
    terminal.shown = b""
    terminal.until(b"messages", times=2)
    terminal.until(b"decisions", times=2)
    last = terminal.shown[terminal.shown.rfind(b"glossator") :]
    assert b"the last look failed" not in last
    os.write(terminal.master, b"q")
    assert terminal.end() == 0


def test_into_a_pipe_it_prints_one_picture_below_the_other(path: Path) -> None:
    piped = subprocess.Popen(
        [*COMMAND, "--every", "0.2"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env=environment(path)
    )
    assert piped.stdout is not None
    lines: list[bytes] = []
    while sum(line.startswith(b"glossator top") for line in lines) < 3:
        lines.append(piped.stdout.readline())
    piped.send_signal(signal.SIGTERM)
    rest = piped.stdout.read()
    assert piped.wait(20) == 0
    assert b"\x1b" not in b"".join(lines) + rest
