"""The clients have the verbs of Memory with the same signatures, and are quick to import."""

import inspect
import subprocess
import sys

import pytest

from glossator.client import ABSENT, AsyncClient, Client
from glossator.client.requests import READING
from glossator.facade import Memory as Facade
from glossator.wire.routes import ROUTES
from glossator.wiring import Memory

OWN = {"close", "each", "ingest", "ready"}
"""What a client has beside the verbs: its connections, and ways to use verbs for very much."""
ADDRESS = "http://127.0.0.1:9"


def public(cls: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(cls, callable) if not name.startswith("_")}


@pytest.mark.parametrize("cls", [Client, AsyncClient])
def test_every_verb_is_there_or_on_the_list_with_its_reason(cls: type) -> None:
    assert public(cls) - OWN == public(Memory) - ABSENT.keys()
    assert set(ABSENT) <= public(Memory)
    assert all(ABSENT.values())


@pytest.mark.parametrize("verb", sorted(route.verb for route in ROUTES))
def test_a_verb_has_the_signature_and_the_words_of_memory(verb: str) -> None:
    original = getattr(Facade, verb)
    for cls in (Client, AsyncClient):
        own = getattr(cls, verb)
        assert inspect.signature(own) == inspect.signature(original)
        assert own.__doc__ == original.__doc__
        assert inspect.iscoroutinefunction(own) == (cls is AsyncClient)


def test_what_only_reads_needs_no_key_and_is_a_post() -> None:
    assert {route.verb for route in ROUTES if route.method == "POST"} >= READING


def test_a_client_loads_no_engine_no_model_and_no_server() -> None:
    heavy = ("fastapi", "starlette", "uvicorn", "onnxruntime", "tokenizers", "sqlite3", "mcp", "glossator.stores")
    script = f"import sys, glossator.client; print([name for name in {heavy!r} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)

    assert told.stdout.strip() == "[]"
