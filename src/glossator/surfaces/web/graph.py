"""Which people and things do the facts speak of, and what joins them?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from glossator.model import SELF, Fact
from glossator.surfaces.show.wording import one_line, whole

EDGES_MAX = 300
"""More edges than this cannot be told apart in a drawing; the page says how many facts it left out."""
NAME_CHARACTERS_MAX = 200
LABEL_CHARACTERS_MAX = 32
"""What stands in a line of the table; and what stands under a node and still fits beside the next one."""
YES = ("", "yes")
"""Answers that say no more than the question: "plays:cello" is answered "yes"."""
SPOKEN_ANSWERS = frozenset({"taste"})
"""Questions whose answer is the verb itself: who "likes" or "no longer likes" something."""

NodeKind = Literal["who", "what"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A person or thing. `key` tells it from all others; "who" has facts about it, "what" is only an answer."""

    key: str
    name: str
    kind: NodeKind
    edge_count: int = 1

    @property
    def label(self) -> str:
        """As much of its name as fits under it."""
        return short(self.name) or "?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A fact, drawn from whom it is about to what it says of them. `source` and `target` are keys of nodes."""

    fact: Fact
    source: str
    target: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityGraph:
    """Nodes in the order in which the facts name them, an edge for each fact."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def graph_of(facts: Iterable[Fact]) -> EntityGraph:
    """The graph of these facts. The same name in other letters, as subject or as answer, is one node."""
    nodes: dict[str, Node] = {}
    edges: list[Edge] = []
    for fact in facts:
        relation, answer = relation_of(fact)
        source = _met(nodes, fact.scope.owner if fact.subject == SELF else fact.subject, kind="who")
        target = _met(nodes, answer, kind="what")
        edges.append(Edge(fact=fact, source=source, target=target, label=relation))
    return EntityGraph(nodes=tuple(nodes.values()), edges=tuple(edges))


def relation_of(fact: Fact) -> tuple[str, str]:
    """How a fact joins its subject with what: ("home", "Bergen"), ("likes", "jazz"), ("context", "I went home.")."""
    question, _, thing = fact.key.partition(":")
    if not question:
        return fact.category, fact.text
    if not thing:
        return question, as_said(fact.value, fact.text) or fact.text
    if fact.value.casefold() in YES:
        return question, as_said(thing, fact.text)
    return (fact.value if question in SPOKEN_ANSWERS else f"{question}: {fact.value}"), as_said(thing, fact.text)


def as_said(words: str, text: str) -> str:
    """The words as the statement writes them: "bergen" of "I moved to Bergen." is "Bergen". As they are otherwise."""
    folded = text.lower()
    place = folded.find(words.lower()) if len(folded) == len(text) else -1
    return words if place < 0 else text[place : place + len(words)]


def names_in(graph: EntityGraph) -> dict[str, str]:
    """What each node is called, by its key."""
    return {each.key: each.name for each in graph.nodes}


def drawing_of(graph: EntityGraph, links: Mapping[int, str]) -> dict[str, list[dict[str, str | int]]]:
    """What the page's script draws, as JSON; `links` are the pages of the facts by their numbers."""
    return {
        "nodes": [
            {"id": each.key, "label": each.label, "kind": each.kind, "count": each.edge_count} for each in graph.nodes
        ],
        "edges": [
            {
                "id": each.fact.id,
                "source": each.source,
                "target": each.target,
                "label": short(each.label),
                "state": each.fact.state,
                "link": links.get(each.fact.fact_id, ""),
                "words": one_line(each.fact.text, characters=200),
            }
            for each in graph.edges
            if each.source != each.target  # "my name is Ana" joins Ana with herself: a line that tells nothing
        ],
    }


def short(text: str) -> str:
    """As much of a text as fits under a node, on one line."""
    line = one_line(text, characters=10 * LABEL_CHARACTERS_MAX)
    if len(line) <= LABEL_CHARACTERS_MAX:
        return line
    cut = line[: whole(line, LABEL_CHARACTERS_MAX - 1)]
    return (cut.rpartition(" ")[0] or cut).rstrip() + "…"


def _met(nodes: dict[str, Node], name: str, *, kind: NodeKind) -> str:
    """The key of the node of this name, which is added or counted; who is spoken of keeps being a "who"."""
    said = one_line(name, characters=NAME_CHARACTERS_MAX)
    key = " ".join(name.split()).casefold() or "?"
    known = nodes.get(key)
    if known is None:
        nodes[key] = Node(key=key, name=said or "?", kind=kind)
    else:
        spoken_of = kind == "who"
        better = said if spoken_of and known.kind == "what" else known.name
        nodes[key] = replace(
            known, name=better, kind="who" if spoken_of else known.kind, edge_count=known.edge_count + 1
        )
    return key
