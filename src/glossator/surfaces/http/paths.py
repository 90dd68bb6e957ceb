"""Which paths of the server are no verbs, and what do they promise?"""

from typing import Any

from glossator.wire.problems import MEDIA_TYPE
from glossator.wire.routes import INGEST, PREFIX

_PROBLEM = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}


def own_paths(ingest_parameters: list[dict[str, Any]]) -> dict[str, Any]:
    """Their part of the OpenAPI document."""
    return {
        PREFIX + INGEST: {"post": _ingest(ingest_parameters)},
        "/health": {"get": _health()},
        "/ready": {"get": _ready()},
        "/metrics": {"get": _metrics()},
    }


def _json(schema: dict[str, Any], said: str) -> dict[str, Any]:
    return {"description": said, "content": {"application/json": {"schema": schema}}}


def _problems(*statuses: str) -> dict[str, Any]:
    said = {"400": "A header is none that can be used.", "404": "What is named is not there.",
            "408": "Nothing came in time.", "415": "No lines of JSON.", "422": "An argument is wrong.",
            "500": "The store failed.",
            "401": "The key is missing or unknown.", "403": "Not for this key.", "421": "Another host's name.",
            "429": "Too many requests.", "503": "The server is busy."}  # fmt: skip
    return {status: {"description": said[status], **_PROBLEM} for status in statuses}


def _ingest(parameters: list[dict[str, Any]]) -> dict[str, Any]:
    lines = {"application/x-ndjson": {"schema": {"type": "string"}}}
    said = "A line for each batch that is durable, one for each wrong line, and at the end the totals (`done`)."
    return {
        "operationId": "ingest",
        "tags": ["words"],
        "summary": "Take messages in as a stream, one JSON object a line.",
        "parameters": parameters,
        "requestBody": {"required": True, "description": "Messages as `record` takes them.", "content": lines},
        "responses": {
            "200": {"description": said, "content": lines},
            **_problems("400", "401", "403", "404", "408", "415", "421", "422", "429", "500", "503"),
        },
    }


def _health() -> dict[str, Any]:
    schema = {"type": "object", "required": ["status"], "properties": {"status": {"const": "ok"}}}
    return {
        "operationId": "health",
        "tags": ["server"],
        "summary": "Whether the server runs; never waits for the store.",
        "security": [],
        "responses": {"200": _json(schema, "It runs."), **_problems("403", "421")},
    }


def _ready() -> dict[str, Any]:
    schema = {
        "type": "object",
        "required": ["ready", "store", "embedder"],
        "properties": {
            "ready": {"type": "boolean"},
            "store": {"type": "string", "description": "ready, or what is wrong"},
            "embedder": {"type": "string", "description": "ready, switched off, or not loaded yet"},
        },
    }
    return {
        "operationId": "ready",
        "tags": ["server"],
        "summary": "Whether the store answers and the embedder is loaded.",
        "security": [],
        "responses": {
            "200": _json(schema, "Both are."), "503": _json(schema, "One is not."), **_problems("403", "421")
        },
    }  # fmt: skip


def _metrics() -> dict[str, Any]:
    return {
        "operationId": "metrics",
        "tags": ["server"],
        "summary": "Counters for Prometheus; with keys, for an operator's.",
        "responses": {
            "200": {"description": "Text.", "content": {"text/plain": {"schema": {"type": "string"}}}},
            **_problems("401", "403", "421", "429", "503"),
        },
    }
