"""How do texts run through a transformer in ONNX? Tokens, batches of like length, mean pooling, length 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from glossator.errors import ProviderError
from glossator.model import EmbeddingText, Encoded, EncodedQuestion
from glossator.rules.stopwords import ENGLISH

_WORD = regex.compile(r"[\p{L}\p{N}]")

TOKENS_MAX = 256
"""The length the model was published with; what follows in a text doesn't count."""

CHARACTERS_MAX = 16_384
"""Cut before tokenising, so that a pasted log of megabytes costs no more than its first 256 tokens could use."""

BATCH_TEXTS_MAX = 16
"""Measured on one core: 16 texts sorted by length take 5.0 ms a text, single ones 6.6, 32 take 5.9 (cache)."""

BATCH_TOKENS_MAX = 512
"""Two texts of 256 tokens: the process stays at 321 MB on long texts (1,024: 406 MB) and is no slower."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel:
    """A session of onnxruntime and a tokenizer, both without type information."""

    session: Any
    tokenizer: Any


def embedded(load: Callable[[], LoadedModel], texts: Sequence[str], *, dimension: int) -> NDArray[np.float32]:
    """One row of length 1 for each text, in the order given; the model is loaded only if there is a text."""
    vectors = np.empty((len(texts), dimension), dtype=np.float32)
    if not texts:
        return vectors
    model = load()
    ids = [token_ids_of(model.tokenizer, text) for text in texts]
    for batch in batches([len(each) for each in ids]):
        hidden, mask = _run(model.session, [ids[index] for index in batch])
        vectors[batch] = _pooled(hidden, mask)
    return vectors


def encoded(load: Callable[[], LoadedModel], texts: Sequence[EmbeddingText], *, dimension: int) -> Encoded:
    """Vectors as `embedded`, and from the same pass the signs of the telling pieces of each text's own words."""
    vectors = np.empty((len(texts), dimension), dtype=np.float32)
    signs: list[NDArray[np.uint8]] = [np.empty((0, dimension // 8), np.uint8)] * len(texts)
    if not texts:
        return Encoded(vectors=vectors, signs=())
    model = load()
    encodings = [_encoding(model.tokenizer, each.text) for each in texts]
    for batch in batches([len(each.ids) for each in encodings]):
        hidden, mask = _run(model.session, [encodings[index].ids for index in batch])
        vectors[batch] = _pooled(hidden, mask)
        for row, index in enumerate(batch):
            told = _telling_pieces(encodings[index], texts[index].own_start)
            signs[index] = np.packbits(hidden[row, told] > 0, axis=1)
    return Encoded(vectors=vectors, signs=tuple(signs))


def encoded_question(load: Callable[[], LoadedModel], text: str) -> EncodedQuestion:
    """The question's vector and those of its pieces, without the marks of beginning and end."""
    model = load()
    encoding = _encoding(model.tokenizer, text)
    hidden, mask = _run(model.session, [encoding.ids])
    pieces = hidden[0, 1:-1]
    pieces = pieces / np.maximum(np.linalg.norm(pieces, axis=1, keepdims=True), 1e-12)
    spans = tuple((int(begin), int(stop)) for begin, stop in encoding.offsets[1:-1])
    return EncodedQuestion(vector=_pooled(hidden, mask)[0], pieces=np.asarray(pieces, np.float32), spans=spans)


def _telling_pieces(encoding: Any, own_start: int) -> list[int]:
    """Places of the pieces that say something: own words, no punctuation, no stop words; the first if none does."""
    told = [
        place
        for place, (piece, (begin, stop)) in enumerate(zip(encoding.tokens, encoding.offsets, strict=True))
        if stop > begin >= own_start and _WORD.search(piece) and piece not in ENGLISH
    ]
    return told or [0]


def open_session(content: bytes, threads: int) -> Any:
    """Return an onnxruntime session over the model."""
    try:
        import onnxruntime  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        raise ProviderError(f"no embedding model: onnxruntime can't be imported ({error})", retryable=False) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Idle workers spin for milliseconds otherwise, on cores that the store and the server need.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except RuntimeError as error:
        raise ProviderError(f"onnxruntime can't load the embedding model: {error}", retryable=False) from error


def token_ids_of(tokenizer: Any, text: str) -> list[int]:
    """Return the ids of a text's first 256 tokens, [CLS] and [SEP] among them; lone surrogates become "?"."""
    ids: list[int] = _encoding(tokenizer, text).ids
    return ids


def _encoding(tokenizer: Any, text: str) -> Any:
    """What the tokenizer makes of a text: ids, tokens and their offsets in the text."""
    return tokenizer.encode(text[:CHARACTERS_MAX].encode("utf-8", "replace").decode("utf-8"))


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the indices of texts that run together: like lengths, so that next to nothing is spent on padding."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda index: lengths[index]):
        if batch and (len(batch) == BATCH_TEXTS_MAX or (len(batch) + 1) * lengths[index] > BATCH_TOKENS_MAX):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _run(session: Any, token_ids: Sequence[Sequence[int]]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return the token vectors (texts, width, d) and the mask of the real ones (texts, width)."""
    width = max(len(ids) for ids in token_ids)
    ids = np.zeros((len(token_ids), width), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, text_ids in enumerate(token_ids):
        ids[row, : len(text_ids)] = text_ids
        mask[row, : len(text_ids)] = 1
    feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    (hidden,) = session.run(["last_hidden_state"], feeds)
    return hidden, mask


def _pooled(hidden: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the mean of each text's token vectors, scaled to length 1.

    The scale of a sum is lost in the normalisation: dividing by the token count would change nothing.
    """
    pooled: NDArray[np.float32] = np.einsum("btd,bt->bd", hidden, mask.astype(np.float32))
    pooled /= np.linalg.norm(pooled, axis=1, keepdims=True)
    return pooled
