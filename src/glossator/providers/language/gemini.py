"""How does Gemini's generateContent speak?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from glossator.errors import ProviderError
from glossator.model import Completion, Prompt
from glossator.providers.language.wire import Concession, Request, count, listed, nested

_DECLINED = frozenset({"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"})
_UNKNOWN = frozenset({"additionalProperties", "$schema", "title"})
"""Words of JSON schema that the format's own dialect refuses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerateContent:
    """POST {base}/models/MODEL:generateContent. Thinking is asked to stay off: it eats the output limit."""

    def headers(self, api_key: str) -> dict[str, str]:
        """A header, though the address could hold the key too: addresses end up in logs."""
        return {"x-goog-api-key": api_key} if api_key else {}

    def offers(self, prompt: Prompt) -> frozenset[Concession]:
        """Schema, temperature and thinking."""
        base: frozenset[Concession] = frozenset({"temperature", "reasoning"})
        return base | {"schema"} if prompt.schema else base

    def request(self, prompt: Prompt, *, model: str, without: frozenset[Concession]) -> Request:
        """Contents and their configuration."""
        choices: dict[str, Any] = {"maxOutputTokens": prompt.tokens_max}
        if "temperature" not in without:
            choices["temperature"] = prompt.temperature
        if "reasoning" not in without:
            choices["thinkingConfig"] = {"thinkingBudget": 0}
        if prompt.schema and "schema" not in without:
            choices["responseMimeType"] = "application/json"
            choices["responseSchema"] = in_dialect(prompt.schema)
        body = {
            "systemInstruction": {"parts": [{"text": prompt.system}]},
            "contents": [{"role": "user", "parts": [{"text": prompt.text}]}],
            "generationConfig": choices,
        }
        # Some lists put "models/" before a model's name.
        named = quote(model.removeprefix("models/"), safe="-._")
        return Request(path=f"/models/{named}:generateContent", body=body)

    def completion(self, answer: Mapping[str, Any]) -> Completion:
        """The first candidate's parts joined, its thoughts left out."""
        if nested(answer.get("promptFeedback")).get("blockReason"):
            raise ProviderError("declined to answer")
        candidates = listed(answer.get("candidates"))
        if not candidates:
            raise ProviderError("answered without a candidate")
        ended = candidates[0].get("finishReason")
        if ended in _DECLINED:
            raise ProviderError("declined to answer")
        parts = listed(nested(candidates[0].get("content")).get("parts"))
        usage = nested(answer.get("usageMetadata"))
        return Completion(
            text="".join(str(part.get("text", "")) for part in parts if not part.get("thought")),
            tokens_in=count(usage.get("promptTokenCount")),
            tokens_out=count(usage.get("candidatesTokenCount")) + count(usage.get("thoughtsTokenCount")),
            cut=ended == "MAX_TOKENS",
        )


def in_dialect(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON schema without the words that the dialect does not know."""
    return {key: _value_in_dialect(key, value) for key, value in schema.items() if key not in _UNKNOWN}


def _value_in_dialect(key: str, value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    if key == "properties":
        return {name: in_dialect(each) for name, each in value.items()}
    return in_dialect(value)


GEMINI = GenerateContent()
