"""How do people and things hang together? The facts as a graph, and the same as a table."""

from collections.abc import Sequence
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse

from glossator import AsyncMemory
from glossator.model import RECALLABLE, Fact, FactState
from glossator.surfaces.web.asked import day_end
from glossator.surfaces.web.failures import PageRoute
from glossator.surfaces.web.graph import EDGES_MAX, drawing_of, graph_of, names_in
from glossator.surfaces.web.rendering import HEADERS, page
from glossator.surfaces.web.scoping import Served, View, Viewpoint

Showing = Literal["now", "all"]
HELD_ONCE: tuple[FactState, ...] = (*RECALLABLE, "superseded")


def graph_routes() -> APIRouter:
    """The page of entities, and what its script draws."""
    routes = APIRouter(route_class=PageRoute)
    routes.add_api_route("/entities", entities_page, methods=["GET"])
    routes.add_api_route("/entities/graph.json", entities_drawing, methods=["GET"])
    return routes


async def entities_page(
    request: Request, view: View, memory: Served, show: Showing = "now", as_of: str = ""
) -> HTMLResponse:
    """What holds now, what held at the end of a day, or everything that ever held."""
    facts, left_out = await _facts(memory, view, show=show, as_of=as_of)
    graph = graph_of(facts)
    return page(
        request, "entities.html", viewpoint=view, graph=graph, names=names_in(graph), left_out=left_out, show=show,
        as_of=as_of,
        drawing=view.link("entities/graph.json", show=show, as_of=as_of), edges_max=EDGES_MAX,
    )  # fmt: skip


async def entities_drawing(view: View, memory: Served, show: Showing = "now", as_of: str = "") -> JSONResponse:
    """The same as the page's script wants it."""
    facts, _ = await _facts(memory, view, show=show, as_of=as_of)
    links = {each.fact_id: view.fact(each.fact_id) for each in facts}
    return JSONResponse(drawing_of(graph_of(facts), links), headers=dict(HEADERS))


async def _facts(memory: AsyncMemory, view: Viewpoint, *, show: Showing, as_of: str) -> tuple[Sequence[Fact], bool]:
    """The facts to draw, the latest seen first, and whether there are more than are drawn."""
    found = await memory.facts(
        scope=view.scope, states=HELD_ONCE if show == "all" else RECALLABLE, as_of=day_end(as_of), limit=EDGES_MAX + 1
    )
    return found[:EDGES_MAX], len(found) > EDGES_MAX
