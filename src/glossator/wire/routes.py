"""Under which method and path does the HTTP API offer each verb? One table for the server and for its client."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Method = Literal["GET", "POST", "PUT", "DELETE"]
PREFIX = "/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Where a verb is. `{name}` in the path is the verb's argument of this name.

    The other arguments stand in the query of a GET and a DELETE, in the JSON body of the others. `page` is the argument
    that the next page begins after, where the verb gives pages.
    """

    verb: str
    method: Method
    path: str
    page: str | None = None


ROUTES: tuple[Route, ...] = (
    Route(verb="record", method="POST", path="/messages"),
    Route(verb="messages", method="GET", path="/messages", page="after_id"),
    Route(verb="remember_document", method="POST", path="/documents"),
    Route(verb="recall", method="POST", path="/recall"),
    Route(verb="context", method="POST", path="/context"),
    Route(verb="remember", method="POST", path="/facts"),
    Route(verb="facts", method="GET", path="/facts", page="after_id"),
    Route(verb="fact", method="GET", path="/facts/{fact_id}"),
    Route(verb="explain", method="GET", path="/facts/{fact_id}/explanation"),
)

ABSENT: Mapping[str, str] = {
    "open": "the server has opened it",
}
"""Verbs of Memory that the API does not offer, and why."""
