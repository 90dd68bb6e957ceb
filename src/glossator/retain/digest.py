"""What of a prompt or of a run is handed to extraction? Passages, each with who wrote it (B2)."""

from collections.abc import Mapping, Sequence

from glossator.errors import UsageError
from glossator.model import ROLES, Passage, Role, SaidTime
from glossator.rules.roles import role_labels

_NEWER: Mapping[str, Role] = {"developer": "system", "function": "tool"}
"""Roles of OpenAI's wire format that are other words for ours."""

STEPS_MAX = 6
STEP_CHARACTERS_MAX = 200
"""Of each of the last six steps: enough to name what was found, not the whole of a tool's output."""


def prompt_passages(prompt: str | Sequence[Mapping[str, object]], *, said: SaidTime) -> tuple[Passage, ...]:
    """A prompt's passages in order: chat messages as they are, a text cut at its "User:" and "Assistant:" lines.

    Text before the first label is the user's: whoever passes a bare text says that it is. Raises UsageError for
    anything else.
    """
    if isinstance(prompt, str):
        return tuple(_labelled(prompt, said))
    if not isinstance(prompt, list | tuple):
        raise UsageError("prompt", f"is {type(prompt).__name__}", remedy="pass a text or a list of chat messages")
    return tuple(_message(each, f"prompt[{place}]", said) for place, each in enumerate(prompt))


def digest_passages(
    request: str, steps: Sequence[Mapping[str, object]], final_answer: str, *, said: SaidTime
) -> tuple[Passage, ...]:
    """The request, the last six steps (thought and output, each cut) and the final answer, what is blank left out."""
    parts: list[tuple[Role, str]] = [("user", request)]
    for step in steps[-STEPS_MAX:]:
        parts.append(("assistant", str(step.get("thought") or "")[:STEP_CHARACTERS_MAX]))
        parts.append(("tool", str(step.get("output") or step.get("observation") or "")[:STEP_CHARACTERS_MAX]))
    parts.append(("assistant", final_answer))
    return tuple(_passage(text, role, said) for role, text in parts if text.strip())


def _labelled(prompt: str, said: SaidTime) -> list[Passage]:
    passages: list[Passage] = []
    start, role = 0, ROLES[0]
    for label, end, next_role in [*role_labels(prompt), (len(prompt), len(prompt), ROLES[0])]:
        if prompt[start:label].strip():
            passages.append(_passage(prompt[start:label], role, said))
        start, role = end, next_role
    return passages


def _message(message: object, argument: str, said: SaidTime) -> Passage:
    if not isinstance(message, Mapping):
        raise UsageError(argument, "is no mapping", remedy='pass {"role": "user", "content": "..."}')
    given = message.get("role", "user")
    named = _NEWER.get(given, given) if isinstance(given, str) else given
    role = next((known for known in ROLES if known == named), None)
    if role is None:
        raise UsageError(f"{argument}.role", f"{given!r} is unknown", remedy=f"choose from {', '.join(ROLES)}")
    content = message.get("content") or ""
    if isinstance(content, Sequence) and not isinstance(content, str | bytes):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        content = "\n".join(part for part in parts if isinstance(part, str))
    return _passage(str(content), role, said)


def _passage(text: str, role: Role, said: SaidTime) -> Passage:
    return Passage(text=text, role=role, speaker=role, said=said)
