"""How do bytes become text, and JSON values become strings and times, whatever state they are in?"""

import codecs
import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo

from glossator.surfaces.importers.pieces import LeftOut, Note, Rejected, excerpt

_BLANK = re.compile(r"[ \t\r\n]*")
_SEPARATOR = re.compile(r"[ \t\r\n]*,?[ \t\r\n]*")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)$")


def decode(data: bytes) -> tuple[str, Note | None]:
    """Bytes as text: UTF-8, or UTF-16 where a byte-order mark says so; what is invalid becomes U+FFFD, with a note."""
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return data.decode(encoding), None
    except UnicodeDecodeError as exc:
        text = data.decode(encoding, "replace")
        where = f"byte {exc.start}"
        return text, Note(text="bytes that are no valid UTF-8 were replaced by U+FFFD", where=where)


def each_object(text: str, *, what: str) -> Iterator[tuple[object, str, float] | Rejected]:
    """Yield each element of a JSON list as (value, where, share of the text read), also of a list that breaks off.

    A lone object counts as a list of one, and `{"conversations": [...]}` as that list.
    """
    start = _skip(_BLANK, text, 0)
    if text[start : start + 1] != "[":
        yield from _lone_object(text, start, what=what)
        return
    decoder = json.JSONDecoder()
    place, number = _skip(_SEPARATOR, text, start + 1), 0
    while place < len(text) and text[place] != "]":
        number += 1
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as exc:
            head = excerpt(text[place : place + 200])
            yield Rejected(where=f"{what} {number}", reason=_broken(text, exc), excerpt=head)
            return
        place = _skip(_SEPARATOR, text, place)
        yield value, f"{what} {number}", place / len(text)
    if place >= len(text):
        yield Rejected(where=f"{what} {number + 1}", reason="the file ends before its list does")


def _lone_object(text: str, start: int, *, what: str) -> Iterator[tuple[object, str, float] | Rejected]:
    try:
        value = json.loads(text[start:])
    except (ValueError, RecursionError) as exc:
        yield Rejected(where="the file", reason=_broken(text, exc), excerpt=excerpt(text[start : start + 200]))
        return
    inner = value.get("conversations") if isinstance(value, dict) else None
    for number, each in enumerate(inner if isinstance(inner, list) else [value], start=1):
        yield each, f"{what} {number}", 1.0


def _skip(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place


def _broken(text: str, exc: Exception) -> str:
    if isinstance(exc, json.JSONDecodeError):
        at_end = exc.pos >= len(text.rstrip())
        return "JSON breaks off at the end of the file" if at_end else f"broken JSON: {exc.msg} at character {exc.pos}"
    return "JSON nested too deep" if isinstance(exc, RecursionError) else "broken JSON"


def words_of(value: object) -> str:
    """The text of a `content`: a string, or a list of strings and `{"type": "text", "text": ...}` blocks."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return ""
    texts = [each if isinstance(each, str) else each.get("text") for each in value if isinstance(each, str | dict)]
    return "\n".join(each for each in texts if isinstance(each, str) and each)


def moment(value: object, zone: tzinfo) -> str | None:
    """A time of an export as ISO 8601: epoch seconds and UTC instants as the speaker's clock showed them in `zone`.

    A time with an offset of its own, or with none, stays as it was written. None if there is no time in it.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _of_epoch(seconds_of(value), zone)
    if not isinstance(value, str) or not value.strip():
        return None
    text = value.strip()
    if not _INSTANT.match(text):
        return text
    try:
        return datetime.fromisoformat(text).astimezone(zone).isoformat()
    except (ValueError, OverflowError):
        return text


def seconds_of(value: object) -> float:
    """A number as float; nan for anything else, also for one that is too large."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.nan


def _of_epoch(seconds: float, zone: tzinfo) -> str | None:
    if not math.isfinite(seconds):
        return None
    if seconds > 1e11:  # milliseconds: as seconds this would be after the year 5000
        seconds /= 1000
    try:
        return datetime.fromtimestamp(seconds, UTC).astimezone(zone).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


class Occurrences:
    """Ids for messages that have none: from speaker and words, and how often these came before, not from the place.

    So a longer export of the same conversation gives the same messages the same ids.
    """

    def __init__(self) -> None:
        self._seen: Counter[bytes] = Counter()

    def id_of(self, *parts: str) -> str:
        """The id of the next message with these parts."""
        text = "\0".join(parts).encode("utf-8", "surrogatepass")
        key = hashlib.blake2b(text, digest_size=12).digest()
        self._seen[key] += 1
        return f"x-{key.hex()}-{self._seen[key]}"


def tally(reasons: Counter[str]) -> Iterator[LeftOut]:
    """One LeftOut per reason, in the order of the reasons."""
    for reason in sorted(reasons):
        yield LeftOut(reason=reason, count=reasons[reason])
