"""The verbs of Memory over HTTP: `Client` and `AsyncClient` for a server that `glossator serve` runs."""

from collections.abc import Mapping

from glossator.client.async_client import AsyncClient
from glossator.client.batches import IngestProgress
from glossator.client.client import Client
from glossator.wire import routes

ABSENT: Mapping[str, str] = {
    **routes.ABSENT,
    "close": "a client closes its own connections; the server closes the memory",
}
"""Verbs of Memory that a client does not have, and why."""

__all__ = ["ABSENT", "AsyncClient", "Client", "IngestProgress"]
