"""With a tracer each verb, step of the worker and call of a model is a span; without one, nothing is loaded or paid."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from glossator import AsyncMemory, Memory, Options, Scope, UsageError
from glossator.errors import ProviderError
from glossator.facade.given import UNTOLD
from glossator.options import Tracing
from glossator.providers.hashing import HashingEmbedder
from glossator.providers.tracing import OpenTelemetryTracer, traced
from glossator.testing.scripted import ScriptedModel

MARK = "Zanzibar-7"
"""In everything that is said, and in every name of a scope."""
WHO = Scope(workspace=f"w-{MARK}", agent=f"a-{MARK}", owner=f"o-{MARK}", trust="operator")
CHAT = f"telegram:{MARK}"


class Told:
    """A memory with its spans."""

    def __init__(self, path: Path, **choices: object) -> None:
        self.exporter = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.tracer = OpenTelemetryTracer(provider)
        options = Options(**{"embedder": "hashing", "worker": False, **choices.pop("options", {})})  # type: ignore[arg-type, dict-item]
        self.memory = Memory.open(path, options=options, tracer=self.tracer, **choices)  # type: ignore[arg-type]
        self.memory.warm(30)
        self.exporter.clear()

    def spans(self) -> list[ReadableSpan]:
        """What ended since the last call, in the order of their ends."""
        found = list(self.exporter.get_finished_spans())
        self.exporter.clear()
        return found

    def tree(self) -> list[str]:
        """The names, each below its parent."""
        found = self.spans()
        below: dict[int | None, list[ReadableSpan]] = {}
        for each in sorted(found, key=lambda each: each.start_time or 0):
            below.setdefault(each.parent.span_id if each.parent else None, []).append(each)

        def lines(parent: int | None, depth: int) -> Iterator[str]:
            for each in below.get(parent, ()):
                yield "  " * depth + each.name
                assert each.context is not None
                yield from lines(each.context.span_id, depth + 1)

        return list(lines(None, 0))


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    made = Told(tmp_path / "memory.db")
    yield made
    made.memory.close()


def talk(memory: Memory, text: str = f"I live in {MARK}. I like tea.") -> None:
    memory.record([{"role": "user", "content": text, "id": f"m-{len(text)}"}], scope=WHO, conversation=CHAT)


def test_a_verb_is_a_span_with_what_it_asked_of_the_store_below(told: Told) -> None:
    talk(told.memory)
    assert told.tree() == ["glossator.record", "  glossator.store.append"]
    told.memory.drain()
    names = told.tree()
    assert names[0] == "glossator.drain"
    assert {"  glossator.worker.embed", "    embeddings hashing-256", "    glossator.store.put_vectors"} <= set(names)
    assert {"  glossator.worker.extract", "    glossator.store.commit"} <= set(names)

    told.memory.recall(f"where is {MARK}?", scope=WHO, limit=4)
    stages = told.tree()
    assert stages[0] == "glossator.recall"
    assert stages.index("  embeddings hashing-256") < stages.index("  glossator.store.survey")
    assert "  glossator.store.chunks" in stages


def test_the_numbers_and_choices_of_a_verb_are_told_and_nothing_that_was_said(told: Told) -> None:
    talk(told.memory)
    told.memory.recall(f"{MARK}?", scope=WHO, limit=4, per="session", project=MARK)
    recalled = next(each for each in told.spans() if each.name == "glossator.recall")
    assert dict(recalled.attributes or {}) == {
        "glossator.limit": 4,
        "glossator.per": "session",
        "glossator.result.count": 0,
        "glossator.degraded.count": 0,
    }


def test_no_span_has_a_word_of_anybody(told: Told) -> None:
    memory = told.memory
    talk(memory)
    memory.drain()
    memory.remember(f"I like {MARK}", scope=WHO)
    memory.recall(f"{MARK}?", scope=WHO, tags=[MARK])
    memory.context(f"{MARK}?", scope=WHO, conversation=CHAT, budget=500)
    with pytest.raises(UsageError):
        memory.forget(scope=WHO, message_ids=[MARK])
    with pytest.raises(UsageError):
        memory.recall(MARK, scope=WHO, per=MARK)  # type: ignore[arg-type]
    memory.review(scope=WHO, now=True)
    told_spans = told.spans()
    assert len(told_spans) > 20
    assert MARK.lower() not in json.dumps([each.to_json() for each in told_spans]).lower()


def test_a_failure_is_told_by_its_class(told: Told) -> None:
    with pytest.raises(UsageError):
        told.memory.recall(MARK, scope=WHO, limit=-1)
    (span,) = told.spans()
    assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, "UsageError")
    assert (span.attributes or {})["error.type"] == "UsageError"
    assert span.events == ()


def test_a_call_of_a_model_follows_the_conventions_for_models(tmp_path: Path) -> None:
    model = ScriptedModel(['{"facts": []}'])
    options = {"capture_mode": "per_turn", "turn_fact_extraction_enabled": True}
    told = Told(tmp_path / "memory.db", options=options, language_model=model)
    talk(told.memory)
    told.memory.drain()
    spans = {each.name: each for each in told.spans()}
    called = spans["chat test"]
    attributes = dict(called.attributes or {})
    assert called.kind is SpanKind.CLIENT
    assert attributes.pop("gen_ai.usage.input_tokens") > 0  # type: ignore[operator]
    assert attributes == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "scripted",
        "gen_ai.request.model": "test",
        "gen_ai.request.max_tokens": 800,
        "gen_ai.request.temperature": 0.0,
        "gen_ai.usage.output_tokens": 2,
        "glossator.purpose": attributes["glossator.purpose"],
        "glossator.attempts.count": 1,
    }
    assert called.parent is not None
    step = spans["glossator.worker.extract"]
    assert step.context is not None
    assert called.parent.span_id == step.context.span_id
    assert dict(spans["glossator.store.claim"].attributes or {}) == {
        "db.system.name": "sqlite", "db.operation.name": "claim",
    }  # fmt: skip
    told.memory.close()


def test_a_model_that_fails_is_told_in_its_span_and_in_that_of_the_step(tmp_path: Path) -> None:
    model = ScriptedModel([ProviderError(f"it said {MARK}", retryable=True)])
    options = {"capture_mode": "per_turn", "turn_fact_extraction_enabled": True}
    told = Told(tmp_path / "memory.db", options=options, language_model=model)
    talk(told.memory)
    with pytest.raises(ProviderError):
        told.memory.drain()
    failed = {each.name: each.status for each in told.spans() if each.status.status_code is StatusCode.ERROR}
    assert failed["chat test"].description == "ProviderError"
    assert failed["glossator.worker.extract"].description == "_OTHER"
    assert failed["glossator.drain"].description == "ProviderError"
    told.memory.close()


def test_housekeeping_is_not_told(told: Told) -> None:
    told.memory.metrics_text()
    told.memory.metrics()
    assert told.spans() == []
    assert all(callable(getattr(Memory, name)) for name in UNTOLD)


async def _asked(skin: AsyncMemory, tracer: OpenTelemetryTracer) -> None:
    with tracer.span("outside"):
        await skin.recall("tea?", scope=WHO)


def test_a_verb_in_a_thread_of_its_own_is_below_the_callers_span(told: Told) -> None:
    import asyncio

    asyncio.run(_asked(AsyncMemory(told.memory), told.tracer))
    assert told.tree()[:2] == ["outside", "  glossator.recall"]


def test_a_request_is_a_span_by_its_route_with_the_verb_below(told: Told) -> None:
    import asyncio

    import httpx2
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Route

    from glossator.surfaces.watch.asgi import ServerMeters, Watched

    skin = AsyncMemory(told.memory)

    async def recall(request: Request) -> Response:
        if "boom" in request.path_params["owner"]:
            raise RuntimeError(MARK)
        await skin.recall(f"{MARK}?", scope=WHO)
        return PlainTextResponse("ok")

    app = Watched(Starlette(routes=[Route("/of/{owner}", recall)]), meters=ServerMeters(), tracer=told.tracer)
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    async def ask() -> None:
        transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, base_url="http://here") as client:
            for path in (f"/of/{MARK}?q={MARK}", f"/of/{MARK}-boom"):
                await client.get(path, headers={"traceparent": parent})

    asyncio.run(ask())
    spans = told.spans()
    recalled = next(each for each in spans if each.name == "glossator.recall")
    first, failed = [each for each in spans if each.name == "GET /of/{owner}"]
    assert first.context is not None
    assert recalled.parent is not None
    assert recalled.parent.span_id == first.context.span_id
    assert f"{first.context.trace_id:032x}" in parent
    assert dict(first.attributes or {}) == {
        "http.request.method": "GET", "http.route": "/of/{owner}", "http.response.status_code": 200,
        "url.scheme": "http",
    }  # fmt: skip
    assert (failed.status.status_code, failed.status.description) == (StatusCode.ERROR, "RuntimeError")
    assert MARK not in json.dumps([each.to_json() for each in spans])


def test_a_span_goes_on_with_a_trace_that_came_from_outside(told: Told) -> None:
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with told.tracer.span("GET", kind="server", parent=parent) as span:
        span.rename("GET /v1/recall")
    with told.tracer.span("GET", kind="server", parent="nonsense"):
        pass
    first, second = told.spans()
    assert (first.name, first.kind) == ("GET /v1/recall", SpanKind.SERVER)
    assert first.parent is not None
    assert f"{first.parent.trace_id:032x}-{first.parent.span_id:016x}" == parent[3:-3]
    assert second.parent is None


def test_what_has_no_calls_to_tell_is_refused(told: Told) -> None:
    with pytest.raises(TypeError):
        traced(object(), told.tracer)
    assert traced(HashingEmbedder(), told.tracer).name == HashingEmbedder().name


def test_without_a_choice_nothing_of_it_is_loaded(tmp_path: Path) -> None:
    script = f"""
