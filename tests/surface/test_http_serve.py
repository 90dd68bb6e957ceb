"""`glossator serve` as a process: when it refuses to start, how it ends, and several on one file."""

import json
import signal
import socket
import subprocess
import threading
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import httpx2
import pytest
from tests.surface.conftest import Cli
from tests.surface.http_server import serving_process, started_process, told_by

from glossator import Memory, Options


def ended(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "--no-key: is not given, and there is no key"),
        (("--no-key", "--host", "0.0.0.0"), "--no-key: is only for this machine"),
        (("--no-key", "--host", "::"), "--no-key: is only for this machine"),
        (("--no-key", "--host", "192.168.0.9"), "--no-key: is only for this machine"),
        (("--no-key", "--trust", "king"), "--trust: 'king' is unknown"),
        (("--no-key", "--port", "70000"), "--port: 70000 is no port"),
        (("--no-key", "--rate", "0"), "--rate: 0 is no number above 0"),
        (("--no-key", "--body-max-mb", "0"), "--body-max-mb: 0 is not between"),
        (("--no-key", "--log-level", "loud"), "--log-level: 'loud' is unknown"),
    ],
)
def test_a_server_that_would_be_unsafe_does_not_start(cli: Cli, arguments: tuple[str, ...], told: str) -> None:
    # proves: K36
    result = cli("serve", *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"glossator: {told}"), result.err
    assert result.err.count("\n") == 1


def test_a_port_that_is_taken_is_told_in_one_line(cli: Cli) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = cli("serve", "--no-key", "--port", str(taken.getsockname()[1]))
    assert result.code == 2
    assert "--port" in result.err
    assert "Address already in use" in result.err
    assert result.err.count("\n") == 1


def test_with_a_key_in_place_it_starts_and_asks_for_it(tmp_path: Path) -> None:
    # proves: K36
    with Memory.open(tmp_path / "memory.db", options=Options(embedder="none", worker=False)) as memory:
        secret = memory.add_key("a script", workspace="acme").secret
    process = started_process(tmp_path, "--port", "0", "--json")
    try:
        told = told_by(process)
        assert told["keyed"] is True
        assert httpx2.get(f"{told['api']}/facts").status_code == 401
        assert httpx2.get(f"{told['api']}/facts", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    finally:
        process.terminate()
        code, out, err = ended(process)
    assert (code, out) == (0, "")
    assert secret not in err


def test_it_says_where_it_listens_and_how_to_come_in(tmp_path: Path) -> None:
    process = started_process(tmp_path, "--no-key", "--port", "0")
    assert process.stdout is not None
    text = ""
    while "whoever is at this machine" not in text:
        text += process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert ended(process)[0] == 0
    for words in ("serving ", "http://127.0.0.1:", "/v1", "/mcp", "/inspect/"):
        assert words in text


def test_a_request_that_runs_is_answered_before_the_server_ends(tmp_path: Path) -> None:
    process = started_process(tmp_path, "--no-key", "--port", "0", "--json")
    url = told_by(process)["url"]
    assert httpx2.get(f"{url}/health").status_code == 200
    port = int(url.rpartition(":")[2])
    body = b'{"conversation": "c", "messages": [{"content": "kept at the last moment"}]}'
    head = "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", port), timeout=20)) as connection:
        connection.sendall(head.encode() + body[:10])
        threading.Event().wait(0.2)
        process.terminate()
        threading.Event().wait(0.3)
        connection.sendall(body[10:])
        answer = connection.recv(65_536)
    assert answer.split()[1] == b"200", answer
    assert ended(process)[0] == 0
    with Memory.open(tmp_path / "memory.db", options=Options(embedder="none", worker=False)) as memory:
        assert memory.status().message_count == 1


def test_two_servers_on_one_file_see_each_others_writes(tmp_path: Path) -> None:
    with serving_process(tmp_path) as first, serving_process(tmp_path) as second:

        def write(base: str, name: str) -> None:
            with httpx2.Client(base_url=base, timeout=60) as client:
                for number in range(40):
                    message: Mapping[str, str] = {"content": f"{name} {number}", "id": f"{name}-{number}"}
                    answer = client.post("/v1/messages", json={"conversation": "c", "messages": [message]})
                    assert answer.status_code == 200, answer.text

        threads = [threading.Thread(target=write, args=pair) for pair in ((first, "one"), (second, "two"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        counts = [httpx2.get(f"{base}/v1/status").json()["message_count"] for base in (first, second)]
    assert counts == [80, 80]


def test_the_log_has_no_words_and_no_query_and_the_answer_names_its_line(tmp_path: Path) -> None:
    # proves: K36
    process = started_process(tmp_path, "--no-key", "--port", "0", "--json", "--log-level", "info")
    base = told_by(process)["url"]
    body = {"conversation": "secret-place", "messages": [{"content": "the boat is called Swordfish"}]}
    answer = httpx2.post(f"{base}/v1/messages?owner=hidden-name", json=body)
    process.terminate()
    _, _, err = ended(process)
    lines = [json.loads(line) for line in err.splitlines()]
    told = next(line for line in lines if line.get("route") == "/v1/messages")
    assert (told["status"], told["request_id"]) == (200, answer.headers["x-request-id"])
    assert not any(words in err for words in ("Swordfish", "secret-place", "hidden-name"))


def test_a_workspace_that_is_named_is_the_only_one_also_the_default(tmp_path: Path) -> None:
    with serving_process(tmp_path, "--workspace", "default") as url, httpx2.Client(base_url=url) as client:
        assert client.get("/v1/status").status_code == 200
        assert client.get("/v1/status", params={"workspace": "acme"}).status_code == 403
