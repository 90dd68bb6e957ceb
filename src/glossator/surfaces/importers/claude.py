"""What is in Claude's export? `conversations.json`: a list of conversations with `chat_messages` in order.

A message's words are the text blocks of its `content`, or `text` in older exports. Text that was pasted in as an
attachment is a message of its own. Tool blocks and the model's reasoning are left out and counted.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from glossator.surfaces.importers.pieces import ROLE_WORDS, Home, ImportedMessage, Piece, Rejected, Transcript
from glossator.surfaces.importers.reading import each_object, moment, tally

LEFT_OUT_BLOCKS: Mapping[str, str] = {
    "tool_use": "calls of tools",
    "tool_result": "results of tools",
    "thinking": "the model's reasoning",
    "redacted_thinking": "the model's reasoning",
}


def read_claude(text: str, *, home: Home) -> Iterator[Piece]:
    """One Transcript per conversation, in the order of the file."""
    left_out: Counter[str] = Counter()
    for each in each_object(text, what="conversation"):
        if isinstance(each, Rejected):
            yield each
            continue
        value, where, share = each
        yield from _read_conversation(value, where, share, home=home, left_out=left_out)
    yield from tally(left_out)


def _read_conversation(
    value: object, where: str, share: float, *, home: Home, left_out: Counter[str]
) -> Iterator[Piece]:
    conversation_id = value.get("uuid") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(conversation_id, str) or not conversation_id:
        yield Rejected(where=where, reason="has no uuid")
        return
    if not isinstance(value.get("chat_messages"), list):
        yield Rejected(where=where, reason="has no chat_messages")
        return
    created = moment(value.get("created_at"), home.zone)
    at = created or home.at
    messages: list[ImportedMessage] = []
    for number, each in enumerate(value["chat_messages"], start=1):
        read = _read_message(each, at=at, home=home, left_out=left_out)
        if isinstance(read, str):
            yield Rejected(where=f"{where}, message {number}", reason=read)
            continue
        messages += read
        at = messages[-1].at if messages else at
    if messages:
        day = created or messages[0].at
        yield Transcript(
            conversation=home.conversation or f"claude:{conversation_id}",
            session=f"{day[:10]} {conversation_id[:8]}" if day else conversation_id,
            messages=tuple(messages),
            share=share,
        )


def _read_message(
    message: object, *, at: str | None, home: Home, left_out: Counter[str]
) -> tuple[ImportedMessage, ...] | str:
    """The message and its pasted attachments; or why it is rejected."""
    if not isinstance(message, dict):
        return "is no object"
    message_id = message.get("uuid")
    if not isinstance(message_id, str) or not message_id:
        return "has no uuid"
    role = ROLE_WORDS.get(str(message.get("sender") or "").casefold())
    if role is None:
        return "has no known sender"
    speaker = {"user": "user", "assistant": "Claude"}.get(role, role)
    said_at = moment(message.get("created_at"), home.zone) or at
    texts = {message_id: _text(message, left_out)} | _attachments(message, message_id)
    if not any(text.strip() for text in texts.values()):
        left_out["without words"] += 1
    return tuple(
        ImportedMessage(message_id=each_id, role=role, content=text, speaker=speaker, at=said_at)
        for each_id, text in texts.items()
        if text.strip()
    )


def _text(message: Mapping[str, Any], left_out: Counter[str]) -> str:
    blocks = message.get("content")
    texts: list[str] = []
    for block in blocks if isinstance(blocks, list) else []:
        kind = str(block.get("type") or "") if isinstance(block, dict) else ""
        if kind in LEFT_OUT_BLOCKS:
            left_out[LEFT_OUT_BLOCKS[kind]] += 1
        elif isinstance(block, dict) and isinstance(block.get("text"), str) and block["text"].strip():
            texts.append(block["text"])
    if texts:
        return "\n".join(texts)
    plain = message.get("text")
    return plain if isinstance(plain, str) and not blocks else ""


def _attachments(message: Mapping[str, Any], message_id: str) -> dict[str, str]:
    found = message.get("attachments")
    pasted: dict[str, str] = {}
    for number, each in enumerate(found if isinstance(found, list) else [], start=1):
        text = each.get("extracted_content") if isinstance(each, dict) else None
        if isinstance(text, str) and text.strip():
            pasted[f"{message_id}/attachment-{number}"] = text
    return pasted
