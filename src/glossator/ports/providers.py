"""What does the engine need beside a store? Models, extractors, a clock and ids."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from glossator.model import (
    Completion,
    EmbeddingText,
    Encoded,
    EncodedQuestion,
    Extraction,
    Prompt,
    Turn,
)


@runtime_checkable
class Embedder(Protocol):
    """Texts to vectors. `name` changes whenever the same text would get another vector."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One L2-normalised row per text, shape (len(texts), dimension). Raises ProviderError."""
        ...


@runtime_checkable
class PieceEmbedder(Embedder, Protocol):
    """An embedder that also gives the vectors of word pieces, for late interaction."""

    def encode(self, texts: Sequence[EmbeddingText]) -> Encoded:
        """Vectors as `embed`, with the signs of the pieces of each text's own words. Raises ProviderError."""
        ...

    def encode_question(self, text: str) -> EncodedQuestion:
        """The question's vector as `embed`, with the vectors of its pieces. Raises ProviderError."""
        ...


class Ranker(Protocol):
    """A learned combiner of the recall signals."""

    @property
    def name(self) -> str: ...

    @property
    def embedder(self) -> str:
        """The name of the embedder on whose vectors it was trained; it fits no other."""
        ...

    def score(self, features: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32]:
        """One score per row from named columns of equal length, higher is better. Raises ProviderError."""
        ...


class Reranker(Protocol):
    """A second opinion on the best hits, for users who have a cross-encoder."""

    @property
    def name(self) -> str: ...

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """One score per text, higher is better. Raises ProviderError."""
        ...


class LanguageModel(Protocol):
    """A model that writes text."""

    @property
    def name(self) -> str:
        """Provider and model, for example "openai:gpt-5-mini"; what the decision log and the counters name."""
        ...

    def complete(self, prompt: Prompt) -> Completion:
        """One reply within `prompt.timeout_s`. Raises ProviderTimeoutError, or ProviderError (with .retryable)."""
        ...


class Extractor(Protocol):
    """Takes durable statements out of a turn."""

    @property
    def name(self) -> str: ...

    def extract(self, turn: Turn, *, limit: int) -> Extraction:
        """At most `limit` drafts, the most durable first. Raises ProviderError when a model fails."""
        ...


class Redactor(Protocol):
    """Finds personal data."""

    @property
    def name(self) -> str: ...

    def redacted(self, text: str) -> tuple[str, tuple[str, ...]]:
        """The text with a mark in place of each part, and a note for each kind ("PERSON x 2"). Raises ProviderError."""
        ...


SpanValue = str | int | float | bool
"""A number, or a short word from a fixed choice; never something that was said, and no name of a customer."""


class Span(Protocol):
    """A stretch of work that is being traced."""

    def note(self, name: str, value: SpanValue) -> None:
        """Add an attribute."""
        ...

    def rename(self, name: str) -> None:
        """Give it another name, once more is known."""
        ...

    def failed(self, kind: str) -> None:
        """It has failed; `kind` is the class of the error, never its message."""
        ...


class Tracer(Protocol):
    """Tells what was done when, for how long, and what in it. Without one, nothing is told and nothing is paid."""

    def span(
        self,
        name: str,
        attributes: Mapping[str, SpanValue] = ...,
        *,
        kind: Literal["internal", "client", "server"] = ...,
        parent: str = ...,
        nested: bool = ...,
    ) -> AbstractContextManager[Span]:
        """A span for a block; it fails by itself with what the block raises.

        `parent` is a W3C traceparent that came from outside. A `nested` one is only told inside another.
        """
        ...


class Clock(Protocol):
    """The time, by argument."""

    def now(self) -> datetime:
        """An aware datetime in UTC."""
        ...


class Ids(Protocol):
    """New ids, by argument."""

    def new(self) -> str:
        """A fresh id, never given before."""
        ...
