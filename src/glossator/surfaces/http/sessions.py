"""Who looks at the inspector? A browser logs in with a key once and has a cookie from then on, which is not the key."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from glossator.aio import AsyncMemory
from glossator.errors import PermissionDeniedError
from glossator.surfaces.http.answers import RefusalError
from glossator.surfaces.http.callers import Caller
from glossator.surfaces.http.doors import PAGES, Keys, address_of, anybody, is_page
from glossator.surfaces.http.safety import SAFE_METHODS
from glossator.surfaces.http.settings import Settings

COOKIE = "glossator_session"
LOGIN = f"{PAGES}/login"
SESSIONS_MAX = 1_000
"""Sessions that are remembered; the one that was used least recently goes first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Somebody who has logged in. `csrf` is in their forms; `looked_at_s` is when the key was last found good.

    The secret is in this process alone: what was rotated away opens no pages either.
    """

    caller: Caller
    secret: str = field(repr=False)
    csrf: str
    until_s: float
    looked_at_s: float


class Sessions:
    """The sessions of this process. They are in its memory alone: with the process, they are over."""

    def __init__(self, memory: AsyncMemory, settings: Settings) -> None:
        self._memory = memory
        self._settings = settings
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def begin(self, caller: Caller, secret: str) -> str:
        """The token of a new session."""
        token, now = secrets.token_urlsafe(32), self._settings.monotonic_s()
        self._sessions[token] = Session(
            caller=caller, secret=secret, csrf=secrets.token_urlsafe(32), until_s=now + self._settings.session_s,
            looked_at_s=now,
        )  # fmt: skip
        while len(self._sessions) > SESSIONS_MAX:
            self._sessions.popitem(last=False)
        return token

    def end(self, token: str) -> None:
        """Forget a session."""
        self._sessions.pop(token, None)

    async def of(self, token: str) -> Session | None:
        """The session of a token; None where it is over, or its key was revoked or has expired."""
        session, now = self._sessions.get(token), self._settings.monotonic_s()
        if session is None or session.until_s <= now:
            self.end(token)
            return None
        if now - session.looked_at_s >= self._settings.key_cache_s:
            if await self._memory.key_of(session.secret) is None:
                self.end(token)
                return None
            session = replace(session, looked_at_s=now)
            self._sessions[token] = session
        self._sessions.move_to_end(token)
        return session


class PageDoors:
    """Puts the caller and the token of forms at `request.state`, or shows the log-in."""

    def __init__(self, app: ASGIApp, *, sessions: Sessions, settings: Settings) -> None:
        self._app = app
        self._sessions = sessions
        self._settings = settings
        self._csrf = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_page(scope["path"]) or scope["path"].startswith(f"{PAGES}/static/"):
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        if not self._settings.keyed:
            state |= {"caller": anybody(self._settings), "csrf": self._csrf}
        elif (session := await self._sessions.of(cookie_of(scope))) is not None:
            state |= {"caller": session.caller, "csrf": session.csrf, "key_id": session.caller.key_id}
        elif scope["path"] != LOGIN:
            await _to_login(scope)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def cookie_of(scope: Scope) -> str:
    """The token that the browser sends, "" for none."""
    return Request(scope).cookies.get(COOKIE, "")


def _to_login(scope: Scope) -> Response:
    query = scope["query_string"].decode("latin-1")
    wanted = scope["path"] + (f"?{query}" if query else "") if scope["method"] in SAFE_METHODS else PAGES
    where = f"{LOGIN}?next={quote(wanted, safe='')}"
    if Headers(scope=scope).get("hx-request") == "true":  # a part of a page: the whole page has to go there
        behind_host = Headers(scope=scope).get("hx-current-url", "").split("/", 3)[3:]
        back = inside("/" + "".join(behind_host).partition("#")[0])
        return Response(status_code=401, headers={"HX-Redirect": f"{LOGIN}?next={quote(back, safe='')}"})
    return RedirectResponse(where, status_code=303)


async def checked_csrf(request: Request) -> None:
    """Raises PermissionDeniedError for a form that no page of this session has sent."""
    if request.method in SAFE_METHODS:
        return
    given = request.headers.get("x-csrf-token")
    if given is None:
        given = (await request.form()).get("csrf")  # type: ignore[assignment]
    known = str(getattr(request.state, "csrf", ""))
    if not isinstance(given, str) or not known or not secrets.compare_digest(given.encode(), known.encode()):
        raise PermissionDeniedError("csrf", "is not that of this session", remedy="load the page again")


def login_routes(keys: Keys, sessions: Sessions, settings: Settings) -> APIRouter:
    """The pages where a browser comes in and goes."""
    from glossator.surfaces.web.failures import PageRoute
    from glossator.surfaces.web.rendering import page

    routes = APIRouter(route_class=PageRoute, include_in_schema=False)

    @routes.get("/login")
    async def show(request: Request) -> Response:
        if not settings.keyed:
            return RedirectResponse(f"{PAGES}/", status_code=303)
        return page(request, "login.html", problem="", next=inside(request.query_params.get("next", "")))

    @routes.post("/login")
    async def log_in(request: Request) -> Response:
        form = await request.form()
        secret, target = str(form.get("key", "")).strip(), inside(str(form.get("next", "")))
        try:
            caller = await keys.caller_of(secret, address_of(request.scope))
        except RefusalError as error:
            words = "This key is unknown, was revoked or has expired." if error.status == 401 else str(error)
            answer: Response = page(request, "login.html", status=error.status, problem=words, next=target)
            answer.headers.update({name: text for name, text in error.headers.items() if name == "Retry-After"})
            return answer
        answer = RedirectResponse(target, status_code=303)
        answer.set_cookie(
            COOKIE, sessions.begin(caller, secret), max_age=int(settings.session_s), path=PAGES, httponly=True,
            samesite="strict", secure=request.headers.get("origin", "").startswith("https:"),
        )  # fmt: skip
        return answer

    @routes.post("/logout", dependencies=[Depends(checked_csrf)])
    async def log_out(request: Request) -> Response:
        sessions.end(cookie_of(request.scope))
        answer = RedirectResponse(LOGIN, status_code=303)
        answer.delete_cookie(COOKIE, path=PAGES)
        return answer

    return routes


def inside(target: str) -> str:
    """The page to go to: one of the inspector's own, whatever a link has said."""
    own = target == PAGES or target.startswith((f"{PAGES}/", f"{PAGES}?"))
    return target if own and target.isprintable() and "\\" not in target and "//" not in target else f"{PAGES}/"
