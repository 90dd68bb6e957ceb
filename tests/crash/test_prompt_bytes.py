"""Does a prompt stay byte for byte what it was, in another process, zone or hash order, and turn after turn?"""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ANA, NOW

from glossator import Memory, Options, compose_system, with_context
from glossator.model import PromptFiles
from glossator.model.fence import MEMORY_CLOSE, MEMORY_OPEN
from glossator.testing.clock import FakeClock
from glossator.testing.wire_formats import anthropic_refusals, openai_refusals

SOURCE = Path(__file__).resolve().parents[2] / "src"
TOLD = (
    "I live in Oslo. I can't stand coriander.", "I moved here last March.", "I'm allergic to peanuts.",
    "My sister Nora keeps bees behind the old mill.", "I bought a green canoe at the harbour in Leeds.",
    "I love jazz.", "My budget is 400 euros.", "Last winter we repaired the roof of the boathouse.",
)  # fmt: skip
ASKED = "Where did I buy the green canoe?"

SHOWING = """
import sys
from glossator import Memory, Options, Scope
ana = Scope(workspace="acme", agent="helper", owner="ana")
options = Options(embedder="hashing", worker=False, zone="Europe/Oslo", prompt_folder=sys.argv[2])
with Memory.open(sys.argv[1], options=options) as memory:
    memory.warm()  # until then words alone decide, and `degraded` says so
    files = memory.rebuild_prompt_files(scope=ana)
    made = memory.context(sys.argv[3], scope=ana, budget=500, now="2026-11-30T12:00+00:00")
    facts = memory.durable_facts(scope=ana)
    sys.stdout.buffer.write("\\n".join([files.block, made.block, facts.block]).encode())
"""


def told(folder: Path) -> Memory:
    options = Options(embedder="hashing", worker=False, zone="Europe/Oslo", prompt_folder=str(folder / "prompts"))
    memory = Memory.open(folder / "memory.db", options=options, clock=FakeClock(NOW))
    for day, text in enumerate(TOLD, 1):
        memory.record([{"content": text, "at": f"2026-03-{day:02d}T23:30:00+01:00"}], scope=ANA, conversation="chat:1")
    memory.drain()
    return memory


def test_the_bytes_are_the_same_in_every_process_whatever_its_hash_seed_and_time_zone(tmp_path: Path) -> None:
    # proves: K38, I10
    told(tmp_path).close()
    database, folder = tmp_path / "memory.db", tmp_path / "prompts"
    stamps, shown = [], []
    for seed, zone in (("0", "UTC"), ("1", "Asia/Tokyo"), ("77", "America/Los_Angeles"), ("random", "Pacific/Apia")):
        environment = {
            **os.environ, "PYTHONPATH": str(SOURCE), "PYTHONHASHSEED": seed, "TZ": zone, "OPENBLAS_NUM_THREADS": "1",
        }  # fmt: skip
        command = [sys.executable, "-c", SHOWING, str(database), str(folder), ASKED]
        done = subprocess.run(command, capture_output=True, timeout=60, check=False, env=environment)
        assert done.returncode == 0, done.stderr
        shown.append(done.stdout)
        stamps.append({path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*.md")})
    assert len(set(shown)) == 1
    assert b"canoe" in shown[0]
    assert shown[0].count(b"coriander") >= 1
    assert all(stamp == stamps[0] for stamp in stamps)  # nothing was written anew


def test_a_hosts_prompt_keeps_its_prefix_over_thirty_turns_with_tools(tmp_path: Path) -> None:
    # proves: K38, D39, D1
    for wire in ("openai", "anthropic"):
        (tmp_path / wire).mkdir()
        with told(tmp_path / wire) as memory:
            prompts = _talked(memory, wire)
            kept = memory.messages(scope=ANA)
            facts = memory.facts(scope=ANA)
        assert len(prompts) == 48
        for before, after in pairwise(prompts):
            blocks = [each for each in after if _is_block(each)]
            assert len(blocks) <= 1
            same_turn = after[-1]["role"] != "user" or not isinstance(after[-1]["content"], str)
            assert _bytes(after).startswith(_bytes(before) if same_turn else _steady(before)), wire
        assert not [each for each in kept if MEMORY_OPEN in each.content or MEMORY_CLOSE in each.content]
        assert not [each for each in facts if "memory-context" in each.text or "background" in each.text]
        refusals = openai_refusals if wire == "openai" else anthropic_refusals
        assert refusals([each for each in prompts[-1] if wire == "openai" or each["role"] != "system"]) == []


def _talked(memory: Memory, wire: str) -> list[list[Any]]:
    """A host's loop of thirty turns: every prompt that went to the model."""
    run = memory.run(scope=ANA, conversation="chat:2")
    files: PromptFiles = memory.prompt_files(scope=ANA)
    head = list(compose_system(files, identity="You are Juno.", rules="Be brief."))
    history: list[Any] = []
    prompts: list[list[Any]] = []
    for turn in range(30):
        request = (ASKED, "Thanks!", "Tell me of Nora's bees.", "Write a limerick on quantum physics.")[turn % 4]
        history.append({"role": "user", "content": request})
        made = run.context([*head, *history], budget=400, durable=0)
        calls = 2 if turn % 5 == 1 else turn % 2
        for step in range(2 if calls else 1):
            prompts.append(with_context([*head, *history], made, conversation="chat:2"))
            if step == 0 and calls:
                history += _called(wire, turn, calls)
        history.append({"role": "assistant", "content": f"Answer {turn}."})
        run.record([{"content": request}, {"role": "assistant", "content": f"Answer {turn}."}])
    memory.drain()
    return prompts


def _called(wire: str, turn: int, count: int) -> list[Any]:
    ids = [f"call_{turn}_{number}" for number in range(count)]
    if wire == "openai":
        calls = [{"id": each, "type": "function", "function": {"name": "look", "arguments": "{}"}} for each in ids]
        results = [{"role": "tool", "tool_call_id": each, "content": "found"} for each in ids]
        return [{"role": "assistant", "content": None, "tool_calls": calls}, *results]
    uses = [{"type": "tool_use", "id": each, "name": "look", "input": {}} for each in ids]
    answers = [{"type": "tool_result", "tool_use_id": each, "content": "found"} for each in ids]
    return [{"role": "assistant", "content": uses}, {"role": "user", "content": answers}]


def _is_block(message: Any) -> bool:
    return isinstance(message["content"], str) and "CONTEXT FOR THE REQUEST" in message["content"]


def _steady(prompt: list[Any]) -> bytes:
    """What a provider may keep of this prompt: all before its block."""
    places = [place for place, message in enumerate(prompt) if _is_block(message)]
    return _bytes(prompt[: places[0]] if places else prompt)


def _bytes(prompt: list[Any]) -> bytes:
    return b"".join(json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in prompt)


@pytest.mark.parametrize("given", ["block", "files", "both"])
def test_a_fence_that_comes_back_as_something_said_teaches_nothing(tmp_path: Path, given: str) -> None:
    # proves: D39
    with told(tmp_path) as memory:
        before = {fact.text for fact in memory.facts(scope=ANA)}
        made = memory.context(ASKED, scope=ANA, budget=500).block
        files = memory.prompt_files(scope=ANA).block
        text = {"block": made, "files": files, "both": f"{files}\n{made}"}[given]
        memory.record([{"content": f"{text}\nI own a red kayak."}], scope=ANA, conversation="chat:3")
        memory.drain()
        assert {fact.text for fact in memory.facts(scope=ANA)} - before == {"I own a red kayak."}
        assert all(fact.seen_count == 1 for fact in memory.facts(scope=ANA))
