"""What works without the extras, and with one of them alone? Packages are hidden from a process of its own."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.surface.conftest import SOURCES
from tests.surface.mcp_sessions import HELLO

ROOT = SOURCES.parent
SERVER = ("fastapi", "jinja2", "python_multipart", "multipart")
OPTIONAL = (*SERVER, "mcp", "mcp_types", "starlette", "structlog", "uvicorn", "opentelemetry")
ASKS = """
import sys
from glossator import Memory, Options, Scope
from glossator.client import AsyncClient, Client
scope = Scope(workspace="acme")
with Memory.open(sys.argv[1], options=Options(embedder="hashing")) as memory:
    memory.record([{"content": "I moved to Edinburgh."}], scope=scope, conversation="chat:1")
    assert memory.recall("Edinburgh", scope=scope).hits
Client("http://127.0.0.1:9").close()
"""


@pytest.fixture
def without(process: Any, tmp_path: Path) -> Any:
    """Run `glossator` where these packages cannot be imported."""

    def run(hidden: tuple[str, ...], *arguments: object, stdin: bytes = b"") -> Any:
        lines = "".join(f"sys.modules[{name!r}] = None\n" for name in hidden)
        (tmp_path / "sitecustomize.py").write_text(f"import sys\n{lines}", encoding="utf-8")
        return process(*arguments, stdin=stdin, environment={"PYTHONPATH": f"{tmp_path}:{SOURCES}"})

    return run


def test_the_core_needs_no_extra(without: Any) -> None:
    assert without(OPTIONAL, "record", "I moved to Edinburgh.").code == 0
    assert "Edinburgh" in without(OPTIONAL, "recall", "Where do I live?").out
    assert without(OPTIONAL, "top", "--once").code == 0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("mcp", 'glossator: mcp: mcp is not installed (pip install "glossator[mcp]")\n'),
        ("serve --no-key", 'glossator: serve: fastapi is not installed (pip install "glossator[server]")\n'),
    ],
)
def test_a_server_without_its_extra_says_which_one_to_install(without: Any, line: str, told: str) -> None:
    done = without(OPTIONAL, *line.split())

    assert (done.code, done.out, done.err) == (2, "", told)


def test_the_extra_mcp_alone_carries_the_mcp_server(without: Any) -> None:
    done = without(SERVER, "mcp", "--log-level", "info", stdin=json.dumps(HELLO).encode() + b"\n")

    assert done.code == 0
    assert json.loads(done.out.splitlines()[0])["result"]["serverInfo"]["name"] == "glossator"


def test_the_client_needs_no_extra(tmp_path: Path) -> None:
    hidden = "import sys\n" + "".join(f"sys.modules[{name!r}] = None\n" for name in OPTIONAL)

    subprocess.run([sys.executable, "-c", hidden + ASKS, str(tmp_path / "m.db")], check=True, timeout=60)


def test_the_extras_name_what_the_servers_look_for() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    code = (SOURCES / "glossator/surfaces/verbs/serve.py").read_text(encoding="utf-8")
    looked_for = {line.split()[1].replace("_", "-") for line in code.splitlines() if line.startswith("        import ")}

    named = {each.partition(">")[0] for each in extras["server"]}

    assert looked_for & named == named
