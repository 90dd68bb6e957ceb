"""What stands before every public verb? A check of what it is given, and who watches it, so that none can forget it.

A verb is watched in two ways: the time of those that an agent waits for is counted, and, where a tracer was given, each
is a span. Its attributes are numbers and choices among the arguments, and counts of what came back; texts, ids and the
parts of a scope, which may name customers, are left out.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from glossator.meters import TIMED_VERBS, Meters
from glossator.model import Answer, Receipt
from glossator.ports import Span, SpanValue, Tracer
from glossator.rules.given import INT_BOUND, check_given

Cls = TypeVar("Cls")
COUNTS = (bool, int, float)
UNTOLD = frozenset({"start", "close", "metrics", "metrics_text", "hook_failed"})
"""Housekeeping that no trace needs."""


def checked_verbs(cls: type[Cls]) -> type[Cls]:
    """The class with all its public verbs checked and watched, also those that it inherits."""
    for name, verb in inspect.getmembers(cls, inspect.isfunction):
        if not name.startswith("_"):
            checked = _checked(verb)
            setattr(cls, name, checked if name in UNTOLD else _watched(name, checked))
    return cls


def _checked(verb: Callable[..., Any]) -> Callable[..., Any]:
    names = tuple(inspect.signature(verb).parameters)[1:]

    @wraps(verb)
    def call(self: object, /, *args: object, **kwargs: object) -> Any:
        check_given(verb, {**dict(zip(names, args, strict=False)), **kwargs})
        return verb(self, *args, **kwargs)

    return call


def _watched(name: str, verb: Callable[..., Any]) -> Callable[..., Any]:
    """The verb with its time counted and its span told; without a tracer, one that is not timed is the verb itself."""
    timed = name in TIMED_VERBS
    names = tuple(inspect.signature(verb).parameters)[1:]

    @wraps(verb)
    def call(self: Any, /, *args: object, **kwargs: object) -> Any:
        tracer: Tracer | None = self._tracer
        if tracer is not None:
            return traced(self, tracer, *args, **kwargs)
        return counted(self, *args, **kwargs) if timed else verb(self, *args, **kwargs)

    def counted(self: Any, /, *args: object, **kwargs: object) -> Any:
        meters: Meters = self._meters
        began_s = self._monotonic_s()
        try:
            return verb(self, *args, **kwargs)
        finally:
            meters.took(name, self._monotonic_s() - began_s)

    def traced(self: Any, tracer: Tracer, /, *args: object, **kwargs: object) -> Any:
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        with tracer.span(f"glossator.{name}", _attributes(given, _told_arguments(verb))) as span:
            result = counted(self, *args, **kwargs) if timed else verb(self, *args, **kwargs)
            _note(span, result)
            return result

    return call


@cache
def _told_arguments(verb: Callable[..., Any]) -> Mapping[str, frozenset[str] | None]:
    """The arguments that may be told: numbers and these choices as they are, lists (None) by their length."""
    hints = get_type_hints(verb)
    told: dict[str, frozenset[str] | None] = {}
    for name in list(inspect.signature(verb).parameters)[1:]:
        kinds = _kinds(hints.get(name, object))
        if all(kind in COUNTS or get_origin(kind) is Literal for kind in kinds):
            told[name] = frozenset(each for kind in kinds if get_origin(kind) is Literal for each in get_args(kind))
        elif any(isinstance(get_origin(kind), type) and issubclass(get_origin(kind), Sequence) for kind in kinds):
            told[name] = None
    return told


def _kinds(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) in (Union, UnionType):
        return tuple(each for each in get_args(hint) if each is not NoneType)
    return (hint,)


def _attributes(given: Mapping[str, object], told: Mapping[str, frozenset[str] | None]) -> Mapping[str, SpanValue]:
    """What may be told of the arguments, which are not checked yet: a wrong choice may be anything."""
    found: dict[str, SpanValue] = {}
    for name in given.keys() & told.keys():
        match told[name], given[name]:
            case None, list() | tuple() as several:
                found[f"glossator.{name}.count"] = len(several)
            case frozenset(), (bool() | int() | float()) as number if abs(number) < INT_BOUND:
                found[f"glossator.{name}"] = number
            case frozenset() as choices, str() as chosen if chosen in choices:
                found[f"glossator.{name}"] = chosen
    return found


def _note(span: Span, result: object) -> None:
    match result:
        case Answer():
            span.note("glossator.result.count", len(result.hits))
            span.note("glossator.degraded.count", len(result.degraded))
        case Receipt():
            span.note("glossator.result.count", len(result.recorded))
        case tuple():
            span.note("glossator.result.count", len(result))
        case bool() | int() | float():
            span.note("glossator.result", result)
