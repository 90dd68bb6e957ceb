"""Which words does one review read, and how far is the conversation read then?

Only what users wrote in chat or said by voice, the oldest first, and of that only their own words: what was recalled,
quoted or pasted is blanked, so that no memory is learnt from memory. A message that is longer than the whole budget is
read in several reviews, and the cursor stands inside it meanwhile.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from glossator.errors import UsageError
from glossator.model import Message, Packed, PackedMessage, Passage, ReviewCursor
from glossator.model.rendering import cut_to_tokens
from glossator.rules.blocks import own_words
from glossator.rules.instants import local_time
from glossator.rules.roles import users_part

MESSAGES_MAX = 40
TOKENS_MAX = 4_000
"""F27: so many messages, and so many tokens of them, are read in one review."""
TOKENS_MIN = 100
"""The name and the date of a message take up to 80; a smaller budget might never get on."""
BYTES_PER_TOKEN = 4
BREAK_CHARACTERS_MAX = 200
"""So far a cut may move back to the last white space, so that no word is cut in two."""
SPEAKER_TOKENS_MAX = 10
KINDS = ("chat", "voice_turn")

_UNIT = regex.compile(r" {4,}(?![\p{M}\p{Cf}])|\X")
_LINE_ENDS = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})
"""JSON leaves them as they are, and yet they end a line."""
_ESCAPED = '"\\\x85\u2028\u2029'
_BLANKED = regex.compile(r" {4,}")
_SHOWN_BLANK = "   "
"""A long run of blanks is a part that was taken out, or an indent; the prompt need not carry it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """`text[start:end]` of a message, which takes `size` bytes in the prompt."""

    end: int
    size: int


def pack(
    messages: Sequence[Message], *, cursor: ReviewCursor, messages_max: int = MESSAGES_MAX, tokens_max: int = TOKENS_MAX
) -> Packed:
    """What is read next behind the cursor: whole messages as far as they fit, or the next piece of a long one.

    Of `messages` those count that a user wrote or said; messages at or before the cursor are passed over. Raises
    UsageError for fewer than one message or than TOKENS_MIN tokens.
    """
    if messages_max < 1:
        raise UsageError("messages_max", "is less than 1", remedy="pass how many messages one review may read")
    if tokens_max < TOKENS_MIN:
        raise UsageError("tokens_max", f"is less than {TOKENS_MIN}", remedy="give the review more room")
    taken: list[PackedMessage] = []
    used, left, reached = 0, False, cursor
    for message in _behind(messages, cursor):
        own = _own_words(message)
        start = min(cursor.offset, len(own)) if message.message_id == cursor.message_id + 1 else 0
        if not own[start:].strip():
            reached = ReviewCursor(message_id=message.message_id)
            continue
        piece = _piece(message, own, start, tokens_max * BYTES_PER_TOKEN - used)
        is_cut = piece.end < len(own)
        if taken and (is_cut or len(taken) == messages_max):
            left = True
            break
        taken.append(_packed(message, own, start, piece.end))
        used += piece.size
        if is_cut:
            left, reached = True, ReviewCursor(message_id=message.message_id - 1, offset=piece.end)
            break
        reached = ReviewCursor(message_id=message.message_id)
    size = sum(len(line_of(each).encode()) + 1 for each in taken)
    return Packed(messages=tuple(taken), cursor=reached, token_count=-(-size // BYTES_PER_TOKEN), left=left)


def _behind(messages: Sequence[Message], cursor: ReviewCursor) -> list[Message]:
    """The messages that are open to review, in journal order."""
    found = (each for each in messages if each.message_id > cursor.message_id and is_reviewed(each))
    return sorted(found, key=lambda each: each.message_id)


def is_reviewed(message: Message) -> bool:
    """True for what a user wrote in chat or said by voice; assistants, tools, summaries and documents are no source."""
    return message.role == "user" and message.kind in KINDS


def line_of(packed: PackedMessage) -> str:
    """The message as the prompt shows it: one line of JSON, so that nothing in it can end it. Blanks at its end are not
    shown: `_piece` takes them along for nothing."""
    head = {"message": packed.message_id, "said": f"{local_time(packed.said):%Y-%m-%d}", "by": _by(packed)}
    return quoted(head)[:-1] + f', "text": {quoted(_BLANKED.sub(_SHOWN_BLANK, packed.text.rstrip()))}}}'


def quoted(value: object) -> str:
    """The value as JSON on one line, whatever ends a line in which tool."""
    return json.dumps(value, ensure_ascii=False).translate(_LINE_ENDS)


def passage_of(packed: PackedMessage) -> Passage:
    """The message as an extractor reads it; offsets in its text are offsets in the message.

    What lies before the piece is blank, so that it is not read again.
    """
    return Passage(
        text=" " * packed.start + packed.text,
        role="user",
        speaker=packed.speaker,
        said=packed.said,
        message_id=packed.message_id,
        external_id=packed.external_id,
        session=packed.session,
        trust=packed.trust,
    )


def _packed(message: Message, own: str, start: int, end: int) -> PackedMessage:
    trust = "guest" if message.trust == "unknown" else message.trust
    return PackedMessage(
        message_id=message.message_id, text=own[start:end], said=message.said, speaker=message.speaker, trust=trust,
        start=start, end=end, external_id=message.external_id, session=message.session,
    )  # fmt: skip


def _own_words(message: Message) -> str:
    """The message with all that is not its speaker's own replaced by blanks, at the same length."""
    if message.trust == "tool":
        return ""
    return users_part(own_words(message.content))


def _piece(message: Message, own: str, start: int, room: int) -> _Piece:
    """As much of the message from `start` on as fits: whole graphemes, and whole words where there are any.

    Blanks at its end are taken along for nothing, so that a rest is never blank. One grapheme that is larger than all
    the room is cut between its characters, since the review must get on.
    """
    size = len(line_of(_packed(message, own, start, start)).encode()) + 1
    broken, broken_size = start, size
    end = start
    for found in _UNIT.finditer(own, start):
        cost = _cost(found.group())
        if size + cost > room:
            break
        end, size = found.end(), size + cost
        if found.group().isspace():
            broken, broken_size = end, size
    if not own[end:].strip():
        return _Piece(end=len(own), size=size)
    if end == start:
        while end < len(own) and size + _cost(own[end]) <= room:
            size += _cost(own[end])
            end += 1
        return _Piece(end=end, size=size)
    if broken > start and end - broken <= BREAK_CHARACTERS_MAX and own[start:broken].strip():
        return _Piece(end=broken, size=broken_size)
    return _Piece(end=end, size=size)


def _cost(unit: str) -> int:
    """Bytes of the unit inside a JSON text."""
    if unit.startswith("    "):
        return len(_SHOWN_BLANK)
    if any(letter in _ESCAPED or letter < " " for letter in unit):
        return len(quoted(unit).encode()) - 2
    return len(unit.encode())


def _by(packed: PackedMessage) -> str:
    return f"{cut_to_tokens(' '.join(packed.speaker.split()), SPEAKER_TOKENS_MAX)} ({packed.trust})"
