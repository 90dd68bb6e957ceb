"""How do spans reach OpenTelemetry, and which calls beyond the verbs are told? The store's, embedders', and models'.

Names follow OpenTelemetry's semantic conventions where there are any: `db.*` for the store (stable), `gen_ai.*` for
models (in development there). What a convention offers for content (`db.query.text`, `gen_ai.input.messages`,
`exception.message`) is never sent.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from glossator.errors import UsageError
from glossator.model import Completion, EmbeddingText, Encoded, EncodedQuestion, Prompt
from glossator.ports import (
    Embedder,
    LanguageModel,
    PieceEmbedder,
    Ranker,
    Reranker,
    Span,
    SpanValue,
    Store,
    Tracer,
)
from glossator.rules.log_words import raised

if TYPE_CHECKING:
    from opentelemetry import trace

T = TypeVar("T")
SpanKind = Literal["internal", "client", "server"]
SCOPE_NAME = "glossator"
INSTALL = 'pip install "glossator[opentelemetry]"'
NOTHING: Mapping[str, SpanValue] = {}
PROVIDERS: Mapping[str, str] = {"mistral": "mistral_ai", "gemini": "gcp.gemini", "xai": "x_ai"}
"""Names of providers that the conventions spell in another way."""


LOCAL = "local"
"""The provider of a model that runs in this process."""


class OpenTelemetryTracer:
    """Spans for OpenTelemetry, through the provider that the process has set up; without one they cost little and go
    nowhere. Raises UsageError where the package is not installed.
    """

    def __init__(self, provider: "trace.TracerProvider | None" = None) -> None:
        try:
            from opentelemetry import trace
        except ImportError as error:
            problem = "is opentelemetry, and the package is not installed"
            raise UsageError("options.tracing", problem, remedy=INSTALL) from error
        self._trace = trace
        self._kinds = {"internal": trace.SpanKind.INTERNAL, "client": trace.SpanKind.CLIENT}
        self._kinds["server"] = trace.SpanKind.SERVER
        self._tracer = trace.get_tracer(SCOPE_NAME, tracer_provider=provider)

    @contextmanager
    def span(
        self,
        name: str,
        attributes: Mapping[str, SpanValue] = NOTHING,
        *,
        kind: SpanKind = "internal",
        parent: str = "",
        nested: bool = False,
    ) -> Iterator[Span]:
        """A span that is the current one for its block; see ports.Tracer."""
        if nested and not self._trace.get_current_span().get_span_context().is_valid:
            yield _Untold()
            return
        with self._tracer.start_as_current_span(
            name, context=_context(parent), kind=self._kinds[kind], attributes=dict(attributes),
            record_exception=False, set_status_on_exception=False,
        ) as span:  # fmt: skip
            told, ended = _Told(span), False
            try:
                yield told
                ended = True
            finally:
                if not ended:
                    told.failed(raised())


def _context(parent: str) -> Any:
    """The context of a caller in another process; None goes on with the present one."""
    if not parent:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({"traceparent": parent})


class _Told:
    """One span of OpenTelemetry."""

    def __init__(self, span: "trace.Span") -> None:
        self._span = span

    def note(self, name: str, value: SpanValue) -> None:
        self._span.set_attribute(name, value)

    def rename(self, name: str) -> None:
        self._span.update_name(name)

    def failed(self, kind: str) -> None:
        from opentelemetry.trace import StatusCode

        self._span.set_attribute("error.type", kind)
        self._span.set_status(StatusCode.ERROR, kind)


class _Untold:
    """The span of what is not told."""

    def note(self, name: str, value: SpanValue) -> None:
        """Nothing."""

    def rename(self, name: str) -> None:
        """Nothing."""

    def failed(self, kind: str) -> None:
        """Nothing."""


class _TracedStore:
    """Each call of the store is a span inside that of a verb or a step: `survey`, `append`, `commit` ...

    It has whatever the store has, so that a port that grows is told at once.
    """

    def __init__(self, store: Store, tracer: Tracer) -> None:
        self._store = store
        self._tracer = tracer

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        return partial(self._call, name, found) if callable(found) else found

    def _call(self, name: str, call: Callable[..., T], *args: object, **kwargs: object) -> T:
        attributes = {"db.system.name": "sqlite", "db.operation.name": name}
        with self._tracer.span(f"glossator.store.{name}", attributes, kind="client", nested=True):
            return call(*args, **kwargs)


class _TracedEmbedder:
    """An embedder whose calls are spans inside that of a verb or a step."""

    def __init__(self, embedder: Embedder, tracer: Tracer) -> None:
        self._embedder = embedder
        self._tracer = tracer

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._told(len(texts), lambda: self._embedder.embed(texts))

    def _told(self, count: int, embed: Callable[[], T]) -> T:
        provider, model = _named(self._embedder.name)
        attributes: dict[str, SpanValue] = {
            "gen_ai.operation.name": "embeddings",
            "gen_ai.provider.name": provider,
            "gen_ai.request.model": model,
            "glossator.texts.count": count,
        }
        kind: SpanKind = "internal" if provider == LOCAL else "client"
        with self._tracer.span(f"embeddings {model}", attributes, kind=kind, nested=True):
            return embed()


class _TracedPieceEmbedder(_TracedEmbedder):
    """The same for an embedder that gives the vectors of word pieces too."""

    def __init__(self, embedder: PieceEmbedder, tracer: Tracer) -> None:
        super().__init__(embedder, tracer)
        self._pieces = embedder

    def encode(self, texts: Sequence[EmbeddingText]) -> Encoded:
        return self._told(len(texts), lambda: self._pieces.encode(texts))

    def encode_question(self, text: str) -> EncodedQuestion:
        return self._told(1, lambda: self._pieces.encode_question(text))


class _TracedModel:
    """A language model whose calls are spans, with the tokens that the server counted."""

    def __init__(self, model: LanguageModel, tracer: Tracer) -> None:
        self._model = model
        self._tracer = tracer

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def complete(self, prompt: Prompt) -> Completion:
        """As the model. Raises ProviderError."""
        provider, model = _named(self._model.name)
        attributes: dict[str, SpanValue] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": provider,
            "gen_ai.request.model": model,
            "gen_ai.request.max_tokens": prompt.tokens_max,
            "gen_ai.request.temperature": prompt.temperature,
            "glossator.purpose": prompt.tag,
        }
        with self._tracer.span(f"chat {model}", attributes, kind="client") as span:
            completion = self._model.complete(prompt)
            span.note("gen_ai.usage.input_tokens", completion.tokens_in)
            span.note("gen_ai.usage.output_tokens", completion.tokens_out)
            span.note("glossator.attempts.count", completion.attempt_count)
            return completion


class _TracedRanker:
    """The learned ranker as a stage of recall."""

    def __init__(self, ranker: Ranker, tracer: Tracer) -> None:
        self._ranker = ranker
        self._tracer = tracer

    @property
    def name(self) -> str:
        return self._ranker.name

    @property
    def embedder(self) -> str:
        return self._ranker.embedder

    def score(self, features: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32]:
        rows = len(next(iter(features.values()), ()))
        with self._tracer.span("glossator.recall.rank", {"glossator.rows.count": rows}, nested=True):
            return self._ranker.score(features)


class _TracedReranker:
    """The reranker as a stage of recall."""

    def __init__(self, reranker: Reranker, tracer: Tracer) -> None:
        self._reranker = reranker
        self._tracer = tracer

    @property
    def name(self) -> str:
        return self._reranker.name

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        with self._tracer.span("glossator.recall.rerank", {"glossator.texts.count": len(texts)}, nested=True):
            return self._reranker.rerank(question, texts)


def traced(part: T, tracer: Tracer) -> T:
    """A store, embedder, language model, ranker or reranker with its calls told."""
    for method, wrapper in WRAPPERS.items():
        if hasattr(part, method):
            return cast(T, wrapper(part, tracer))
    raise TypeError(f"{type(part).__name__} is no part whose calls can be told")


WRAPPERS: Mapping[str, Callable[[Any, Tracer], object]] = {
    "survey": _TracedStore,
    "encode_question": _TracedPieceEmbedder,
    "embed": _TracedEmbedder,
    "complete": _TracedModel,
    "score": _TracedRanker,
    "rerank": _TracedReranker,
}
"""By a method that only this kind of part has; an embedder of word pieces has both."""


def _named(name: str) -> tuple[str, str]:
    """Provider and model of "openai:gpt-5-mini@http://host/v1", without the address, which may name a customer's host.

    What has no provider runs in this process.
    """
    provider, colon, model = name.partition("@")[0].partition(":")
    return (PROVIDERS.get(provider, provider), model) if colon else (LOCAL, provider)
