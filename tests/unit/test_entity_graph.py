"""Facts as a graph: which names are one, how a line is called, and what is drawn."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.model import SELF, EventTime, Fact, FactState, Interval, Scope
from glossator.surfaces.web.graph import LABEL_CHARACTERS_MAX, drawing_of, graph_of, names_in, relation_of, short
from glossator.testing.contract.base import NASTY

AT = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = st.sampled_from([each[:500] for each in NASTY]) | st.text(max_size=60)


def fact(
    subject: str, key: str, value: str, *, text: str = "It was said.", number: int = 1, state: FactState = "active"
) -> Fact:
    return Fact(
        fact_id=number, scope=Scope(workspace="acme", owner="ana"), scope_type="owner", scope_id="ana", text=text,
        category="context", kind=None, subject=subject, key=key, value=value, polarity="positive", epistemic="stated",
        confidence=0.9, content_hash="", state=state, weight=1.0,
        event=EventTime(interval=Interval(start=AT, end=AT, precision="day"), source="session"),
        valid_from=AT, valid_to=None, created_at=AT, last_seen_at=AT, updated_at=AT, seen_count=1, version=1,
        parent_id=None, superseded_by=None, source="turn", source_trust="owner", project=None, tags=(),
        domain="general", sensitivity="internal",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value", "text", "expected"),
    [
        ("home", "bergen", "I moved to Bergen.", ("home", "Bergen")),
        ("taste:jazz", "likes", "I love jazz.", ("likes", "jazz")),
        ("taste:jazz", "no longer likes", "No more jazz.", ("no longer likes", "jazz")),
        ("allergy:peanuts", "yes", "I am allergic to Peanuts.", ("allergy", "Peanuts")),
        ("allergy:peanuts", "no", "I outgrew my allergy to peanuts.", ("allergy: no", "peanuts")),
        ("effect:colors", "make me calm", "The colors make me calm.", ("effect: make me calm", "colors")),
        ("", "go home", "I went home.", ("context", "I went home.")),
        ("name", "", "She has one.", ("name", "She has one.")),
        ("home", "straße", "İ live in STRASSE.", ("home", "straße")),
    ],
)
def test_a_fact_joins_its_subject_with_what_it_says(key: str, value: str, text: str, expected: tuple[str, str]) -> None:
    assert relation_of(fact("Ana", key, value, text=text)) == expected


def test_a_name_is_one_node_as_subject_and_as_answer_in_whatever_letters() -> None:
    graph = graph_of([
        fact("Ana", "sister", "mia", number=1),
        fact("Mia", "home", "oslo", number=2),
        fact("ANA ", "job", "nurse", number=3),
    ])  # fmt: skip
    assert [(each.key, each.name, each.kind, each.edge_count) for each in graph.nodes] == [
        ("ana", "Ana", "who", 2), ("mia", "Mia", "who", 2), ("oslo", "oslo", "what", 1), ("nurse", "nurse", "what", 1),
    ]  # fmt: skip
    assert [(each.source, each.label, each.target) for each in graph.edges] == [
        ("ana", "sister", "mia"), ("mia", "home", "oslo"), ("ana", "job", "nurse"),
    ]  # fmt: skip


def test_a_statement_about_its_nameless_speaker_is_the_owners() -> None:
    assert graph_of([fact(SELF, "home", "oslo")]).nodes[0].name == "ana"


def test_nothing_gives_an_empty_graph() -> None:
    graph = graph_of([])
    assert (graph.nodes, graph.edges) == ((), ())


def test_a_line_from_a_name_to_itself_is_in_the_table_and_not_in_the_drawing() -> None:
    graph = graph_of([fact("Ana", "name", "ana", number=1), fact("Ana", "home", "oslo", number=2, state="superseded")])
    assert len(graph.edges) == 2
    (edge,) = drawing_of(graph, {2: "/inspect/facts/f2"})["edges"]
    assert (edge["id"], edge["state"], edge["link"]) == ("f2", "superseded", "/inspect/facts/f2")


def test_a_long_name_is_cut_between_words() -> None:
    assert short("a safe and loving home for these kids") == "a safe and loving home for…"
    assert len(short("x" * 90)) == LABEL_CHARACTERS_MAX


@given(st.lists(st.tuples(WORDS, WORDS, WORDS, WORDS), max_size=8))
def test_whatever_was_said_makes_a_graph_whose_lines_join_its_nodes(rows: list[tuple[str, str, str, str]]) -> None:
    # proves: K36
    facts = [
        fact(subject or "x", key, value, text=text or "x", number=number)
        for number, (subject, key, value, text) in enumerate(rows, start=1)
    ]
    graph = graph_of(facts)
    names = names_in(graph)
    assert all(edge.source in names and edge.target in names for edge in graph.edges)
    assert len(names) == len(graph.nodes)
    assert sum(each.edge_count for each in graph.nodes) == 2 * len(facts)
    json.dumps(drawing_of(graph, {}), allow_nan=False)
