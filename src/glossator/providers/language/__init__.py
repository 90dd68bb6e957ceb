"""Which language models can be asked, and where does each have its address and its key?

A name is "provider:MODEL", for any server with "@http://HOST/v1" behind it. Nothing is imported, opened or asked here
before the first call, so that naming a model costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from glossator.errors import UsageError
from glossator.providers.language.anthropic import ANTHROPIC
from glossator.providers.language.gemini import GEMINI
from glossator.providers.language.openai import COMPATIBLE, OPENAI
from glossator.providers.language.pace import Pace
from glossator.providers.language.wire import Price, WireFormat

if TYPE_CHECKING:
    from glossator.providers.language.client import HttpLanguageModel

__all__ = ["KEY_VARIABLE", "PROVIDERS", "Pace", "Price", "Provider", "key_variables", "model_named"]

ARGUMENT = "options.language_model"
KEY_VARIABLE = "GLOSSATOR_LANGUAGE_MODEL_KEY"
"""Read first, whatever the provider."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A kind of server: what it speaks, where it is by default and which environment names hold its key."""

    wire: WireFormat
    base_url: str
    keys: tuple[str, ...] = ()
    key_needed: bool = False


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider(wire=OPENAI, base_url="https://api.openai.com/v1", keys=("OPENAI_API_KEY",), key_needed=True),
    "anthropic": Provider(
        wire=ANTHROPIC, base_url="https://api.anthropic.com/v1", keys=("ANTHROPIC_API_KEY",), key_needed=True
    ),
    "gemini": Provider(
        wire=GEMINI,
        base_url="https://generativelanguage.googleapis.com/v1beta",
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        key_needed=True,
    ),
    "ollama": Provider(wire=COMPATIBLE, base_url="http://127.0.0.1:11434/v1"),
    "llamacpp": Provider(wire=COMPATIBLE, base_url="http://127.0.0.1:8080/v1"),
    "vllm": Provider(wire=COMPATIBLE, base_url="http://127.0.0.1:8000/v1"),
}
"""The last three are servers on one's own machine, at the port that each takes by itself."""
CHOICES = (
    "choose openai:MODEL, openai:MODEL@http://HOST/v1 (any compatible server), anthropic:MODEL, gemini:MODEL, "
    "ollama:MODEL, llamacpp:MODEL or vllm:MODEL"
)


def model_named(
    name: str,
    *,
    api_key: str = "",
    base_url: str = "",
    price: Price | None = None,
    attempts_max: int = 4,
    pace: Pace | None = None,
) -> HttpLanguageModel:
    """The model of a name. `base_url` overrides the provider's address, an address in the name overrides both.

    `price` fills Completion.cost_usd, `pace` is the clock and the chance of the retries. Raises UsageError for an
    unknown provider, an address that is none, and a key that is missing or cannot be sent; a server at an address of
    one's own may need none.
    """
    provider, model, address = _parsed(name)
    at = (address or base_url).rstrip("/")
    chosen = PROVIDERS[provider]
    if at:
        _check_address(at)
        if chosen.wire is OPENAI:
            chosen = replace(chosen, wire=COMPATIBLE)
    key = _checked_key(api_key)
    if chosen.key_needed and not at and not key:
        raise UsageError(ARGUMENT, f"{name} needs a key", remedy=f"set {' or '.join(key_variables(name))}")
    from glossator.providers.language.client import HttpLanguageModel

    return HttpLanguageModel(
        name=f"{provider}:{model}" + (f"@{at}" if at else ""),
        model=model,
        wire=chosen.wire,
        base_url=at or chosen.base_url,
        api_key=key,
        price=price,
        attempts_max=attempts_max,
        pace=pace,
    )


def key_variables(name: str) -> tuple[str, ...]:
    """Environment names that may hold the key of a model, the first that is set counts. UsageError as above.

    A server at an address of one's own gets no key but the one that was set for Glossator: a key of OpenAI's must not
    travel to whoever runs a compatible server.
    """
    provider, _, address = _parsed(name)
    return (KEY_VARIABLE,) if address else (KEY_VARIABLE, *PROVIDERS[provider].keys)


def _parsed(name: str) -> tuple[str, str, str]:
    provider, _, rest = name.partition(":")
    if provider not in PROVIDERS:
        raise UsageError(ARGUMENT, f"{name!r} is unknown", remedy=CHOICES)
    model, mark, address = rest.partition("@http")
    if not model.strip():
        raise UsageError(ARGUMENT, f"{name!r} names no model", remedy=CHOICES)
    return provider, model.strip(), f"http{address}" if mark else ""


def _check_address(address: str) -> None:
    try:
        parts = urlsplit(address)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        fits = False
    if not fits:
        raise UsageError(ARGUMENT, f"{address!r} is no http address", remedy="openai:MODEL@http://HOST/v1")
    if parts.username is not None or parts.query or parts.fragment:
        raise UsageError(
            ARGUMENT, "its address holds more than host, port and path", remedy=f"give a key by {KEY_VARIABLE}"
        )


def _checked_key(api_key: str) -> str:
    """The key without the line end that files leave; one that cannot stand in a header is refused, never shown."""
    key = api_key.strip()
    if not (key.isascii() and (key.isprintable()) and " " not in key):
        raise UsageError("api_key", "has characters that no key has", remedy="pass the key alone, without quotes")
    return key
