"""Which arguments does a tool take, as a JSON schema and as a check of what a model gave?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, assert_never

from glossator.errors import UsageError

ArgumentKind = Literal["text", "texts", "number", "count", "switch"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of a tool.

    `low` and `high` bound a number or a count; a number outside is refused, a count is brought inside: a model that
    asks for 500 hits means "many".
    """

    name: str
    kind: ArgumentKind
    description: str
    required: bool = False
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    default: object = None


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
    by_name = {each.name: each for each in declared}
    for name in given:
        if name not in by_name:
            raise UsageError(name, "is no argument of this tool", remedy=f"it takes {', '.join(by_name)}")
    return {each.name: _value(each, given.get(each.name)) for each in declared}


def _value(argument: Argument, value: object) -> Any:
    if value is None or (argument.required and isinstance(value, str) and not value.strip()):
        if argument.required:
            raise UsageError(argument.name, "is missing" if value is None else "is blank", remedy=argument.description)
        return argument.default
    match argument.kind:
        case "text":
            return _text(argument, value)
        case "texts":
            if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
                raise _wrong(argument, value, "a list of texts")
            return tuple(value)
        case "number":
            return _number(argument, value)
        case "count":
            return _count(argument, value)
        case "switch":
            if not isinstance(value, bool):
                raise _wrong(argument, value, "true or false")
            return value
        case _ as never:
            assert_never(never)


def _text(argument: Argument, value: object) -> str:
    if not isinstance(value, str):
        raise _wrong(argument, value, "a text")
    if argument.choices and value not in argument.choices:
        remedy = f"choose from {', '.join(argument.choices)}"
        raise UsageError(argument.name, f"{value!r} is unknown", remedy=remedy)
    return value


def _number(argument: Argument, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(argument, value, "a number")
    low, high = argument.low, argument.high
    if not ((low is None or value >= low) and (high is None or value <= high)):  # so that NaN is refused too
        raise UsageError(argument.name, f"{value!r} is out of range", remedy=f"pass a number from {low} to {high}")
    return float(value)


def _count(argument: Argument, value: object) -> int:
    """A whole number, brought into its bounds. 10.0 is one, as in JSON."""
    whole = value if isinstance(value, int) else int(value) if isinstance(value, float) and value.is_integer() else None
    if whole is None or isinstance(value, bool):
        raise _wrong(argument, value, "a whole number")
    low = whole if argument.low is None else int(argument.low)
    high = whole if argument.high is None else int(argument.high)
    return min(max(whole, low), high)


def _wrong(argument: Argument, value: object, wanted: str) -> UsageError:
    return UsageError(argument.name, f"is {type(value).__name__}, not {wanted}", remedy=argument.description)
