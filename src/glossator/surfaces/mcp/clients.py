"""What does each MCP client have to be told, and in which file or by which command?"""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from glossator.errors import UsageError
from glossator.surfaces.installation import executable

Form = Literal["command", "json", "toml"]
SERVER = "glossator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """What to paste or to run. `also` is another way to the same end, "" where there is none."""

    client: str
    form: Form
    snippet: str
    where: str
    command: str
    arguments: tuple[str, ...]
    also: str = ""

    def shown(self) -> str:
        """The snippet as a person reads it."""
        also = f"\n\nOr:\n\n{self.also}" if self.also else ""
        return f"{self.where}\n\n{self.snippet}{also}\n"


def snippet_for(client: str, *, arguments: Sequence[str]) -> Snippet:
    """The snippet of a client that starts this very installation. Raises UsageError for an unknown client."""
    make = CLIENTS.get(client.strip().casefold())
    if make is None:
        raise UsageError("--print", f"{client!r} is unknown", remedy=f"choose from {', '.join(CLIENTS)}")
    command, *before = executable()
    return make(command, (*before, *arguments))


def _claude_code(command: str, arguments: tuple[str, ...]) -> Snippet:
    line = shlex.join(["claude", "mcp", "add", "--scope", "user", SERVER, "--", command, *arguments])
    shared = _servers("mcpServers", command, arguments, type="stdio")
    return Snippet(
        client="claude-code", form="command", snippet=line, command=command, arguments=arguments,
        where="Run this once; --scope user is for all projects, --scope local for the one you are in:",
        also=f"{shared}\n\nin .mcp.json of a project, for all who work on it.",
    )  # fmt: skip


def _claude_desktop(command: str, arguments: tuple[str, ...]) -> Snippet:
    where = (
        "Settings, Developer, Edit Config; that is claude_desktop_config.json in ~/Library/Application Support/Claude "
        "(macOS), %APPDATA%\\Claude (Windows), ~/.config/Claude (Linux); then start Claude Desktop anew:"
    )
    return Snippet(
        client="claude-desktop", form="json", snippet=_servers("mcpServers", command, arguments), where=where,
        command=command, arguments=arguments,
    )  # fmt: skip


def _cursor(command: str, arguments: tuple[str, ...]) -> Snippet:
    return Snippet(
        client="cursor", form="json", snippet=_servers("mcpServers", command, arguments, type="stdio"),
        where="In ~/.cursor/mcp.json, or in .cursor/mcp.json of one project:", command=command, arguments=arguments,
    )  # fmt: skip


def _codex(command: str, arguments: tuple[str, ...]) -> Snippet:
    listed = ", ".join(_toml(each) for each in arguments)
    return Snippet(
        client="codex", form="toml",
        snippet=f"[mcp_servers.{SERVER}]\ncommand = {_toml(command)}\nargs = [{listed}]",
        where="In ~/.codex/config.toml, or in .codex/config.toml of one project:",
        also=shlex.join(["codex", "mcp", "add", SERVER, "--", command, *arguments]),
        command=command, arguments=arguments,
    )  # fmt: skip


def _vscode(command: str, arguments: tuple[str, ...]) -> Snippet:
    added = json.dumps({"name": SERVER, "type": "stdio", "command": command, "args": arguments}, ensure_ascii=False)
    return Snippet(
        client="vscode", form="json", snippet=_servers("servers", command, arguments, type="stdio"),
        where="In .vscode/mcp.json of a project, or by the command `MCP: Open User Configuration` for all of them:",
        also=shlex.join(["code", "--add-mcp", added]), command=command, arguments=arguments,
    )  # fmt: skip


CLIENTS: Mapping[str, Callable[[str, tuple[str, ...]], Snippet]] = {
    "claude-code": _claude_code,
    "claude-desktop": _claude_desktop,
    "cursor": _cursor,
    "codex": _codex,
    "vscode": _vscode,
}


def _servers(key: str, command: str, arguments: tuple[str, ...], **more: str) -> str:
    return json.dumps({key: {SERVER: {**more, "command": command, "args": arguments}}}, ensure_ascii=False, indent=2)


def _toml(text: str) -> str:
    """A basic string of TOML: what JSON escapes, TOML escapes in the same way."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