import sys
from glossator import Memory, Options, Scope
with Memory.open({str(tmp_path / "m.db")!r}, options=Options(embedder="none", worker=False)) as memory:
    scope = Scope(workspace="w", agent="a", owner="o")
    memory.record([{{"role": "user", "content": "tea"}}], scope=scope, conversation="x:1")
    memory.recall("tea", scope=scope)
unasked = ("opentelemetry", "glossator.providers.tracing", "structlog")
loaded = [name for name in sys.modules if name.startswith(unasked)]
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_the_option_names_it_and_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choice: Tracing = "opentelemetry"
    with Memory.open(tmp_path / "m.db", options=Options(embedder="none", worker=False, tracing=choice)) as memory:
        memory.recall("tea", scope=WHO)  # no provider is set up: it goes nowhere
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(UsageError, match="tracing") as caught:
        Memory.open(tmp_path / "m.db", options=Options(embedder="none", worker=False, tracing=choice))
    assert caught.value.remedy == 'pip install "glossator[opentelemetry]"'


def test_the_names_are_those_of_the_conventions() -> None:
    from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as models
    from opentelemetry.semconv.attributes import db_attributes, error_attributes, http_attributes

    text = "".join(
        (Path(__file__).parents[2] / "src" / "glossator" / place).read_text("utf-8")
        for place in ("providers/tracing.py", "surfaces/watch/asgi.py")
    )
    for name in (
        models.GEN_AI_OPERATION_NAME, models.GEN_AI_PROVIDER_NAME, models.GEN_AI_REQUEST_MODEL,
        models.GEN_AI_USAGE_INPUT_TOKENS, models.GEN_AI_USAGE_OUTPUT_TOKENS, db_attributes.DB_SYSTEM_NAME,
        db_attributes.DB_OPERATION_NAME, error_attributes.ERROR_TYPE, http_attributes.HTTP_ROUTE,
        http_attributes.HTTP_REQUEST_METHOD, http_attributes.HTTP_RESPONSE_STATUS_CODE,
    ):  # fmt: skip
        assert f'"{name}"' in text
    assert trace.SpanKind.SERVER
