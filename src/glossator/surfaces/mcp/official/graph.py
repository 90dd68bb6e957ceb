"""What is in a file of the official MCP memory server, line by line, and how is it written back?

A line is an entity, a relation, something else that is kept as it stands, or broken. A record that nobody changes is
written back byte for byte, so that keys that the official server does not know stay in the file.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Item = dict[str, Any]
Pairing = tuple[str, str, str]

ENTITY_KEYS = ("name", "entityType", "observations")
RELATION_KEYS = ("from", "to", "relationType")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LONE = re.compile("[\ud800-\udfff]")
_BLANK = b" \t\r\n\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """One entity. `item` is its line as JSON; `raw` its bytes where nothing was changed yet."""

    name: str
    kind: str
    observations: tuple[str, ...]
    item: Item = field(default_factory=dict)
    raw: bytes | None = None

    def shown(self) -> Item:
        """The entity as the tools give it, and nothing that their schema does not name."""
        return {"name": self.name, "entityType": self.kind, "observations": list(self.observations)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One directed relation; `item` and `raw` as in Entity."""

    source: str
    target: str
    kind: str
    item: Item = field(default_factory=dict)
    raw: bytes | None = None

    @property
    def pairing(self) -> Pairing:
        """What makes it the same as another one."""
        return self.source, self.target, self.kind

    def shown(self) -> Item:
        """The relation as the tools give it."""
        return {"from": self.source, "to": self.target, "relationType": self.kind}


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """All of a file: entities and relations in order, lines of other types, and the lines that could not be read."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    others: tuple[bytes, ...] = ()
    broken: tuple[bytes, ...] = ()

    def shown(self) -> Item:
        """Entities and relations as the tools give them."""
        return {
            "entities": [each.shown() for each in self.entities],
            "relations": [each.shown() for each in self.relations],
        }


def read_graph(content: bytes) -> Graph:
    """The graph of a file's bytes. Never raises: a line that cannot be read is among `broken`, byte for byte.

    Lines of the same entity (name and type) are one, with the observations of both; the same relation counts once.
    """
    entities: dict[tuple[str, str], Entity] = {}
    relations: dict[Pairing, Relation] = {}
    others, broken = [], []
    for line in content.removeprefix(BYTE_ORDER_MARK).split(b"\n"):
        if not line.strip(_BLANK):
            continue
        items, is_whole = _items(line)
        found = [_record(each, line if len(items) == 1 and is_whole else None) for each in items]
        if not is_whole or None in found:
            broken.append(line)
        for each in found:
            match each:
                case Entity():
                    key = (each.name, each.kind)
                    entities[key] = _merged(entities[key], each) if key in entities else each
                case Relation():
                    relations.setdefault(each.pairing, each)
                case bytes():
                    others.append(each)
    return Graph(
        entities=tuple(entities.values()),
        relations=tuple(relations.values()),
        others=tuple(others),
        broken=tuple(broken),
    )


def written(graph: Graph) -> bytes:
    """The file's bytes: entities, relations, then the lines of other types. What is broken is not in it."""
    lines = [each.raw or _line("entity", each) for each in graph.entities]
    lines += [each.raw or _line("relation", each) for each in graph.relations]
    lines += graph.others
    return b"".join(line.strip(b"\r\n") + b"\n" for line in lines)


def new_entity(item: Mapping[str, Any]) -> Entity:
    """An entity of an argument that was checked."""
    return _entity({key: item[key] for key in ENTITY_KEYS}, None)


def new_relation(item: Mapping[str, Any]) -> Relation:
    """A relation of an argument that was checked."""
    return _relation({key: item[key] for key in RELATION_KEYS}, None)


def plain(text: str) -> str:
    """The text as it can be sent: half a surrogate pair becomes U+FFFD, so that nobody's client chokes on it."""
    return _LONE.sub("\N{REPLACEMENT CHARACTER}", text)


def _items(line: bytes) -> tuple[list[object], bool]:
    """What stands in a line, and whether that is all of it.

    Two records that were written into one line, as it happens where two servers share a file, are both read.
    """
    try:
        text, is_whole = line.decode("utf-8"), True
    except UnicodeDecodeError:
        text, is_whole = line.decode("utf-8", "replace"), False
    items: list[object] = []
    place, text = 0, text.strip(" \t\r\n\0\ufeff")
    while place < len(text):
        try:
            item, place = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            return items, False
        items.append(item)
        while place < len(text) and text[place] in " \t\r\0":
            place += 1
    return items, is_whole


def _record(item: object, raw: bytes | None) -> Entity | Relation | bytes | None:
    """The record, the line of another type as it stands, or None for what is none."""
    if not isinstance(item, dict):
        return None
    match item.get("type"):
        case "entity":
            texts = item.get("observations")
            fits = isinstance(texts, list) and all(isinstance(each, str) for each in (*texts, *_named(item, "entity")))
            return _entity(item, raw) if fits else None
        case "relation":
            return _relation(item, raw) if all(isinstance(each, str) for each in _named(item, "relation")) else None
        case _:
            return raw or _dumped(item)


def _named(item: Item, kind: str) -> list[object]:
    return [item.get(key) for key in (ENTITY_KEYS[:2] if kind == "entity" else RELATION_KEYS)]


def _entity(item: Item, raw: bytes | None) -> Entity:
    observations = tuple(dict.fromkeys(map(plain, item["observations"])))
    return Entity(
        name=plain(item["name"]), kind=plain(item["entityType"]), observations=observations, item=item, raw=raw
    )


def _relation(item: Item, raw: bytes | None) -> Relation:
    source, target, kind = (plain(item[key]) for key in RELATION_KEYS)
    return Relation(source=source, target=target, kind=kind, item=item, raw=raw)


def _merged(first: Entity, second: Entity) -> Entity:
    observations = tuple(dict.fromkeys((*first.observations, *second.observations)))
    more = {key: value for key, value in second.item.items() if key not in first.item}
    if observations == first.observations and not more:
        return first
    stood = [*first.item["observations"], *second.item["observations"]]
    item = {**first.item, **more, "observations": stood}
    return Entity(name=first.name, kind=first.kind, observations=observations, item=item)


def _line(kind: str, record: Entity | Relation) -> bytes:
    """A changed or new record as a line: our own keys as they are now, others as they were."""
    known: Item = {"type": kind}
    if isinstance(record, Entity):
        kept = _as_stood(record)
        known |= {"name": record.item["name"], "entityType": record.item["entityType"], "observations": kept}
    else:
        known |= {key: record.item[key] for key in RELATION_KEYS}
    return _dumped(known | {key: value for key, value in record.item.items() if key not in known})


def _as_stood(entity: Entity) -> list[str]:
    """The observations in the very letters of the file, also those that cannot be sent."""
    stood = {plain(each): each for each in reversed(entity.item["observations"])}
    return [stood.get(each, each) for each in entity.observations]


def _dumped(item: Item) -> bytes:
    """JSON on one line; what UTF-8 cannot hold is escaped, as the official server does."""
    text = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode("utf-8")


def _no_number(name: str) -> object:
    raise ValueError(name)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(digits)
    return number


_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)
"""NaN and numbers without end are no JSON: written back they would break the line for the official server."""
