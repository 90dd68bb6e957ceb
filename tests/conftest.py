"""A memory on a real file, with a clock that stands still and an embedder that needs no model."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from glossator import Memory, Options, Scope
from glossator.ports import Embedder, Extractor, LanguageModel
from glossator.testing.clock import FakeClock
from glossator.testing.ids import CountingIds

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ANA = Scope(workspace="acme", agent="helper", owner="ana")

Opener = Callable[..., Memory]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def open_memory(tmp_path: Path, clock: FakeClock) -> Iterator[Opener]:
    """Opens `memory.db` in a folder of this test, as often as it likes; all are closed at the end."""
    opened: list[Memory] = []

    def opener(
        *,
        name: str = "memory.db",
        embedder: Embedder | None = None,
        language_model: LanguageModel | None = None,
        extractor: Extractor | None = None,
        **choices: object,
    ) -> Memory:
        options = Options(**{"embedder": "hashing", "worker": False, **choices})  # type: ignore[arg-type]
        memory = Memory.open(
            tmp_path / name,
            options=options,
            clock=clock,
            ids=CountingIds(),
            embedder=embedder,
            language_model=language_model,
            extractor=extractor,
        )
        memory.warm(30)
        opened.append(memory)
        return memory

    yield opener
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory: Opener) -> Memory:
    return open_memory()
