"""What does `glossator compact` do and say, as text and as JSON?"""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from tests.surface.conftest import Cli

SUMMARY = "Ana plans her move to Bergen in May. Two firms were asked, and one quotation is still open."
CHAT = ("--conversation", "telegram:42")


@pytest.fixture
def talk(cli: Cli) -> Cli:
    """A memory with a conversation of sixty messages, about 3,200 tokens."""
    lines = [
        json.dumps({"role": ("user", "assistant")[n % 2], "content": f"Item {n}. " + "We spoke of boxes. " * 10})
        for n in range(60)
    ]
    done = cli("record", "--jsonl", "--no-embed", *CHAT, stdin="\n".join(lines).encode())
    assert done.code == 0, done.err
    return cli


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """A model's server on loopback that answers with a summary; the requests that it got."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            answer = {"choices": [{"message": {"role": "assistant", "content": SUMMARY}, "finish_reason": "stop"}]}
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("GLOSSATOR_LANGUAGE_MODEL", f"openai:tiny@http://127.0.0.1:{server.server_port}/v1")
    yield requests
    server.shutdown()
    server.server_close()
    thread.join()


def test_both_sizes_are_told_and_nothing_is_lost(talk: Cli, asked: list[dict[str, Any]]) -> None:
    # proves: F46
    before = talk("status", "--json").json["file"]
    shown = talk("compact", *CHAT, "--window-tokens", 4000)
    assert shown.code == 0, shown.err
    assert shown.out.startswith("Compacted: 3,")
    assert "tokens." in shown.out
    assert "stay in memory" in shown.out
    assert talk("recall", "Item 3", "--json", "-n", 1).json["hits"]
    after = talk("status", "--json").json["file"]
    assert (after["message_count"], after["chunk_count"]) == (before["message_count"] + 1, before["chunk_count"])
    again = talk("compact", *CHAT, "--window-tokens", 4000)
    assert again.code == 0
    assert again.out.startswith("Not compacted: there is nothing old enough")


def test_the_effort_goes_over_the_wire(talk: Cli, asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    # proves: F42
    monkeypatch.setenv("GLOSSATOR_COMPACTION_REASONING_EFFORT", "low")
    assert talk("compact", *CHAT, "--window-tokens", 4000).code == 0
    assert {request["reasoning_effort"] for request in asked} == {"low"}


def test_the_result_as_json(talk: Cli, asked: list[dict[str, Any]]) -> None:
    value = talk("compact", *CHAT, "--window-tokens", 4000, "--json").json
    assert list(value) == ["compacted", "reason", "before_tokens", "after_tokens", "detail"]
    assert (value["compacted"], value["reason"], value["detail"]) == (True, "compacted", "")
    assert value["before_tokens"] > 2000 >= value["after_tokens"] > 0


def test_without_a_model_it_says_so_and_exits_with_one(talk: Cli) -> None:
    shown = talk("compact", *CHAT)
    assert (shown.code, shown.out) == (
        1,
        "Not compacted: no language model is configured (GLOSSATOR_LANGUAGE_MODEL).\n",
    )


def test_a_model_that_cannot_be_reached_leaves_everything(talk: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    # proves: D21
    monkeypatch.setenv("GLOSSATOR_LANGUAGE_MODEL", "openai:tiny@http://127.0.0.1:9/v1")
    monkeypatch.setenv("GLOSSATOR_COMPACTION_TIMEOUT_S", "2")
    before = talk("status", "--json").json["file"]["message_count"]
    shown = talk("compact", *CHAT, "--window-tokens", 4000, "--json")
    assert (shown.code, shown.json["reason"]) == (1, "failed")
    assert shown.json["detail"]
    assert talk("status", "--json").json["file"]["message_count"] == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "--conversation"),
        (("--conversation", "telegram:43"), "is not in this scope"),
        ((*CHAT, "--window-tokens", "0"), "--window-tokens"),
        ((*CHAT, "--owner", "bob"), "is not in this scope"),
    ],
)
def test_misuse_is_told_in_one_line(talk: Cli, arguments: tuple[str, ...], told: str) -> None:
    shown = talk("compact", *arguments)
    assert shown.code == 2
    assert told in shown.err
    assert shown.err.count("\n") == 1
