"""What does a coding agent say when one of its hooks runs? Claude Code, Codex and Cursor, in one value.

Nothing in it is believed: whatever has the wrong type is read as if it were not there.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

EventKind = Literal["session-start", "user-prompt-submit", "post-tool-use", "stop", "session-end"]
EVENT_KINDS: tuple[EventKind, ...] = get_args(EventKind)
Client = Literal["claude-code", "codex", "cursor"]
CLIENTS: tuple[Client, ...] = get_args(Client)

SESSION_CHARACTERS_MAX = 120
"""Agents name sessions by UUIDs; a conversation's name has room for 200 characters."""
PROJECT_CHARACTERS_MAX = 200
FOLDERS_UP_MAX = 40
"""So many folders are looked at for the root of a repository."""
_UNSAFE = re.compile(r"[^\w.@-]+")
_UNSTORABLE = re.compile("[\0-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event of an agent. Empty text stands for what it did not say."""

    kind: EventKind
    client: Client
    session: str = ""
    turn: str = ""
    """The turn's own id, which Codex and Cursor send."""
    folder: str = ""
    source: str = ""
    """Why a session starts: startup, resume, clear, compact."""
    prompt: str = ""
    answer: str = ""
    """The agent's last message, where the event has it."""
    transcript: str = ""
    tool: str = ""
    tool_input: str = ""
    tool_result: str = ""

    @property
    def conversation(self) -> str:
        """Where it was said, for example "claude-code:4c1d..."."""
        session = _UNSAFE.sub("-", self.session)[:SESSION_CHARACTERS_MAX].strip("-")
        return f"{self.client}:{session or 'unnamed'}"


def read_event(kind: EventKind, value: Mapping[str, object], client: Client | None = None) -> Event:
    """The event in a JSON object; whose it is, is found out where `client` does not say it."""
    roots = value.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots else None
    return Event(
        kind=kind,
        client=client or client_of(value),
        session=_text(value, "session_id", "conversation_id"),
        turn=_text(value, "turn_id", "generation_id", "prompt_id"),
        folder=_text(value, "cwd") or (root if isinstance(root, str) else ""),
        source=_text(value, "source"),
        prompt=_text(value, "prompt"),
        answer=_text(value, "last_assistant_message", "text"),
        transcript=_text(value, "transcript_path"),
        tool=_text(value, "tool_name"),
        tool_input=_shown(value.get("tool_input")),
        tool_result=_shown(value.get("tool_response", value.get("tool_output"))),
    )


def client_of(value: Mapping[str, object]) -> Client:
    """Which agent sends such an object."""
    if "cursor_version" in value or "workspace_roots" in value:
        return "cursor"
    return "codex" if "turn_id" in value else "claude-code"


def project_of(folder: str) -> str | None:
    """The name of the repository that the folder is in, else the folder's own; None where there is no folder."""
    if not folder or "\0" in folder:
        return None
    path = Path(folder)
    found = path
    for each in (path, *list(path.parents)[:FOLDERS_UP_MAX]):
        try:
            if (each / ".git").exists():
                found = each
                break
        except OSError:  # a folder that may not be looked into, or a name that is too long
            break
    name = _UNSTORABLE.sub("", found.name).strip()[:PROJECT_CHARACTERS_MAX]
    return name or None


def _text(value: Mapping[str, object], *keys: str) -> str:
    for key in keys:
        found = value.get(key)
        if isinstance(found, str) and found:
            return found
    return ""


def _shown(value: object) -> str:
    """What a tool was given or gave, as text: its own words where it has some, else JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, dict):
        for key in ("stdout", "output", "text", "content"):
            if isinstance(value.get(key), str) and value[key].strip():
                return str(value[key])
    return json.dumps(value, ensure_ascii=False)
