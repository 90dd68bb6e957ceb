"""The processes of a chaos run: two HTTP servers and an MCP server over one file, each killed and started again."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).parents[2] / "src"
ENDED_WITHIN_S = 30.0


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Program:
    """A `glossator` program over the file, started again and again."""

    def __init__(self, folder: Path, name: str, *arguments: str) -> None:
        self.folder, self.name, self._arguments = folder, name, arguments
        self.starts_count, self.bad_ends = 0, list[str]()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "subprocess.Popen[bytes]":
        """Start it; what it says on stderr is kept beside the file's folder."""
        bare = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCES), "HOME": str(self.folder.parent)}
        bare |= {"GLOSSATOR_EMBEDDER": "hashing", "GLOSSATOR_DB": str(self.folder / "memory.db")}
        command = [sys.executable, "-m", "glossator.surfaces.cli", *self._arguments]
        with (self.folder.parent / f"{self.name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, env=bare, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
        self.starts_count += 1
        return self._process

    def revive(self) -> None:
        """Start it again where it has ended by itself, as it may on a full disk."""
        if self._process is None or self._process.poll() is not None:
            self.start()

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def end(self) -> None:
        """End it as it is meant to be ended."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            status = self._process.wait(ENDED_WITHIN_S)
        except subprocess.TimeoutExpired:
            self.kill()
            status = -9
        if status not in (0, -signal.SIGTERM):  # the latter where it had not begun yet
            self.bad_ends.append(f"{self.name} ended with {status}")


class Server(Program):
    """A `glossator serve` on a port that stays the same."""

    def __init__(self, folder: Path, name: str) -> None:
        self.port = free_port()
        super().__init__(folder, name, "serve", "--port", str(self.port), "--rate", "100000", "--log-level", "warning")

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"


class McpProgram(Program):
    """A `glossator mcp` on stdin and stdout, asked line by line."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "mcp", "mcp", "--workspace", "acme", "--agent", "helper", "--owner", "owner-mcp")
        self._number, self._lock = 0, threading.Lock()

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """The tool's result; None where the program has died, so that nobody knows what was done."""
        with self._lock:
            try:
                if self._process is None or self._process.poll() is not None:
                    self.start()
                    self._greet()
                return self._asked("tools/call", {"name": tool, "arguments": arguments})
            except (OSError, ValueError):
                return None

    def _greet(self) -> None:
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "chaos", "version": "1"}}
        self._asked("initialize", hello)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _asked(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while line := self._process.stdout.readline():
            answer = json.loads(line)
            if answer.get("id") == self._number:
                return dict(answer.get("result") or {"isError": True, "error": answer.get("error")})
        raise OSError("the program has ended")
