"""What did who say? The messages that a model hands over to be kept."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from glossator.errors import UsageError
from glossator.model import ROLES

OTHER_NAMES: Mapping[str, str] = {
    "text": "content",
    "message": "content",
    "author": "speaker",
    "name": "speaker",
    "sender": "speaker",
    "timestamp": "at",
    "time": "at",
    "date": "at",
    "said_at": "at",
    "message_id": "id",
}
"""By which names other programs call the parts of a message."""
EXAMPLE = 'for example {"role": "user", "content": "I moved to Oslo."}'

MESSAGES_SCHEMA: Mapping[str, Any] = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "properties": {
            "role": {
                "type": "string",
                "enum": list(ROLES),
                "description": "Who said it. What the assistant said itself is never taken for the user's own words.",
            },
            "content": {"type": "string", "description": "The words, unchanged."},
            "speaker": {"type": "string", "description": "Their name, where it is known."},
            "at": {"type": "string", "description": "When it was said: ISO 8601 with an offset; now if left out."},
            "id": {"type": "string", "description": "The message's own id; the same id is kept once."},
        },
        "required": ["role", "content"],
    },
}


def checked_messages(argument: str, value: object) -> tuple[dict[str, object], ...]:
    """The messages with the names that `record` knows. Raises UsageError for one that does not say who said it."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise UsageError(argument, "is a text, not a list of messages", remedy=EXAMPLE) from error
    given = [value] if isinstance(value, Mapping) else value
    if not isinstance(given, Sequence) or isinstance(given, str | bytes) or not given:
        raise UsageError(argument, "is no list of messages", remedy=EXAMPLE)
    return tuple(_message(f"{argument}[{place}]", each) for place, each in enumerate(given))


def _message(place: str, value: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise UsageError(place, f"is {type(value).__name__}, and does not say who said it", remedy=EXAMPLE)
    message: dict[str, object] = {}
    for name, part in value.items():
        own = OTHER_NAMES.get(str(name), str(name))
        if part is None or own in message:
            continue
        message[own] = part
    if message.get("role") not in ROLES:
        problem = "is missing" if "role" not in message else f"{str(message['role'])[:100]!r} is unknown"
        raise UsageError(f"{place}.role", problem, remedy=f"choose from {', '.join(ROLES)}")
    return message
