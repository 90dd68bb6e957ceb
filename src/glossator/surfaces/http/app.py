"""What is served under which path? The API's verbs, health, the inspector and MCP, behind one set of walls."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route as PathRoute

from glossator import __version__
from glossator.aio import AsyncMemory
from glossator.errors import GlossatorError, NotFoundError, UsageError
from glossator.naming import tracer_named
from glossator.surfaces.http.answers import JSON, RefusalError, problem_answer
from glossator.surfaces.http.bodies import Bounded
from glossator.surfaces.http.doors import PAGES, Doors, Keys, is_page
from glossator.surfaces.http.health import Readiness, health, metrics, ready
from glossator.surfaces.http.ingest import ingest
from glossator.surfaces.http.openapi import document_of
from glossator.surfaces.http.places import Places
from glossator.surfaces.http.requests import scope_of
from glossator.surfaces.http.safety import Safe
from glossator.surfaces.http.sessions import PageDoors, Sessions, checked_csrf, login_routes
from glossator.surfaces.http.settings import Settings
from glossator.surfaces.http.verbs import endpoint_of
from glossator.surfaces.watch.asgi import ServerMeters, Watched
from glossator.wire.routes import INGEST, PREFIX, ROUTES


def create_app(memory: AsyncMemory, *, settings: Settings | None = None) -> FastAPI:
    """The server of one memory. It does not close it: whoever opened it does."""
    settings = settings or Settings()
    keys, sessions, meters = Keys(memory, settings), Sessions(memory, settings), ServerMeters()
    app = FastAPI(
        title="Glossator",
        version=__version__,
        docs_url=None,  # their pages load scripts from elsewhere
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,  # it would lead to plain HTTP from behind a proxy that speaks TLS
        telemetry={"tracing": False, "metrics": False},  # its spans would tell of the query, which is content
        middleware=[
            Middleware(Watched, meters=meters, tracer=tracer_named(memory.options.tracing)),
            Middleware(Safe, settings=settings, meters=meters),
            Middleware(Doors, keys=keys, settings=settings),
            Middleware(PageDoors, sessions=sessions, settings=settings),
            Middleware(Places, settings=settings),
            Middleware(Bounded, settings=settings),
        ],
        exception_handlers={
            GlossatorError: _told,
            RefusalError: _told_refusal,
            RequestValidationError: _told_validation,
            HTTPException: _told_status,
        },
    )
    app.state.memory, app.state.settings, app.state.meters = memory, settings, meters
    app.state.readiness = Readiness(memory)
    app.router.routes[:] = [*_verb_routes(memory), *_own_routes(document_of(ROUTES, keyed=settings.keyed))]
    if settings.mcp:
        _mount_mcp(app, memory)
    if settings.inspector:
        _mount_inspector(app, keys, sessions, settings)
    return app


def _mount_mcp(app: FastAPI, memory: AsyncMemory) -> None:
    """MCP over streamable HTTP, for the scope that the key and the query say."""
    from glossator.surfaces.mcp.mounting import mcp_app

    mounted = mcp_app(memory.blocking, scope=lambda scope: scope_of(Request(dict(scope))), hosts=None)
    app.router.routes.append(PathRoute("/mcp", mounted, include_in_schema=False))

    @asynccontextmanager
    async def alive(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await mounted.aclose()

    app.include_router(APIRouter(lifespan=alive))


def _mount_inspector(app: FastAPI, keys: Keys, sessions: Sessions, settings: Settings) -> None:
    """The pages; `/` leads there."""
    from glossator.surfaces.web.pages import inspector_routes

    async def home(_request: Request) -> Response:
        return RedirectResponse(f"{PAGES}/", status_code=303)

    app.router.routes += [PathRoute(path, home, methods=["GET"]) for path in ("/", PAGES)]
    app.include_router(login_routes(keys, sessions, settings), prefix=PAGES)
    app.include_router(inspector_routes(), prefix=PAGES, dependencies=[Depends(checked_csrf)])


def _verb_routes(memory: AsyncMemory) -> list[PathRoute]:
    ordered = sorted(ROUTES, key=lambda route: "{" in route.path)  # /facts/search before /facts/{fact_id}
    return [
        PathRoute(PREFIX + each.path, endpoint_of(each, memory), methods=[each.method], name=each.verb)
        for each in ordered
    ]  # fmt: skip


def _own_routes(document: bytes) -> list[PathRoute]:
    async def openapi(_request: Request) -> Response:
        return Response(document, media_type=JSON)

    return [
        PathRoute(PREFIX + INGEST, ingest, methods=["POST"]),
        PathRoute("/health", health, methods=["GET"]),
        PathRoute("/ready", ready, methods=["GET"]),
        PathRoute("/metrics", metrics, methods=["GET"]),
        PathRoute("/openapi.json", openapi, methods=["GET"]),
    ]


async def _told(request: Request, error: Exception) -> Response:
    assert isinstance(error, GlossatorError)
    return problem_answer(error, request_id=_request_id(request))


async def _told_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusalError)
    if error.counted is not None:
        request.app.state.meters.rejected(error.counted)
    return problem_answer(
        error.error, status=error.status, headers=error.headers, request_id=_request_id(request)
    )  # fmt: skip


async def _told_validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    argument = ".".join(str(part) for part in first["loc"][1:]) or "body"
    return problem_answer(UsageError(argument, str(first["msg"]).lower()), request_id=_request_id(request))


async def _told_status(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path = request.url.path
    if is_page(path):
        from glossator.surfaces.web.failures import status_page

        return status_page(request, error.status_code)
    match error.status_code:
        case 404:
            told: UsageError = NotFoundError(
                "path", f"{path} is nowhere", remedy="GET /openapi.json lists what there is"
            )
        case 405:
            told = UsageError("method", f"{request.method} is not for {path}", remedy="see the header Allow")
        case _:
            told = UsageError("request", str(error.detail))
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(allowed_at(request))
    return problem_answer(told, status=error.status_code, headers=headers, request_id=_request_id(request))


def allowed_at(request: Request) -> list[str]:
    """The methods that the path has."""
    found = {
        method
        for route in request.app.router.routes
        if isinstance(route, PathRoute) and route.path_regex.match(request.url.path)
        for method in route.methods or ()
    }
    return sorted(found)


def _request_id(request: Request) -> str:
    return str(getattr(request.state, "request_id", ""))
