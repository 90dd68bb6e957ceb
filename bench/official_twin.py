"""Do our nine tools answer as the official memory server does? The same random histories, both real servers.

    npm install --prefix /tmp/twin @modelcontextprotocol/server-memory
    python bench/official_twin.py --server /tmp/twin/node_modules/@modelcontextprotocol/server-memory/dist/index.js

Each history is a row of calls; after each one both answers are compared (structured content, text, whether it is an
error), and after the last one the graphs. Only what docs/mcp-official.md names may differ.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

SOURCES = Path(__file__).resolve().parents[1] / "src"
NAMES = ("Ana", "Eve", "ana", "Zoë", "数据", "a b", "", "__proto__", "toString", "İ", "O'Neil\n", "<b>&", "0")
KINDS = ("person", "city", "", "Person")
TEXTS = ("likes tea", "Likes Tea", "lives in Oslo", "", "ß", "𝒳 math", "line\nbreak", "likes  tea", "null", "É", "é")
QUERIES = ("", "tea", "TEA", "Oslo", "ana", "ß", "ẞ", "person", "zzz", "数", "\n", "i̇", "É")
WRONG: tuple[tuple[str, Any], ...] = (
    ("create_entities", {}), ("create_entities", {"entities": [{"name": "x"}]}), ("open_nodes", {"names": "Ana"}),
    ("search_nodes", {"query": 5}), ("nothing", {}), ("delete_entities", {"entityNames": [None]}),
    ("add_observations", {"observations": [{"entityName": "nobody at all", "contents": ["x"]}]}),
)  # fmt: skip


def step(draw: random.Random) -> tuple[str, dict[str, Any]]:
    """One random call. A request names nothing twice: the official server would keep both."""

    def some(of: tuple[str, ...], most: int = 3) -> list[str]:
        return draw.sample(of, draw.randint(0, min(most, len(of))))

    def relation() -> dict[str, str]:
        return {"from": draw.choice(NAMES), "to": draw.choice(NAMES), "relationType": draw.choice(KINDS)}

    match draw.randrange(10):
        case 0 | 1:
            return "create_entities", {
                "entities": [
                    {"name": name, "entityType": draw.choice(KINDS), "observations": some(TEXTS)}
                    for name in some(NAMES)
                ]
            }
        case 2:
            chosen = {tuple(each.values()): each for each in (relation() for _ in range(draw.randint(0, 3)))}
            return "create_relations", {"relations": list(chosen.values())}
        case 3:
            return "add_observations", {
                "observations": [{"entityName": name, "contents": some(TEXTS)} for name in some(NAMES, 2)]
            }
        case 4:
            return "delete_entities", {"entityNames": some(NAMES, 2)}
        case 5:
            return "delete_observations", {
                "deletions": [{"entityName": name, "observations": some(TEXTS)} for name in some(NAMES, 2)]
            }
        case 6:
            return "delete_relations", {"relations": [relation() for _ in range(draw.randint(0, 2))]}
        case 7:
            return "search_nodes", {"query": draw.choice(QUERIES)}
        case 8:
            return "open_nodes", {"names": some(NAMES)}
        case _:
            return draw.choice([("read_graph", {}), *WRONG])


async def answer(client: Client, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """What a client sees."""
    try:
        result = await client.call_tool(name, arguments)
    except MCPError as error:
        return {"error": True, "text": [str(error)], "structured": None, "raised": True}
    texts = [getattr(each, "text", "") for each in result.content]
    return {"error": bool(result.is_error), "text": texts, "structured": result.structured_content}


def differs(name: str, ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """In what the answers differ beyond what is documented; "" for nothing."""
    if ours["error"] != theirs["error"]:
        return "error"
    if ours["error"]:
        return ""
    mine, other = ours["structured"], theirs["structured"]
    if name == "search_nodes":
        missing = [each for key in other for each in other[key] if each not in mine[key]]
        return "search misses" if missing else ""
    if name.startswith("delete_"):
        return ""  # a sentence, which names what was not found
    if mine != other:
        return "structured"
    return "" if ours["text"] == theirs["text"] else "text"


async def history(seed: int, calls: int, server: str) -> Counter[str]:
    """One history on two fresh files; prints each difference."""
    draw, found = random.Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / name) for name in ("ours.jsonl", "theirs.jsonl")]
        own = StdioServerParameters(
            command=sys.executable, args=["-m", "glossator.surfaces.cli", "mcp", "--official", files[0]],
            env={"PYTHONPATH": str(SOURCES)},
        )  # fmt: skip
        twin = StdioServerParameters(command="node", args=[server], env={"MEMORY_FILE_PATH": files[1]})
        async with AsyncExitStack() as stack:
            ours, theirs = [await stack.enter_async_context(Client(stdio_client(each))) for each in (own, twin)]
            for _ in range(calls):
                name, arguments = step(draw)
                pair = [await answer(each, name, arguments) for each in (ours, theirs)]
                why = differs(name, *pair)
                found[f"{name}: {why or 'same'}"] += 1
                if why:
                    print(json.dumps({"seed": seed, "call": [name, arguments], "ours": pair[0], "theirs": pair[1]}))
            graphs = [await answer(each, "read_graph", {}) for each in (ours, theirs)]
            if graphs[0]["structured"] != graphs[1]["structured"]:
                found["graph at the end: differs"] += 1
    return found


def main() -> None:
    """Run the histories and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True, help="dist/index.js of the official server")
    parser.add_argument("--histories", type=int, default=5)
    parser.add_argument("--calls", type=int, default=200)
    chosen = parser.parse_args()
    total = Counter[str]()
    for seed in range(chosen.histories):
        total += asyncio.run(history(seed, chosen.calls, chosen.server))
    print(json.dumps(dict(sorted(total.items())), indent=2))


if __name__ == "__main__":
    main()
