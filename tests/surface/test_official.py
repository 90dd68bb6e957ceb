"""The nine tools of the official MCP memory server on its own file, asked by the SDK's real client in this process."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client
from mcp_types import CallToolResult

from glossator.surfaces.mcp.official.graph import read_graph, written
from glossator.surfaces.mcp.official.graph_file import GraphFile
from glossator.surfaces.mcp.official.operations import CHANGES, LOOKS
from glossator.surfaces.mcp.official.search import found_by
from glossator.surfaces.mcp.official.serving import META, called, official_server
from glossator.surfaces.mcp.official.tools import TOOLS
from glossator.testing.contract.base import NASTY

ANA = {"name": "Ana", "entityType": "person", "observations": ["likes tea", "lives in Oslo"]}
BOB = {"name": "Bob", "entityType": "person", "observations": []}
KNOWS = {"from": "Ana", "to": "Bob", "relationType": "knows"}


def line(kind: str, **item: Any) -> bytes:
    return json.dumps({"type": kind, **item}, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.jsonl"


@pytest.fixture
def file(path: Path) -> GraphFile:
    path.write_bytes(line("entity", **ANA) + line("entity", **BOB) + line("relation", **KNOWS))
    return GraphFile(path)


def ask(file: GraphFile, name: str, **arguments: Any) -> Any:
    """The structured content of an answer that is no error, after a look at its text."""
    result = called(file, name, arguments)
    assert not result.is_error, result.content
    shown = result.structured_content
    text = result.content[0].text  # type: ignore[union-attr]
    inner = [text] if "message" in shown else [json.dumps(each, ensure_ascii=False, indent=2) for each in
             (shown, *shown.values())]  # fmt: skip
    assert shown.get("message", text) == text
    assert text in inner
    return shown


def problem(file: GraphFile, name: str, **arguments: Any) -> str:
    result = called(file, name, arguments)
    assert result.is_error
    assert result.structured_content is None
    return str(result.content[0].text)  # type: ignore[union-attr]


def over_both_handshakes(path: Path, use: Callable[[Client], Awaitable[None]]) -> None:
    async def connected() -> None:
        for mode in ("legacy", "auto"):
            async with Client(official_server(path=path), mode=mode) as client:
                await use(client)

    asyncio.run(connected())


def test_a_client_finds_the_nine_tools_with_schemas_and_the_graph_as_a_resource(file: GraphFile) -> None:
    async def use(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [each.name for each in tools] == [each.name for each in TOOLS]
        assert {each.name for each in tools} == {*CHANGES, *LOOKS}
        assert all(each.output_schema and each.annotations and each.title for each in tools)
        assert [each.name for each in tools if each.annotations and each.annotations.read_only_hint] == [*LOOKS]
        found = await client.call_tool("open_nodes", {"names": ["Bob"]})
        assert found.structured_content == {"entities": [BOB], "relations": [KNOWS]}
        resource = (await client.read_resource("memory://knowledge-graph")).contents[0]
        assert json.loads(resource.text) == {"entities": [ANA, BOB], "relations": [KNOWS]}  # type: ignore[union-attr]

    over_both_handshakes(file.path, use)


def test_each_tool_answers_in_the_official_shape_and_words(path: Path) -> None:
    file = GraphFile(path)

    assert ask(file, "read_graph") == {"entities": [], "relations": []}
    assert ask(file, "create_entities", entities=[ANA, BOB, ANA]) == {"entities": [ANA, BOB]}
    assert ask(file, "create_entities", entities=[{**ANA, "observations": ["x"]}]) == {"entities": []}
    assert ask(file, "create_relations", relations=[KNOWS, KNOWS]) == {"relations": [KNOWS]}
    assert ask(file, "create_relations", relations=[KNOWS]) == {"relations": []}
    added = ask(file, "add_observations", observations=[{"entityName": "Ana", "contents": ["likes tea", "sings"]}])
    assert added == {"results": [{"entityName": "Ana", "addedObservations": ["sings"]}]}
    gone = ask(file, "delete_observations", deletions=[{"entityName": "Ana", "observations": ["sings", "flies"]}])
    assert gone == {"success": True, "message": "Deleted 1 of 2 observations."}
    gone = ask(file, "delete_observations", deletions=[{"entityName": "Eve", "observations": ["x"]}])
    assert gone["message"] == "Deleted 0 of 1 observations. Entities not found: Eve"
    assert ask(file, "delete_relations", relations=[KNOWS])["message"] == "Relations deleted successfully"
    missed = ask(file, "delete_relations", relations=[KNOWS])["message"]
    assert missed == "Deleted 0 of 1 relations. The rest matched nothing."
    assert ask(file, "read_graph") == {"entities": [ANA, BOB], "relations": []}
    missed = ask(file, "delete_entities", entityNames=["Bob", "Eve"])["message"]
    assert missed == "Deleted 1 of 2 entities. Not found: Eve"
    assert ask(file, "delete_entities", entityNames=["Ana"])["message"] == "Entities deleted successfully"
    assert path.read_bytes() == b""


def test_an_entity_takes_its_relations_with_it(file: GraphFile) -> None:
    ask(file, "delete_entities", entityNames=["Bob"])

    assert ask(file, "read_graph") == {"entities": [ANA], "relations": []}


def test_what_is_missing_is_told_in_the_official_words_and_nothing_is_written(file: GraphFile) -> None:
    before = file.path.read_bytes()

    asked = [{"entityName": "Ana", "contents": ["new"]}, {"entityName": "Eve", "contents": ["x"]}]
    assert problem(file, "add_observations", observations=asked) == "Entity with name Eve not found"
    assert file.path.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "arguments", "where"),
    [
        ("create_entities", {}, "entities: is missing"),
        ("create_entities", {"entities": "Ana"}, "entities: is no list"),
        ("create_entities", {"entities": [{"name": "Ana", "entityType": 1}]}, "entities.0.observations: is missing"),
        ("create_entities", {"entities": [{**ANA, "observations": [None]}]}, "entities.0.observations.0: is no text"),
        ("create_entities", {"entities": ["Ana"]}, "entities.0: is no object"),
        ("search_nodes", {"query": "x" * 2049}, "query: has more than 2048 characters"),
        ("no_such_tool", {}, "Tool no_such_tool not found"),
    ],
)
def test_wrong_arguments_are_a_result_that_says_where(
    file: GraphFile, name: str, arguments: dict[str, Any], where: str
) -> None:
    told = problem(file, name, **arguments)

    assert told.startswith("MCP error -32602")
    assert told.endswith(where)


def test_arguments_that_a_schema_does_not_name_are_left_out_as_the_official_server_does(file: GraphFile) -> None:
    made = ask(file, "create_entities", entities=[{**BOB, "name": "Eve", "colour": "red"}], why="because")

    assert made == {"entities": [{**BOB, "name": "Eve"}]}


def test_a_relation_may_be_made_before_its_ends(file: GraphFile) -> None:
    likes = {"from": "Eve", "to": "Ana", "relationType": "likes"}

    assert ask(file, "create_relations", relations=[likes]) == {"relations": [likes]}
    assert ask(file, "open_nodes", names=["Ana"])["relations"] == [KNOWS, likes]


def test_half_a_line_is_set_aside_and_told_and_the_others_are_served(file: GraphFile) -> None:
    # proves: K28
    half = b'{"type":"entity","name":"Eve","entityT'
    with file.path.open("ab") as opened:
        opened.write(half)

    result = called(file, "read_graph", {})
    assert result.structured_content == {"entities": [ANA, BOB], "relations": [KNOWS]}
    assert (result.meta or {})[META]["lines"] == 1
    assert "1 line of memory.jsonl could not be read" in result.content[1].text  # type: ignore[union-attr]
    assert file.quarantine.read_bytes() == half + b"\n"
    assert file.path.read_bytes().endswith(half)  # a look changes nothing
    assert ask(file, "search_nodes", query="tea")["entities"] == [ANA]
    ask(file, "add_observations", observations=[{"entityName": "Bob", "contents": ["whistles"]}])
    assert half not in file.path.read_bytes()
    assert len(called(file, "read_graph", {}).content) == 1
    assert file.quarantine.read_bytes() == half + b"\n"  # once


@pytest.mark.parametrize(
    "broken",
    [
        b"\xff\xfe\x00garbage", b"null", b"[1]", b'"text"', b"{", b'{"type":"entity"}', b'{"type":"relation","to":""}',
        b'{"type":"entity","name":"X","entityType":"y","observations":[1]}', b"[" * 100_000, b"9" * 10_000,
        b'{"type":"entity","name":"X","entityType":"y","observations":[],"n":NaN}', b"{'type': 'entity'}", b"\\u0000",
    ],
    ids=lambda each: each[:24].decode("latin-1"),
)  # fmt: skip
def test_no_broken_line_stops_a_tool_or_is_lost(file: GraphFile, broken: bytes) -> None:
    # proves: K28
    whole = file.path.read_bytes()
    file.path.write_bytes(broken + b"\r\n" + whole + b"\n" + broken + b"\n")

    assert ask(file, "read_graph") == {"entities": [ANA, BOB], "relations": [KNOWS]}
    ask(file, "create_entities", entities=[{**BOB, "name": "Eve"}])
    assert broken in file.quarantine.read_bytes()
    entities, relation = whole.split(line("relation", **KNOWS))[0], line("relation", **KNOWS)
    assert file.path.read_bytes() == entities + line("entity", **{**BOB, "name": "Eve"}) + relation


def test_two_records_in_one_line_are_both_read(path: Path) -> None:
    path.write_bytes(line("entity", **ANA).strip() + line("entity", **BOB).strip() + b" " + line("relation", **KNOWS))

    assert ask(GraphFile(path), "read_graph") == {"entities": [ANA, BOB], "relations": [KNOWS]}


def test_marks_line_ends_blank_lines_and_doubles_are_read(path: Path) -> None:
    more = {**ANA, "observations": ["sings"]}
    doubled = line("entity", **ANA) + line("entity", **BOB) + line("entity", **more) + line("relation", **KNOWS) * 3
    path.write_bytes(b"\xef\xbb\xbf" + doubled.replace(b"\n", b"\r\n\r\n \t\r\n"))
    both = {**ANA, "observations": [*ANA["observations"], "sings"]}

    file = GraphFile(path)
    assert ask(file, "read_graph") == {"entities": [both, BOB], "relations": [KNOWS]}
    assert not file.quarantine.exists()
    ask(file, "add_observations", observations=[{"entityName": "Bob", "contents": ["hums"]}])
    assert path.read_bytes().count(b"\n") == 3


def test_keys_and_lines_that_the_official_server_does_not_know_stay(path: Path) -> None:
    tagged = line("entity", **ANA, created="2024-01-01", weight=1.50)
    other = b'{"type":"thing",  "x": 1}\n'
    path.write_bytes(other + tagged + line("entity", **BOB))
    file = GraphFile(path)

    ask(file, "add_observations", observations=[{"entityName": "Bob", "contents": ["hums"]}])
    assert tagged in path.read_bytes()  # byte for byte
    assert other in path.read_bytes()
    ask(file, "add_observations", observations=[{"entityName": "Ana", "contents": ["sings"]}])
    changed = json.loads(path.read_bytes().split(b"\n")[0])
    assert (changed["created"], changed["weight"]) == ("2024-01-01", 1.5)
    assert set(ask(file, "open_nodes", names=["Ana"])["entities"][0]) == {"name", "entityType", "observations"}


def test_half_a_surrogate_pair_is_kept_in_the_file_and_sent_as_what_can_be_sent(path: Path) -> None:
    path.write_bytes(b'{"type":"entity","name":"A\\ud83d","entityType":"p","observations":["x\\ud800"]}\n')
    file = GraphFile(path)

    name = ask(file, "read_graph")["entities"][0]["name"]
    assert name == "A\ufffd"
    ask(file, "add_observations", observations=[{"entityName": name, "contents": ["new \ud800"]}])
    text = path.read_bytes()
    assert b"A\\ud83d" in text
    assert b"x\\ud800" in text
    assert ask(file, "read_graph")["entities"][0]["observations"] == ["x\ufffd", "new \ufffd"]

    async def use(client: Client) -> None:
        found = await client.call_tool("search_nodes", {"query": "new"})
        assert found.structured_content

    over_both_handshakes(path, use)


@given(st.lists(st.tuples(st.sampled_from(NASTY) | st.text(max_size=20), st.text(max_size=30)), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_comes_back_as_it_was_given(tmp_path: Path, pairs: list[tuple[str, str]]) -> None:
    entities = [{"name": f"{at}{name}", "entityType": text, "observations": [text]} for at, (name, text) in
                enumerate(pairs)]  # fmt: skip
    path = tmp_path / "any.jsonl"
    path.unlink(missing_ok=True)
    given_back = ask(GraphFile(path), "create_entities", entities=entities)

    assert ask(GraphFile(path), "read_graph")["entities"] == given_back["entities"]
    assert written(read_graph(path.read_bytes())) == path.read_bytes()


@given(st.lists(st.binary(max_size=40), max_size=6))
@settings(max_examples=150, deadline=None)
def test_any_bytes_are_read_and_what_was_read_is_written_back_the_same(lines: list[bytes]) -> None:
    graph = read_graph(b"\n".join(lines))
    again = read_graph(written(graph))

    assert again.shown() == graph.shown()
    assert again.broken == ()


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("TEA", ["Ana"]), ("es te", ["Ana"]), ("person", ["Ana", "Bob"]), ("", ["Ana", "Bob", "猫", "Дом"]),
        ("Where does Ana live?", ["Ana"]), ("liking teas", ["Ana"]), ("猫", ["猫"]), ("飼っている猫", ["猫"]),
        ("домами", ["Дом"]), ("%", []), ("*", []), ('" OR 1=1', []), ("nothing of it", []), ("nothing like it", []),
        ("🦊", []), ("What does Ana like to drink?", ["Ana"]),
    ],
)  # fmt: skip
def test_search_finds_by_letters_as_the_official_server_and_by_words_of_any_script(
    query: str, names: list[str]
) -> None:
    lines = line("entity", **ANA) + line("entity", **BOB)
    lines += line("entity", name="猫", entityType="動物", observations=["二匹飼っています"])
    lines += line("entity", name="Дом", entityType="место", observations=["Рядом два дома"])
    graph = read_graph(lines)

    assert [each.name for each in found_by(query, graph.entities)] == names


@given(st.text(max_size=4), st.lists(st.text(max_size=12), min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_search_never_finds_less_than_the_official_server(query: str, names: list[str]) -> None:
    entities = read_graph(b"".join(line("entity", name=f"{each}{at}", entityType="t", observations=[each[::-1]])
                                   for at, each in enumerate(names))).entities  # fmt: skip

    def official(texts: tuple[str, ...]) -> bool:
        return any(query.lower() in text.lower() for text in texts)

    expected = {each.name for each in entities if official((each.name, each.kind, *each.observations))}
    assert expected <= {each.name for each in found_by(query, entities)}


def test_a_change_of_another_program_between_reading_and_writing_is_not_lost(file: GraphFile) -> None:
    intruder = iter([line("entity", **{**BOB, "name": "Eve"})])

    def writes_in_between() -> None:
        for added in intruder:  # once
            with file.path.open("ab") as opened:
                opened.write(added)

    disturbed = GraphFile(file.path, before_replacing=writes_in_between)
    ask(disturbed, "create_entities", entities=[{**BOB, "name": "Dan"}])

    names = [each["name"] for each in ask(file, "read_graph")["entities"]]
    assert sorted(names) == ["Ana", "Bob", "Dan", "Eve"]


def test_a_write_that_fails_leaves_the_file_as_it_was(file: GraphFile) -> None:
    before = file.path.read_bytes()

    def no_room() -> None:
        raise OSError(28, "No space left on device")

    told = problem(GraphFile(file.path, before_replacing=no_room), "create_entities", entities=[{**BOB, "name": "Eve"}])
    assert "No space left" in told
    assert file.path.read_bytes() == before
    assert sorted(each.name for each in file.path.parent.iterdir()) == ["memory.jsonl", "memory.jsonl.lock"]


def test_a_link_stays_a_link_and_the_mode_of_the_file_stays(file: GraphFile, tmp_path: Path) -> None:
    file.path.chmod(0o640)
    link = tmp_path / "elsewhere.jsonl"
    link.symlink_to(file.path)

    ask(GraphFile(link), "create_entities", entities=[{**BOB, "name": "Eve"}])

    assert link.is_symlink()
    assert b"Eve" in file.path.read_bytes()
    assert file.path.stat().st_mode & 0o777 == 0o640


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "memory.jsonl").mkdir()

    assert "cannot read memory.jsonl" in problem(GraphFile(tmp_path / "memory.jsonl"), "read_graph")


def test_what_is_kept_in_memory_is_given_up_when_the_file_changes(file: GraphFile) -> None:
    assert len(ask(file, "read_graph")["entities"]) == 2
    file.path.write_bytes(line("entity", **ANA))

    assert ask(file, "read_graph")["entities"] == [ANA]


def test_results_have_nothing_that_the_official_schemas_do_not_name(file: GraphFile) -> None:
    import jsonschema  # type: ignore[import-untyped]

    calls: list[tuple[str, dict[str, Any]]] = [
        ("create_entities", {"entities": [{**BOB, "name": "Eve"}]}),
        ("create_relations", {"relations": [{**KNOWS, "to": "Eve"}]}),
        ("add_observations", {"observations": [{"entityName": "Eve", "contents": ["x"]}]}),
        ("read_graph", {}), ("search_nodes", {"query": "Eve"}), ("open_nodes", {"names": ["Eve"]}),
        ("delete_observations", {"deletions": [{"entityName": "Eve", "observations": ["x"]}]}),
        ("delete_relations", {"relations": [KNOWS]}), ("delete_entities", {"entityNames": ["Eve"]}),
    ]  # fmt: skip
    schemas = {tool.name: tool for tool in TOOLS}
    for name, arguments in calls:
        jsonschema.validate(arguments, schemas[name].arguments)
        result: CallToolResult = called(file, name, arguments)
        jsonschema.validate(result.structured_content, schemas[name].result)
    assert [name for name, _ in calls if name not in schemas] == []
    assert len(calls) == len(TOOLS)
