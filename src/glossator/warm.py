"""Is the embedder ready? It loads behind the caller's back; until then recall works by keyword and says so."""

import threading
from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from glossator.errors import ProviderError
from glossator.model import EmbeddingText, Encoded, EncodedQuestion
from glossator.ports import Embedder, PieceEmbedder

T = TypeVar("T")
EmbedderState = Literal["off", "ready", "loading", "failed"]
CLOSE_WAIT_S = 5.0
"""The local model loads within a second; only a server that does not answer takes longer."""


class WarmEmbedder:
    """An embedder that can be loaded in the background and asked whether it is there yet."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._failure = ""

    @property
    def name(self) -> str:
        """The model's name."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return self._embedder.dimension

    @property
    def ready(self) -> bool:
        """True once a text has been embedded; asking starts the loading, and starts it again after a failure."""
        if not self._done.is_set() or self._failure:
            self.start_warming()
        return self._done.is_set() and not self._failure

    @property
    def is_ready(self) -> bool:
        """True once a text has been embedded; asking changes nothing."""
        return self._done.is_set() and not self._failure

    @property
    def stage(self) -> EmbedderState:
        """How far it is; asking begins the loading, and again where it has failed."""
        return "ready" if self.ready else "failed" if self._failure else "loading"

    @property
    def state(self) -> str:
        """Why it is not ready."""
        return self._failure or f"{self.name} is still loading"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the embedder; a success means that it is ready, also after an earlier failure."""
        return self._call(lambda: self._embedder.embed(texts))

    def _call(self, embed: Callable[[], T]) -> T:
        """The one seam to an embedder: whatever it raises is a ProviderError from here on."""
        try:
            made = embed()
        except ProviderError:
            raise
        except Exception as error:
            raise ProviderError(f"{self.name} failed: {type(error).__name__}: {error}", retryable=True) from error
        self._failure = ""
        self._done.set()
        return made

    def start_warming(self) -> None:
        """Begin to load, in a thread of its own, unless it is loaded or loading."""
        with self._lock:
            idle = self._thread is None or not self._thread.is_alive()
            if idle and (self._failure or not self._done.is_set()):
                self._done.clear()
                self._thread = threading.Thread(target=self._load, name="glossator-embedder", daemon=True)
                self._thread.start()

    def warm(self, timeout_s: float | None) -> bool:
        """Wait for the loading; True when it is ready."""
        self.start_warming()
        self._done.wait(timeout_s)
        return self.ready

    def close(self) -> None:
        """Wait for a loading that is under way: a process must not end in the middle of it. A silent server is left."""
        if self._thread is not None:
            self._thread.join(CLOSE_WAIT_S)

    def _load(self) -> None:
        try:
            self.embed(["warm"])
        except ProviderError as error:
            self._failure = str(error)
            self._done.set()


class WarmPieceEmbedder(WarmEmbedder):
    """The same for an embedder that gives the vectors of word pieces too."""

    def __init__(self, embedder: PieceEmbedder) -> None:
        super().__init__(embedder)
        self._pieces = embedder

    def encode(self, texts: Sequence[EmbeddingText]) -> Encoded:
        """As the embedder; a success means that it is ready."""
        return self._call(lambda: self._pieces.encode(texts))

    def encode_question(self, text: str) -> EncodedQuestion:
        """As the embedder."""
        return self._call(lambda: self._pieces.encode_question(text))


def warmed(embedder: Embedder) -> WarmEmbedder:
    """The embedder with its readiness, and with word pieces if it has them."""
    return WarmPieceEmbedder(embedder) if isinstance(embedder, PieceEmbedder) else WarmEmbedder(embedder)
