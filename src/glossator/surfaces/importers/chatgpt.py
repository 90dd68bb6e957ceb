"""What is in ChatGPT's export? `conversations.json`: a list of conversations, each a tree of messages.

`mapping` holds the nodes; the path from `current_node` up to the root is the conversation as its owner last saw it.
Branches that were edited or regenerated away, hidden messages, calls of tools and the model's reasoning are left out
and counted. Message ids are the export's own, so a later export adds only what is new.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from glossator.surfaces.importers.pieces import ROLE_WORDS, Home, ImportedMessage, Piece, Rejected, Transcript
from glossator.surfaces.importers.reading import each_object, moment, seconds_of, tally

HIDDEN_KINDS: Mapping[str, str] = {
    "thoughts": "the model's reasoning",
    "reasoning_recap": "the model's reasoning",
    "user_editable_context": "custom instructions",
    "model_editable_context": "custom instructions",
    "app_pairing_content": "the program's own notes",
}

PLACEHOLDERS: Mapping[str, str] = {
    "image_asset_pointer": "[image]",
    "audio_asset_pointer": "[audio]",
    "video_container_asset_pointer": "[video]",
    "real_time_user_audio_video_asset_pointer": "[audio]",
}
"""A part that is no text stands in the words as a mark: the turn did happen."""


def read_chatgpt(text: str, *, home: Home) -> Iterator[Piece]:
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
    conversation_id = _conversation_id(value)
    if not isinstance(value, dict) or not isinstance(value.get("mapping"), dict) or not conversation_id:
        yield Rejected(where=where, reason="has no mapping" if conversation_id else "has no id")
        return
    nodes = {key: node for key, node in value["mapping"].items() if isinstance(node, dict)}
    path = _path(nodes, value.get("current_node"))
    aside = len([key for key in nodes.keys() - set(path) if _has_words(nodes[key])])
    if aside:
        left_out["on branches that were edited or regenerated away"] += aside
    at = moment(value.get("create_time"), home.zone) or home.at
    messages: list[ImportedMessage] = []
    for key in path:
        read = _read_message(nodes[key].get("message"), key, at=at, home=home, left_out=left_out)
        if isinstance(read, str):
            yield Rejected(where=f"{where}, message {key}", reason=read)
        elif read is not None:
            messages.append(read)
            at = read.at
    if messages:
        yield Transcript(
            conversation=home.conversation or f"chatgpt:{conversation_id}",
            session=_session(conversation_id, moment(value.get("create_time"), home.zone) or messages[0].at),
            messages=tuple(messages),
            share=share,
        )


def _conversation_id(value: object) -> str:
    if not isinstance(value, dict):
        return ""
    found = value.get("conversation_id") or value.get("id")
    return found if isinstance(found, str) else ""


def _session(conversation_id: str, at: str | None) -> str:
    """The day it began, and enough of the id to tell it from others of that day: both stay when a chat is renamed."""
    return f"{at[:10]} {conversation_id[:8]}" if at else conversation_id


def _path(nodes: Mapping[str, Mapping[str, Any]], current: object) -> list[str]:
    """Node keys from the root to the current node; to the newest leaf where the current node is not named."""
    if not isinstance(current, str) or current not in nodes:
        leaves = [key for key, node in nodes.items() if not node.get("children")]
        current = max(leaves or nodes, key=lambda key: _created(nodes[key]), default=None)
    path: list[str] = []
    seen: set[str] = set()
    while isinstance(current, str) and current in nodes and current not in seen:
        seen.add(current)
        path.append(current)
        current = nodes[current].get("parent")
    return path[::-1]


def _created(node: Mapping[str, Any]) -> float:
    message = node.get("message")
    created = seconds_of(message.get("create_time")) if isinstance(message, dict) else 0.0
    return created if math.isfinite(created) else 0.0


def _has_words(node: Mapping[str, Any]) -> bool:
    message = node.get("message")
    return isinstance(message, dict) and bool(_text(message.get("content")).strip())


def _read_message(
    message: object, key: str, *, at: str | None, home: Home, left_out: Counter[str]
) -> ImportedMessage | str | None:
    """The message; or why it is rejected; or None where there is nothing to keep."""
    if message is None:
        return None
    if not isinstance(message, dict):
        return "is no object"
    author = _mapping(message.get("author"))
    role = ROLE_WORDS.get(str(author.get("role") or "").casefold())
    if role is None:
        return "has no known author"
    reason = _why_left_out(message)
    text = _text(message.get("content"))
    if reason or not text.strip():
        if reason or role != "system":  # each conversation has an empty system message as its root
            left_out[reason or "without words"] += 1
        return None
    name = author.get("name")
    speaker = {"user": "user", "assistant": "ChatGPT"}.get(role, name if isinstance(name, str) and name else role)
    own_id = message.get("id")
    return ImportedMessage(
        message_id=own_id if isinstance(own_id, str) and own_id else key,
        role=role,
        content=text,
        speaker=speaker,
        at=moment(message.get("create_time"), home.zone) or at,
    )


def _why_left_out(message: Mapping[str, Any]) -> str:
    metadata = _mapping(message.get("metadata"))
    kind = str(_mapping(message.get("content")).get("content_type") or "")
    if kind in HIDDEN_KINDS:
        return HIDDEN_KINDS[kind]
    if metadata.get("is_visually_hidden_from_conversation") or metadata.get("is_user_system_message"):
        return "hidden by ChatGPT"
    if message.get("weight") in (0, 0.0):
        return "hidden by ChatGPT"
    return "calls of tools" if message.get("recipient") not in (None, "", "all") else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, dict):
        return ""
    parts = content.get("parts")
    if isinstance(parts, list):
        return "\n".join(words for words in map(_part, parts) if words)
    for field in ("text", "result"):
        if isinstance(content.get(field), str):
            return str(content[field])
    return ""


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    text = part.get("text")
    return text if isinstance(text, str) and text else PLACEHOLDERS.get(str(part.get("content_type")), "")
