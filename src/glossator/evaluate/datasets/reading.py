"""How does a published file become plain values, and what is said when it is not what it should be?"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from glossator.errors import UsageError

__all__ = ["answer_of", "expecting", "files_of", "json_of", "lines_of", "said_at", "text_of", "unique"]

_WEEKDAY = re.compile(r"\s*\(\w+\)")


def files_of(path: Path, *, argument: str = "data") -> tuple[Path, ...]:
    """The file itself, or the `.json` files of a folder, sorted by name. Raises UsageError where there are none."""
    if path.is_file():
        return (path,)
    if not path.exists():
        raise UsageError(argument, f"{path} does not exist", remedy="pass the dataset's published file")
    found = tuple(sorted(each for each in path.glob("*.json") if each.is_file()))
    if not found:
        raise UsageError(argument, f"the folder {path} holds no .json file", remedy="pass the published file or folder")
    return found


def json_of(path: Path, *, argument: str = "data") -> Any:
    """What a JSON file holds."""
    try:
        return json.loads(_bytes_of(path, argument))
    except ValueError as exc:
        raise UsageError(argument, f"{path} is no JSON: {exc}", remedy="pass the published file") from exc


def lines_of(path: Path, *, argument: str) -> tuple[Any, ...]:
    """What a JSON Lines file holds; blank lines are left out."""
    values = []
    for number, line in enumerate(_bytes_of(path, argument).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            values.append(json.loads(line))
        except ValueError as exc:
            raise UsageError(argument, f"{path}:{number} is no JSON: {exc}", remedy="pass a JSON Lines file") from exc
    return tuple(values)


@contextmanager
def expecting(dataset: str, path: Path, *, argument: str = "data") -> Iterator[None]:
    """Whatever shows that the file has another format than this dataset's is told as a UsageError."""
    try:
        yield
    except UsageError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as exc:
        problem = f"{path} is not in the published format of {dataset} ({type(exc).__name__}: {exc})"
        raise UsageError(argument, problem, remedy="check the dataset's name and its file") from exc


def said_at(text: str, *formats: str) -> datetime:
    """The time in the first format that fits, weekdays in brackets left out, as UTC. Raises ValueError."""
    plain = _WEEKDAY.sub("", text).strip()
    for each in formats:
        try:
            return datetime.strptime(plain, each).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise ValueError(f"no known date format: {text!r}")


def text_of(row: Mapping[str, Any], key: str) -> str:
    """The text under this key, stripped; "" where it is missing, null or has nothing to see (a zero-width space).

    Raises TypeError for another type.
    """
    value = row.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"{key} is {type(value).__name__}, not text")
    seen = any(not char.isspace() and unicodedata.category(char) not in ("Cf", "Cc") for char in value)
    return value.strip() if seen else ""


def answer_of(row: Mapping[str, Any], key: str = "answer") -> str:
    """The answer under this key, which may be a number; "" where there is none that could be compared."""
    value = row.get(key)
    if isinstance(value, str):
        return text_of(row, key)
    return str(value) if isinstance(value, int | float) else ""


def unique(values: Sequence[str]) -> tuple[str, ...]:
    """Without repeats, in the order of first appearance."""
    return tuple(dict.fromkeys(values))


def _bytes_of(path: Path, argument: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as exc:
        raise UsageError(argument, f"{path} cannot be read: {exc.strerror or exc}", remedy="check the path") from exc
