"""A file of the official MCP memory server goes into a memory: what is in it is recalled, and nothing is made up."""

import json
from pathlib import Path
from typing import Any

import pytest

from glossator import Memory, Options, Scope
from glossator.surfaces.importers.mcp_memory import OTHER_LINES, is_mcp_memory

SAID = ["I speak Spanish", "猫を二匹飼っています"]
ANA = {"type": "entity", "name": "Ana", "entityType": "person", "observations": SAID}
FIRM = {"type": "entity", "name": "Anthropic", "entityType": "organization", "observations": []}
WORKS = {"type": "relation", "from": "Ana", "to": "Anthropic", "relationType": "works_at"}
SCOPE = Scope(workspace="default")


def lines(*items: object) -> bytes:
    return b"".join(json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in items)


@pytest.mark.parametrize("name", ["memory.jsonl", "memory.json", "memory.ndjson"])
def test_a_file_is_known_by_what_is_in_it_and_its_words_are_recalled(cli: Any, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"\xef\xbb\xbf" + lines(ANA, FIRM, WORKS))

    assert cli("ingest", path, "--json").json["stored"] == 4
    hit = cli("recall", "Which languages does Ana speak?", "--json").json["hits"][0]
    assert hit["text"] == "Ana (person): I speak Spanish"
    assert cli("recall", "猫", "--json").json["hits"][0]["text"].endswith("猫を二匹飼っています")
    with Memory.open(tmp_path / "memory.db", options=Options(embedder="none", worker=False)) as memory:
        messages = memory.messages(scope=SCOPE)
        assert [each.content for each in messages][2:] == ["Ana works_at Anthropic", "Anthropic (organization)"]
        assert {each.role for each in messages} == {"assistant"}
        assert not any(each.said.given for each in messages)  # nobody knows when
        assert list(memory.facts(scope=SCOPE)) == []


def test_taken_in_again_only_what_is_new_is_added(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_bytes(lines(ANA, WORKS))
    cli("ingest", path)
    path.write_bytes(lines(FIRM, {**ANA, "observations": [*SAID, "sings"]}, WORKS))

    again = cli("ingest", path, "--json").json
    assert (again["stored"], again["duplicate"]) == (2, 3)


def test_a_date_may_be_given_for_what_has_none(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_bytes(lines(ANA))

    cli("ingest", path, "--at", "2024-05-01")
    assert cli("recall", "Spanish", "--json").json["hits"][0]["said"]["at"].startswith("2024-05-01")


def test_what_cannot_be_read_is_rejected_by_its_line_and_the_rest_is_taken(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_bytes(lines(ANA) + b'{"type":"ent\n' + lines({"type": "thing"}, {"type": "entity", "name": 5}, WORKS))

    told = cli("ingest", path, "--json").json
    assert (told["stored"], told["rejected"]) == (3, 2)
    assert [each["where"] for each in told["rejected_items"]] == ["line 2", "line 4"]
    assert told["left_out"] == {OTHER_LINES: 1}


def test_the_format_can_be_named(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(lines(ANA))

    assert cli("ingest", path, "--format", "mcp-memory", "--json").json["stored"] == 2


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (lines(ANA), True), (lines(WORKS), True), (b"\n\n" + lines(ANA), True), (b"{half\n" + lines(ANA), True),
        (lines(ANA)[:30], True), (b"", False), (b"[", False), (b'{"role": "user", "content": "x"}\n', False),
        (b'{"name": "x", "type": "entity", "observations": []}', True), (b'{"type": "message"}\n' + lines(ANA), False),
    ],
)  # fmt: skip
def test_only_its_own_lines_are_taken_for_the_official_servers(head: bytes, known: bool) -> None:
    assert is_mcp_memory(head) is known
