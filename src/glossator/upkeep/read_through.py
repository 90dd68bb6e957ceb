"""What was read lately and still holds? Values kept under a mark of the state in which they were read."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class _Kept(Generic[V]):
    mark: str
    value: V


class ReadThrough(Generic[K, V]):
    """Reads through to where the values come from, unless nothing has changed since. Safe to share between threads.

    At most `count_max` values are kept; the one that was not asked for longest goes first.
    """

    def __init__(self, *, count_max: int) -> None:
        self._count_max = count_max
        self._kept: OrderedDict[K, _Kept[V]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K, *, mark: Callable[[], str], load: Callable[[], V]) -> V:
        """The value of this key as it is now. What `load` raises is raised, and nothing is kept.

        The mark is read before the value: a value is at least as new as its mark, so that one written in between is
        read again the next time and never missed.
        """
        now = mark()
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and kept.mark == now:
                self._kept.move_to_end(key)
                return kept.value
        value = load()
        with self._lock:
            self._kept[key] = _Kept(now, value)
            self._kept.move_to_end(key)
            while len(self._kept) > self._count_max:
                self._kept.popitem(last=False)
        return value

    def __len__(self) -> int:
        return len(self._kept)
