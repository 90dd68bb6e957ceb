"""What goes to a language model and what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Effort = Literal["minimal", "low", "medium", "high"]
"""How long a model may think before it answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One bounded call. `schema` is a JSON schema for the reply, sent where the server takes one.

    `timeout_s` is wall-clock time for the whole call with all its retries. `tag` names the purpose in traces and
    counters ("extraction", "review"). `effort` is sent to models that take one, and only where it is given.
    """

    system: str
    text: str
    tag: str
    timeout_s: float
    tokens_max: int = 800
    temperature: float = 0.0
    schema: Mapping[str, Any] | None = None
    effort: Effort | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """The reply. Token counts are the server's own, 0 where it gives none; `cut` says that it ran into `tokens_max`."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    attempt_count: int = 1
    cut: bool = False
