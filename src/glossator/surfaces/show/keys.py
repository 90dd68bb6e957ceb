"""How do API keys look? Never with a secret."""

from collections.abc import Sequence
from datetime import datetime

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from glossator.model import ApiKey
from glossator.surfaces.show.upkeep import BAD, QUIET
from glossator.surfaces.show.wording import safe

ANY = "*"
"""Stands for an agent or an owner that each request names itself."""


def render_keys(keys: Sequence[ApiKey], *, now: datetime) -> RenderableType:
    """One line each; those that open no more are dim."""
    if not keys:
        return Text("there are no keys", style=QUIET)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("id", "name", "for", "trust", "tier", "state", "used (UTC)"):
        table.add_column(heading, overflow="fold")
    for key in keys:
        table.add_row(
            key.key_id,
            safe(key.name),
            _bound_to(key),
            key.trust,
            key.tier or "",
            _state(key, now),
            "never" if key.last_used_at is None else f"{key.last_used_at:%Y-%m-%d %H:%M}",
            style="" if key.opens_at(now) else QUIET,
        )
    return table


def render_revoked(key: ApiKey) -> RenderableType:
    """What was done."""
    assert key.revoked_at is not None
    return Text(
        f"{key.key_id} ({safe(key.name)}) opens nothing since {key.revoked_at:%Y-%m-%d %H:%M:%S} UTC", style=BAD
    )


def _bound_to(key: ApiKey) -> str:
    """Workspace, agent and owner, as `glossator status` heads its column."""
    return safe("/".join((key.workspace, key.agent or ANY, key.owner or ANY)))


def _state(key: ApiKey, now: datetime) -> str:
    if key.revoked_at is not None:
        return "revoked"
    if key.expires_at is None:
        return "open"
    return f"until {key.expires_at:%Y-%m-%d}" if key.opens_at(now) else "expired"
