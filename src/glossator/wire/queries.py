"""How do arguments stand in a query string? Lists by repeating the name, switches as "true" and "false".

A list without anything in it is the name with a blank.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import ValidationError

from glossator.errors import UsageError
from glossator.wire.codec import Arguments, as_usage_error

Pairs = Sequence[tuple[str, str]]
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,30})")
_SWITCHES: Mapping[str, bool] = {"true": True, "false": False}


def read_query(pairs: Pairs, model: type[Arguments]) -> Arguments:
    """The arguments that a query names. Raises UsageError for one that the verb does not take, or one given twice."""
    texts: dict[str, list[str]] = {}
    for name, text in pairs:
        texts.setdefault(name, []).append(text)
    values = {name: _value(name, given, model) for name, given in texts.items()}
    try:
        return model.model_validate(values, strict=True)
    except ValidationError as error:
        raise as_usage_error(error, values) from None


def written_query(arguments: Mapping[str, object]) -> list[tuple[str, str]]:
    """The pairs of a query; what is None is left out."""
    pairs: list[tuple[str, str]] = []
    for name, value in arguments.items():
        if isinstance(value, Sequence) and not isinstance(value, str):
            pairs += [(name, _written(each)) for each in value] or [(name, "")]
        elif value is not None:
            pairs.append((name, _written(value)))
    return pairs


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _value(name: str, texts: list[str], model: type[Arguments]) -> Any:
    hint = plain(model.model_fields[name].annotation) if name in model.model_fields else str
    if is_list(hint):
        if texts == [""]:
            return []
        return [_one(text, plain(get_args(hint)[0])) for text in texts]
    if len(texts) > 1:
        raise UsageError(name, "is given more than once", remedy="give it once")
    return _one(texts[0], hint)


def _one(text: str, hint: Any) -> Any:
    """What the text says; the text itself where it says no such thing, for the model to refuse."""
    if hint is int and _WHOLE.fullmatch(text):
        return int(text)
    return _SWITCHES.get(text, text) if hint is bool else text


def is_list(hint: Any) -> bool:
    """True where several values may be given."""
    origin = get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Sequence)


def plain(hint: Any) -> Any:
    """`int` of `int | None`."""
    if get_origin(hint) in (Union, UnionType):
        inner = [each for each in get_args(hint) if each is not type(None)]
        return inner[0] if len(inner) == 1 else hint
    return hint
