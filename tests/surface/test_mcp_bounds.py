"""How long can an answer over MCP get? Never longer than a client takes, whatever memory holds."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.surface.mcp_sessions import answer_of, inside, text_of

from glossator import Memory, Options, Scope
from glossator.model.fence import MEMORY_CLOSE
from glossator.surfaces.mcp.bounding import BYTES_MAX, bounded, within

ANA = Scope(workspace="acme", agent="helper", owner="ana")
TEXT_BYTES_MAX = 45_000
"""About 11,000 tokens, the fence and what is told beside it with them."""


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A memory of long texts: 220 messages of 4,000 characters, one of a megabyte, many facts."""
    path: Path = tmp_path_factory.mktemp("full") / "memory.db"
    with Memory.open(path, options=Options(embedder="none", worker=False)) as memory:
        messages = [{"id": f"m{number}", "content": f"whale {number} " + "krill " * 660} for number in range(220)]
        memory.record(messages, scope=ANA, conversation="sea:1")
        memory.record([{"id": "huge", "content": "whale " * 170_000}], scope=ANA, conversation="sea:2")
        for number in range(40):
            memory.remember(f"Whale {number} {'abcdefghij'[number % 10] * 1_900}", scope=ANA)
        yield memory


CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("recall", {"query": "whale krill", "limit": 50}),
    ("messages", {"conversation": "sea:1", "limit": 200}),
    ("messages", {"conversation": "sea:2"}),
    ("messages", {"conversation": "sea:2", "around": "huge"}),
    ("facts", {"limit": 100}),
    ("facts", {"query": "whale", "limit": 100}),
    ("explain", {"fact_id": "f1"}),
    ("forget", {"conversation": "sea:2"}),
    ("forget", {"fact_ids": [f"f{number}" for number in range(1, 21)]}),
    ("set_aside", {"fact_ids": [f"f{number}" for number in range(1, 41)], "how": "deprioritise"}),
    ("recall", {"query": "whale " * 50_000}),
    ("record", {"messages": [{"role": "user", "content": f"line {each}"} for each in range(1_500)]}),
    ("context", {"query": "whale"}),
    ("status", {}),
    ("sources", {}),
)


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_no_answer_is_longer_than_a_client_takes(full: Memory, name: str, arguments: dict[str, object]) -> None:
    async def called() -> Any:
        async with inside(full, ANA) as client:
            return await client.call_tool(name, arguments)

    result = asyncio.run(called())
    text = text_of(result)

    assert len(text.encode()) <= TEXT_BYTES_MAX
    assert len(json.dumps(result.structured_content, ensure_ascii=False).encode()) <= BYTES_MAX + 200
    assert text.count("<memory-context") == text.count(MEMORY_CLOSE)


def test_a_long_answer_says_that_not_all_is_shown(full: Memory) -> None:
    async def called() -> Any:
        async with inside(full, ANA) as client:
            return await client.call_tool("messages", {"conversation": "sea:2"})

    result = asyncio.run(called())

    assert answer_of(result)["messages"][0]["text"].endswith("…")
    assert "Not all is shown: texts are cut at" in text_of(result)


def test_what_fits_is_left_as_it_is() -> None:
    answer = {"facts": [{"text": "short", "fact_id": "f1"}] * 3, "more": False}
    assert bounded(answer) == (answer, "")
    assert within(["a", "b"]) == ["a", "b"]


def test_ids_and_what_confirms_are_never_cut() -> None:
    long = "x" * 5_000
    kept, left_out = bounded({"confirm": long, "facts": [{"fact_id": long, "text": "y" * 90_000}]})

    assert kept["confirm"] == kept["facts"][0]["fact_id"] == long
    assert len(kept["facts"][0]["text"]) < 5_000
    assert left_out
