"""What goes wrong: stores, embedders and extractors that fail now and then, before or after their effect."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from glossator.errors import GlossatorError
from glossator.model import Extraction, Turn
from glossator.retain.offline import OfflineExtractor

NEVER_FAIL = ("close",)


class Unreliable:
    """Hands every call on to `inner`; a share of them raises what `error` makes, half of these after their effect."""

    def __init__(self, inner: object, random: Random, *, rate: float, error: Callable[[str], GlossatorError]) -> None:
        self._inner = inner
        self._random = random
        self._error = error
        self.rate = rate
        self.failure_count = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        return partial(self._call, name, found) if callable(found) and name not in NEVER_FAIL else found

    def _call(self, name: str, call: Callable[..., Any], *args: object, **kwargs: object) -> Any:
        if self._random.random() >= self.rate:
            return call(*args, **kwargs)
        self.failure_count += 1
        if self._random.random() < 0.5:
            call(*args, **kwargs)
        raise self._error(name)


class Noting:
    """The offline extractor, which notes the numbers of the messages that it has read."""

    name = "offline"

    def __init__(self) -> None:
        self.read_ids: set[int] = set()
        self._inner = OfflineExtractor()

    def extract(self, turn: Turn, *, limit: int) -> Extraction:
        """See ports.Extractor."""
        found = self._inner.extract(turn, limit=limit)
        self.read_ids |= {each.message_id for each in turn.passages if each.message_id is not None}
        return found
