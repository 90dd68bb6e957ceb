"""What does the API promise? Its OpenAPI document, made from the table of routes and the verbs' own annotations."""

import inspect
import json
from collections.abc import Mapping, Sequence
from typing import Any, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter

from glossator import __version__
from glossator.facade import Memory
from glossator.model.scope import TRUSTS
from glossator.surfaces.http.examples import EXAMPLES
from glossator.surfaces.http.ingest import ARGUMENTS as INGESTED
from glossator.surfaces.http.paths import own_paths
from glossator.surfaces.http.verbs import IN_BODY, in_path, is_scoped, model_of
from glossator.wire.codec import result_of, shape_of
from glossator.wire.problems import MEDIA_TYPE, SCHEMA
from glossator.wire.routes import PREFIX, Route

ABOUT = """A memory for agents: conversations word for word, the turns that answer a question, and the facts in them.

Every operation is a verb of the Python class `Memory`, with the same arguments and the same result. Errors are problem
documents (RFC 9457). The query parameters `workspace`, `agent`, `owner`, `within`, `job` and `trust` name the scope,
never wider than the key's own."""
TEMPLATE = "#/components/schemas/{model}"
PROBLEM = {"$ref": "#/components/schemas/Problem"}
ERRORS: Mapping[str, str] = {
    "400": "The body is no JSON, or the header is none that can be used.",
    "401": "The key is missing, unknown, revoked or expired.",
    "403": "The key's scope, its trust or its tier does not allow it; or another site's page asks.",
    "404": "What is named is not there, or not visible to this scope.",
    "408": "The body did not come in time.",
    "409": "What was asked rests on what has changed since, or this Idempotency-Key is in use.",
    "413": "The body is too large.",
    "415": "The body is of another kind.",
    "421": "The Host header is no name of this server.",
    "422": "An argument is wrong; the problem names it.",
    "429": "Too many requests; Retry-After says when there may be more.",
    "500": "The store failed, or the server did.",
    "502": "A model or a service failed.",
    "503": "The store or the server is busy; Retry-After says when to come again.",
    "504": "A model did not answer in time.",
    "507": "The disk is full.",
}
SCOPE_PARAMETERS: Sequence[tuple[str, str]] = (
    ("workspace", "The hard boundary of what is seen; the key's own, or `default`."),
    ("agent", "Whose memory it is; the key's own, or `default`."),
    ("owner", "Whom it is about; the key's own, or `default`."),
    ("within", "Narrows reading to one conversation, for example `telegram:42`."),
    ("job", "Act as this scheduled job: what it keeps is its own, and it sees nothing else."),
)
_NAME = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"\S"}


def document_of(offered: Sequence[Route], *, keyed: bool) -> bytes:
    """The document as JSON; a server that is not `keyed` takes requests without a key too."""
    schemas = _Schemas(offered)
    paths: dict[str, dict[str, Any]] = {}
    for route in offered:
        paths.setdefault(PREFIX + route.path, {})[route.method.lower()] = _operation(route, schemas)
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Glossator", "version": __version__, "description": ABOUT},
        "paths": paths | own_paths(ingest_parameters()),
        "components": {
            "schemas": schemas.named | {"Problem": dict(SCHEMA)},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "A key: `gl_...`"}},
        },
        "security": [{"key": []}] if keyed else [{}, {"key": []}],
        "tags": [{"name": topic} for topic in dict.fromkeys(route.topic for route in offered)],
    }
    return json.dumps(document, ensure_ascii=False).encode()


def ingest_parameters() -> list[dict[str, Any]]:
    """The query of the stream: what `record` takes beside its messages, and the scope."""
    schema = shape_of(INGESTED).json_schema()
    own = [
        {"name": name, "in": "query", "required": name in schema["required"], "schema": _of_query(each)}
        for name, each in schema["properties"].items()
    ]
    return own + _scope_parameters()


class _Schemas:
    """The schemas of all verbs, with those that they share named once."""

    def __init__(self, offered: Sequence[Route]) -> None:
        wanted: list[tuple[str, Any, TypeAdapter[Any]]] = []
        for route in offered:
            verb = getattr(Memory, route.verb)
            wanted.append((f"{route.verb} arguments", "validation", shape_of(model_of(route))))
            gives = result_of(verb)
            wanted.append((f"{route.verb} result", "serialization", gives))
        made, shared = TypeAdapter.json_schemas(wanted, ref_template=TEMPLATE)
        self._made = {key: schema for (key, _mode), schema in made.items()}
        self.named: dict[str, Any] = dict(shared.get("$defs", {}))

    def arguments(self, route: Route) -> dict[str, Any]:
        """The schema of the arguments, with what they refer to put in their place."""
        schema: dict[str, Any] = self._made[f"{route.verb} arguments"]
        name = str(schema.get("$ref", "")).rpartition("/")[2]
        return dict(self.named[name]) if name else schema

    def result(self, route: Route) -> dict[str, Any]:
        """The schema of the answer; where it is one of two, exactly one of them fits."""
        schema: dict[str, Any] = dict(self._made[f"{route.verb} result"])
        if "anyOf" in schema and all("$ref" in each for each in schema["anyOf"]):
            schema["oneOf"] = schema.pop("anyOf")
        if route.page is None:
            return schema
        following = {"type": ["string", "null"], "description": f"`{route.page}` of the next page; null on the last"}
        properties = {"items": schema, "next": following}
        return {"type": "object", "required": ["items", "next"], "properties": properties}


