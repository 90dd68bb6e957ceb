"""How does a text become a vector with a model of the user's own: a folder with model.onnx and tokenizer.json?"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
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


class OnnxFolder:
    """Mean-pooled vectors of any sentence transformer exported to ONNX with "last_hidden_state".

    The name holds the first letters of the model file's sha256: another file is another model, also at equal width,
    and its vectors are never compared with those of this one.
    """

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        self._folder = folder
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: LoadedModel | None = None
        for name in ("model.onnx", "tokenizer.json"):
            if not (folder / name).is_file():
                raise UsageError("options.embedder", f"{folder} has no {name}", remedy="onnx:FOLDER with both files")

    @cached_property
    def name(self) -> str:
        """The folder's name with the model's hash."""
        digest = hashlib.sha256((self._folder / "model.onnx").read_bytes()).hexdigest()
        return f"onnx:{self._folder.name}:{digest[:12]}"

    @cached_property
    def dimension(self) -> int:
        """Numbers per vector; loads the model."""
        width = self._load().session.get_outputs()[0].shape[-1]
        if not isinstance(width, int):
            raise ProviderError(f"{self._folder}: the model's width is not fixed: {width}")
        return width

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 for each text, in the order given. Raises ProviderError."""
        return embedded(self._load, texts, dimension=self.dimension)

    def encode(self, texts: Sequence[EmbeddingText]) -> Encoded:
        """Vectors as `embed`, with the signs of the pieces of each text's own words, from one pass."""
        return encoded(self._load, texts, dimension=self.dimension)

    def encode_question(self, text: str) -> EncodedQuestion:
        """The question's vector as `embed`, with the vectors of its pieces, from one pass."""
        return encoded_question(self._load, text)

    def _load(self) -> LoadedModel:
        with self._lock:
            if self._loaded is None:
                from tokenizers import Tokenizer

                try:
                    tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
                    content = (self._folder / "model.onnx").read_bytes()
                except Exception as error:
                    raise ProviderError(f"{self._folder} cannot be read: {error}") from error
                tokenizer.no_padding()
                tokenizer.enable_truncation(TOKENS_MAX)
                self._loaded = LoadedModel(session=open_session(content, self._threads), tokenizer=tokenizer)
            return self._loaded
