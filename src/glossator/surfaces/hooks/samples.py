"""Which configuration has an agent call the hooks? One for each agent, as its own file wants it."""

import shlex
from collections.abc import Mapping, Sequence
from typing import assert_never

from glossator.surfaces.hooks.event import Client, EventKind

FILES: Mapping[Client, str] = {
    "claude-code": "~/.claude/settings.json",
    "codex": "~/.codex/hooks.json",
    "cursor": "~/.cursor/hooks.json",
}
"""Where each agent reads it for all projects; each reads one in the project's own folder of that name as well."""

TIMEOUT_S = 10
"""More than a hook ever takes: it ends itself after eight."""

_NAMES: Mapping[EventKind, str] = {
    "session-start": "SessionStart",
    "user-prompt-submit": "UserPromptSubmit",
    "post-tool-use": "PostToolUse",
    "stop": "Stop",
    "session-end": "SessionEnd",
}
_CURSOR_NAMES: Mapping[EventKind, str] = {
    "session-start": "sessionStart",
    "user-prompt-submit": "beforeSubmitPrompt",
    "post-tool-use": "postToolUse",
    "stop": "afterAgentResponse",
    "session-end": "sessionEnd",
}
"""Cursor tells the answer in an event of its own; its "stop" does not have it."""


def sample(
    client: Client, *, program: Sequence[str] = ("glossator",), memory: Sequence[str] = (), tools: bool = False
) -> dict[str, object]:
    """The configuration of an agent; with `tools` its calls of tools are kept as well.

    `program` is how `glossator` is called there, `memory` the options that say which memory it is.
    """

    def command(event: EventKind) -> str:
        more = ("--client", client) if client != "claude-code" else ()
        kept = ("--tools",) if tools and event == "post-tool-use" else ()
        return shlex.join((*program, "hook", event, *more, *kept, *memory))

    match client:
        case "claude-code":
            return {"hooks": {name: _grouped(command(event)) for event, name in _wanted(_NAMES, tools).items()}}
        case "codex":
            wanted = {event: name for event, name in _wanted(_NAMES, tools).items() if event != "session-end"}
            return {"hooks": {name: _grouped(command(event)) for event, name in wanted.items()}}
        case "cursor":
            calls = {name: [{"command": command(event)}] for event, name in _wanted(_CURSOR_NAMES, tools).items()}
            return {"version": 1, "hooks": calls}
        case _:
            assert_never(client)


def _wanted(names: Mapping[EventKind, str], tools: bool) -> dict[EventKind, str]:
    return {event: name for event, name in names.items() if tools or event != "post-tool-use"}


def _grouped(command: str) -> list[object]:
    return [{"hooks": [{"type": "command", "command": command, "timeout": TIMEOUT_S}]}]
