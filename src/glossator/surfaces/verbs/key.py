"""`glossator key ...`: make, list, rotate and revoke the keys with which callers come in through a server."""

from typing import TYPE_CHECKING, cast

from glossator.model import NewKey, Trust
from glossator.rules.trust import tier_of
from glossator.surfaces.call import Call

if TYPE_CHECKING:
    from rich.console import RenderableType


def add_key(call: Call, name: str, *, trust: str, tier: str | None, expires_at: str | None) -> None:
    """A key to the scope's workspace, bound to an agent and an owner where they were chosen."""
    with call.open(embeds=False) as memory:
        new = memory.add_key(
            name,
            workspace=call.scope.workspace,
            agent=call.chosen["agent"],
            owner=call.chosen["owner"],
            trust=cast(Trust, trust),  # the verb checks it
            tier=None if tier is None else tier_of(tier),
            expires_at=expires_at,
        )
    _hand_over(call, new, "is made")


def list_keys(call: Call) -> None:
    """The keys, as far as a workspace was chosen those to it."""
    with call.open(new=False, embeds=False) as memory:
        keys = memory.keys(workspace=call.chosen["workspace"])

    def render() -> "RenderableType":
        from glossator.surfaces.show.keys import render_keys
        from glossator.wiring import SystemClock

        return render_keys(keys, now=SystemClock().now())

    call.screen.answer({"keys": keys}, render=render)


def rotate_key(call: Call, key_id: str, *, grace_s: int) -> None:
    """Another secret for the key."""
    with call.open(new=False, embeds=False) as memory:
        new = memory.rotate_key(key_id, grace_s=grace_s)
    still = f"for another {grace_s:,} s" if grace_s else "no more"
    _hand_over(call, new, f"has a new secret, the old one opens {still}")


def revoke_key(call: Call, key_id: str) -> None:
    """End the key."""
    with call.open(new=False, embeds=False) as memory:
        key = memory.revoke_key(key_id)

    def render() -> "RenderableType":
        from glossator.surfaces.show.keys import render_revoked

        return render_revoked(key)

    call.screen.answer({"key": key}, render=render)


def _hand_over(call: Call, new: NewKey, done: str) -> None:
    """The secret alone on stdout, so that a script can take it; what it is, on stderr."""
    if call.screen.as_json:
        call.screen.answer({"key": new.key, "secret": new.secret}, render=str)
        return
    call.screen.verbatim(new.secret + "\n")
    call.screen.note(f"{new.key.key_id} ({new.key.name}) {done}; keep the secret now, it is not shown again")
