"""Which embedders and rerankers can a user bring along? Thin wrappers around optional packages.

Each needs its extra (`pip install "glossator[sentence-transformers]"`) and a model that lies on the machine or that
the package may download; Glossator itself downloads nothing.
"""

import importlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glossator.errors import ProviderError


class SentenceTransformersEmbedder:
    """sentence-transformers: any of its models, by name or folder."""

    def __init__(self, model: str) -> None:
        self.name = f"sentence-transformers:{model}"
        self._model_name = model

    @cached_property
    def _model(self) -> Any:
        package = _imported("sentence_transformers", "sentence-transformers")
        return _guarded(self.name, lambda: package.SentenceTransformer(self._model_name))

    @property
    def dimension(self) -> int:
        """Numbers per vector; loads the model."""
        return int(self._model.get_sentence_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One normalised row per text. Raises ProviderError."""
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return np.asarray(
            _guarded(self.name, lambda: self._model.encode(list(texts), normalize_embeddings=True)), np.float32
        )


class FastEmbedEmbedder:
    """fastembed: any of its models, by name."""

    def __init__(self, model: str) -> None:
        self.name = f"fastembed:{model}"
        self._model_name = model

    @cached_property
    def _model(self) -> Any:
        package = _imported("fastembed", "fastembed")
        return _guarded(self.name, lambda: package.TextEmbedding(self._model_name))

    @cached_property
    def dimension(self) -> int:
        """Numbers per vector; loads the model."""
        return int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One normalised row per text. Raises ProviderError."""
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        rows = np.array(_guarded(self.name, lambda: list(self._model.embed(list(texts)))), np.float32)
        return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12), np.float32)


class CrossEncoderReranker:
    """A sentence-transformers cross-encoder, by name or folder."""

    def __init__(self, model: str) -> None:
        self.name = f"cross-encoder:{model}"
        self._model_name = model

    @cached_property
    def _model(self) -> Any:
        package = _imported("sentence_transformers", "sentence-transformers")
        return _guarded(self.name, lambda: package.CrossEncoder(self._model_name))

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """One score per text. Raises ProviderError."""
        pairs = [(question, text) for text in texts]
        return np.asarray(_guarded(self.name, lambda: self._model.predict(pairs)), np.float32)


class FlashRankReranker:
    """FlashRank, by model name."""

    def __init__(self, model: str) -> None:
        self.name = f"flashrank:{model}"
        self._model_name = model

    @cached_property
    def _package(self) -> Any:
        return _imported("flashrank", "flashrank")

    @cached_property
    def _model(self) -> Any:
        return _guarded(self.name, lambda: self._package.Ranker(model_name=self._model_name))

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """One score per text. Raises ProviderError."""
        passages = [{"id": place, "text": text} for place, text in enumerate(texts)]
        request = self._package.RerankRequest(query=question, passages=passages)
        scores = np.zeros(len(texts), np.float32)
        for row in _guarded(self.name, lambda: self._model.rerank(request)):
            scores[row["id"]] = row["score"]
        return scores


class PresidioRedactor:
    """presidio: names, addresses, numbers and other personal data in English text."""

    name = "presidio"

    @cached_property
    def _analyzer(self) -> Any:
        package = _imported("presidio_analyzer", "presidio")
        return _guarded(self.name, lambda: package.AnalyzerEngine())

    def redacted(self, text: str) -> tuple[str, tuple[str, ...]]:
        """A mark such as "[redacted: PERSON]" in place of each part, and how many of each. Raises ProviderError."""
        found = _guarded(self.name, lambda: self._analyzer.analyze(text=text, language="en"))
        counts: dict[str, int] = {}
        last = len(text) + 1
        for part in sorted(found, key=lambda each: (-each.start, -each.end)):
            if part.end > last:  # inside one that is replaced already
                continue
            text = f"{text[: part.start]}[redacted: {part.entity_type}]{text[part.end :]}"
            counts[part.entity_type] = counts.get(part.entity_type, 0) + 1
            last = part.start
        return text, tuple(f"{kind} x {count}" for kind, count in sorted(counts.items()))


def _imported(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ProviderError(f'{module} is not installed: pip install "glossator[{extra}]"') from error


def _guarded(name: str, call: Any) -> Any:
    """What a foreign package raises, whatever its type, becomes a ProviderError."""
    try:
        return call()
    except (RuntimeError, OSError, ValueError, TypeError, KeyError, ImportError) as error:
        raise ProviderError(f"{name} failed: {error}") from error
