"""How does Anthropic's messages interface speak?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from glossator.errors import ProviderError
from glossator.model import Completion, Prompt
from glossator.providers.language.wire import Concession, Request, count, listed, nested

VERSION = "2023-06-01"
"""The version of the interface, not of a model; it must be named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Messages:
    """POST {base}/messages, with the reply's schema under output_config. Older models refuse it, newer ones the
    temperature; both are left out then."""

    def headers(self, api_key: str) -> dict[str, str]:
        """The key has a header of its own."""
        return {"anthropic-version": VERSION, **({"x-api-key": api_key} if api_key else {})}

    def offers(self, prompt: Prompt) -> frozenset[Concession]:
        """Schema and temperature."""
        return frozenset({"temperature", "schema"} if prompt.schema else {"temperature"})

    def request(self, prompt: Prompt, *, model: str, without: frozenset[Concession]) -> Request:
        """The system text stands beside the messages."""
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": prompt.tokens_max,
            "system": prompt.system,
            "messages": [{"role": "user", "content": prompt.text}],
        }
        if "temperature" not in without:
            body["temperature"] = prompt.temperature
        if prompt.schema and "schema" not in without:
            body["output_config"] = {"format": {"type": "json_schema", "schema": dict(prompt.schema)}}
        return Request(path="/messages", body=body)

    def completion(self, answer: Mapping[str, Any]) -> Completion:
        """The text blocks joined; thinking is left out."""
        ended = answer.get("stop_reason")
        if not isinstance(answer.get("content"), list):
            raise ProviderError("answered without content")
        if ended == "refusal":
            raise ProviderError("declined to answer")
        usage = nested(answer.get("usage"))
        inwards = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        blocks = listed(answer.get("content"))
        return Completion(
            text="".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text"),
            tokens_in=sum(count(usage.get(name)) for name in inwards),
            tokens_out=count(usage.get("output_tokens")),
            cut=ended == "max_tokens",
        )


ANTHROPIC = Messages()
