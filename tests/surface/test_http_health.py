"""The server stays alive under a slow model, says when it is ready, and keeps what it acknowledges."""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2
import numpy as np
from numpy.typing import NDArray
from tests.surface.http_server import OPEN, Served, serving, serving_process

from glossator import Options
from glossator.providers.hashing import HashingEmbedder
from glossator.surfaces.http.settings import Settings

HEALTH_MAX_S = 0.1
SLOW_S = 1.5


def test_a_slow_embedder_never_blocks_health_nor_writes(tmp_path: Path) -> None:
    # proves: K29
    limits = httpx2.Limits(max_connections=50)
    with (
        slow_embeddings() as (url, slow),
        serving_process(tmp_path, GLOSSATOR_EMBEDDER=f"openai:slow@{url}") as base,
        httpx2.Client(base_url=base, timeout=60, limits=limits) as client,
    ):
        _ready(client)
        idle = max(_health(client) for _ in range(20))  # what this machine takes when nothing else is asked
        slow.set()
        with ThreadPoolExecutor(40) as pool:
            began = time.monotonic()
            recalls = [pool.submit(_recall, client) for _ in range(20)]
            writes = [pool.submit(_add, client, number) for number in range(20)]
            waits = []
            while not all(each.done() for each in recalls):
                waits.append(_health(client))
            took = time.monotonic() - began
            added = [each.result() for each in writes]
        slow.clear()
        assert [each.result() for each in recalls] == [200] * 20
        assert took >= SLOW_S, "the recalls did wait for the embedder"
        assert len(waits) > 20
        assert sorted(waits)[int(len(waits) * 0.95)] < HEALTH_MAX_S + idle, max(waits)
        assert sorted(added)[len(added) // 2] < SLOW_S, "an add does not wait for the model"


@contextmanager
def slow_embeddings() -> Iterator[tuple[str, threading.Event]]:
    """A server of embeddings that takes SLOW_S for each answer while the event is set."""
    slow = threading.Event()

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
            if slow.is_set():
                threading.Event().wait(SLOW_S)
            rows = HashingEmbedder().embed(texts)
            found = [{"index": n, "embedding": [float(each) for each in row]} for n, row in enumerate(rows)]
            body = json.dumps({"data": found, "model": "slow"}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Tests are silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", slow
    server.shutdown()
    server.server_close()


def _ready(client: httpx2.Client) -> None:
    deadline = time.monotonic() + 30
    while client.get("/ready").status_code != 200:
        assert time.monotonic() < deadline
        threading.Event().wait(0.05)


def _health(client: httpx2.Client) -> float:
    threading.Event().wait(0.01)
    began = time.monotonic()
    assert client.get("/health").status_code == 200
    return time.monotonic() - began


def _add(client: httpx2.Client, number: int) -> float:
    began = time.monotonic()
    body = {"conversation": "c", "messages": [{"content": f"message {number}", "id": str(number)}]}
    assert client.post("/v1/messages", json=body).json()["recorded"][0]["outcome"] == "stored"
    return time.monotonic() - began


def _recall(client: httpx2.Client) -> int:
    return client.post("/v1/recall", json={"query": "message"}).status_code


class LoadingEmbedder:
    """An embedder that loads until it is let go."""

    def __init__(self) -> None:
        self._inner = HashingEmbedder()
        self.loaded = threading.Event()

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.loaded.wait(30)
        return self._inner.embed(texts)


def test_readiness_tells_of_the_embedder_and_recall_works_before_it(tmp_path: Path) -> None:
    embedder = LoadingEmbedder()
    with serving(tmp_path / "memory.db", OPEN, embedder=embedder) as served, served.client() as client:
        loading = client.get("/ready")
        assert (loading.status_code, loading.json()["embedder"]) == (503, "not loaded yet")
        assert loading.json()["store"] == "ready"
        assert client.get("/health").status_code == 200
        body = {"conversation": "c", "messages": [{"content": "I live in Oslo."}]}
        assert client.post("/v1/messages", json=body).status_code == 200
        answer = client.post("/v1/recall", json={"query": "Oslo"}).json()
        assert (len(answer["hits"]), answer["degraded"][0]["part"]) == (1, "embedder")
        embedder.loaded.set()
        served.memory.warm(10)
        assert client.get("/ready").json() == {"ready": True, "store": "ready", "embedder": "ready"}


def test_an_embedder_that_cannot_be_loaded_keeps_nobody_from_a_server_that_recalls_without(tmp_path: Path) -> None:
    failing = Options(embedder="openai:none@http://127.0.0.1:9/v1")
    with serving(tmp_path / "m.db", OPEN, options=failing) as served, served.client() as client:
        served.memory.warm(20)
        answer = client.get("/ready")
        assert (answer.status_code, answer.json()["degraded"], answer.json()["embedder"]) == (200, True, "failed")
        assert "127.0.0.1" not in answer.text
        assert client.post("/v1/recall", json={"query": "Oslo"}).json()["degraded"][0]["part"] == "embedder"


def test_readiness_knows_that_no_embedder_is_wanted(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db", OPEN, options=Options(embedder="none")) as served, served.client() as client:
        assert client.get("/ready").json()["embedder"] == "switched off"


def test_a_store_that_is_closed_is_not_ready_and_health_does_not_ask_it(tmp_path: Path) -> None:
    with serving(tmp_path / "memory.db", OPEN) as served, served.client() as client:
        served.memory.close()
        assert client.get("/ready").status_code == 503
        assert client.get("/health").status_code == 200


def test_metrics_tell_of_the_engine_and_of_the_server(tmp_path: Path) -> None:
    with serving(tmp_path / "memory.db", OPEN) as served, served.client() as client:
        client.get("/v1/facts/f1")
        text = client.get("/metrics").text
    assert "glossator_turn_fact_decisions_total" in text
    assert 'glossator_http_requests_total{method="GET",route="/v1/facts/{fact_id}",status="4xx"} 1.0' in text


def test_one_key_twenty_times_at_once_is_one_write(tmp_path: Path) -> None:
    with serving(tmp_path / "memory.db", OPEN) as served:
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda _: _once(served, "key-1", "I live in Oslo."), range(20)))
        statuses = sorted(status for status, _, _ in answers)
        assert set(statuses) <= {200, 409}
        done = [(body, replayed) for status, body, replayed in answers if status == 200]
        assert len({body for body, _ in done}) == 1
        assert [replayed for _, replayed in done].count(False) == 1
        assert served.memory.status().message_count == 1

        status, body, replayed = _once(served, "key-1", "I live in Oslo.")
        assert (status, body, replayed) == (200, done[0][0], True)
        assert _once(served, "key-1", "I live in Rome.")[0] == 422
        assert _once(served, "key-2", "I live in Rome.")[0] == 200
        assert served.memory.status().message_count == 2


def _once(served: Served, key: str, text: str) -> tuple[int, str, bool]:
    with served.client() as client:
        body = {"conversation": "c", "messages": [{"content": text}]}
        answer = client.post("/v1/messages", json=body, headers={"Idempotency-Key": key})
        if answer.status_code == 409:
            assert answer.headers["retry-after"] == "1"
        return answer.status_code, answer.text, answer.headers.get("idempotency-replayed") == "true"


def test_what_will_fail_again_is_answered_again_and_a_key_is_its_callers_alone(tmp_path: Path) -> None:
    settings = Settings(inspector=False, mcp=False)
    with serving(tmp_path / "memory.db", settings) as served:
        secrets = [served.memory.add_key(name, workspace="acme").secret for name in ("one", "two")]
        answers = []
        for secret in (*secrets, secrets[0]):
            with served.client(secret) as client:
                headers = {"Idempotency-Key": "same"}
                answers.append(client.post("/v1/facts", json={"text": " "}, headers=headers))
        assert [each.status_code for each in answers] == [422] * 3
        assert ["idempotency-replayed" in each.headers for each in answers] == [False, False, True]
        assert json.loads(answers[2].text)["argument"] == answers[0].json()["argument"]
        assert answers[2].headers["content-type"] == "application/problem+json"
        with served.client(secrets[0]) as client:
            for bad in ("", "x" * 300, "a\tb"):
                assert client.post("/v1/facts", json={"text": "a"}, headers={"Idempotency-Key": bad}).status_code == 400


def test_an_answer_that_was_too_large_to_keep_says_that_it_was_done(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db", OPEN, options=Options(embedder="none")) as served, served.client() as client:
        many = {"conversation": "c", "messages": [{"content": "m", "id": "x" * 190 + str(n)} for n in range(4_000)]}
        headers = {"Idempotency-Key": "large"}
        first = client.post("/v1/messages", json=many, headers=headers)
        assert (first.status_code, len(first.content) > 1_000_000) == (200, True)
        again = client.post("/v1/messages", json=many, headers=headers)
        assert (again.status_code, again.headers["idempotency-replayed"]) == (409, "true")
        assert "retry-after" not in again.headers
