"""How does the server behave: who may ask it, how much, and which parts does it serve?"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from glossator.model.scope import Trust
from glossator.ports import Clock
from glossator.wiring import SystemClock

HOST = "127.0.0.1"
PORT = 8377
"""Names of this machine, as a Host header has them."""
BODY_MAX_MB = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Choices of one server.

    With `keyed` every request of the API brings a key; without, whoever reaches the server is the caller: with this
    `trust`, in this `workspace` or in any that it names. `monotonic_s` gives the seconds that limits are counted in,
    `clock` the time at which keys expire.
    """

    keyed: bool = True
    trust: Trust = "owner"
    workspace: str | None = None
    allow_hosts: tuple[str, ...] = ()
    """Host names that the server may be called by, beside those of this machine; without a port any port goes."""
    rate_per_s: float = 500.0
    """Requests that one key (or one address, without keys) may make in a second, on the average ..."""
    rate_burst: float = 1_000.0
    """... and at once."""
    refused_per_minute: float = 30.0
    """Wrong keys that one address may try in a minute before it has to wait."""
    requests_max: int = 256
    """Requests that are being answered at once; the next one is asked to come again."""
    body_bytes_max: int = BODY_MAX_MB * 1_000_000
    body_wait_s: float = 30.0
    """How long the next piece of a body may be on its way."""
    key_cache_s: float = 1.0
    """How long a key that was good is good without another look: within this time it works although it is revoked."""
    session_s: float = 12 * 3600.0
    """How long somebody stays logged in to the inspector."""
    inspector: bool = True
    zone: str = "UTC"
    """IANA zone of the pages' clock: what was said is shown on its speaker's own."""
    mcp: bool = True
    monotonic_s: Callable[[], float] = monotonic
    clock: Clock = field(default_factory=SystemClock)
