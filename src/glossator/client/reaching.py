"""How is the server reached: where, with which key, for how long, and what becomes of a broken connection?"""

import ssl
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx2

from glossator.client.exchange import Answered, Came, Terms, Unanswered
from glossator.client.requests import Asked
from glossator.errors import UsageError
from glossator.ports import Ids
from glossator.providers.language.pace import Pace
from glossator.rules.hosts import is_here
from glossator.wire.routes import PREFIX

TIMEOUT_S = 30.0
CONNECT_TIMEOUT_S = 5.0
"""A server that is there takes a connection in milliseconds; the rest of the time is for its answer."""
RETRIES = 4
"""With the waits between them some four seconds: as long as a server takes to start anew."""
CONNECTIONS_MAX = 20
KEPT_ALIVE_S = 4.0
"""Less than the five seconds after which servers close an idle connection themselves."""
PROBLEM_REMEDY = 'for example "http://127.0.0.1:8377"'


class RandomIds:
    """Keys for writes, at random."""

    def new(self) -> str:
        """A fresh id."""
        return str(uuid.uuid4())


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where the server is and how it is asked."""

    url: str
    headers: Mapping[str, str]
    timeout_s: float
    connections_max: int
    here: bool
    """True for this very machine: a proxy that the environment names is never asked for it."""

    @property
    def timeout(self) -> httpx2.Timeout:
        """For connecting less than for the answer."""
        return httpx2.Timeout(self.timeout_s, connect=min(CONNECT_TIMEOUT_S, self.timeout_s))

    @property
    def limits(self) -> httpx2.Limits:
        """As many connections as may be open, all of them kept for the next request."""
        return httpx2.Limits(
            max_connections=self.connections_max,
            max_keepalive_connections=self.connections_max,
            keepalive_expiry=KEPT_ALIVE_S,
        )

    @property
    def verify(self) -> ssl.SSLContext | bool:
        """Whom to believe. To read all authorities takes 20 ms, and plain HTTP on this machine never asks them."""
        plain_and_here = self.here and self.url.startswith("http:")
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain_and_here else True

    def request(self, http: httpx2.Client | httpx2.AsyncClient, asked: Asked) -> httpx2.Request:
        """The request as it is sent."""
        return http.build_request(asked.method, self.url + asked.path, content=asked.body, headers=asked.headers)

    def unanswered(self, error: Exception) -> Unanswered:
        """Why no answer came. The key is in no message of the libraries below."""
        kind = type(error).__name__
        match error:
            case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.ProxyError():
                return Unanswered(reason=f"no server answers at {self.url} ({kind}: {error})", arrived=False)
            case httpx2.PoolTimeout():
                reason = f"all {self.connections_max} connections to {self.url} were busy for {self.timeout_s:g} s"
                return Unanswered(reason=reason, arrived=False, late=True)
            case httpx2.TimeoutException():
                reason = f"the server at {self.url} did not answer within {self.timeout_s:g} s ({kind})"
                return Unanswered(reason=reason, arrived=True, late=True)
            case _:
                reason = f"the connection to {self.url} broke ({kind}: {error})"
                return Unanswered(reason=reason, arrived=True)


def server_at(url: str, *, key: str | None, timeout_s: float, connections_max: int) -> Server:
    """The server of an address. Raises UsageError for an address, a key or a number that cannot be used."""
    return Server(
        url=_checked_url(url),
        headers={"Accept": "application/json", **_authorisation(key)},
        timeout_s=_positive(timeout_s, "timeout_s"),
        connections_max=int(_positive(connections_max, "connections_max")),
        here=is_here(urlsplit(url).hostname or ""),
    )


def terms_of(*, retries: int, ids: Ids | None, pace: Pace | None) -> Terms:
    """How often it is tried again, and by which keys writes are known. Raises UsageError for a wrong number."""
    if isinstance(retries, bool) or not isinstance(retries, int) or retries < 0:
        raise UsageError("retries", f"{retries!r} is no number of attempts", remedy="0 or more")
    return Terms(retries=retries, new_key=(ids or RandomIds()).new, pace=pace or Pace())


def came(response: httpx2.Response) -> Came:
    """A response that was read, as the exchange sees it."""
    return Answered(
        status=response.status_code,
        body=response.content,
        kind=response.headers.get("content-type", ""),
        retry_after=response.headers.get("retry-after", ""),
    )


BROKEN = (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, OSError)
"""What the library below raises where there is no whole answer."""


def _checked_url(url: object) -> str:
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
        fits = parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, fits = None, False
    if parts is None or not fits:
        raise UsageError("url", f"{url!r} is no http address", remedy=PROBLEM_REMEDY)
    if parts.username is not None or parts.query or parts.fragment:
        raise UsageError("url", "holds more than host, port and path", remedy="pass the key by key=")
    address = str(url).rstrip("/")
    if address.endswith(PREFIX):
        raise UsageError("url", f"ends in {PREFIX}, which the client adds itself", remedy=PROBLEM_REMEDY)
    return address


def _authorisation(key: object) -> dict[str, str]:
    if key is None:
        return {}
    text = key.strip() if isinstance(key, str) else ""
    if not text or not text.isascii() or not text.isprintable() or " " in text:
        raise UsageError("key", "has characters that no key has", remedy='pass the key alone, as "gl_..."')
    return {"Authorization": f"Bearer {text}"}


def _positive(number: object, argument: str) -> float:
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number < float("inf"):
        raise UsageError(argument, f"{number!r} is no number above 0", remedy="for example 20")
    return number
