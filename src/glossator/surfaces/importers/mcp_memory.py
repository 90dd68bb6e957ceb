"""What is in the file of the official MCP memory server? Each observation and each relation as a message of its own.

They are what an assistant wrote down about somebody, at a time that the file does not have: messages of the assistant,
from which no facts are taken as if the user had said them. The same observation gets the same id each time.
"""

import json
import re
from collections.abc import Iterator

from glossator.surfaces.importers.pieces import Home, ImportedMessage, LeftOut, Piece, Rejected, Transcript, excerpt
from glossator.surfaces.importers.reading import Occurrences
from glossator.surfaces.mcp.official.graph import Entity, Graph, Relation, read_graph

SESSION_CHARACTERS_MAX = 100
"""An entity's name is what its observations are kept together under."""
_OFFICIAL = re.compile(rb'\s*\{\s*"type"\s*:\s*"(?:entity|relation)"')
"""As the official server writes it; a line may be longer than what is looked at."""
OTHER_LINES = "lines that are neither entity nor relation"


def read_mcp_memory(text: str, *, home: Home) -> Iterator[Piece]:
    """The observations and relations, by entity; what cannot be read is rejected with its line."""
    data = text.encode("utf-8", "replace")
    graph = read_graph(data)
    lines = data.split(b"\n")
    for line in graph.broken:
        shown = excerpt(line.decode("utf-8", "replace"))
        where = f"line {lines.index(line) + 1}" if line in lines else "a line"
        yield Rejected(where=where, reason="is no complete entity or relation", excerpt=shown)
    ids = Occurrences()
    for name, messages in _by_entity(graph, home, ids):
        session = name.strip()[:SESSION_CHARACTERS_MAX].strip() or None
        yield Transcript(conversation=home.fallback_conversation, session=session, messages=tuple(messages))
    if graph.others:
        yield LeftOut(reason=OTHER_LINES, count=len(graph.others))


def is_mcp_memory(head: bytes) -> bool:
    """True if a file that begins so has lines of the official memory server. Broken lines say nothing."""
    for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if _OFFICIAL.match(line):
            return True
        found = _object(line)
        if isinstance(found, dict):
            return _is_record(found)
    return False


def _is_record(value: object) -> bool:
    """True for an entity or a relation as the official server writes it."""
    if not isinstance(value, dict):
        return False
    return (value.get("type") == "entity" and "observations" in value) or (
        value.get("type") == "relation" and "relationType" in value
    )


def _by_entity(graph: Graph, home: Home, ids: Occurrences) -> Iterator[tuple[str, list[ImportedMessage]]]:
    relations: dict[str, list[Relation]] = {}
    for relation in graph.relations:
        relations.setdefault(relation.source, []).append(relation)
    for entity in graph.entities:
        said = [_message(each, home, ids) for each in _sentences(entity)]
        said += [_message(_sentence(each), home, ids) for each in relations.pop(entity.name, ())]
        yield entity.name, said
    for name, left in relations.items():
        yield name, [_message(_sentence(each), home, ids) for each in left]


def _sentences(entity: Entity) -> list[str]:
    """What is known of an entity, its name before each: an observation alone does not say of whom it is."""
    name = f"{entity.name} ({entity.kind})" if entity.kind.strip() else entity.name
    return [f"{name}: {each}" for each in entity.observations if each.strip()] or [name]


def _sentence(relation: Relation) -> str:
    return f"{relation.source} {relation.kind} {relation.target}"


def _message(content: str, home: Home, ids: Occurrences) -> ImportedMessage:
    return ImportedMessage(message_id=ids.id_of(content), role="assistant", content=content, at=home.at)


def _object(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
