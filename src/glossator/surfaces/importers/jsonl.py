"""What is in our own JSON Lines: one message per line.

Fields: role, content, and where known speaker, at, id, conversation, session. Unknown fields are ignored. A broken
line is rejected with its number, and the lines around it are read.
"""

import json
from collections.abc import Iterable, Iterator

from glossator.surfaces.importers.pieces import (
    ROLE_WORDS,
    Home,
    ImportedMessage,
    Note,
    Piece,
    Rejected,
    Transcript,
    excerpt,
)
from glossator.surfaces.importers.reading import Occurrences, decode, moment, words_of

GROUP_MESSAGES_MAX = 200
"""Messages handed on at a time, so that a file of any size is read in constant memory."""

Place = tuple[str, str | None]
"""Conversation and session."""


def read_jsonl(lines: Iterable[bytes], *, home: Home, size: int = 0) -> Iterator[Piece]:
    """Neighbouring lines of one session as a Transcript. `size` is the whole input's in bytes, 0 if unknown."""
    ids: dict[str, Occurrences] = {}
    group: list[ImportedMessage] = []
    place: Place | None = None
    bytes_read = 0
    for number, data in enumerate(lines, start=1):
        bytes_read += len(data)
        for piece in _read_line(data, f"line {number}", home=home, ids=ids):
            if not isinstance(piece, tuple):
                yield piece
                continue
            if place is not None and (piece[0] != place or len(group) >= GROUP_MESSAGES_MAX):
                yield _transcript(place, group, bytes_read / size if size else 0.0)
                group = []
            place = piece[0]
            group.append(piece[1])
    if place is not None and group:
        yield _transcript(place, group, 1.0)


def read_objects(values: Iterable[tuple[object, str, float]], *, home: Home) -> Iterator[Piece]:
    """The same for a JSON list of such messages."""
    ids: dict[str, Occurrences] = {}
    groups: dict[Place, list[ImportedMessage]] = {}
    for value, where, _ in values:
        piece = _message(value, where, home=home, ids=ids)
        if isinstance(piece, Rejected):
            yield piece
        else:
            groups.setdefault(piece[0], []).append(piece[1])
    for place, group in groups.items():
        yield _transcript(place, group, 1.0)


def _transcript(place: Place, group: list[ImportedMessage], share: float) -> Transcript:
    return Transcript(conversation=place[0], session=place[1], messages=tuple(group), share=share)


def _read_line(
    data: bytes, where: str, *, home: Home, ids: dict[str, Occurrences]
) -> Iterator[Rejected | Note | tuple[Place, ImportedMessage]]:
    text, note = decode(data)
    text = text.strip("\r\n\t \0")
    if not text:
        return
    if note:
        yield Note(text=note.text, where=where)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        reason = "is no complete JSON object" if text.startswith("{") else "is no JSON"
        yield Rejected(where=where, reason=reason, excerpt=excerpt(text))
        return
    yield _message(value, where, home=home, ids=ids)


def _message(
    value: object, where: str, *, home: Home, ids: dict[str, Occurrences]
) -> Rejected | tuple[Place, ImportedMessage]:
    if not isinstance(value, dict):
        return Rejected(where=where, reason="is no JSON object", excerpt=excerpt(str(value)))
    if home.role is not None and value.get("role") is None:
        value = {**value, "role": home.role}
    content = words_of(value.get("content"))
    problem = _problem(value, content)
    if problem:
        return Rejected(where=where, reason=problem, excerpt=excerpt(content or str(value)))
    role = ROLE_WORDS[str(value["role"]).strip().casefold()]
    conversation = _name(value.get("conversation")) or home.fallback_conversation
    speaker = _name(value.get("speaker")) or home.speaker
    message_id = _name(value.get("id"))
    if message_id is None and home.stable_ids:
        message_id = ids.setdefault(conversation, Occurrences()).id_of(role, speaker or "", content)
    message = ImportedMessage(
        message_id=message_id,
        role=role,
        content=content,
        speaker=speaker,
        at=moment(value.get("at"), home.zone) or home.at,
        where=where,
    )
    return (conversation, _name(value.get("session")) or home.session), message


def _problem(value: dict[str, object], content: str) -> str:
    role = value.get("role")
    if role is None:
        return "role is missing"
    if not isinstance(role, str) or role.strip().casefold() not in ROLE_WORDS:
        return f"role {excerpt(str(role))!r} is unknown"
    if "content" not in value:
        return "content is missing"
    return "" if content.strip() else "content is blank"


def _name(value: object) -> str | None:
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool) or not isinstance(value, int) or value.bit_length() > 64:
        return None
    return str(value)
