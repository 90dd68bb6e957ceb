"""How fast are recall and record, and does the queue grow? The last hour of this server, as lines and a table."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse

from glossator import AsyncMemory
from glossator.errors import GlossatorError, PermissionDeniedError
from glossator.surfaces.http.callers import Caller
from glossator.surfaces.web.failures import PageRoute
from glossator.surfaces.web.rendering import HEADERS, page
from glossator.surfaces.web.samples import SAMPLE_EVERY_S, Course, Sample, Samples, counts_in, course_of
from glossator.surfaces.web.scoping import Served, View
from glossator.wiring import SystemClock

ROWS_MAX = 12
"""Of the table beside the chart: the last minute, at the pace of samples."""


def chart_routes() -> APIRouter:
    """The page of charts and its figures. While the server runs, samples are taken behind it."""
    routes = APIRouter(route_class=PageRoute, lifespan=sampled)
    routes.add_api_route("/charts", charts_page, methods=["GET"])
    routes.add_api_route("/charts/figures.json", charts_figures, methods=["GET"])
    return routes


@asynccontextmanager
async def sampled(app: FastAPI) -> AsyncIterator[None]:
    """Take a sample every few seconds for as long as the server runs."""
    task = asyncio.create_task(_sample_again(app))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def charts_page(request: Request, view: View, memory: Served) -> HTMLResponse:
    """The charts, with the last figures as a table."""
    permit_figures(view.caller)
    course = await _course(request.app, memory)
    return page(
        request, "charts.html", viewpoint=view, figures=view.link("charts/figures.json"), rows=rows_of(course),
        every_s=int(SAMPLE_EVERY_S), count=len(course.at),
    )  # fmt: skip


async def charts_figures(request: Request, view: View, memory: Served) -> JSONResponse:
    """The lines as the page's script draws them."""
    permit_figures(view.caller)
    course = await _course(request.app, memory)
    return JSONResponse(
        {
            "at": course.at,
            "latencies": {
                each.verb: {"median_ms": each.median_ms, "slow_ms": each.slow_ms, "calls": each.calls}
                for each in course.latencies
            },
            "pending": course.pending,
            "failed": course.failed,
        },
        headers=dict(HEADERS),
    )


def rows_of(course: Course) -> list[dict[str, object]]:
    """The last figures, newest first, as the table shows them."""
    places = range(len(course.at) - 1, max(-1, len(course.at) - 1 - ROWS_MAX), -1)
    return [
        {
            "at": f"{datetime.fromtimestamp(course.at[place], UTC):%H:%M:%S}",
            "verbs": [(each.median_ms[place], each.slow_ms[place], each.calls[place]) for each in course.latencies],
            "pending": course.pending[place],
            "failed": course.failed[place],
        }
        for place in places
    ]


def samples_of(app: FastAPI) -> Samples:
    """The samples of this server."""
    if not hasattr(app.state, "samples"):
        app.state.samples = Samples()
    samples: Samples = app.state.samples
    return samples


async def _course(app: FastAPI, memory: AsyncMemory) -> Course:
    samples = samples_of(app)
    await _sample(memory, samples)
    return course_of(tuple(samples.kept))


async def _sample(memory: AsyncMemory, samples: Samples) -> None:
    at = SystemClock().now().timestamp()
    if not samples.due(at):
        return
    work = await memory.open_work()
    samples.add(
        Sample(
            at=at,
            counts=counts_in(memory.metrics_text()),
            pending=sum(each.pending_count for each in work),
            failed=sum(each.failed_count for each in work),
        )
    )


async def _sample_again(app: FastAPI) -> None:
    while True:
        memory = getattr(app.state, "memory", None)
        if memory is not None:
            with suppress(GlossatorError):  # a busy store is asked again the next time
                await _sample(memory, samples_of(app))
        await asyncio.sleep(SAMPLE_EVERY_S)


def permit_figures(caller: Caller) -> None:
    """The figures are of the whole file: a key of one workspace is not told how busy the others are."""
    if caller.workspace is not None and caller.trust != "operator":
        raise PermissionDeniedError(
            "charts",
            "tell of all workspaces of this server",
            remedy="an operator's key, or one of no workspace, sees them",
        )
