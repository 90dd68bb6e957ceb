"""The server that the tests of the client ask: the memory behind it works when the test says so."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.surface.http_server import OPEN, Served, serving

from glossator import Options
from glossator.surfaces.http.settings import Settings

__all__ = ["OPTIONS", "UNLIMITED", "Served", "served"]

OPTIONS = Options(embedder="hashing", worker=False, persist_transcripts=True)
UNLIMITED = replace(OPEN, rate_per_s=1e6, rate_burst=1e6)
"""No test waits because the ones before it asked so much."""


@contextmanager
def served(path: Path, *, options: Options = OPTIONS, settings: Settings = UNLIMITED) -> Iterator[Served]:
    """The API of the memory at `path`, on a free port of this machine."""
    with serving(path, settings, options=options) as server:
        server.memory.warm(30)
        yield server
