"""How is each distinct text embedded only once, though many haystacks hold it?"""

import hashlib
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from glossator.errors import UsageError
from glossator.model import EmbeddingText, Encoded, EncodedQuestion
from glossator.ports import Embedder, PieceEmbedder

__all__ = ["CachingEmbedder", "CachingPieceEmbedder", "caching"]

_SCHEMA = """CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL, text_hash BLOB NOT NULL, vector BLOB NOT NULL, signs BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (model, text_hash)
) WITHOUT ROWID"""


class CachingEmbedder:
    """An embedder that remembers: the same vectors as the one inside, which sees each distinct text once.

    With a file, vectors are kept across runs by the embedder's name and the text's SHA-256. `asked_count` is how many
    texts were to be embedded, `computed_count` how many of them the embedder inside had to see.
    """

    def __init__(self, inner: Embedder, *, file: Path | None = None) -> None:
        self._inner = inner
        self._file = file
        self._vectors: dict[bytes, NDArray[np.float32]] | None = None
        self._lock = threading.RLock()
        self._forgetful = False
        self.asked_count = 0
        self.computed_count = 0

    @property
    def name(self) -> str:
        """The name of the embedder inside: the vectors are the same."""
        return self._inner.name

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return self._inner.dimension

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Within it every text is computed anew (and remembered): for measuring what a user would wait for."""
        self._forgetful = True
        try:
            yield
        finally:
            self._forgetful = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One L2-normalised row per text, shape (len(texts), dimension)."""
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        with self._lock:
            known = self._known()
            missing = {key: text for key, text in zip(keys, texts, strict=True) if self._forgetful or key not in known}
            if missing:
                fresh = dict(zip(missing, self._inner.embed(list(missing.values())), strict=True))
                self._keep({key: vector for key, vector in fresh.items() if key not in known})
                known.update(fresh)
            self.asked_count += len(texts)
            self.computed_count += len(missing)
            if not texts:
                return np.zeros((0, self.dimension), dtype=np.float32)
            return np.stack([known[key] for key in keys])

    def _known(self) -> dict[bytes, NDArray[np.float32]]:
        if self._vectors is None:
            self._vectors = {} if self._file is None else self._read(self._file)
        return self._vectors

    def _read(self, file: Path) -> dict[bytes, NDArray[np.float32]]:
        try:
            with closing(sqlite3.connect(file)) as store, store:
                store.execute(_SCHEMA)
                rows = store.execute("SELECT text_hash, vector FROM vectors WHERE model = ?", (self.name,)).fetchall()
        except sqlite3.Error as exc:
            raise UsageError("cache", f"{file} cannot be used: {exc}", remedy="name another file, or none") from exc
        return {key: np.frombuffer(vector, dtype=np.float32) for key, vector in rows}

    def _keep(self, fresh: dict[bytes, NDArray[np.float32]]) -> None:
        if self._file is None:
            return
        rows = [(self.name, key, np.asarray(vector, dtype=np.float32).tobytes()) for key, vector in fresh.items()]
        with closing(sqlite3.connect(self._file, timeout=30.0)) as store, store:
            store.executemany("INSERT OR IGNORE INTO vectors (model, text_hash, vector) VALUES (?, ?, ?)", rows)


class CachingPieceEmbedder(CachingEmbedder):
    """The same for an embedder that gives the vectors of word pieces too; questions are always computed."""

    def __init__(self, inner: PieceEmbedder, *, file: Path | None = None) -> None:
        super().__init__(inner, file=file)
        self._pieces = inner
        self._encoded: dict[bytes, tuple[NDArray[np.float32], NDArray[np.uint8]]] | None = None

    def encode(self, texts: Sequence[EmbeddingText]) -> Encoded:
        """Vectors and signs; each distinct text is computed once."""
        keys = [
            hashlib.sha256(f"{each.own_start}\0{each.text}".encode("utf-8", "surrogatepass")).digest() for each in texts
        ]
        with self._lock:
            if self._encoded is None:
                self._encoded = {} if self._file is None else self._read_encoded(self._file)
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._encoded}
            if missing:
                made = self._pieces.encode(list(missing.values()))
                fresh = dict(zip(missing, zip(made.vectors, made.signs, strict=True), strict=True))
                self._encoded.update(fresh)
                self._keep_encoded(fresh)
            self.asked_count += len(texts)
            self.computed_count += len(missing)
            rows = [self._encoded[key] for key in keys]
        vectors = np.stack([row[0] for row in rows]) if rows else np.zeros((0, self.dimension), np.float32)
        return Encoded(vectors=vectors, signs=tuple(row[1] for row in rows))

    def encode_question(self, text: str) -> EncodedQuestion:
        """As the embedder inside."""
        return self._pieces.encode_question(text)

    def _read_encoded(self, file: Path) -> dict[bytes, tuple[NDArray[np.float32], NDArray[np.uint8]]]:
        try:
            with closing(sqlite3.connect(file)) as store, store:
                store.execute(_SCHEMA)
                statement = "SELECT text_hash, vector, signs FROM vectors WHERE model = ? AND signs <> x''"
                rows = store.execute(statement, (self.name,)).fetchall()
        except sqlite3.Error as exc:
            raise UsageError("cache", f"{file} cannot be used: {exc}", remedy="name another file, or none") from exc
        width = self.dimension // 8
        return {
            key: (np.frombuffer(vector, np.float32), np.frombuffer(signs, np.uint8).reshape(-1, width))
            for key, vector, signs in rows
        }

    def _keep_encoded(self, fresh: Mapping[bytes, tuple[NDArray[np.float32], NDArray[np.uint8]]]) -> None:
        if self._file is None:
            return
        rows = [(self.name, key, vector.tobytes(), signs.tobytes()) for key, (vector, signs) in fresh.items()]
        with closing(sqlite3.connect(self._file, timeout=30.0)) as store, store:
            store.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)


def caching(inner: Embedder, *, file: Path | None = None) -> CachingEmbedder:
    """The embedder with a memory, and with word pieces if it has them."""
    if isinstance(inner, PieceEmbedder):
        return CachingPieceEmbedder(inner, file=file)
    return CachingEmbedder(inner, file=file)
