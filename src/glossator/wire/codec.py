"""How does a value become JSON and come back? By its annotations, so that nothing is said twice.

Times are ISO 8601 with their offset, tuples are arrays, dataclasses are objects with their own field names.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from glossator.errors import UsageError

Verb = Callable[..., Any]
UNSENT = frozenset({"self", "scope"})
"""Arguments that no body carries: the scope is what the request's key and parameters say."""


class Arguments(BaseModel):
    """The arguments of one verb, as a JSON object; what the verb does not take is refused."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    def given(self) -> Mapping[str, Any]:
        """What was sent, as the verb takes it; what was left out keeps the verb's own default."""
        return {name: getattr(self, name) for name in self.model_fields_set}


@cache
def shape_of(annotation: Any) -> TypeAdapter[Any]:
    """The codec of a type; also its JSON schema (`.json_schema()`)."""
    return TypeAdapter(annotation)


@cache
def result_of(verb: Verb) -> TypeAdapter[Any]:
    """The codec of what a verb returns."""
    return shape_of(get_type_hints(verb)["return"])


def written(value: object, annotation: Any) -> Any:
    """The value as lists, dicts, texts and numbers."""
    return shape_of(annotation).dump_python(value, mode="json")


def read(data: object, annotation: Any) -> Any:
    """The value that was written so. Raises UsageError for what is none."""
    try:
        return shape_of(annotation).validate_python(data, strict=False)
    except ValidationError as error:
        raise as_usage_error(error) from error


@cache
def arguments_of(verb: Verb, *, leave_out: frozenset[str] = frozenset()) -> type[Arguments]:
    """A model of the verb's arguments without its scope and those that stand elsewhere in the request."""
    hints = get_type_hints(verb)
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(verb).parameters.items():
        if name in UNSENT | leave_out:
            continue
        required = parameter.default is inspect.Parameter.empty
        fields[name] = (_sent(hints[name]), ... if required else Field(default=parameter.default))
    return create_model(f"{verb.__name__}_arguments", __base__=Arguments, **fields)


def _sent(hint: Any) -> Any:
    """An `object` among a verb's arguments is a time, which JSON has as text."""
    if hint is object:
        return str | None
    if get_origin(hint) in (Union, UnionType) and any(each is object for each in get_args(hint)):
        return str | None
    return hint


def as_usage_error(error: ValidationError, given: object = None) -> UsageError:
    """The first fault, named as the caller wrote it: "messages[3].content".

    `given` is what was read, so that a name is told which the caller wrote, and not one of the type.
    """
    first = error.errors(include_url=False)[0]
    argument = ""
    for part in _as_written(first["loc"], given, missing=first["type"] == "missing"):
        argument += f"[{part}]" if isinstance(part, int) else f".{part}" if argument else str(part)
    if first["type"] == "extra_forbidden":
        return UsageError(argument, "is unknown", remedy="leave it out, or see GET /openapi.json for the names")
    return UsageError(argument or "body", str(first["msg"]).lower(), remedy="see GET /openapi.json")


def _as_written(place: tuple[int | str, ...], given: object, *, missing: bool) -> tuple[int | str, ...]:
    """The place without the names of the alternatives that pydantic has tried there."""
    if given is None:
        return place
    parts: list[int | str] = []
    for number, part in enumerate(place):
        if isinstance(given, Mapping) and (part in given or (missing and number == len(place) - 1)):
            given = given.get(part)
        elif isinstance(given, list | tuple) and isinstance(part, int) and part < len(given):
            given = given[part]
        else:
            continue
        parts.append(part)
    return tuple(parts)


def takes(verb: Verb, name: str) -> bool:
    """True if the verb has such an argument."""
    return name in inspect.signature(verb).parameters


__all__ = [
    "Arguments",
    "arguments_of",
    "as_usage_error",
    "read",
    "result_of",
    "shape_of",
    "takes",
    "written",
]
