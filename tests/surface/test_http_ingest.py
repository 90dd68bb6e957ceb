"""Messages come in as a stream of lines: kept as they come, told of as they are kept, and nothing told of is lost."""

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.surface.http_server import Served, serving

from glossator import Options, Scope
from glossator.surfaces.demo_talk import SESSIONS
from glossator.surfaces.http.settings import Settings

DATA = Path(os.environ.get("GLOSSATOR_DATA", Path(__file__).parents[3] / "shared" / "data"))
CHATS = DATA / "longmemeval" / "filler_sessions.jsonl"
NDJSON = {"Content-Type": "application/x-ndjson"}
SETTINGS = Settings(keyed=False, inspector=False, mcp=False, body_bytes_max=20_000)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    options = Options(embedder="none", capture_mode="off")
    with serving(tmp_path_factory.mktemp("ingest") / "memory.db", SETTINGS, options=options) as running:
        yield running


def told(answer: httpx2.Response) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def lines(count: int) -> Iterator[bytes]:
    """Lines of real talk, again and again, each with an id of its own."""
    said = list(_turns())
    for number in range(count):
        speaker, text = said[number % len(said)]
        message = {"content": f"{text[:300]} ({number})", "id": str(number), "speaker": speaker}
        yield json.dumps(message).encode() + b"\n"


def _turns() -> Iterator[tuple[str, str]]:
    """Who said what: 3,157 turns of published conversations where they are, those of the demo elsewhere."""
    if not CHATS.is_file():
        yield from (turn for turns in SESSIONS.values() for turn in turns)
        return
    for line in CHATS.read_text(encoding="utf-8").splitlines():
        yield from ((turn["role"], turn["content"]) for turn in json.loads(line)["turns"] if turn["content"].strip())


def test_ten_thousand_lines_come_in_with_progress(served: Served) -> None:
    with served.client() as client:
        params = {"conversation": "long", "workspace": "acme", "session": "one"}
        progress = told(client.post("/v1/ingest", params=params, headers=NDJSON, content=lines(10_000)))
        assert progress[-1] == {
            "done": True, "lines": 10_000, "stored": 10_000, "duplicate": 0, "conflict": 0, "erased": 0, "bad": 0,
        }  # fmt: skip
        assert len(progress) > 10
        counts = [each["line"] for each in progress[:-1]]
        assert counts == sorted(counts)
        again = told(client.post("/v1/ingest", params=params, headers=NDJSON, content=lines(300)))
        assert (again[-1]["stored"], again[-1]["duplicate"]) == (0, 300)
    assert served.memory.status(Scope(workspace="acme")).message_count == 10_000


def test_wrong_lines_are_told_with_their_number_and_the_rest_goes_on(served: Served) -> None:
    # proves: K28
    wrong = [
        (b'{"content": "one"}', None),
        (b"{half a", "body"),
        (b"", None),
        (b"[1]", "line"),
        (b'{"content": ""}', "content"),
        (b'{"content": "six", "role": "king"}', "role"),
        (b'{"content": "' + b"x" * 20_001 + b'"}', "line"),
        (b'{"content": "eight", "at": "never"}', "at"),
        (b'{"content": "a", "content": "b"}', "content"),
        (b"\xff\xfe", "body"),
        (b'{"content": "eleven"}', None),
    ]
    with served.client() as client:
        answer = client.post(
            "/v1/ingest", params={"conversation": "wrong", "workspace": "wrong"}, headers=NDJSON,
            content=b"\n".join(line for line, _ in wrong),
        )  # fmt: skip
    progress = told(answer)
    faults = {each["line"]: each["error"] for each in progress if "error" in each}
    assert sorted(faults) == [number for number, (_, argument) in enumerate(wrong, 1) if argument]
    assert {number: each["argument"] for number, each in faults.items()} == {
        number: argument for number, (_, argument) in enumerate(wrong, 1) if argument
    }
    assert all(each["problem"] for each in faults.values())
    assert (progress[-1]["done"], progress[-1]["stored"], progress[-1]["bad"]) == (True, 2, 8)
    kept = served.memory.messages(scope=Scope(workspace="wrong"))
    assert [each.content for each in kept] == ["one", "eleven"]


