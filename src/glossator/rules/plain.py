"""Is this what JSON has: texts, numbers, true and false, None, lists and mappings by names? Dates become ISO texts."""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import PurePath
from typing import Any, NoReturn

from glossator.errors import UsageError

DEPTH_MAX = 100
"""What is nested deeper is written by nobody, and Python's own JSON gives up not far beyond."""
BITS_MAX = 1_024
"""A larger number is none that other programs can read: JSON has no limit, they have a float's."""


def plain(
    value: object,
    argument: str,
    *,
    text: Callable[[str], str],
    other: Callable[[object, str], Any] | None = None,
    depth: int = 0,
) -> Any:
    """The value as JSON has it. Raises UsageError naming the part that JSON does not have: "metadata.sizes[2]".

    `text` mends every text and name; `other` gives what stands for a value of any further kind.
    """
    if depth > DEPTH_MAX:
        raise UsageError(argument[:200], f"is nested more than {DEPTH_MAX} deep", remedy="flatten it")

    def inner(each: object, place: str) -> Any:
        return plain(each, f"{argument}{place}", text=text, other=other, depth=depth + 1)

    match value:
        case None | bool():
            return value
        case str():
            return text(value)
        case int() | float():
            return _number(value, argument)
        case date() | PurePath():
            return text(value.isoformat() if isinstance(value, date) else str(value))
        case Mapping():
            named = {text(_name(name, argument)): each for name, each in value.items()}
            return {name: inner(each, f".{name}") for name, each in named.items()}
        case Sequence() if not isinstance(value, bytes | bytearray | memoryview):
            return [inner(each, f"[{place}]") for place, each in enumerate(value)]
    return other(value, argument) if other is not None else refused(value, argument)


def refused(value: object, argument: str) -> NoReturn:
    """Raises UsageError: JSON has no such value."""
    raise UsageError(argument, f"is {type(value).__name__}, which JSON does not have", remedy="pass plain values")


def _number(value: float, argument: str) -> float:
    if isinstance(value, float) and not math.isfinite(value):
        raise UsageError(argument, f"is {value}, which JSON does not have", remedy="pass a number or None")
    if isinstance(value, int) and value.bit_length() > BITS_MAX:
        problem = f"is a number of {value.bit_length():,} bits, more than {BITS_MAX:,}"
        raise UsageError(argument, problem, remedy="pass it as a text")
    return value


def _name(name: object, argument: str) -> str:
    if isinstance(name, str):
        return name
    if isinstance(name, int | float) and not isinstance(name, bool):
        return str(name)
    raise UsageError(argument, f"has a name that is {type(name).__name__}, not text", remedy="name its parts by texts")
