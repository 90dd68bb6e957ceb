"""Is every public verb given what its signature says? The check stands before the verb, so that none can forget it."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from glossator.rules.given import check_given

Cls = TypeVar("Cls")


def checked_verbs(cls: type[Cls]) -> type[Cls]:
    """The class with all its public verbs checked, also those that it inherits."""
    for name, verb in inspect.getmembers(cls, inspect.isfunction):
        if not name.startswith("_"):
            setattr(cls, name, _checked(verb))
    return cls


def _checked(verb: Callable[..., Any]) -> Callable[..., Any]:
    names = tuple(inspect.signature(verb).parameters)[1:]

    @wraps(verb)
    def call(self: object, /, *args: object, **kwargs: object) -> Any:
        check_given(verb, {**dict(zip(names, args, strict=False)), **kwargs})
        return verb(self, *args, **kwargs)

    return call
