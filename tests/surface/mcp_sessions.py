"""Real MCP clients and servers for the tests: the SDK's client in this process, over stdio and over HTTP."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, TextContent

from glossator import Memory, Scope
from glossator.surfaces.mcp.mounting import Context
from glossator.surfaces.mcp.server import mcp_server

SOURCES = Path(__file__).parents[2] / "src"
PATIENCE_S = 30.0
HELLO: Mapping[str, object] = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}  # fmt: skip
READY: Mapping[str, object] = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def environment(home: Path, **more: str) -> dict[str, str]:
    """A bare environment: nothing of the machine's own memory is touched."""
    bare = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCES), "HOME": str(home), "GLOSSATOR_EMBEDDER": "hashing"}
    return bare | more


def command(db: Path, *arguments: str) -> list[str]:
    """The server as a process of its own."""
    return [sys.executable, "-m", "glossator.surfaces.cli", "mcp", "--db", str(db), *arguments]


def stdio(db: Path, *arguments: str, mode: str = "auto", **more: str) -> Client:
    """The SDK's client of a server that it starts."""
    line = command(db, *arguments)
    server = StdioServerParameters(command=line[0], args=line[1:], env=environment(db.parent, **more))
    return Client(stdio_client(server), mode=mode)


def inside(memory: Memory, scope: Scope, *, mode: str = "auto") -> Client:
    """The SDK's client of a server in this process."""

    def scope_of(_: Context) -> Scope:
        return scope

    return Client(mcp_server(lambda: memory, scope_of), mode=mode)


def text_of(result: CallToolResult) -> str:
    """What a model reads."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def answer_of(result: CallToolResult) -> dict[str, Any]:
    """The structured content of a call that was done."""
    assert not result.is_error, text_of(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def error_of(result: CallToolResult) -> dict[str, Any]:
    """The structured content of a call that was refused."""
    assert result.is_error, text_of(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


class Raw:
    """A client that writes and reads lines itself."""

    def __init__(self, db: Path, *arguments: str, **more: str) -> None:
        self.process = subprocess.Popen(
            command(db, *arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(db.parent, **more),
        )  # fmt: skip
        self._rest = b""
        self.lines: list[bytes] = []

    def send(self, *messages: object) -> None:
        """Bytes go out as they are, everything else as one line of JSON."""
        assert self.process.stdin is not None
        for each in messages:
            self.process.stdin.write(each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n")
        self.process.stdin.flush()

    def line(self) -> bytes:
        """The next line on stdout. Fails the test if none comes."""
        assert self.process.stdout is not None
        ends = time.monotonic() + PATIENCE_S
        while b"\n" not in self._rest:
            assert select.select([self.process.stdout], [], [], max(0.0, ends - time.monotonic()))[0], "no answer came"
            more = os.read(self.process.stdout.fileno(), 65536)
            assert more, "the server is gone"
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        self.lines.append(line)
        return line

    def answer(self, request_id: object) -> dict[str, Any]:
        """The answer to this request, whatever comes before it."""
        while True:
            message = json.loads(self.line())
            if message.get("id") == request_id:
                return dict(message)

    def hello(self) -> dict[str, Any]:
        """The handshake; what the server says of itself."""
        self.send(HELLO)
        said = self.answer(1)
        self.send(READY)
        return said

    def call(self, request_id: object, name: str, **arguments: object) -> dict[str, Any]:
        """The result of one tool."""
        self.send(calling(request_id, name, **arguments))
        return dict(self.answer(request_id)["result"])

    def close_input(self) -> None:
        """Say that nothing more will come."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.stdin = None

    def ended(self) -> tuple[int, str]:
        """The exit code and stderr, once the process is over; what was left on stdout is kept in `lines`."""
        out, err = self.process.communicate(timeout=PATIENCE_S)
        self.lines += [line for line in (self._rest + out).split(b"\n") if line]
        return self.process.returncode, err.decode("utf-8")

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


def calling(request_id: object, name: str, **arguments: object) -> dict[str, object]:
    """A request that calls a tool."""
    return {
        "jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": {"name": name, "arguments": arguments},
    }  # fmt: skip
