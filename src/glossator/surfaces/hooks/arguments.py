"""How is `glossator hook EVENT` called? Read by hand, since the library for it costs as much time as a hook may take.

cli_hook.py has the same options for help and documentation; a test holds the two together. A hook never fails its
agent, so what is not understood is told and left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from glossator.surfaces.hooks.event import CLIENTS, EVENT_KINDS, EventKind

TOKENS = 800
"""Of a request's block: a few hundred words, a thirtieth of what an agent's own instructions take."""
TOKENS_MAX = 2000
"""Agents cut what a hook prints at about 10,000 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookArguments:
    """The options of one call; None is left to the environment and the defaults."""

    event: EventKind
    db: Path | None = None
    workspace: str | None = None
    agent: str | None = None
    owner: str | None = None
    client: str | None = None
    tools: bool = False
    tokens: int = TOKENS
    misread: tuple[str, ...] = ()
    """What was not understood."""


TEXT_OPTIONS = ("db", "workspace", "agent", "owner", "client", "tokens")


def is_quick(arguments: Sequence[str]) -> bool:
    """True for a call of an event that needs no help text: it is read here."""
    is_event = len(arguments) > 1 and arguments[0] == "hook" and arguments[1] in EVENT_KINDS
    return is_event and not {"--help", "-h"} & set(arguments)


def read_arguments(arguments: Sequence[str]) -> HookArguments:
    """The options behind `hook EVENT`. Never raises for a call that `is_quick`."""
    event = next(each for each in EVENT_KINDS if each == arguments[1])
    chosen: dict[str, str] = {}
    misread: list[str] = []
    tools, rest = False, list(arguments[2:])
    while rest:
        name, is_joined, value = rest.pop(0).partition("=")
        option = name.removeprefix("--")
        if name in ("--tools", "--no-tools"):
            tools = name == "--tools"
        elif name.startswith("--") and option in TEXT_OPTIONS and (is_joined or rest):
            chosen[option] = value if is_joined else rest.pop(0)
        else:
            misread.append(name)
    return checked(HookArguments(event=event, tools=tools, misread=tuple(misread)), chosen)


def checked(arguments: HookArguments, chosen: dict[str, str]) -> HookArguments:
    """With the chosen texts; what is wrong of them is left out and named in `misread`."""
    misread = list(arguments.misread)
    client, tokens = chosen.get("client"), chosen.get("tokens", str(TOKENS))
    if client is not None and client not in CLIENTS:
        misread.append(f"--client {client}")
        client = None
    size = int(tokens) if tokens.isascii() and tokens.isdigit() and len(tokens) < 6 else -1
    if not 0 <= size <= TOKENS_MAX:
        misread.append(f"--tokens {tokens}")
        size = TOKENS
    return replace(
        arguments,
        db=Path(chosen["db"]) if chosen.get("db") else None,
        workspace=chosen.get("workspace") or None,
        agent=chosen.get("agent") or None,
        owner=chosen.get("owner") or None,
        client=client,
        tokens=size,
        misread=tuple(misread),
    )
