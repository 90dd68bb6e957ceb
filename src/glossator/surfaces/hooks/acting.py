"""What does the memory do at each event of a coding agent? Called with a memory that is open; what fails, raises."""

import hashlib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never, cast

from glossator.rules.secrets import redacted
from glossator.surfaces.hooks.event import Event, project_of
from glossator.surfaces.hooks.replying import Reply
from glossator.surfaces.hooks.transcript import last_answer
from glossator.surfaces.hooks.words import INPUT_MAX, shortened, without_recalled

if TYPE_CHECKING:
    from glossator import Memory, Scope
    from glossator.facade.waiting_room import Write

HITS = 8
TALK_MAX = 100
"""Messages of this session that a block does not repeat: the agent has them before it."""
STEPS_MAX = 6
"""As many as the digest of a session has."""
STEP_NUMBERS = 2**31


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """One event with the memory that it happens to, and whose it is."""

    memory: "Memory"
    scope: "Scope"
    event: Event
    tokens: int


def write_of(event: Event, *, tools: bool) -> "Write | None":
    """What is to be kept of the event, as JSON; None if nothing is. Its id is made here, once for all attempts."""
    match event.kind:
        case "user-prompt-submit":
            return _message(event, "user", event.prompt)
        case "stop":
            return _message(event, "assistant", event.answer or last_answer(event.transcript))
        case "post-tool-use":
            return _step(event) if tools and event.tool else None
        case "session-start" | "session-end":
            return None
        case _:
            assert_never(event.kind)


def waiting(write: "Write", scope: "Scope | None", at: str) -> "Write":
    """The write as it waits on disk: with its scope and the time at which it was said, without secrets."""
    kept = dict(write)
    if scope is not None:
        kept["scope"] = {"workspace": scope.workspace, "agent": scope.agent, "owner": scope.owner}
    if "message" in write:
        message = cast(Mapping[str, object], write["message"])
        content, _ = redacted(str(message["content"]))  # a file that no option of the memory reaches
        kept["message"] = {**message, "content": content, "at": at}
    return kept


def reply_to(occasion: Occasion) -> Reply:
    """What the event gives the agent, when what it says was kept already."""
    match occasion.event.kind:
        case "session-start":
            return _started(occasion)
        case "user-prompt-submit":
            return _asked(occasion)
        case "session-end":
            _ended(occasion)
            return Reply()
        case "stop" | "post-tool-use":
            return Reply()
        case _:
            assert_never(occasion.event.kind)


def _started(occasion: Occasion) -> Reply:
    """The prompt files, and when they last talked."""
    block = occasion.memory.prompt_files(scope=occasion.scope).block
    if occasion.event.source in ("resume", "compact"):
        return Reply(context=block)
    newest = occasion.memory.status(occasion.scope).newest_said_at
    if newest is None:
        return Reply(context=block)
    last = f"Last talk that is remembered: {newest:%Y-%m-%d (%a) %H:%M} UTC."
    return Reply(context="\n\n".join(part for part in (last, block) if part))


def _asked(occasion: Occasion) -> Reply:
    """The block for the prompt, without what this session has said already and what every session is told."""
    request = without_recalled(occasion.event.prompt)
    if not request.strip() or not occasion.tokens:
        return Reply()
    conversation = occasion.event.conversation
    said = occasion.memory.conversation(scope=occasion.scope, conversation=conversation, limit=TALK_MAX)
    talk = [{"role": each.role, "content": each.content} for each in said if each.role in ("user", "assistant")]
    block = occasion.memory.context(
        [*talk, {"role": "user", "content": request}],
        scope=occasion.scope,
        budget=occasion.tokens,
        conversation=conversation,
        limit=HITS,
        durable=0,
    )
    return Reply(context=block.block)


def _ended(occasion: Occasion) -> None:
    """Queue the last extraction over the session; nothing where nothing of it was kept."""
    memory, scope, conversation = occasion.memory, occasion.scope, occasion.event.conversation
    said = memory.conversation(scope=scope, conversation=conversation, limit=TALK_MAX)
    by_role = {each.role: each.content for each in said}
    if not by_role:
        return
    steps = memory.steps(conversation, scope=scope)[-STEPS_MAX:]
    memory.end_session(
        scope=scope,
        request=by_role.get("user", ""),
        steps=[{"action": each.action, "observation": each.observation} for each in steps],
        final_answer=by_role.get("assistant", ""),
        conversation=conversation,
    )


def _message(event: Event, role: str, text: str) -> "Write | None":
    words = without_recalled(text)
    if not words.strip():
        return None
    message = {"id": _id(event, role, words), "role": role, "content": words}
    return {"conversation": event.conversation, "project": project_of(event.folder), "message": message}


def _id(event: Event, role: str, words: str) -> str:
    """The same for a hook that two configurations run for one turn; else a new one."""
    if not event.turn:
        return f"hook-{os.urandom(16).hex()}"
    digest = hashlib.blake2b(f"{event.turn}\0{words}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"hook-{role}-{digest}"


def _step(event: Event) -> "Write":
    """The call and a part of its result. Its number is its time in milliseconds: it rises for 24 days."""
    action = f"{event.tool} {shortened(event.tool_input, head=INPUT_MAX, tail=0)}".strip()
    number = time.time_ns() // 1_000_000 % STEP_NUMBERS
    step = {"number": number, "action": action, "observation": shortened(event.tool_result)}
    return {"conversation": event.conversation, "step": step}
