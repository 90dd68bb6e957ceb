"""What does each of the nine tools do to a graph? Pure functions: a graph and arguments in, a graph and a result out.

Arguments are checked already (tools.py). Results, order and words of errors are those of the official server.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from glossator.surfaces.mcp.official.graph import Entity, Graph, Item, Relation, new_entity, new_relation
from glossator.surfaces.mcp.official.search import found_by

Arguments = Mapping[str, Any]


class Missing(Exception):
    """An entity that must be there is not; the text is what the official server says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a tool answers: the text that a model reads (JSON unless `text` is given) and the structured content."""

    structured: Item
    shown: object = None
    text: str = ""


Change = Callable[[Graph, Arguments], tuple[Graph, Outcome]]
Look = Callable[[Graph, Arguments], Outcome]


def create_entities(graph: Graph, arguments: Arguments) -> tuple[Graph, Outcome]:
    """Add entities; those whose name is taken are left out."""
    taken = {each.name for each in graph.entities}
    fresh = [each for each in map(new_entity, _firsts(arguments["entities"], "name")) if each.name not in taken]
    shown = [each.shown() for each in fresh]
    after = replace(graph, entities=(*graph.entities, *fresh))
    return after, Outcome(structured={"entities": shown}, shown=shown)


def create_relations(graph: Graph, arguments: Arguments) -> tuple[Graph, Outcome]:
    """Add relations; those that exist are left out. Their ends need not be there yet."""
    asked = [new_relation(each) for each in arguments["relations"]]
    taken = {each.pairing for each in graph.relations}
    fresh = [each for each in {each.pairing: each for each in reversed(asked)}.values() if each.pairing not in taken]
    fresh.reverse()
    shown = [each.shown() for each in fresh]
    after = replace(graph, relations=(*graph.relations, *fresh))
    return after, Outcome(structured={"relations": shown}, shown=shown)


def add_observations(graph: Graph, arguments: Arguments) -> tuple[Graph, Outcome]:
    """Add observations to entities that are there; those that it has already are left out. Raises Missing."""
    results = []
    for asked in arguments["observations"]:
        entity = _named(graph, asked["entityName"])
        fresh = [each for each in dict.fromkeys(asked["contents"]) if each not in entity.observations]
        results.append({"entityName": entity.name, "addedObservations": fresh})
        if fresh:
            graph = _with(graph, entity, (*entity.observations, *fresh))
    return graph, Outcome(structured={"results": results}, shown=results)


def delete_entities(graph: Graph, arguments: Arguments) -> tuple[Graph, Outcome]:
    """Take entities away, with every relation that one of them is an end of."""
    names: Sequence[str] = arguments["entityNames"]
    gone, present = set(names), {each.name for each in graph.entities}
    missing = [name for name in names if name not in present]
    after = replace(
        graph,
        entities=tuple(each for each in graph.entities if each.name not in gone),
        relations=tuple(each for each in graph.relations if each.source not in gone and each.target not in gone),
    )
    message = "Entities deleted successfully"
    if missing:
        message = f"Deleted {len(names) - len(missing)} of {len(names)} entities. Not found: {', '.join(missing)}"
    return after, _success(message)


def delete_observations(graph: Graph, arguments: Arguments) -> tuple[Graph, Outcome]:
    """Take observations away; an entity that is not there is told, and fails nothing."""
    deleted, missing = 0, []
    for asked in arguments["deletions"]:
        try:
            entity = _named(graph, asked["entityName"])
        except Missing:
            missing.append(asked["entityName"])
            continue
        left = tuple(each for each in entity.observations if each not in asked["observations"])
        deleted += len(entity.observations) - len(left)
        if left != entity.observations:
            graph = _with(graph, entity, left)
    count = sum(len(asked["observations"]) for asked in arguments["deletions"])
    message = "Observations deleted successfully"
    if deleted != count:
        told = f" Entities not found: {', '.join(missing)}" if missing else ""
        message = f"Deleted {deleted} of {count} observations.{told}"
    return graph, _success(message)


def delete_relations(graph: Graph, arguments: Arguments) -> tuple[Graph, Outcome]:
    """Take relations away."""
    asked = [new_relation(each) for each in arguments["relations"]]
    gone = {each.pairing for each in asked}
    left = tuple(each for each in graph.relations if each.pairing not in gone)
    deleted = len(graph.relations) - len(left)
    message = "Relations deleted successfully"
    if deleted != len(asked):
        message = f"Deleted {deleted} of {len(asked)} relations. The rest matched nothing."
    return replace(graph, relations=left), _success(message)


def whole(graph: Graph, arguments: Arguments) -> Outcome:  # noqa: ARG001 - the tools share one signature
    """Everything."""
    return _graph(graph)


def search_nodes(graph: Graph, arguments: Arguments) -> Outcome:
    """The entities that the query's letters or words are in, with their relations."""
    return _around(graph, found_by(arguments["query"], graph.entities))


def open_nodes(graph: Graph, arguments: Arguments) -> Outcome:
    """The entities of these names, with their relations."""
    names = set(arguments["names"])
    return _around(graph, tuple(each for each in graph.entities if each.name in names))


CHANGES: Mapping[str, Change] = {
    "create_entities": create_entities,
    "create_relations": create_relations,
    "add_observations": add_observations,
    "delete_entities": delete_entities,
    "delete_observations": delete_observations,
    "delete_relations": delete_relations,
}
LOOKS: Mapping[str, Look] = {"read_graph": whole, "search_nodes": search_nodes, "open_nodes": open_nodes}


def _firsts(items: Sequence[Item], key: str) -> list[Item]:
    firsts: dict[str, Item] = {}
    for each in items:
        firsts.setdefault(each[key], each)
    return list(firsts.values())


def _named(graph: Graph, name: str) -> Entity:
    found = next((each for each in graph.entities if each.name == name), None)
    if found is None:
        raise Missing(f"Entity with name {name} not found")
    return found


def _with(graph: Graph, entity: Entity, observations: tuple[str, ...]) -> Graph:
    changed = replace(entity, observations=observations, raw=None)
    return replace(graph, entities=tuple(changed if each is entity else each for each in graph.entities))


def _around(graph: Graph, entities: tuple[Entity, ...]) -> Outcome:
    names = {each.name for each in entities}
    relations: tuple[Relation, ...] = tuple(
        each for each in graph.relations if each.source in names or each.target in names
    )
    return _graph(replace(graph, entities=entities, relations=relations))


def _graph(graph: Graph) -> Outcome:
    shown = graph.shown()
    return Outcome(structured=shown, shown=shown)


def _success(message: str) -> Outcome:
    return Outcome(structured={"success": True, "message": message}, text=message)
