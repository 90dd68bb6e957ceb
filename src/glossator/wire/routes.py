"""Under which method and path does the HTTP API offer each verb? One table for the server and for its client."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Method = Literal["GET", "POST", "PUT", "DELETE"]
PREFIX = "/v1"
INGEST = "/ingest"
"""Where messages are taken in as a stream of lines: no verb of its own, `record` in batches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Where a verb is. `{name}` in the path is the verb's argument of this name.

    The other arguments stand in the query of a GET and a DELETE, in the JSON body of the others. `page` is the argument
    that the next page begins after, where the verb gives pages, and `page_of` the field of an item that it takes. Where
    the verb gives the latest if no page is asked for, the first page is after `begins_after`.
    `precondition` is the argument that stands in `If-Match` (or is "" by `If-None-Match: *`), and `tagged` says that
    the answer has an ETag: its `sha256`.
    """

    verb: str
    method: Method
    path: str
    topic: str
    page: str | None = None
    page_of: str = ""
    begins_after: int | None = None
    precondition: str | None = None
    tagged: bool = False


def _routes(topic: str, *rows: tuple[str, Method, str]) -> tuple[Route, ...]:
    return tuple(Route(verb=verb, method=method, path=path, topic=topic) for verb, method, path in rows)


ROUTES: tuple[Route, ...] = (
    *_routes(
        "words",
        ("record", "POST", "/messages"),
        ("remember_document", "POST", "/documents"),
        ("record_voice", "POST", "/voice"),
        ("recall", "POST", "/recall"),
        ("conversation", "GET", "/window/messages"),
        ("forget", "POST", "/forget"),
    ),
    Route(verb="messages", method="GET", path="/messages", topic="words", page="after_id", page_of="message_id"),
    Route(verb="conversations", method="GET", path="/conversations", topic="words", page="after", page_of="page"),
    *_routes(
        "facts",
        ("remember", "POST", "/facts"),
        ("fact", "GET", "/facts/{fact_id}"),
        ("history", "GET", "/facts/{fact_id}/history"),
        ("explain", "GET", "/facts/{fact_id}/explanation"),
        ("restore_fact", "POST", "/facts/{fact_id}/restore"),
        ("search_facts", "POST", "/facts/search"),
        ("archive_facts", "POST", "/facts/archive"),
        ("deprioritise_facts", "POST", "/facts/deprioritise"),
        ("reinstate_facts", "POST", "/facts/reinstate"),
        ("forget_facts", "POST", "/facts/forget"),
        ("expire_due", "POST", "/facts/expire"),
        ("check_contradictions", "POST", "/facts/check"),
        ("durable_facts", "GET", "/durable-facts"),
        ("prefetch", "POST", "/prefetch"),
        ("note", "POST", "/notes"),
        ("learned", "POST", "/learned"),
        ("relearn", "POST", "/relearn"),
        ("waiting", "GET", "/waiting"),
        ("claims_without_receipt", "POST", "/claims"),
        ("receipts", "GET", "/receipts"),
        ("receipt_key", "GET", "/receipt-key"),
    ),
    Route(verb="facts", method="GET", path="/facts", topic="facts", page="after_id", page_of="fact_id", begins_after=0),
    *_routes(
        "prompt",
        ("context", "POST", "/context"),
        ("prompt_files", "GET", "/prompt-files"),
        ("rebuild_prompt_files", "POST", "/prompt-files/rebuild"),
        ("load_prompt_files", "GET", "/prompt-files/folder"),
        ("resources", "GET", "/resources"),
        ("resource_history", "GET", "/resources/{kind}/revisions"),
        ("resource_diff", "GET", "/resources/{kind}/diff"),
        ("rollback_resource", "POST", "/resources/{kind}/rollback"),
    ),
    Route(verb="resource", method="GET", path="/resources/{kind}", topic="prompt", tagged=True),
    Route(
        verb="write_resource", method="PUT", path="/resources/{kind}", topic="prompt", precondition="expected_sha256"
    ),
    *_routes(
        "window",
        ("window", "GET", "/window"),
        ("measured", "POST", "/window/measured"),
        ("preflight", "POST", "/window/preflight"),
        ("after_delivery", "POST", "/window/after-delivery"),
        ("compact", "POST", "/window/compact"),
        ("clear_window", "POST", "/window/clear"),
        ("command", "POST", "/window/command"),
    ),
    *_routes(
        "run",
        ("before_truncation", "POST", "/before-truncation"),
        ("end_session", "POST", "/end-session"),
        ("record_steps", "POST", "/steps"),
        ("steps", "GET", "/steps"),
        ("search_reasoning_steps_lexical", "POST", "/steps/search"),
        ("drop_steps", "DELETE", "/steps"),
    ),
    *_routes(
        "behind",
        ("review", "POST", "/reviews"),
        ("review_states", "GET", "/reviews"),
        ("open_work", "GET", "/work"),
        ("add_job", "POST", "/jobs"),
        ("jobs", "GET", "/jobs"),
        ("begin_job_run", "POST", "/jobs/runs"),
        ("finish_job_run", "POST", "/jobs/runs/finish"),
        ("job_runs", "GET", "/jobs/runs"),
        ("memory_sources", "GET", "/sources"),
        ("scopes", "GET", "/scopes"),
        ("status", "GET", "/status"),
    ),
)

_KEYS = "a key that leaks must not make others: `glossator key` does it, for whoever has the file"
ABSENT: Mapping[str, str] = {
    "open": "the server has opened it",
    "close": "the server closes it when it ends",
    "start": "the server has started it",
    "work": "the server's own worker does it",
    "drain": "it waits for the work of everybody in the file; `GET /v1/work` tells how far it is",
    "warm": "`GET /ready` says whether the embedder is there",
    "run": "its hooks are verbs that are here, and never failing is for the caller's own side of the wire",
    "hook_failed": "it counts what failed in the caller's process, not in the server's",
    "metrics": "`GET /metrics` gives them as text",
    "metrics_text": "it is `GET /metrics`, beside the verbs",
    "doctor": "it reads and mends the whole file, and a key is for one workspace: `glossator doctor`",
    "backup": "it writes to the server's disk under a name of the caller's: `glossator backup`",
    "add_key": _KEYS,
    "keys": _KEYS,
    "rotate_key": _KEYS,
    "revoke_key": _KEYS,
    "key_of": "the server asks it for every request",
    "begin_reply": "the header `Idempotency-Key` is its use",
    "keep_reply": "the header `Idempotency-Key` is its use",
    "drop_reply": "the header `Idempotency-Key` is its use",
}
"""Verbs of Memory that the API does not offer, and why."""


def route_of(verb: str) -> Route:
    """Where a verb is offered. Raises KeyError for one that is not."""
    return next(route for route in ROUTES if route.verb == verb) if verb in _VERBS else _absent(verb)


def _absent(verb: str) -> Route:
    raise KeyError(f"{verb}: {ABSENT.get(verb, 'no verb of Memory')}")


_VERBS = frozenset(route.verb for route in ROUTES)