def _operation(route: Route, schemas: _Schemas) -> dict[str, Any]:
    verb = getattr(Memory, route.verb)
    said = inspect.getdoc(verb) or route.verb
    model = schemas.arguments(route)
    operation: dict[str, Any] = {
        "operationId": route.verb,
        "tags": [route.topic],
        "summary": said.partition("\n")[0].strip(),
        "description": said,
        "parameters": _parameters(route, model),
        "responses": _responses(route, schemas),
    }
    if route.method in IN_BODY:
        operation["requestBody"] = _body(route, model)
    return operation


def _body(route: Route, model: Mapping[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": model}
    if route.verb in EXAMPLES:
        content["example"] = EXAMPLES[route.verb]
    return {"required": bool(model.get("required")), "content": {"application/json": content}}


def _parameters(route: Route, model: Mapping[str, Any]) -> list[dict[str, Any]]:
    verb = getattr(Memory, route.verb)
    hints = get_type_hints(verb)
    found = [_in_path(name, hints[name]) for name in sorted(in_path(route))]
    if route.method not in IN_BODY:
        required = model.get("required", ())
        for name, schema in model.get("properties", {}).items():
            found.append({"name": name, "in": "query", "required": name in required, "schema": _of_query(schema)})
    if is_scoped(route):
        found += _scope_parameters()
    if route.method == "POST":
        schema = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"}
        said = "The same key with the same request gets the first answer again, for 24 hours."
        found.append({"name": "Idempotency-Key", "in": "header", "schema": schema, "description": said})
    if route.precondition is not None:
        said = "The ETag of the text that was read; `*` for any. One of If-Match and If-None-Match is needed."
        found.append({"name": "If-Match", "in": "header", "schema": {"type": "string"}, "description": said})
        said = "`*` for a first text."
        found.append({"name": "If-None-Match", "in": "header", "schema": {"const": "*"}, "description": said})
    if route.tagged:
        said = "An ETag that is known: 304 if the text is still that."
        found.append({"name": "If-None-Match", "in": "header", "schema": {"type": "string"}, "description": said})
    return found


def _in_path(name: str, hint: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", "pattern": "^[fF]?[0-9]{1,18}$", "examples": ["f42"]}
    if get_origin(hint) is not None and all(isinstance(each, str) for each in get_args(hint)):
        schema = {"type": "string", "enum": list(get_args(hint))}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _of_query(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing in a query is null: it is left out."""
    plain = {name: part for name, part in schema.items() if name != "title"}
    if "anyOf" in plain:
        options = [each for each in plain.pop("anyOf") if each != {"type": "null"}]
        plain |= options[0] if len(options) == 1 else {"anyOf": options}
    items = plain.get("items", {})
    if "enum" in items:  # one blank alone is how a query shows a list without anything in it
        plain["items"] = {**items, "enum": [*items["enum"], ""]}
    if plain.get("default", "") is None:
        del plain["default"]
    return plain


def _scope_parameters() -> list[dict[str, Any]]:
    texts = [
        {"name": name, "in": "query", "schema": _NAME, "description": said} for name, said in SCOPE_PARAMETERS
    ]  # fmt: skip
    said = "How far the speaker is believed, never more than the key: `operator` runs the agent, it serves `owner`."
    return [
        *texts,
        {"name": "trust", "in": "query", "schema": {"type": "string", "enum": list(TRUSTS)}, "description": said},
    ]


def _responses(route: Route, schemas: _Schemas) -> dict[str, Any]:
    verb = getattr(Memory, route.verb)
    found: dict[str, Any] = {}
    if get_type_hints(verb)["return"] is type(None):
        found["204"] = {"description": "Done."}
    else:
        found["200"] = {
            "description": "What the verb gives.",
            "content": {"application/json": {"schema": schemas.result(route)}},
        }
    if route.page is not None:
        found["200"]["headers"] = {"Link": {"description": 'The next page: rel="next".', "schema": {"type": "string"}}}
    if route.tagged:
        found["200"]["headers"] = {"ETag": {"description": "The text's SHA-256.", "schema": {"type": "string"}}}
        found["304"] = {"description": "The text is still the one that is known."}
    more = {"412": "The text is another one by now.", "428": "No If-Match."} if route.precondition else {}
    for status, said in {**ERRORS, **more}.items():
        found[status] = {"description": said, "content": {MEDIA_TYPE: {"schema": PROBLEM}}}
    return found
