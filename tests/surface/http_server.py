"""A real server for tests: uvicorn in a thread, on a free loopback port."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from fastapi import FastAPI

from glossator import AsyncMemory, Memory, Options
from glossator.ports import Clock, Embedder
from glossator.surfaces.http.app import create_app
from glossator.surfaces.http.running import configured
from glossator.surfaces.http.settings import Settings

SOURCES = Path(__file__).parents[2] / "src"
STARTED_WITHIN_S = 20.0
OPEN = Settings(keyed=False, trust="operator", inspector=False, mcp=False)
"""A server that asks for no key."""


@dataclass(frozen=True)
class Served:
    """A server that runs, and the memory behind it."""

    url: str
    memory: Memory
    app: FastAPI

    def client(self, secret: str | None = None, **choices: object) -> httpx2.Client:
        """An HTTP client for it, with a key if one is given."""
        headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
        return httpx2.Client(base_url=self.url, headers=headers, timeout=30, **choices)  # type: ignore[arg-type]


@contextmanager
def serving(
    path: Path,
    settings: Settings = OPEN,
    *,
    options: Options | None = None,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
) -> Iterator[Served]:
    """A server of the memory at `path`, until the end of the block."""
    options = options or Options(embedder="hashing")
    memory = Memory.open(path, options=options, clock=clock, embedder=embedder)
    app = create_app(AsyncMemory(memory, readers_max=32), settings=settings)
    with listening(app) as url:
        yield Served(url=url, memory=memory, app=app)
    memory.close()


@contextmanager
def listening(app: FastAPI) -> Iterator[str]:
    """The address of the app, served until the end of the block."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        port = listener.getsockname()[1]
        server = uvicorn.Server(configured(app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        deadline = time.monotonic() + STARTED_WITHIN_S
        while not server.started and time.monotonic() < deadline:
            time.sleep(0.01)
        assert server.started
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()


@contextmanager
def serving_process(folder: Path, *arguments: str, **environment: str) -> Iterator[str]:
    """The address of a `glossator serve --no-key` in a process of its own, which must end well when it is told to."""
    process = started_process(folder, "--no-key", "--port", "0", "--json", *arguments, **environment)
    try:
        yield str(told_by(process)["url"])
    finally:
        process.terminate()
        assert process.wait(30) == 0


def started_process(folder: Path, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
    """A `glossator serve` over `memory.db` in the folder."""
    bare = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCES), "HOME": str(folder), "OPENAI_API_KEY": "none"}
    bare |= {"GLOSSATOR_DB": str(folder / "memory.db"), "GLOSSATOR_EMBEDDER": "hashing", **environment}
    command = [sys.executable, "-m", "glossator.surfaces.cli", "serve", *arguments]
    return subprocess.Popen(command, env=bare, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def told_by(process: "subprocess.Popen[str]") -> Any:
    """The document that `--json` prints once it listens."""
    assert process.stdout is not None
    lines = []
    while (line := process.stdout.readline()) and line != "}\n":
        lines.append(line)
    assert lines, process.communicate()[1]
    return json.loads("".join(lines) + "}")
