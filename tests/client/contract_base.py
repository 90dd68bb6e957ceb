"""What does the contract of the verbs stand on? One way of reaching a memory, a scope nobody else has, and settling."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from glossator import Memory, Scope

_NUMBERS = itertools.count(1)


class Awaited:
    """Verbs that are awaited, called one after the other in a loop of their own."""

    def __init__(self, skin: object, loop: asyncio.AbstractEventLoop) -> None:
        self._skin = skin
        self._loop = loop

    def __getattr__(self, name: str) -> Callable[..., Any]:
        verb = getattr(self._skin, name)

        def call(*args: object, **kwargs: object) -> Any:
            return self._loop.run_until_complete(verb(*args, **kwargs))

        return call


class Base:
    """Subclass and give `memory`, by whichever way it is reached, and `settle`, which waits for all open work."""

    @pytest.fixture
    def memory(self) -> Memory:
        raise NotImplementedError

    @pytest.fixture
    def settle(self) -> Callable[[], None]:
        raise NotImplementedError

    @pytest.fixture
    def scope(self) -> Scope:
        """A workspace that no other test has, of an operator, so that nothing is refused for its trust."""
        return Scope(workspace=f"acme-{next(_NUMBERS)}", agent="helper", owner="ana", trust="operator")


@contextmanager
def awaited(skin: object, *, close: Callable[[], Awaitable[None]] | None = None) -> Iterator[Memory]:
    """The skin as if it were a Memory, in a loop of its own."""
    loop = asyncio.new_event_loop()
    try:
        yield cast(Memory, Awaited(skin, loop))
        if close is not None:
            loop.run_until_complete(close())
    finally:
        loop.close()
