"""Who works on the file? This process, and others that share nothing with it but the file and the time."""

import logging
import multiprocessing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from bench.soak.faults import MoodyModel, Noting, Reads, Unreliable

from glossator.errors import GlossatorError, ProviderError, StoreError
from glossator.facade import Memory
from glossator.options import Options
from glossator.providers.files import FolderFiles
from glossator.providers.hashing import HashingEmbedder
from glossator.providers.signing import Ed25519Signer
from glossator.retain.offline import OfflineExtractor
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock

STORE_RATE, PROVIDER_RATE = 0.01, 0.05
MODES = ("offline", "review", "both", "review with a model")
"""A month's mode is the one of its seed, divided by their number."""
TIERS = {"helper": "AUTONOMOUS", "coder": "SUPERVISED"}
Call = tuple[str, Mapping[str, Any]]
"""A verb and its arguments; "step" is a step of the worker."""


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

    def fail(self, *, rate: float) -> None:
        """Failures per call from now on, in shares of the usual rates."""
        for part, usual in zip(self.unreliable, (STORE_RATE, PROVIDER_RATE, PROVIDER_RATE), strict=True):
            part.rate = usual * rate

    def step(self) -> str:
        """One step of the worker; what it raised."""
        try:
            self.memory._worker.step()
            self.memory._worker.expire()
        except GlossatorError as error:
            return f"{type(error).__name__}: {error}"
        return ""


def options_of(mode: str) -> Options:
    """The choices of a month."""
    return Options(
        worker=False, capture_mode=mode.split()[0], work_batch_count=8, tiers=TIERS, persist_transcripts=True,  # type: ignore[arg-type]
        turn_fact_extraction_enabled=mode == "both", record_retry_delay_s=0, compaction_hourly_max=100,
        review_interval_hours=6,
    )  # fmt: skip


def opened(path: Path, mode: str, seed: int, now: datetime) -> Opened:
    """As `Memory.open` makes it, with a clock by hand and parts that fail."""
    random, clock, reads = Random(seed), FakeClock(now), Reads(path.parent / "reads.log")
    options = options_of(mode)
    store = Unreliable(SqliteStore(path, options=options), random, rate=0, error=store_fails)
    embedder = Unreliable(HashingEmbedder(), random, rate=0, error=provider_fails)
    extractor = Unreliable(OfflineExtractor(), random, rate=0, error=provider_fails)
    memory = Memory(
        store,  # type: ignore[arg-type]
        clock=clock, ids=Ids(random), options=options, embedder=embedder,  # type: ignore[arg-type]
        extractor=Noting(extractor, reads=reads, learned=Reads(path.parent / "learned.log")),  # type: ignore[arg-type]
        language_model=None if mode == "review" else MoodyModel(random, reads),
        files=FolderFiles(path.parent / "prompts"), signer=Ed25519Signer(), draw=random.random,
        monotonic_s=lambda: clock.now().timestamp(),
    )  # fmt: skip
    memory._prompt_folder.start()
    memory.warm(30)
    return Opened(memory=memory, clock=clock, unreliable=(store, embedder, extractor))


def _serve(pipe: Connection, path: Path, mode: str, seed: int, now: datetime) -> None:
    """The other process: makes the calls that it is told, at the time that it is told, and says what they raised."""
    logging.disable(logging.CRITICAL)
    here = opened(path, mode, seed, now)
    while True:
        asked = pipe.recv()
        if asked is None:
            here.memory.close()
            return
        at, rate, die_in, calls = asked
        here.clock.jump_to(at)
        here.fail(rate=rate)
        here.unreliable[0].die_in = die_in
        pipe.send([_made(here, call) for call in calls])


def _made(here: Opened, call: Call) -> str:
    verb, arguments = call
    if verb == "step":
        return here.step()
    try:
        getattr(here.memory, verb)(**arguments)
    except GlossatorError as error:
        return f"{type(error).__name__}: {error}"
    return ""


class Other:
    """A process at the other end of a pipe."""

    def __init__(self, path: Path, mode: str, seed: int, now: datetime) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, path, mode, seed, now), daemon=True)
        self._process.start()
        theirs.close()

    def make(
        self, calls: Sequence[Call], at: datetime, *, rate: float, die_in: int | None = None
    ) -> list[str] | None:  # fmt: skip
        """What each call raised, "" for nothing; None where the process was killed on the way, as it was told to be."""
        self._pipe.send((at, rate, die_in, list(calls)))
        try:
            answer: list[str] = self._pipe.recv()
        except EOFError:
            self._process.join()
            return None
        return answer

    def kill(self) -> None:
        """As a power cut: nothing is closed."""
        self._process.kill()
        self._process.join()

    def close(self) -> None:
        """End it in order."""
        self._pipe.send(None)
        self._process.join(30)
