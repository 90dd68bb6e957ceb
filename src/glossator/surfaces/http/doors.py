"""Who is asking? The key in the header becomes a caller, and everybody has so many requests."""

from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from glossator.aio import AsyncMemory
from glossator.errors import PermissionDeniedError
from glossator.surfaces.http.answers import RefusalError, busy
from glossator.surfaces.http.buckets import Buckets
from glossator.surfaces.http.callers import Caller
from glossator.surfaces.http.settings import Settings

OPEN_PATHS = frozenset({"/health", "/ready", "/openapi.json", "/"})
"""What tells nothing of what is stored, and asks for no key."""
PAGES = "/inspect"
SECRET_CHARACTERS_MAX = 200
CACHED_MAX = 10_000
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="glossator"'}


@dataclass(frozen=True, slots=True)
class _Good:
    caller: Caller
    until_s: float


class Keys:
    """Callers by their secrets. A good one is not looked up again for `Settings.key_cache_s`, a wrong one always.

    Who tries wrong keys has to wait, and not those beside them at the same address whose keys were good before.
    """

    def __init__(self, memory: AsyncMemory, settings: Settings) -> None:
        self._memory = memory
        self._settings = settings
        self._good: OrderedDict[bytes, _Good] = OrderedDict()
        self._refused = Buckets(
            per_s=settings.refused_per_minute / 60, burst=settings.refused_per_minute, monotonic_s=settings.monotonic_s
        )

    async def caller_of(self, secret: str, address: str) -> Caller:
        """The caller of a secret. Raises RefusalError: 401 for a wrong one, 429 for too many wrong ones."""
        digest = sha256(secret.encode("utf-8", "replace")).digest()  # no secret is compared, so time tells none
        now = self._settings.monotonic_s()
        good = self._good.get(digest)
        if good is not None and good.until_s > now:
            return good.caller
        if good is None and (wait_s := self._refused.missing_s(address)) > 0:
            raise busy(429, "too many wrong keys came from this address", retry_after_s=wait_s)
        found = await self._memory.key_of(secret) if len(secret) <= SECRET_CHARACTERS_MAX else None
        if found is None:
            self._good.pop(digest, None)
            self._refused.take(address)
            raise unknown_key("is unknown, revoked or expired")
        caller = Caller(
            key_id=found.key_id, name=found.name, workspace=found.workspace, agent=found.agent, owner=found.owner,
            trust=found.trust, tier=found.tier,
        )  # fmt: skip
        self._remember(digest, _Good(caller, now + self._settings.key_cache_s))
        return caller

    def _remember(self, digest: bytes, good: _Good) -> None:
        self._good[digest] = good
        self._good.move_to_end(digest)
        while len(self._good) > CACHED_MAX:
            self._good.popitem(last=False)


def unknown_key(problem: str) -> RefusalError:
    """The refusal of a request without a key that is known."""
    remedy = "send `Authorization: Bearer gl_...`, with what `glossator key add` has shown"
    error = PermissionDeniedError("Authorization", problem, remedy=remedy)
    return RefusalError(error, 401, CHALLENGE)


def anybody(settings: Settings) -> Caller:
    """Whoever reaches a server that asks for no key."""
    return Caller(
        key_id="", name="whoever is at this machine", workspace=settings.workspace, trust=settings.trust
    )  # fmt: skip


class Doors:
    """Puts the caller at `request.state.caller`, or refuses. Pages have their own log-in."""

    def __init__(self, app: ASGIApp, *, keys: Keys, settings: Settings) -> None:
        self._app = app
        self._keys = keys
        self._settings = settings
        self._rates = Buckets(
            per_s=settings.rate_per_s, burst=settings.rate_burst, monotonic_s=settings.monotonic_s
        )  # fmt: skip

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and is_page(scope["path"]):
            self._count(address_of(scope))
        elif scope["type"] == "http" and scope["path"] not in OPEN_PATHS:
            caller = await self._caller(scope)
            state = scope.setdefault("state", {})
            state |= {"caller": caller, "key_id": caller.key_id}
            self._count(caller.key_id or address_of(scope))
        await self._app(scope, receive, send)

    async def _caller(self, scope: Scope) -> Caller:
        headers = Headers(scope=scope)
        several = headers.getlist("authorization")
        if not several:
            if self._settings.keyed:
                raise unknown_key("is missing")
            return anybody(self._settings)
        if len(several) > 1:  # a program on the way may have checked the other one
            raise unknown_key("is given more than once")
        kind, _, secret = several[0].partition(" ")
        if kind.lower() != "bearer" or not secret.strip():
            raise unknown_key("is no Bearer key")
        return await self._keys.caller_of(secret.strip(), address_of(scope))

    def _count(self, name: str) -> None:
        if (wait_s := self._rates.missing_s(name)) > 0:
            raise busy(429, "so many requests are more than this key may make", retry_after_s=wait_s)
        self._rates.take(name)


def is_page(path: str) -> bool:
    """True for what belongs to the inspector."""
    return path == PAGES or path.startswith(f"{PAGES}/")


def address_of(scope: Scope) -> str:
    """The address that the request came from, as the socket has it; what a header says of it is not believed."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"
