"""What stands around every answer: the right Host, the right Origin, safe headers, a request id, and no traceback."""

import logging
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from glossator.errors import GlossatorError, PermissionDeniedError, StoreError
from glossator.rules.hosts import LOOPBACK
from glossator.surfaces.http.answers import RefusalError, problem_answer, refused
from glossator.surfaces.http.doors import is_page
from glossator.surfaces.http.settings import Settings
from glossator.surfaces.watch.server_meters import ServerMeters

logger = logging.getLogger("glossator.http")

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
ALWAYS = {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
PAGE_POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
API_POLICY = "default-src 'none'; frame-ancestors 'none'"


class Safe:
    """The outermost wall of the server. Nothing that is raised inside reaches the caller but a problem document."""

    def __init__(self, app: ASGIApp, *, settings: Settings, meters: ServerMeters) -> None:
        self._app = app
        self._meters = meters
        self._hosts = {each.lower() for each in (*LOOPBACK, *settings.allow_hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answering = _Answering(scope, send)
        try:
            self._check(scope)
            await self._app(scope, receive, answering.send)
        except RefusalError as error:
            if error.counted is not None:
                self._meters.rejected(error.counted)
            await answering.problem(error.error, receive, status=error.status, headers=error.headers)
        except ClientDisconnect:
            return  # nobody is there to be answered
        except GlossatorError as error:
            await answering.problem(error, receive)
        except Exception as error:
            logger.exception("a request failed", extra={"request_id": answering.request_id})
            reason = f"the server failed ({type(error).__name__}); its log says more under this request id"
            await answering.problem(StoreError(reason, retryable=False), receive, status=500)

    def _check(self, scope: Scope) -> None:
        """Raises RefusalError for a request that came by a name or from a page that it should not have."""
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if len(headers.getlist("host")) != 1 or not (host in self._hosts or _name_of(host) in self._hosts):
            raise refused(421, "Host", "is no name of this server", "use its own name, or start it with --allow-host")
        check_framing(headers)
        check_origin(headers, scope["method"], host)


def check_framing(headers: Headers) -> None:
    """Raises RefusalError for a body whose end two programs on the way could see at two places, or that is packed."""
    if "content-length" in headers and "transfer-encoding" in headers:
        remedy = "send one of the two"
        raise refused(400, "Content-Length", "is given beside Transfer-Encoding", remedy, connection="close")
    if headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise refused(
            415, "Content-Encoding", "is none that is taken", "send the body as it is", accept_encoding="identity"
        )


def check_origin(headers: Headers, method: str, host: str) -> None:
    """Raises RefusalError for what a browser sends on behalf of another site's page."""
    origin = headers.get("origin")
    site = headers.get("sec-fetch-site")
    foreign = origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}")
    if foreign or (method not in SAFE_METHODS and site not in (None, "same-origin", "none")):
        error = PermissionDeniedError("Origin", "is another site", remedy="open the server's own pages")
        raise RefusalError(error, 403, counted="origin")


def _name_of(host: str) -> str:
    """The host without its port; an IPv6 address keeps its brackets."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isascii() and port.isdigit() else host


class _Answering:
    """One request's way out: it adds the headers, and knows whether anything has been sent."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._begun = False

    @property
    def request_id(self) -> str:
        """The id that the log has, where one is kept."""
        return str(self._scope.get("state", {}).get("request_id", ""))

    async def send(self, message: Message) -> None:
        """Pass a message on."""
        if message["type"] == "http.response.start":
            self._begun = True
            self._add_headers(MutableHeaders(scope=message))
        await self._send(message)

    def _add_headers(self, headers: MutableHeaders) -> None:
        page = is_page(self._scope["path"])
        for name, text in ALWAYS.items():
            headers[name] = text
        headers.setdefault("content-security-policy", PAGE_POLICY if page else API_POLICY)
        headers.setdefault("referrer-policy", "same-origin" if page else "no-referrer")  # else a form has no origin
        headers.setdefault("cache-control", "no-store")

    async def problem(
        self, error: GlossatorError, receive: Receive, *, status: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        """Answer with the error; where an answer has begun, it ends where it is and the connection is closed."""
        if self._begun:
            raise error
        answer = problem_answer(error, status=status, headers=headers, request_id=self.request_id)
        await answer(self._scope, receive, self.send)
