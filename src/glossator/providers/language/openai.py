"""How do OpenAI's chat completions, and the many servers that copy them, speak?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from glossator.errors import ProviderError
from glossator.model import Completion, Prompt
from glossator.providers.language.wire import Concession, Request, count, listed, nested

SCHEMA_NAME = "reply"
"""The format wants a name for the schema; it means nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatCompletions:
    """POST {base}/chat/completions.

    `hosted` is OpenAI itself, which has renamed the output limit and whose models think unless told otherwise; other
    servers know the older name, and to some of them an unknown field is an error.
    """

    hosted: bool

    def headers(self, api_key: str) -> dict[str, str]:
        """A bearer token, if there is a key."""
        return {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def offers(self, prompt: Prompt) -> frozenset[Concession]:
        """Schema and temperature always; the rest by server, and by what was asked for."""
        offered: set[Concession] = {"temperature", "reasoning"} if self.hosted else {"temperature", "tokens_name"}
        asked: set[Concession] = {"schema"} if prompt.schema else set()
        return frozenset(offered | asked | ({"reasoning"} if prompt.effort else set()))

    def request(self, prompt: Prompt, *, model: str, without: frozenset[Concession]) -> Request:
        """System and user message, one choice, not streamed."""
        renamed = self.hosted or "tokens_name" in without
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.text}],
            "max_completion_tokens" if renamed else "max_tokens": prompt.tokens_max,
            "stream": False,
        }
        if "temperature" not in without:
            body["temperature"] = prompt.temperature
        if (self.hosted or prompt.effort) and "reasoning" not in without:
            body["reasoning_effort"] = prompt.effort or "minimal"
        if prompt.schema and "schema" not in without:
            form = {"name": SCHEMA_NAME, "strict": True, "schema": dict(prompt.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return Request(path="/chat/completions", body=body)

    def completion(self, answer: Mapping[str, Any]) -> Completion:
        """The first choice's text; its parts joined where the server sends parts."""
        choices = listed(answer.get("choices"))
        if not choices:
            raise ProviderError("answered without a choice")
        message, ended = nested(choices[0].get("message")), choices[0].get("finish_reason")
        if message.get("refusal") or ended == "content_filter":
            raise ProviderError("declined to answer")
        content = message.get("content")
        if not isinstance(content, str):
            content = "".join(str(part.get("text", "")) for part in listed(content) if part.get("type") == "text")
        usage = nested(answer.get("usage"))
        return Completion(
            text=content,
            tokens_in=count(usage.get("prompt_tokens")),
            tokens_out=count(usage.get("completion_tokens")),
            cut=ended == "length",
        )


OPENAI = ChatCompletions(hosted=True)
COMPATIBLE = ChatCompletions(hosted=False)
