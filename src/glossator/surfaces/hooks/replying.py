"""What does an agent take from a hook? One JSON object on stdout, or nothing at all."""

import json
from dataclasses import dataclass

from glossator.surfaces.hooks.event import Client, EventKind

NAMES: dict[EventKind, str] = {"session-start": "SessionStart", "user-prompt-submit": "UserPromptSubmit"}
"""The events that may bring context into the prompt, by the name that Claude Code and Codex give them."""
CHARACTERS_MAX = 9_500
"""Claude Code shows the model only the beginning of more than 10,000."""
CUT = "\n[cut]\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a hook has to say: context for the model, and a sentence for the user."""

    context: str = ""
    notice: str = ""


def written(reply: Reply, *, event: EventKind, client: Client) -> str:
    """The reply as the client reads it on stdout; "" says that there is nothing to say."""
    context = reply.context if event in NAMES else ""
    if len(context) > CHARACTERS_MAX:
        from glossator.model.fence import MEMORY_CLOSE  # not before it is needed: it brings numpy

        context = context[: CHARACTERS_MAX - len(CUT) - len(MEMORY_CLOSE)] + CUT + MEMORY_CLOSE
    if client == "cursor":
        return _for_cursor(context, event)
    said: dict[str, object] = {"systemMessage": reply.notice} if reply.notice else {}
    if context:
        said["hookSpecificOutput"] = {"hookEventName": NAMES[event], "additionalContext": context}
    return json.dumps(said) if said else ""


def _for_cursor(context: str, event: EventKind) -> str:
    """Cursor takes context when a session starts; a prompt it only lets pass or holds back."""
    if event == "user-prompt-submit":
        return json.dumps({"continue": True} | ({"additional_context": context} if context else {}))
    return json.dumps({"additional_context": context}) if context else ""
