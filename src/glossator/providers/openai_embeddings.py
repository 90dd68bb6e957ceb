"""How does a text become a vector at an OpenAI-compatible server (Ollama, llama.cpp, vLLM, LM Studio, OpenAI)?"""

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from glossator.errors import ProviderError, UsageError

TIMEOUT_S = 30.0
TEXTS_MAX = 64
"""Texts per request; servers commonly refuse much larger batches."""
RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class OpenAIEmbeddings:
    """POST {base_url}/embeddings. `base_url` ends in /v1; the key, if any, is sent as a bearer token.

    The dimension is learnt from the first answer; 0 before. Nothing is retried here: the worker backs off, and a
    question is answered by keyword meanwhile.
    """

    def __init__(self, *, model: str, base_url: str, api_key: str = "", timeout_s: float = TIMEOUT_S) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise UsageError(
                "options.embedder", f"{base_url!r} is no http address", remedy="openai:MODEL@http://HOST/v1"
            )
        parts = urlsplit(base_url)
        if "@" in parts.netloc or parts.query:  # answers and errors name the address, and no secret may stand in one
            problem = "its address holds more than host, port and path"
            raise UsageError("options.embedder", problem, remedy="give a key by OPENAI_API_KEY")
        self._model = model
        self._url = base_url.rstrip("/") + "/embeddings"
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._dimension = 0

    @property
    def name(self) -> str:
        """The model with its server: the same name at another server may be another model."""
        return f"openai:{self._model}@{self._url.removesuffix('/embeddings')}"

    @property
    def dimension(self) -> int:
        """Numbers per vector, 0 until the first answer."""
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One normalised row per text. Raises ProviderError, retryable for time-outs, 429 and 5xx."""
        parts = [self._request(texts[first : first + TEXTS_MAX]) for first in range(0, len(texts), TEXTS_MAX)]
        return np.concatenate(parts) if parts else np.empty((0, self._dimension), np.float32)

    def _request(self, texts: Sequence[str]) -> NDArray[np.float32]:
        headers = {"Content-Type": "application/json"}
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        body = json.dumps({"model": self._model, "input": list(texts), "encoding_format": "float"}).encode()
        request = urllib.request.Request(self._url, data=body, headers=headers, method="POST")  # noqa: S310 - scheme checked
        try:
            with urllib.request.urlopen(request, timeout=self._timeout_s) as response:  # noqa: S310
                return self._vectors(json.load(response), len(texts))
        except urllib.error.HTTPError as error:
            raise ProviderError(
                f"{self._url} answered {error.code} {error.reason}", retryable=error.code in RETRYABLE
            ) from error
        except (OSError, ValueError) as error:
            raise ProviderError(f"{self._url} cannot be used: {error}", retryable=True) from error

    def _vectors(self, answer: object, count: int) -> NDArray[np.float32]:
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])  # type: ignore[index]
            vectors = np.array([row["embedding"] for row in rows], np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise ProviderError(f"{self._url} answered in another shape than /v1/embeddings") from error
        if vectors.ndim != 2 or len(vectors) != count or not np.isfinite(vectors).all():
            raise ProviderError(f"{self._url} answered {vectors.shape} numbers for {count} texts")
        self._dimension = int(vectors.shape[1])
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(norms, 1e-12), np.float32)
