"""How fast is the MCP server, and what does it leave behind?

`python bench/mcp_server.py [--starts 50]`: the time from starting the process to the answer of initialize, with the
default model and with one that never loads; p50 and p95 of a recall by the SDK's client over stdio and over HTTP, and
in the library; then many starts and stops, with the size of the file and what still runs.
"""

import argparse
import asyncio
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from glossator import Memory, Scope

QUESTIONS = ("Where did we sail?", "Who likes tea?", "What broke last week?", "When did Ana move?", "Which plan won?")
CALLS = 200


def messages(count: int) -> list[dict[str, str]]:
    """Talk of a few topics, a message a minute."""
    topics = ("sailing to the isles", "tea with lemon", "the pump that broke", "moving to Edinburgh", "the plan of May")
    return [
        {"role": "user" if at % 2 == 0 else "assistant", "speaker": "Ana" if at % 2 == 0 else "Mo", "id": f"m{at}",
         "content": f"Number {at}: we spoke of {topics[at % 5]} and of much else that day.",
         "at": f"2024-05-{1 + at // 60 % 28:02}T10:{at % 60:02}:00Z"}
        for at in range(count)
    ]  # fmt: skip


def command(db: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "glossator.surfaces.cli", "mcp", "--db", str(db), *more]


async def started(db: Path, *more: str) -> float:
    """Seconds from the start of the process to the end of the handshake."""
    line, begun = command(db, *more), time.perf_counter()
    parameters = StdioServerParameters(command=line[0], args=line[1:], env=dict(os.environ))
    async with Client(stdio_client(parameters), mode="legacy") as client:
        took = time.perf_counter() - begun
        message = {"role": "user", "content": "I like tea.", "id": "m1"}
        await client.call_tool("record", {"messages": [message], "conversation": "telegram:42"})
        return took


async def recalls(client: Client) -> list[float]:
    """Milliseconds of each call, after the model has loaded."""
    while "still loading" in (await client.call_tool("status", {})).structured_content["meaning"]:
        await asyncio.sleep(0.1)
    took = []
    for at in range(CALLS):
        begun = time.perf_counter()
        result = await client.call_tool("recall", {"query": f"{QUESTIONS[at % 5]} {at}"})
        took.append((time.perf_counter() - begun) * 1000)
        assert not result.is_error
    return took[20:]


def shown(name: str, took: list[float]) -> None:
    cuts = statistics.quantiles(took, n=20)
    print(f"{name:24} p50 {statistics.median(took):6.2f} ms   p95 {cuts[18]:6.2f} ms")


async def over_stdio(db: Path) -> None:
    line = command(db)
    parameters = StdioServerParameters(command=line[0], args=line[1:], env=dict(os.environ))
    async with Client(stdio_client(parameters)) as client:
        shown("recall over stdio", await recalls(client))


async def over_http(db: Path) -> None:
    process = subprocess.Popen(command(db, "--http", "--port", "0"), stderr=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://\S+", process.stderr.readline())[0].rstrip(";")
        async with Client(address) as client:
            shown("recall over HTTP", await recalls(client))
    finally:
        process.terminate()
        process.wait()


def in_the_library(db: Path) -> None:
    with Memory.open(db) as memory:
        memory.warm(30)
        took = []
        for at in range(CALLS):
            begun = time.perf_counter()
            memory.recall(f"{QUESTIONS[at % 5]} {at}", scope=Scope(workspace="default"))
            took.append((time.perf_counter() - begun) * 1000)
        shown("recall in the library", took[20:])


async def handshakes(folder: Path) -> None:
    took = [await started(folder / "start.db") for _ in range(5)]
    print(f"initialize               median {statistics.median(took):.2f} s, worst {max(took):.2f} s (default model)")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        slow = f"openai:slow@http://127.0.0.1:{listener.getsockname()[1]}/v1"
        took = [await started(folder / "slow.db", "--embedder", slow) for _ in range(3)]
    print(f"initialize               median {statistics.median(took):.2f} s, worst {max(took):.2f} s (never loads)")


async def many_starts(folder: Path, count: int) -> None:
    db, sizes = folder / "often.db", []
    for _ in range(count):
        await started(db, "--embedder", "none")
        sizes.append(sum(each.stat().st_size for each in folder.glob("often.db*")))
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    left = sum(str(db).encode() in line for line in lines)
    print(f"{count} starts and stops      file {sizes[0]} bytes first, {sizes[-1]} last; {left} processes left")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=50)
    parser.add_argument("--messages", type=int, default=1000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        db = folder / "memory.db"
        with Memory.open(db) as memory:
            memory.record(messages(chosen.messages), scope=Scope(workspace="default"), conversation="telegram:42")
            memory.drain()
        asyncio.run(handshakes(folder))
        in_the_library(db)
        asyncio.run(over_stdio(db))
        asyncio.run(over_http(db))
        asyncio.run(many_starts(folder, chosen.starts))


if __name__ == "__main__":
    main()
