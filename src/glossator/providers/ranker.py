"""How does the learned ranker score rows? A tree ensemble in an ONNX file: plain data, evaluated by onnxruntime."""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from glossator.errors import ProviderError


@dataclass(frozen=True, slots=True, kw_only=True)
class _Card:
    """What lies beside the model: its name, the columns it wants, in order, and the column that it adds to."""

    name: str
    embedder: str
    features: tuple[str, ...]
    anchor: tuple[str, float]


class OnnxRanker:
    """Scores rows from named columns. Thread-safe; the file is read at the first use."""

    def __init__(self, model: bytes, card: _Card) -> None:
        self._model = model
        self._card = card
        self._lock = threading.Lock()
        self._session: Any = None

    @classmethod
    def shipped(cls, stem: str) -> Self:
        """The ranker `<stem>.onnx` of this package with its card `<stem>.json`; ProviderError when missing."""
        return cls._read(resources.files(__package__), stem)

    @classmethod
    def from_files(cls, path: Path) -> Self:
        """The ranker `<path>.onnx` with its card `<path>.json`, as bench/train_ranker.py writes them."""
        return cls._read(path.parent, path.name)

    @classmethod
    def _read(cls, folder: Traversable, stem: str) -> Self:
        try:
            card = json.loads(folder.joinpath(f"{stem}.json").read_text(encoding="utf-8"))
            return cls(folder.joinpath(f"{stem}.onnx").read_bytes(), _card_of(card))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ProviderError(f"the learned ranker {stem} cannot be read: {error}") from error

    @property
    def name(self) -> str:
        """Which training made it."""
        return self._card.name

    @property
    def embedder(self) -> str:
        """The embedder on whose vectors it was trained."""
        return self._card.embedder

    def score(self, features: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32]:
        """One score per row, higher is better. Raises ProviderError for a missing column."""
        column, weight = self._card.anchor
        missing = [name for name in (*self._card.features, column) if name not in features]
        if missing:
            raise ProviderError(f"the ranker {self.name} wants columns that recall does not give: {missing}")
        rows = np.stack([features[name] for name in self._card.features], axis=1).astype(np.float32)
        session = self._opened()
        (scores,) = session.run(None, {session.get_inputs()[0].name: rows})
        return np.asarray(scores.reshape(-1) + np.float32(weight) * features[column], np.float32)

    def _opened(self) -> Any:
        with self._lock:
            if self._session is None:
                import onnxruntime

                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = 1
                options.log_severity_level = 3
                try:
                    self._session = onnxruntime.InferenceSession(
                        self._model, options, providers=["CPUExecutionProvider"]
                    )
                except RuntimeError as error:
                    raise ProviderError(f"onnxruntime cannot load the ranker {self.name}: {error}") from error
            return self._session


def _card_of(card: Mapping[str, Any]) -> _Card:
    anchor = card["anchor"]
    return _Card(
        name=card["name"],
        embedder=card["embedder"],
        features=tuple(card["features"]),
        anchor=(anchor["column"], float(anchor["weight"])),
    )
