"""Embedders that a user brings along: a server, a folder; and one that is still loading."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from glossator.errors import ProviderError, UsageError
from glossator.providers import minilm
from glossator.providers.hashing import HashingEmbedder
from glossator.providers.minilm import MiniLM
from glossator.providers.onnx_folder import OnnxFolder
from glossator.providers.openai_embeddings import OpenAIEmbeddings
from glossator.warm import WarmEmbedder


@contextmanager
def serving(status: int, body: object) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """A server on loopback that answers every request with `body`; yields its address and what it was sent."""
    seen: list[dict[str, object]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append({"path": self.path, "key": self.headers.get("Authorization"), **sent})
            rows = body(sent) if callable(body) else body
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(rows).encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", seen
    finally:
        server.shutdown()
        server.server_close()


def lengths(sent: dict[str, list[str]]) -> dict[str, object]:
    rows = [{"index": place, "embedding": [float(len(text)), 1.0]} for place, text in enumerate(sent["input"])]
    return {"data": rows[::-1]}


def test_a_server_is_asked_in_batches_and_its_rows_come_back_in_order_and_normalised() -> None:
    with serving(200, lengths) as (address, seen):
        embedder = OpenAIEmbeddings(model="m", base_url=address, api_key="k")
        vectors = embedder.embed([str(10**place) for place in range(100)])
    assert [len(request["input"]) for request in seen] == [64, 36]  # type: ignore[arg-type]
    assert (seen[0]["path"], seen[0]["key"], seen[0]["model"]) == ("/v1/embeddings", "Bearer k", "m")
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert (np.diff(vectors[:, 0]) > 0).all()
    assert embedder.dimension == 2


@pytest.mark.parametrize(("status", "retryable"), [(429, True), (503, True), (401, False), (400, False)])
def test_a_refusing_server_is_a_provider_error_that_says_whether_to_try_again(status: int, retryable: bool) -> None:
    with serving(status, {}) as (address, _), pytest.raises(ProviderError) as caught:
        OpenAIEmbeddings(model="m", base_url=address).embed(["x"])
    assert caught.value.retryable is retryable


@pytest.mark.parametrize("body", [{}, {"data": []}, {"data": [{"index": 0, "embedding": ["a"]}]}, [], "text"])
def test_an_answer_of_another_shape_is_a_provider_error(body: object) -> None:
    with serving(200, body) as (address, _), pytest.raises(ProviderError):
        OpenAIEmbeddings(model="m", base_url=address).embed(["x"])


def test_a_server_that_is_not_there_is_a_retryable_error_and_a_wrong_address_a_usage_error() -> None:
    with pytest.raises(ProviderError) as caught:
        OpenAIEmbeddings(model="m", base_url="http://127.0.0.1:9/v1", timeout_s=2).embed(["x"])
    assert caught.value.retryable
    with pytest.raises(UsageError):
        OpenAIEmbeddings(model="m", base_url="file:///etc/passwd")


@pytest.mark.parametrize("address", ["http://user:secret@h/v1", "https://secret@h/v1", "http://h/v1?key=secret"])
def test_no_secret_stands_in_an_address_that_answers_name(address: str) -> None:
    # proves: K36
    with pytest.raises(UsageError, match="more than host") as caught:
        OpenAIEmbeddings(model="m", base_url=address)
    assert "secret" not in str(caught.value)


def test_a_folder_with_the_default_model_gives_the_default_vectors_under_a_name_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "model.onnx").symlink_to(minilm._installed_model())
    minilm._build_tokenizer().save(str(folder / "tokenizer.json"))
    embedder = OnnxFolder(folder)
    texts = ["I moved to Edinburgh.", "猫", ""]
    assert np.allclose(embedder.embed(texts), MiniLM().embed(texts), atol=1e-6)
    assert embedder.dimension == 384
    assert embedder.name.startswith("onnx:mine:8199be6f699a")


def test_a_folder_without_its_files_or_with_broken_ones_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"model\.onnx"):
        OnnxFolder(tmp_path)
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_text("broken")
    with pytest.raises(ProviderError):
        OnnxFolder(tmp_path).embed(["x"])


class Slow(HashingEmbedder):
    """Loads until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def embed(self, texts: object) -> object:  # type: ignore[override]
        self.go.wait(30)
        return super().embed(texts)  # type: ignore[arg-type]


# proves: K31
def test_nobody_waits_for_an_embedder_that_is_still_loading() -> None:
    slow = Slow()
    warm = WarmEmbedder(slow)
    assert not warm.ready
    assert "still loading" in warm.state
    slow.go.set()
    assert warm.warm(30)
    assert warm.ready


class Broken(HashingEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.broken = True

    def embed(self, texts: object) -> object:  # type: ignore[override]
        if self.broken:
            raise ProviderError("no such model")
        return super().embed(texts)  # type: ignore[arg-type]


# proves: K15
def test_a_load_that_failed_is_tried_again_by_the_next_question_that_asks() -> None:
    broken = Broken()
    warm = WarmEmbedder(broken)
    assert not warm.warm(30)
    broken.broken = False
    assert warm.warm(30)


class Foreign(HashingEmbedder):
    def embed(self, texts: object) -> object:  # type: ignore[override]
        raise RuntimeError("CUDA says no")


def test_whatever_an_embedder_raises_is_a_provider_error_and_it_is_not_ready() -> None:
    warm = WarmEmbedder(Foreign())
    assert not warm.warm(30)
    assert "CUDA says no" in warm.state
    with pytest.raises(ProviderError, match="RuntimeError: CUDA says no"):
        warm.embed(["x"])


def test_an_embedder_that_failed_says_why_and_is_ready_after_its_first_success() -> None:
    broken = Broken()
    warm = WarmEmbedder(broken)
    assert not warm.warm(30)
    assert warm.state == "no such model"
    broken.broken = False
    warm.embed(["x"])
    assert warm.ready
