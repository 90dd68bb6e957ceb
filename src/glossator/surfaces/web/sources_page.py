"""Where does what is remembered come from, and what do the jobs that run by themselves keep?"""

from collections.abc import Sequence

from fastapi import APIRouter, Request, Response

from glossator.model import MemorySource
from glossator.surfaces.web.failures import PageRoute
from glossator.surfaces.web.rendering import page
from glossator.surfaces.web.scoping import Served, View

RUNS_MAX = 50
SOURCES_MAX = 200
"""As many as are read before somebody narrows the page to one conversation."""
SORTS = {"conversation": "conversation", "document": "document", "explicit": "asked to keep", "job": "job"}

routes = APIRouter(route_class=PageRoute)


@routes.get("/sources")
async def sources(request: Request, view: View, memory: Served) -> Response:
    """The sources with what is kept of them, the jobs, and their last runs."""
    found = latest_first(await memory.memory_sources(scope=view.scope))
    return page(
        request, "sources.html", viewpoint=view, sources=found[:SOURCES_MAX], source_count=len(found), sorts=SORTS,
        jobs=await memory.jobs(scope=view.scope), runs=await memory.job_runs(scope=view.scope, limit=RUNS_MAX),
    )  # fmt: skip


def latest_first(found: Sequence[MemorySource]) -> list[MemorySource]:
    """Those seen last come first, then those of which nothing was kept yet."""
    return sorted(found, key=lambda each: each.last_seen_at.timestamp() if each.last_seen_at else 0.0, reverse=True)
