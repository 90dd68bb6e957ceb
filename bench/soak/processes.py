"""Who works on the file? This process, and others that share nothing with it but the file and the time."""

import logging
import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from bench.soak.faults import Noting, Unreliable

from glossator.errors import GlossatorError, ProviderError, StoreError
from glossator.facade import Memory
from glossator.options import Options
from glossator.providers.files import FolderFiles
from glossator.providers.hashing import HashingEmbedder
from glossator.providers.signing import Ed25519Signer
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock

STORE_RATE, PROVIDER_RATE = 0.01, 0.05


def store_fails(name: str) -> GlossatorError:
    return StoreError(f"{name} was made to fail", retryable=True)


def provider_fails(name: str) -> GlossatorError:
    return ProviderError(f"{name} was made to fail", retryable=True)


class Ids:
    """Ids that no other process gives."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def new(self) -> str:
        """A fresh id."""
        return f"{self._random.getrandbits(96):024x}"


@dataclass(slots=True)
class Opened:
    """A memory with the parts that can be made to fail."""

    memory: Memory
    clock: FakeClock
    unreliable: tuple[Unreliable, ...]
    extractor: Noting

    def fail(self, *, rate: float) -> None:
        """Failures per call from now on, in shares of the usual rates."""
        for part, usual in zip(self.unreliable, (STORE_RATE, PROVIDER_RATE, PROVIDER_RATE), strict=True):
            part.rate = usual * rate

    def step(self) -> str:
        """One step of the worker; what it raised, if it did."""
        try:
            self.memory._worker.step()
        except GlossatorError as error:
            return type(error).__name__
        return ""


def opened(path: Path, mode: str, seed: int, now: datetime) -> Opened:
    """A memory over the file, as `Memory.open` makes it, with a clock by hand and parts that fail."""
    random, clock, noting = Random(seed), FakeClock(now), Noting()
    options = Options(worker=False, capture_mode=mode, work_batch_count=8)  # type: ignore[arg-type]
    store = Unreliable(SqliteStore(path, options=options), random, rate=0, error=store_fails)
    embedder = Unreliable(HashingEmbedder(), random, rate=0, error=provider_fails)
    extractor = Unreliable(noting, random, rate=0, error=provider_fails)
    memory = Memory(
        store,  # type: ignore[arg-type]
        clock=clock, ids=Ids(random), options=options, embedder=embedder,  # type: ignore[arg-type]
        extractor=extractor, files=FolderFiles(path.parent / "prompts"), signer=Ed25519Signer(),  # type: ignore[arg-type]
        draw=random.random, monotonic_s=lambda: clock.now().timestamp(),
    )  # fmt: skip
    memory.warm(30)
    return Opened(memory=memory, clock=clock, unreliable=(store, embedder, extractor), extractor=noting)


def _serve(pipe: Connection, path: Path, mode: str, seed: int, now: datetime) -> None:
    """The other process: does a step whenever it is told the time, and says what it has read."""
    logging.disable(logging.CRITICAL)
    here = opened(path, mode, seed, now)
    while True:
        asked = pipe.recv()
        if asked is None:
            here.memory.close()
            return
        at, rate = asked
        here.clock.jump_to(at)
        here.fail(rate=rate)
        pipe.send((here.step(), sorted(here.extractor.read_ids)))
        here.extractor.read_ids.clear()


class Other:
    """A worker process at the other end of a pipe."""

    def __init__(self, path: Path, mode: str, seed: int, now: datetime) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, path, mode, seed, now), daemon=True)
        self._process.start()
        theirs.close()

    def step(self, at: datetime, *, rate: float) -> tuple[str, list[int]]:
        """One step at this time; what it raised, and the numbers of the messages that it read."""
        answer: Any = self._ask((at, rate), lambda: self._pipe.recv())
        return answer

    def kill(self) -> None:
        """As a power cut: nothing is closed."""
        self._process.kill()
        self._process.join()

    def close(self) -> None:
        """End it in order."""
        self._pipe.send(None)
        self._process.join(30)

    def _ask(self, asked: object, answer: Callable[[], Any]) -> Any:
        self._pipe.send(asked)
        return answer()
