"""Which pages does the inspector have?"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from glossator.surfaces.web import fact_acts, facts_pages, receipts_page, search_page, sources_page, timeline_page
from glossator.surfaces.web.failures import PageRoute, status_page
from glossator.surfaces.web.rendering import NAVIGATION, page
from glossator.surfaces.web.scoping import Served, View
from glossator.surfaces.web.talk_pages import talk_routes

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""What is served; whatever else lies in the folder is not."""
CHOICES_MIN = 12
"""From so many owners on, a field offers their names as one types."""
PATH_CHARACTERS = 80
"""As much of a wrong address as helps to see what is wrong with it."""


def inspector_routes() -> APIRouter:
    """All pages with their static files, to be included under `/inspect`."""
    routes = APIRouter(route_class=PageRoute, include_in_schema=False)
    routes.add_api_route("/", home, methods=["GET"])
    routes.add_api_route("/scopes", scopes, methods=["GET"])
    routes.add_api_route("/static/{name:path}", static, methods=["GET"])
    for each in (search_page, facts_pages, fact_acts, timeline_page, sources_page, receipts_page):
        routes.include_router(each.routes)
    routes.include_router(talk_routes())
    routes.add_api_route("/{path:path}", nowhere, methods=["GET"])
    return routes


async def home(view: View, memory: Served) -> Response:
    """The search; whoever has chosen nobody yet and finds nothing there chooses first, if there is a choice."""
    if not view.chosen and view.free:
        outlines = view.caller.shown(await memory.scopes(scope=view.scope))
        if len(outlines) == 1:
            return RedirectResponse(view.of(outlines[0].scope).link("search"), status_code=303)
        if all(each.scope.whole != view.scope.whole for each in outlines):
            return RedirectResponse(view.link("scopes"), status_code=303)
    return RedirectResponse(view.link("search"), status_code=303)


async def scopes(request: Request, view: View, memory: Served) -> Response:
    """The agents and owners that the caller may look at; `page` is where a choice leads."""
    asked = request.query_params.get("page", "").split("/")[0]
    target = next((path for path, _ in NAVIGATION if asked and path.startswith(asked)), "search")
    outlines = view.caller.shown(await memory.scopes(scope=view.scope))
    return page(
        request, "scopes.html", viewpoint=view, outlines=outlines, target=target, free=view.free,
        choices_min=CHOICES_MIN,
    )  # fmt: skip


async def nowhere(request: Request, path: str) -> Response:
    """The page for an address that is none."""
    return status_page(request, 404, words=f"There is no page {path[:PATH_CHARACTERS]!r}.")


async def static(request: Request, name: str) -> Response:
    """A file of the pages."""
    if (file := static_files().get(name)) is None:
        return status_page(request, 404, words="There is no such file.")
    headers = {"Cache-Control": "max-age=300", "X-Content-Type-Options": "nosniff"}
    return Response(file.read_bytes(), media_type=MEDIA_TYPES[PurePosixPath(name).suffix], headers=headers)


@cache
def static_files() -> Mapping[str, Traversable]:
    """What may be asked for, by its name below the folder: a name is looked up, and is never a path."""
    folder = files("glossator.surfaces.web") / "static"
    return {
        name: each
        for place, prefix in ((folder, ""), (folder / "vendor", "vendor/"))
        for each in place.iterdir()
        if PurePosixPath(name := f"{prefix}{each.name}").suffix in MEDIA_TYPES
    }
