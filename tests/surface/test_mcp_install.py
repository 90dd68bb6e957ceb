"""What is printed for each MCP client, and does it start the server?"""

import json
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.surface.mcp_sessions import HELLO, environment

CLIENTS = ("claude-code", "claude-desktop", "cursor", "codex", "vscode")


def started_by(client: str, printed: dict[str, Any]) -> list[str]:
    """The command line that the client would run, read from the snippet as the client reads it."""
    snippet = printed["snippet"]
    match printed["form"]:
        case "json":
            server = json.loads(snippet)["servers" if client == "vscode" else "mcpServers"]["glossator"]
            return [server["command"], *server["args"]]
        case "toml":
            server = tomllib.loads(snippet)["mcp_servers"]["glossator"]
            return [server["command"], *server["args"]]
        case _:
            words = shlex.split(snippet)
            assert words[:3] == ["claude", "mcp", "add"]
            return words[words.index("--") + 1 :]


@pytest.mark.parametrize("client", CLIENTS)
def test_what_is_printed_starts_the_server_on_this_memory(cli, tmp_path, client):
    db = tmp_path / 'Ordner "mit" Ümläuten' / "gedächtnis.db"
    db.parent.mkdir()

    printed = cli("mcp", "install", "--print", client, "--db", db, "--owner", "Jürgen O'Hara", "--json").json

    line = started_by(client, printed)
    assert Path(line[0]).is_absolute()
    assert line[line.index("--db") + 1] == str(db)
    assert line[line.index("--owner") + 1] == "Jürgen O'Hara"
    assert line == [printed["command"], *printed["arguments"]]
    if client == CLIENTS[0]:  # they are all the same line: one start is enough
        said = json.dumps(HELLO).encode() + b"\n"
        done = subprocess.run(line, input=said, env=environment(tmp_path), capture_output=True, timeout=60, check=True)
        assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "glossator"


@pytest.mark.parametrize("client", CLIENTS)
def test_a_person_sees_where_it_belongs_and_no_broken_line(cli, client):
    shown = cli("mcp", "install", "--print", client)
    printed = cli("mcp", "install", "--print", client, "--json").json

    assert shown.code == 0
    assert shown.out.startswith(printed["where"])
    assert printed["snippet"] in shown.out


def test_an_unknown_client_is_told_the_choices(cli):
    result = cli("mcp", "install", "--print", "emacs")

    assert (result.code, result.out) == (2, "")
    assert all(client in result.err for client in CLIENTS)


def test_a_missing_sdk_is_told_with_the_command_that_installs_it(process, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['mcp'] = None\n", encoding="utf-8")
    path = f"{tmp_path}:{environment(tmp_path)['PYTHONPATH']}"

    for more in ((), ("--http",)):
        result = process("mcp", *more, environment={"PYTHONPATH": path})

        assert result.code == 2
        assert 'pip install "glossator[mcp]"' in result.err
        assert result.err.count("\n") == 1
