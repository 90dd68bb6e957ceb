"""Which arguments does a tool take, as a JSON schema and as a check of what a model gave?

Names and numbers are forgiven, meanings are not: `topK`, `k` or "5" for a limit are taken, what nobody declared is
refused by its name.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, assert_never

from glossator.errors import UsageError
from glossator.surfaces.tools.said import MESSAGES_SCHEMA, checked_messages

ArgumentKind = Literal["text", "texts", "number", "count", "switch", "messages"]
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SWITCHES: Mapping[str, bool] = {"true": True, "yes": True, "false": False, "no": False}
DIGITS_MAX = 30
"""A number with more digits is no count of anything; Python would take long to read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of a tool.

    `low` and `high` bound a number or a count; a number outside is refused, a count is brought inside: a model that
    asks for 500 hits means "many". `aliases` are the names by which models that know other memories call it; they are
    taken and not shown in the schema.
    """

    name: str
    kind: ArgumentKind
    description: str
    required: bool = False
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    default: object = None
    aliases: tuple[str, ...] = ()


def schema_of(declared: Sequence[Argument]) -> dict[str, Any]:
    """The JSON schema of the arguments; what is not declared is not allowed."""
    return {
        "type": "object",
        "properties": {each.name: _property(each) for each in declared},
        "required": [each.name for each in declared if each.required],
        "additionalProperties": False,
    }


def _property(argument: Argument) -> dict[str, Any]:
    shape: dict[str, Any]
    match argument.kind:
        case "text":
            shape = {"type": "string"}
        case "texts":
            shape = {"type": "array", "items": {"type": "string"}}
        case "number":
            shape = {"type": "number"}
        case "count":
            shape = {"type": "integer"}
        case "switch":
            shape = {"type": "boolean"}
        case "messages":
            shape = dict(MESSAGES_SCHEMA)
        case _ as never:
            assert_never(never)
    shape |= {"enum": list(argument.choices)} if argument.choices else {}
    shape |= {"minimum": argument.low} if argument.low is not None else {}
    shape |= {"maximum": argument.high} if argument.high is not None else {}
    if argument.default is not None:
        shape["default"] = list(argument.default) if isinstance(argument.default, tuple) else argument.default
    return shape | {"description": argument.description}


def checked(declared: Sequence[Argument], given: Mapping[str, object]) -> dict[str, Any]:
    """What was given, with defaults for the rest; null is the same as left out. Raises UsageError for the first fault.

    A blank required text counts as missing.
    """
    named = _by_own_names(declared, given)
    return {each.name: _value(each, named.get(each.name)) for each in declared}


def _by_own_names(declared: Sequence[Argument], given: Mapping[str, object]) -> dict[str, object]:
    """What was given, under the arguments' own names."""
    own = {alias: each.name for each in declared for alias in (each.name, *each.aliases)}
    named: dict[str, object] = {}
    for name, value in given.items():
        meant = own.get(name) or own.get(_HUMP.sub("_", name).replace("-", "_").lower())
        if meant is None:
            takes = ", ".join(each.name for each in declared) or "no argument"
            raise UsageError(name, "is no argument of this tool", remedy=f"it takes {takes}")
        if named.get(meant) is not None and value is not None and named[meant] != value:
            raise UsageError(name, f"is another name of {meant}, and both are given", remedy="pass one of them")
        named[meant] = value if named.get(meant) is None else named[meant]
    return named


def _value(argument: Argument, value: object) -> Any:
    if value is None or (argument.required and isinstance(value, str) and not value.strip()):
        if argument.required:
            raise UsageError(argument.name, "is missing" if value is None else "is blank", remedy=argument.description)
        return argument.default
    match argument.kind:
        case "text":
            return _text(argument, value)
        case "texts":
            return _texts(argument, value)
        case "number":
            return _number(argument, value)
        case "count":
            return _count(argument, value)
        case "switch":
            return _switch(argument, value)
        case "messages":
            return checked_messages(argument.name, value)
        case _ as never:
            assert_never(never)


def _text(argument: Argument, value: object) -> str:
    """The text; a whole number stands for its digits, as in an id."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**DIGITS_MAX:
        value = str(value)
    if not isinstance(value, str):
        raise _wrong(argument, value, "a text")
    if not argument.choices or value in argument.choices:
        return value
    chosen = next((each for each in argument.choices if each == value.strip().casefold()), None)
    if chosen is None:
        remedy = f"choose from {', '.join(argument.choices)}"
        raise UsageError(argument.name, f"{value[:100]!r} is unknown", remedy=remedy)
    return chosen


def _texts(argument: Argument, value: object) -> tuple[str, ...]:
    """The texts; one text alone stands for a list of one, and a list that came as JSON for itself."""
    if isinstance(value, str):
        read = _as_json(value) if value.lstrip().startswith("[") else None
        value = read if isinstance(read, list) else [value]
    if not isinstance(value, list | tuple) or not all(isinstance(each, str | int) for each in value):
        raise _wrong(argument, value, "a list of texts")
    return tuple(str(each) for each in value)


def _as_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _switch(argument: Argument, value: object) -> bool:
    read = _SWITCHES.get(value.strip().casefold()) if isinstance(value, str) else value
    if not isinstance(read, bool):
        raise _wrong(argument, value, "true or false")
    return read


def _as_number(value: object) -> object:
    """A number that came as a text, as a number; everything else as it is."""
    if not isinstance(value, str) or len(value) > DIGITS_MAX:
        return value
    try:
        read = float(value.strip())
    except ValueError:
        return value
    return int(read) if math.isfinite(read) and read.is_integer() else read


def _number(argument: Argument, value: object) -> float:
    value = _as_number(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(argument, value, "a number")
    low, high = argument.low, argument.high
    if not ((low is None or value >= low) and (high is None or value <= high)):  # so that NaN is refused too
        raise UsageError(argument.name, f"{value!r} is out of range", remedy=f"pass a number from {low} to {high}")
    return float(value)


def _count(argument: Argument, value: object) -> int:
    """A whole number, brought into its bounds. 10.0 is one, as in JSON."""
    value = _as_number(value)
    whole = value if isinstance(value, int) else int(value) if isinstance(value, float) and value.is_integer() else None
    if whole is None or isinstance(value, bool):
        raise _wrong(argument, value, "a whole number")
    low = whole if argument.low is None else int(argument.low)
    high = whole if argument.high is None else int(argument.high)
    return min(max(whole, low), high)


def _wrong(argument: Argument, value: object, wanted: str) -> UsageError:
    shown = "null" if value is None else type(value).__name__
    return UsageError(argument.name, f"is {shown}, not {wanted}", remedy=argument.description)
