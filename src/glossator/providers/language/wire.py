"""What do the wire formats have in common: how is a prompt sent, what can be left out, how is a reply read?"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from glossator.errors import ProviderError
from glossator.model import Completion, Prompt

Concession = Literal["schema", "temperature", "reasoning", "tokens_name"]
"""What a server may refuse and can be asked without: the reply's schema, the temperature, the wish for little thinking,
the older name of the output limit."""
_WORDS: Sequence[tuple[Concession, tuple[str, ...]]] = (
    ("tokens_name", ("max_completion_tokens",)),
    ("temperature", ("temperature",)),
    ("reasoning", ("reasoning_effort", "thinking")),
    ("schema", ("response_format", "schema", "output_config", "output_format", "structured", "grammar", "mimetype")),
)
"""By which words in its refusal a server names it, the narrower ones first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars for a million tokens."""

    usd_per_million_in: float
    usd_per_million_out: float

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """What one call cost."""
        return (tokens_in * self.usd_per_million_in + tokens_out * self.usd_per_million_out) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is posted, to which path below the base address."""

    path: str
    body: Mapping[str, Any]


class WireFormat(Protocol):
    """One way to speak to a server."""

    def headers(self, api_key: str) -> dict[str, str]:
        """Headers besides the content type; the key travels here only, never in the address."""
        ...

    def request(self, prompt: Prompt, *, model: str, without: frozenset[Concession]) -> Request:
        """The request, but for what the server has refused before."""
        ...

    def offers(self, prompt: Prompt) -> frozenset[Concession]:
        """What the request can be sent without."""
        ...

    def completion(self, answer: Mapping[str, Any]) -> Completion:
        """The reply read. Raises ProviderError where the model declined or the shape is another."""
        ...


def refused(message: str, *, offered: frozenset[Concession]) -> Concession | None:
    """Which of the offered things the server's message names as its reason, or None."""
    low = message.lower()
    return next((each for each, words in _WORDS if each in offered and any(word in low for word in words)), None)


def in_shape(answer: object) -> Mapping[str, Any]:
    """The answer as an object; ProviderError for anything else."""
    if not isinstance(answer, dict):
        raise ProviderError("answered JSON of another shape than its format")
    return answer


def listed(value: object) -> list[Mapping[str, Any]]:
    """The objects of a list; none where there is no list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def nested(value: object) -> Mapping[str, Any]:
    """The object, or an empty one."""
    return value if isinstance(value, dict) else {}


def count(value: object) -> int:
    """A token count; 0 for what is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def error_text(raw: bytes) -> str:
    """What a refusing server says, at most 300 characters of it."""
    text = raw.decode("utf-8", "replace")
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return " ".join(text.split())[:300]
    error = answer.get("error", answer.get("detail")) if isinstance(answer, dict) else None
    said = error.get("message") if isinstance(error, dict) else error
    return " ".join(str(said or text).split())[:300]
