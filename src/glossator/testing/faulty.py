"""A store that fails at a chosen call: does the caller survive, and is what it retries done once?"""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from glossator.errors import StoreError
from glossator.ports import Store


class FaultyStore:
    """Hands every call on to `store`; the n-th one, counted from 1, raises StoreError before or after its effect.

    It has whatever the store has, so that a port that grows is covered at once. `close` never fails: it has to be
    possible to reopen what was disturbed.
    """

    def __init__(self, store: Store, *, fail_at: int, when: Literal["before", "after"] = "before") -> None:
        self._store = store
        self._fail_at = fail_at
        self._when = when
        self.call_count = 0
        self.failed_in: str | None = None
        """The name of the call that was made to fail."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return partial(self._call, name, getattr(self._store, name))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self._store)})

    def close(self) -> None:
        """Close the store behind."""
        self._store.close()

    def _call(self, name: str, call: Callable[..., Any], *args: object, **kwargs: object) -> Any:
        self.call_count += 1
        if self.call_count != self._fail_at:
            return call(*args, **kwargs)
        self.failed_in = name
        if self._when == "after":
            call(*args, **kwargs)
        raise StoreError(f"call {self.call_count} ({name}) fails {self._when} its effect", retryable=True)