def test_a_line_is_kept_and_told_of_while_the_caller_waits_with_the_next(served: Served) -> None:
    heard: list[str] = []
    said_again = threading.Event()

    def content() -> Iterator[bytes]:
        yield b'{"content": "first", "id": "1"}\n'
        assert said_again.wait(10), "nothing was told of the first line"
        yield b'{"content": "second", "id": "2"}\n'

    port = int(served.url.rpartition(":")[2])
    with closing(socket.create_connection(("127.0.0.1", port), timeout=10)) as connection:
        head = "POST /v1/ingest?conversation=slow&workspace=slow HTTP/1.1\r\nHost: localhost\r\n"
        head += "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode())
        for piece in content():
            connection.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            if not heard:
                while '"stored": 1' not in "".join(heard):
                    heard.append(connection.recv(4_096).decode())
                said_again.set()
        connection.sendall(b"0\r\n\r\n")
        while '"done": true' not in "".join(heard):
            heard.append(connection.recv(4_096).decode())
    assert '"stored": 2' in "".join(heard)


def test_a_connection_that_is_cut_loses_nothing_that_was_told_of(served: Served) -> None:
    port = int(served.url.rpartition(":")[2])
    with closing(socket.create_connection(("127.0.0.1", port), timeout=10)) as connection:
        head = "POST /v1/ingest?conversation=cut&workspace=cut HTTP/1.1\r\nHost: localhost\r\n"
        head += "Content-Type: application/x-ndjson\r\nContent-Length: 99999999\r\n\r\n"
        connection.sendall(head.encode() + b"".join(lines(950)) + b'{"content": "half of a li')
        answer = ""
        while "stored" not in answer:
            answer += connection.recv(65_536).decode()
    acknowledged = max(json.loads(line)["stored"] for line in answer.splitlines() if line.startswith('{"line"'))
    deadline = threading.Event()
    for _ in range(200):
        count = served.memory.status(Scope(workspace="cut")).message_count
        if count >= acknowledged:
            break
        deadline.wait(0.05)
    assert acknowledged >= 1
    assert acknowledged <= count <= 950
    kept = served.memory.messages(scope=Scope(workspace="cut"))
    assert not any("half of a li" in each.content for each in kept)
    with served.client() as client:
        params = {"conversation": "cut", "workspace": "cut"}
        rest = told(client.post("/v1/ingest", params=params, headers=NDJSON, content=lines(950)))
    assert rest[-1]["stored"] + rest[-1]["duplicate"] == 950
    assert served.memory.status(Scope(workspace="cut")).message_count == 950


@pytest.mark.parametrize(
    ("params", "headers", "status", "argument"),
    [
        ({}, NDJSON, 422, "conversation"),
        ({"conversation": " "}, NDJSON, 422, "conversation"),
        ({"conversation": "c", "limit": "3"}, NDJSON, 422, "limit"),
        ({"conversation": "c", "trust": "king"}, NDJSON, 422, "trust"),
        ({"conversation": "c"}, {"Content-Type": "application/json"}, 415, "Content-Type"),
        ({"conversation": "c", "messages": "m"}, NDJSON, 422, "messages"),
    ],
)
def test_what_is_wrong_with_all_lines_is_told_before_any(
    served: Served, params: dict[str, str], headers: dict[str, str], status: int, argument: str
) -> None:
    with served.client() as client:
        answer = client.post("/v1/ingest", params=params, headers=headers, content=b'{"content": "a"}\n')
    assert (answer.status_code, answer.json()["argument"]) == (status, argument)


def test_nothing_at_all_is_told_as_nothing(served: Served) -> None:
    with served.client() as client:
        answer = told(client.post("/v1/ingest", params={"conversation": "c"}, headers=NDJSON, content=b"\n\n"))
    assert answer[-1]["done"] is True
    assert answer[-1]["stored"] == 0


def test_a_key_writes_into_its_own_scope_alone(tmp_path: Path) -> None:
    # proves: K22
    with serving(tmp_path / "memory.db", Settings(inspector=False, mcp=False)) as running:
        secret = running.memory.add_key("one", workspace="acme", owner="ana").secret
        with running.client(secret) as client:
            params = {"conversation": "c", "owner": "bo"}
            assert client.post("/v1/ingest", params=params, headers=NDJSON, content=b"{}").status_code == 403
            del params["owner"]
            answer = client.post("/v1/ingest", params=params, headers=NDJSON, content=b'{"content": "mine"}')
            assert told(answer)[-1]["stored"] == 1
        assert running.memory.status(Scope(workspace="acme", owner="ana")).message_count == 1
