"""What is a value in JSON? Its own field names, times as ISO 8601 in UTC with an offset, no NaN, valid UTF-8."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from pathlib import Path

_STEERING = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What JSON may have as it is and a terminal would obey; the escapes mean the same."""

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]


def plain_value(value: object) -> Plain:
    """The value as lists, dicts, texts and numbers."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat() if value.tzinfo else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Path):
        return shown_path(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain_value(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(plain_value(key)): plain_value(each) for key, each in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [plain_value(each) for each in (sorted(value) if isinstance(value, set | frozenset) else value)]
    item = getattr(value, "item", None)  # numpy's scalars
    return plain_value(item()) if callable(item) else str(value)


def shown_path(path: Path) -> str:
    """A path as text, also where its bytes are no valid UTF-8 or the locale is not."""
    return mended(str(path))


def mended(text: str) -> str:
    """What the system handed over as text, read as UTF-8 also where the locale is not."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def document(value: object) -> str:
    """One JSON document."""
    text = json.dumps(plain_value(value), ensure_ascii=False, indent=2, allow_nan=False)
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
