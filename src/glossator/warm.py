"""Is the embedder ready? It loads behind the caller's back; until then recall works by keyword and says so."""

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from glossator.errors import ProviderError
from glossator.model import EmbeddingText, Encoded, EncodedQuestion
from glossator.ports import Embedder, PieceEmbedder


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
        """True once a text has been embedded; asking starts the loading."""
        if not self._done.is_set():
            self.start_warming()
        return self._done.is_set() and not self._failure

    @property
    def state(self) -> str:
        """Why it is not ready."""
        return self._failure or f"{self.name} is still loading"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the embedder; a success means that it is ready, also after an earlier failure."""
        vectors = self._embedder.embed(texts)
        self._succeeded()
        return vectors

    def _succeeded(self) -> None:
        self._failure = ""
        self._done.set()

    def start_warming(self) -> None:
        """Begin to load, once, in a thread of its own."""
        with self._lock:
            if self._thread is None and not self._done.is_set():
                self._thread = threading.Thread(target=self._load, name="glossator-embedder", daemon=True)
                self._thread.start()

    def warm(self, timeout_s: float | None) -> bool:
        """Wait for the loading; True when it is ready."""
        self.start_warming()
        self._done.wait(timeout_s)
        return self.ready

    def close(self) -> None:
        """Wait for a loading that is under way: a process must not end in the middle of it."""
        if self._thread is not None:
            self._thread.join()

    def _load(self) -> None:
        try:
            self._embedder.embed(["warm"])
        except ProviderError as error:
            self._failure = str(error)
        finally:
            self._done.set()


class WarmPieceEmbedder(WarmEmbedder):
    """The same for an embedder that gives the vectors of word pieces too."""

    def __init__(self, embedder: PieceEmbedder) -> None:
        super().__init__(embedder)
        self._pieces = embedder

    def encode(self, texts: Sequence[EmbeddingText]) -> Encoded:
        """As the embedder; a success means that it is ready."""
        made = self._pieces.encode(texts)
        self._succeeded()
        return made

    def encode_question(self, text: str) -> EncodedQuestion:
        """As the embedder."""
        return self._pieces.encode_question(text)


def warmed(embedder: Embedder) -> WarmEmbedder:
    """The embedder with its readiness, and with word pieces if it has them."""
    return WarmPieceEmbedder(embedder) if isinstance(embedder, PieceEmbedder) else WarmEmbedder(embedder)
