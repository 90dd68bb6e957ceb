"""Where does the block stand in a prompt? In a message of its own, behind all that was said before the request.

What stands before it stays byte for byte what it was, so that a provider's cache of the prefix holds.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from glossator.context.requests import Talk, Wire, checked_talk, has_results, is_context, request_place
from glossator.errors import UsageError
from glossator.model import ContextBlock, Conversation

BlockRole = Literal["auto", "user", "system", "developer"]
BLOCK_ROLES: tuple[BlockRole, ...] = ("auto", "user", "system", "developer")


def with_context(
    messages: Talk, block: ContextBlock | str, *, role: BlockRole = "auto", conversation: str | None = None
) -> list[Mapping[str, object]]:
    """The messages with the block as its own message before the last one in which the user says something.

    An earlier context block is taken out; with an empty block nothing takes its place. All other messages are the very
    objects that were given. Where the user's words stand behind results of tools, the block goes before the calls. The
    message has the role "system" where the messages show that their format knows it (a system or tool message, or
    `tool_calls`), else "user", which every format takes; `role` decides otherwise. With `conversation`, a block that
    was composed for another one is left out (D40).
    """
    talk = checked_talk(messages)
    if role not in BLOCK_ROLES:
        raise UsageError("role", f"{role!r} is unknown", remedy=f"choose from {', '.join(BLOCK_ROLES)}")
    if not isinstance(block, ContextBlock | str):
        raise UsageError("block", f"is {type(block).__name__}, no ContextBlock", remedy="pass what `context` gave")
    given: Sequence[Wire] = [{"role": "user", "content": talk}] if isinstance(talk, str) else talk
    kept = [message for message in given if not is_context(message)]
    text = block if isinstance(block, str) else block.block
    if not text or _is_foreign(block, conversation):
        return kept
    place = _place(kept)
    said_by = _role_of(kept) if role == "auto" else role
    return [*kept[:place], {"role": said_by, "content": text}, *kept[place:]]


def _is_foreign(block: ContextBlock | str, conversation: str | None) -> bool:
    if conversation is None or isinstance(block, str) or block.conversation is None:
        return False
    return block.conversation != Conversation.parse(conversation).key


def _place(messages: Sequence[Wire]) -> int:
    """Before the request; where that message answers tool calls, before the message that made them."""
    found = request_place(messages)
    place = len(messages) if found is None else found
    while 0 < place < len(messages) and has_results(messages[place]):
        place -= 1
    return place


def _role_of(messages: Sequence[Wire]) -> str:
    knows_it = any(
        message.get("role") in ("system", "developer", "tool") or message.get("tool_calls") for message in messages
    )
    blocks = any(has_results(message) for message in messages)
    return "system" if knows_it and not blocks else "user"
