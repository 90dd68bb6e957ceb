"""What a newcomer gets wrong with the servers and hooks is told in one line that names the argument and what to do."""

import logging
import signal
import socket
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

MISTAKES = {
    "a port that is none": ("serve --no-key --port 80000", "--port: 80000 is no port (0 to 65535"),
    "a limit of nothing": ("serve --body-max-mb 0", "--body-max-mb: 0 is not between 1 and 1000 (for example 8)"),
    "no key, and others may come": ("serve --no-key --host 0.0.0.0", "--no-key: is only for this machine"),
    "nobody could come in": ("serve --port 0", "`glossator key add NAME`"),
    "a folder that is not there": ("serve --no-key --db nowhere/m.db", "--db: the folder nowhere does not exist"),
    "a host that is none": ("serve --host nosuch.invalid", "--host: 'nosuch.invalid' is no address"),
    "a level that is none": ("serve --no-key --log-level loud", "--log-level: 'loud' is unknown (choose from debug"),
    "a trust that is none": ("serve --no-key --trust admin", "--trust: 'admin' is unknown (choose from operator"),
    "a date that has passed": ("key add ci --expires 2020-01-01", "--expires: 2020-01-01T00:00:00+00:00 has passed"),
    "an assistant as operator": ("mcp --trust operator", "--trust: 'operator' is not one of owner, guest, tool"),
    "another level that is none": ("mcp --http --log-level loud", "--log-level: 'loud' is unknown (choose from debug"),
    "another port that is none": ("mcp --http --port 99999", "--port: 99999 is no port (0 to 65535"),
    "a port for stdio": ("mcp --port 9000", "--port: is for a server over HTTP, and this one speaks over stdio (add"),
    "a name for stdio": ("mcp --allow-host a.example", "--allow-host: is for a server over HTTP"),
    "others, without a key": ("mcp --http --host 0.0.0.0", "(use 127.0.0.1, or say --allow-remote; `glossator serve`"),
    "a folder for a file": ("mcp --official .", "--official: . is a folder (name a file)"),
    "a file in no folder": ("mcp --official nowhere/m.jsonl", "--official: the folder nowhere does not exist (create"),
    "an unknown assistant": ("mcp install --print emacs", "--print: 'emacs' is unknown (choose from claude-code"),
    "an unknown agent": ("hook install --print emacs", "--print: 'emacs' is unknown (choose from claude-code"),
    "no scheme": ("top --once --url localhost:8377", "--url: 'localhost:8377' is no http address (for example"),
    "too often": ("top --once --every 0", "--every: 0 is out of range (pass 0.2"),
}
FAILURES = {
    "no file to look at": ("top --once", "there is no memory at memory.db yet; `glossator record` makes one"),
    "no file with keys": ("key list", "there is no memory at memory.db yet; `glossator record` makes one"),
    "no server": ("top --once --url http://127.0.0.1:9", "is `glossator serve` running there?"),
}
AT_A_FILE = ("serve --no-key", "top --once", "key list", "mcp --http --port 0", "status", "recall tea")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a server changes of its process is changed back: its log, and what ends it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GLOSSATOR_DB", "memory.db")
    root, ours, ended = logging.getLogger(), logging.getLogger("glossator"), signal.getsignal(signal.SIGTERM)
    handlers, level = list(root.handlers), ours.level
    yield
    root.handlers[:] = handlers
    ours.setLevel(level)
    signal.signal(signal.SIGTERM, ended)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_with_the_argument_and_the_remedy(cli: Any, mistake: str) -> None:
    line, told = MISTAKES[mistake]

    done = cli(*line.split())

    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert done.err.startswith("glossator: ")
    assert done.err.count("\n") == 1


def test_a_key_that_is_not_there_is_one_line_with_the_remedy(cli: Any) -> None:
    cli("key", "add", "laptop")

    unknown, named = cli("key", "rotate", "k9"), cli("key", "revoke", "laptop")

    assert (unknown.code, named.code) == (2, 2)
    assert unknown.err == "glossator: ID: there is no key k9 (list the keys to see which there are)\n"
    assert named.err == "glossator: ID: 'laptop' is no id of a key (for example \"k3\")\n"


@pytest.mark.parametrize("failure", FAILURES)
def test_what_is_not_there_is_one_line_with_the_remedy(cli: Any, failure: str) -> None:
    line, told = FAILURES[failure]

    done = cli(*line.split())

    assert (done.code, done.err.count("\n")) == (1, 1)
    assert told in done.err


@pytest.mark.parametrize("line", AT_A_FILE)
def test_a_file_that_is_no_memory_is_named(cli: Any, line: str) -> None:
    # Which file it is may come from the environment: the newcomer has to see it.
    Path("memory.db").write_text("shopping list\n" * 100, encoding="utf-8")

    done = cli(*line.split())

    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "memory.db: the file is no SQLite database" in done.err


def test_a_port_that_another_program_has_is_told_alike_by_both_servers(cli: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = [cli(*line.split(), "--port", port).err for line in ("serve --no-key", "mcp --http")]

    assert told[0] == told[1]
    assert f"--port: {port} cannot be listened on at 127.0.0.1: Address already in use (choose another" in told[0]


def test_another_programs_file_is_no_memory(cli: Any) -> None:
    with sqlite3.connect("memory.db") as other:
        other.execute("CREATE TABLE recipes (name TEXT)")

    done = cli("serve", "--no-key")

    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "memory.db: " in done.err


@pytest.mark.parametrize("missing", ["fastapi", "jinja2", "structlog", "uvicorn"])
def test_a_missing_extra_is_told_with_the_command_that_installs_it(
    cli: Any, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)

    done = cli("serve", "--no-key")

    assert done.code == 2
    assert done.err == f'glossator: serve: {missing} is not installed (pip install "glossator[server]")\n'
