"""Which tools does the official server have, with which arguments and results? And do given arguments fit?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from glossator.surfaces.mcp.official.graph import plain

Schema = dict[str, Any]

DIALECT = "http://json-schema.org/draft-07/schema#"
QUERY_CHARACTERS_MAX = 2048


class MisfitError(Exception):
    """An argument does not fit its schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficialTool:
    """One tool as the official server lists it."""

    name: str
    title: str
    description: str
    arguments: Schema
    result: Schema
    reads: bool = False
    destroys: bool = False

    @property
    def is_idempotent(self) -> bool:
        """As the official server marks it: reading and deleting."""
        return self.reads or self.destroys


def _object(**properties: Schema) -> Schema:
    fields: Schema = {"type": "object", "properties": properties}
    return fields | ({"required": list(properties)} if properties else {})


def _closed(schema: Schema) -> Schema:
    """The schema of a result: it has nothing that is not named. An argument may have more, which is left out."""
    match schema["type"]:
        case "object":
            fields = {name: _closed(each) for name, each in schema["properties"].items()}
            return {**schema, "properties": fields, "additionalProperties": False}
        case "array":
            return {**schema, "items": _closed(schema["items"])}
        case _:
            return schema


def _asked(**properties: Schema) -> Schema:
    return {"$schema": DIALECT} | _object(**properties)


def _given(**properties: Schema) -> Schema:
    return {"$schema": DIALECT} | _closed(_object(**properties))


def _text(description: str = "") -> Schema:
    return {"type": "string"} | ({"description": description} if description else {})


def _list(items: Schema, description: str = "") -> Schema:
    return {"type": "array", "items": items} | ({"description": description} if description else {})


_ENTITY = _object(
    name=_text("The name of the entity"),
    entityType=_text("The type of the entity"),
    observations=_list(_text(), "What was observed about the entity"),
)
_RELATION = _object(
    **{
        "from": _text("The name of the entity where the relation starts"),
        "to": _text("The name of the entity where the relation ends"),
        "relationType": _text("The type of the relation"),
    }
)
_ADDED = _object(
    entityName=_text("The name of the entity to add to"),
    contents=_list(_text(), "What was observed"),
)
_DELETED = _object(
    entityName=_text("The name of the entity that has the observations"),
    observations=_list(_text(), "The observations to delete"),
)
_GRAPH = _given(entities=_list(_ENTITY), relations=_list(_RELATION))
_SUCCESS = _given(success={"type": "boolean"}, message=_text())

TOOLS: tuple[OfficialTool, ...] = (
    OfficialTool(
        name="create_entities",
        title="Create Entities",
        description="Create several new entities in the knowledge graph",
        arguments=_asked(entities=_list(_ENTITY)),
        result=_given(entities=_list(_ENTITY)),
    ),
    OfficialTool(
        name="create_relations",
        title="Create Relations",
        description="Create several new relations between entities of the knowledge graph, in active voice",
        arguments=_asked(relations=_list(_RELATION)),
        result=_given(relations=_list(_RELATION)),
    ),
    OfficialTool(
        name="add_observations",
        title="Add Observations",
        description="Add new observations to entities that are in the knowledge graph",
        arguments=_asked(observations=_list(_ADDED)),
        result=_given(results=_list(_object(entityName=_text(), addedObservations=_list(_text())))),
    ),
    OfficialTool(
        name="delete_entities",
        title="Delete Entities",
        description="Delete entities and all their relations from the knowledge graph",
        arguments=_asked(entityNames=_list(_text(), "The names of the entities to delete")),
        result=_SUCCESS,
        destroys=True,
    ),
    OfficialTool(
        name="delete_observations",
        title="Delete Observations",
        description="Delete certain observations of entities in the knowledge graph",
        arguments=_asked(deletions=_list(_DELETED)),
        result=_SUCCESS,
        destroys=True,
    ),
    OfficialTool(
        name="delete_relations",
        title="Delete Relations",
        description="Delete several relations from the knowledge graph",
        arguments=_asked(relations=_list(_RELATION, "The relations to delete")),
        result=_SUCCESS,
        destroys=True,
    ),
    OfficialTool(
        name="read_graph",
        title="Read Graph",
        description="Read the whole knowledge graph",
        arguments=_asked(),
        result=_GRAPH,
        reads=True,
    ),
    OfficialTool(
        name="search_nodes",
        title="Search Nodes",
        description="Search nodes of the knowledge graph by letters or words of their name, type and observations",
        arguments=_asked(query=_text("What to look for") | {"maxLength": QUERY_CHARACTERS_MAX}),
        result=_GRAPH,
        reads=True,
    ),
    OfficialTool(
        name="open_nodes",
        title="Open Nodes",
        description="Open certain nodes of the knowledge graph by their names",
        arguments=_asked(names=_list(_text(), "The names of the entities to read")),
        result=_GRAPH,
        reads=True,
    ),
)


def checked(value: Any, schema: Schema, *, place: str = "") -> Any:
    """The arguments as they fit the schema, keys that it does not name left out, as the official server does.

    Raises MisfitError that names the place and what is wrong with it.
    """
    match schema["type"]:
        case "object":
            if not isinstance(value, Mapping):
                raise MisfitError(f"{place or 'arguments'}: is no object")
            missing = [name for name in schema.get("required", ()) if name not in value]
            if missing:
                raise MisfitError(f"{_below(place, missing[0])}: is missing")
            fields = schema["properties"].items()
            return {name: checked(value[name], field, place=_below(place, name)) for name, field in fields}
        case "array":
            if not isinstance(value, list):
                raise MisfitError(f"{place}: is no list")
            return [checked(each, schema["items"], place=_below(place, str(at))) for at, each in enumerate(value)]
        case _:
            if not isinstance(value, str):
                raise MisfitError(f"{place}: is no text")
            if len(value) > schema.get("maxLength", len(value)):
                raise MisfitError(f"{place}: has more than {schema['maxLength']} characters")
            return plain(value)


def _below(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name
