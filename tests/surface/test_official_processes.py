"""The official tools over stdio: the SDK's real client, several servers on one file, and servers that are killed."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from glossator.surfaces.mcp.official.graph import read_graph
from glossator.surfaces.mcp.official.graph_file import GraphFile
from glossator.surfaces.mcp.official.serving import called

SOURCES = Path(__file__).parents[2] / "src"
SERVERS, WRITES = 4, 25


def environment(folder: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCES), "HOME": str(folder)}


def server(path: Path) -> StdioServerParameters:
    arguments = ["-m", "glossator.surfaces.cli", "mcp", "--official", str(path)]
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment(path.parent))


def entity(name: str, *observations: str) -> dict[str, Any]:
    return {"name": name, "entityType": "thing", "observations": list(observations)}


def test_four_servers_write_one_file_at_once_over_stdio_and_nothing_is_lost(tmp_path: Path) -> None:
    # proves: K28
    path = tmp_path / "memory.jsonl"
    path.write_bytes(json.dumps({"type": "entity", **entity("shared")}).encode() + b'\n{"type":"ent')

    async def one(number: int) -> None:
        async with Client(stdio_client(server(path)), mode="legacy") as client:
            for at in range(WRITES):
                made = await client.call_tool("create_entities", {"entities": [entity(f"{number}-{at}", "🦊 猫")]})
                assert not made.is_error, made
                seen = [{"entityName": "shared", "contents": [f"seen by {number} at {at}"]}]
                assert not (await client.call_tool("add_observations", {"observations": seen})).is_error
            found = await client.call_tool("search_nodes", {"query": f"seen by {number} at {WRITES - 1}"})
            assert [each["name"] for each in (found.structured_content or {})["entities"]] == ["shared"]

    async def all_at_once() -> None:
        await asyncio.gather(*(one(number) for number in range(SERVERS)))

    asyncio.run(all_at_once())

    graph = read_graph(path.read_bytes())
    assert graph.broken == ()
    assert len(graph.entities) == SERVERS * WRITES + 1
    assert len(graph.entities[0].observations) == SERVERS * WRITES
    assert (tmp_path / "memory.jsonl.quarantine").read_bytes() == b'{"type":"ent\n'


WRITER = """
import sys
from pathlib import Path
from glossator.surfaces.mcp.official.graph_file import GraphFile
from glossator.surfaces.mcp.official.serving import called
file, name = GraphFile(Path(sys.argv[1])), sys.argv[2]
at = 0
while True:
    made = called(file, "create_entities", {"entities": [
        {"name": f"{name}-{at}", "entityType": "t", "observations": ["x" * 2000] * 20}]})
    assert not made.is_error, made
    sys.stdout.write(f"{name}-{at}\\n")
    sys.stdout.flush()
    at += 1
"""


def test_a_server_killed_in_the_middle_of_writing_leaves_a_whole_file_with_all_that_was_acknowledged(
    tmp_path: Path,
) -> None:
    # proves: K28
    path = tmp_path / "memory.jsonl"
    acknowledged: set[str] = set()
    for round_ in range(4):
        command = [sys.executable, "-c", WRITER, str(path), f"r{round_}"]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(tmp_path))
        assert running.stdout is not None
        acknowledged.add(running.stdout.readline().decode().strip())
        until = time.monotonic() + 0.1 + 0.037 * round_
        while time.monotonic() < until:
            acknowledged.add(running.stdout.readline().decode().strip())
        running.send_signal(signal.SIGKILL)
        left, _ = running.communicate(timeout=10)
        acknowledged |= {each for each in left.decode().split("\n")[:-1] if each}

        graph = read_graph(path.read_bytes())
        assert graph.broken == ()
        assert acknowledged <= {each.name for each in graph.entities}

    made = called(GraphFile(path), "create_entities", {"entities": [entity("after")]})
    assert not made.is_error
    assert sorted(each.name for each in tmp_path.iterdir()) == ["memory.jsonl", "memory.jsonl.lock"]


def test_a_file_of_fifty_megabytes_is_served(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    text = "Some words about the matter, as an assistant writes them down. " * 4
    with path.open("wb") as opened:
        for at in range(40_000):
            item = {"type": "entity", **entity(f"entity {at}", *(f"{text}{at} {place}" for place in range(4)))}
            opened.write(json.dumps(item).encode() + b"\n")
    assert path.stat().st_size > 40_000_000

    started = time.monotonic()
    file = GraphFile(path)
    found = called(file, "open_nodes", {"names": ["entity 39999"]})
    assert len((found.structured_content or {})["entities"]) == 1
    made = called(file, "create_entities", {"entities": [entity("new")]})
    assert not made.is_error
    found = called(file, "search_nodes", {"query": "entity 39999"})
    assert len((found.structured_content or {})["entities"]) == 1
    assert time.monotonic() - started < 60  # five seconds on an idle machine; a client gives one call a minute
