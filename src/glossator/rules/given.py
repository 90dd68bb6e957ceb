"""Is a value what an annotation says? One check for the arguments of every public verb, and for the options.

The annotations say what may be passed, so that a verb checks itself only what no type can say: bounds, what goes
together. A wrong value is a UsageError that names the argument, before anything is read or written.
"""

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from glossator.errors import UsageError
from glossator.model import Scope

Check = Callable[[object, str], None]
"""Raises UsageError for a value that the argument of this name cannot have."""

INT_BOUND = 2**63
"""No store keeps a larger number."""
BLANK_ALLOWED = frozenset(
    {"body", "containing", "content", "description", "error", "expected_sha256", "final_answer", "final_text"}
    | {"messages", "name", "prompt", "prompt_folder", "query", "request", "schedule", "secret", "text"}
)
"""Texts where nothing said is an answer too, or where the verb says itself what a blank one means."""
TEXTS = frozenset({"reason", "value"})
"""The other texts: the verb says how long they may be. Whatever else is a str is a name."""
NAME_CHARACTERS_MAX = 1_000
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""A text may have these and is mended; a name that was mended would be another one."""


def check_given(described: Any, given: Mapping[str, object], *, within: str = "") -> None:
    """Raises UsageError for the first of these arguments of a function, or fields of a class, that is wrong."""
    checks = checks_of(described)
    for name, value in given.items():
        check = checks.get(name)  # what it does not have, Python itself refuses
        if check is not None:
            check(value, within + name)


@cache
def checks_of(described: Any) -> Mapping[str, Check]:
    """A check for each argument of a function, or field of a class, whose annotation says something to check."""
    parameters = inspect.signature(described).parameters
    hints = get_type_hints(described)
    checks = {name: _check_of(hints[name], name) for name in parameters if name in hints}
    return {name: check for name, check in checks.items() if check is not None}


def _check_of(expected: Any, name: str = "") -> Check | None:
    """None where anything may be passed: a time, a provider."""
    origin, inner = get_origin(expected), get_args(expected)
    if origin in (Union, UnionType):
        return _any_of(tuple(each for each in inner if each is not type(None)), name, optional=type(None) in inner)
    if origin is Literal:
        return _one_of(inner)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping
    if origin is not None and issubclass(origin, Sequence):
        return _list_of(_check_of(inner[0]), numbered=get_origin(inner[0]) is not Literal)
    if origin is not None and issubclass(origin, Set):
        return _instance_of(Set)
    if expected is str and name in TEXTS | BLANK_ALLOWED:
        return _text if name in BLANK_ALLOWED else _words
    plain: dict[object, Check] = {Scope: _scope, str: _name, bool: _switch, int: _whole_number, float: _number}
    if expected in plain:
        return plain[expected]
    return _instance_of(expected) if isinstance(expected, type) and _tells_its_own(expected) else None


def _tells_its_own(cls: type) -> bool:
    """A Protocol is met by whoever has its methods; `object` by everything."""
    return cls is not object and not getattr(cls, "_is_protocol", False)


def _any_of(options: tuple[Any, ...], name: str, *, optional: bool) -> Check | None:
    checks = [_check_of(each, name) for each in options]

    def check(value: object, argument: str) -> None:
        if optional and value is None:
            return
        refused: list[UsageError] = []
        for each in checks:
            try:
                if each is not None:
                    each(value, argument)
                return
            except UsageError as error:
                refused.append(error)
        raise refused[0 if isinstance(value, str) else -1]  # the text stands first, the richest form last

    return check


def _one_of(choices: tuple[Any, ...]) -> Check:
    names = ", ".join(map(str, choices))

    def check(value: object, argument: str) -> None:
        if not isinstance(value, str) or value not in choices:
            raise UsageError(argument, f"{_shown(value)} is unknown", remedy=f"choose from {names}")

    return check


def _list_of(check_each: Check | None, *, numbered: bool) -> Check:
    def check(value: object, argument: str) -> None:
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            raise UsageError(argument, f"is a {type(value).__name__}, not a list", remedy="pass a list or a tuple")
        if check_each is not None:
            for place, each in enumerate(value):
                check_each(each, f"{argument}[{place}]" if numbered else argument)

    return check


def _instance_of(cls: type) -> Check:
    def check(value: object, argument: str) -> None:
        if not isinstance(value, cls):
            problem = f"is {type(value).__name__}, not {cls.__name__}"
            raise UsageError(argument, problem, remedy=f"pass a {cls.__name__}")

    return check


def _scope(value: object, argument: str) -> None:
    if not isinstance(value, Scope):
        raise UsageError(argument, f"is {type(value).__name__}, not a Scope", remedy='pass Scope(workspace="acme")')


def _mapping(value: object, argument: str) -> None:
    if not isinstance(value, Mapping):
        raise UsageError(argument, f"is {type(value).__name__}, no mapping", remedy="pass a dict")


def _text(value: object, argument: str) -> None:
    if not isinstance(value, str):
        raise UsageError(argument, f"is {type(value).__name__}, not text", remedy="pass a str")


def _words(value: object, argument: str) -> None:
    _text(value, argument)
    if not str(value).strip():
        raise UsageError(argument, "is empty or blank", remedy="pass some text")


def _name(value: object, argument: str) -> None:
    _words(value, argument)
    if len(str(value)) > NAME_CHARACTERS_MAX or UNSTORABLE.search(str(value)):
        problem = f"is no plain name of at most {NAME_CHARACTERS_MAX:,} characters"
        raise UsageError(argument, problem, remedy="shorten it")


def _switch(value: object, argument: str) -> None:
    if not isinstance(value, bool):
        raise UsageError(argument, f"is {type(value).__name__}, not True or False", remedy="pass a bool")


def _whole_number(value: object, argument: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not -INT_BOUND < value < INT_BOUND:
        raise UsageError(argument, f"{_shown(value)} is no whole number that can be kept", remedy="pass an int")


def _number(value: object, argument: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UsageError(argument, f"{_shown(value)} is no number", remedy="pass a float")


def _shown(value: object) -> str:
    """The value as Python writes it, shortened: it stands in an error's one line."""
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
