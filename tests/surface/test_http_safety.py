"""What the server refuses: foreign names and pages, broken and huge bodies; and what it never tells."""

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx2
import pytest
from tests.surface.http_server import Served, serving

from glossator.surfaces.http.running import ImpatientProtocol
from glossator.surfaces.http.settings import Settings

SETTINGS = Settings(
    keyed=False, inspector=False, mcp=False, allow_hosts=("memory.example",), body_bytes_max=100_000, body_wait_s=0.5
)
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("safety") / "memory.db", SETTINGS) as running:
        yield running


@pytest.fixture
def client(served: Served) -> Iterator[httpx2.Client]:
    with served.client() as opened:
        yield opened


def raw(served: Served, request: bytes) -> bytes:
    """What the server answers to these bytes, until it closes the connection."""
    port = int(served.url.rpartition(":")[2])
    with closing(socket.create_connection(("127.0.0.1", port), timeout=10)) as connection:
        connection.sendall(request)
        answer = b""
        while piece := connection.recv(65_536):
            answer += piece
        return answer


@pytest.mark.parametrize(
    "host",
    ["evil.test", "127.0.0.1.evil.test", "localhost.evil.test:8377", "evil.test:127.0.0.1", "", "127.0.0.2", "[::2]",
     "localhost@evil.test", "evil.test#localhost", "LOCALHOST.evil", "memory.example.evil.test"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/v1/facts", "/health", "/openapi.json", "/nowhere"])
def test_a_request_by_another_hosts_name_is_refused(client: httpx2.Client, host: str, path: str) -> None:
    # proves: K36
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code in (400, 421)
    assert "acme" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:8377", "[::1]:8377", "memory.example"])
def test_the_servers_own_names_are_known(client: httpx2.Client, host: str) -> None:
    assert client.get("/v1/facts", headers={"Host": host}).status_code == 200


def test_two_hosts_or_none_are_refused(served: Served) -> None:
    # proves: K36
    twice = b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\nConnection: close\r\n\r\n"
    none = b"GET /health HTTP/1.0\r\n\r\n"
    assert raw(served, twice).split()[1] in (b"400", b"421")
    assert raw(served, none).split()[1] in (b"400", b"421")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.test"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost.evil.test"},
        {"Origin": "file://"},
        {"Origin": "http://[bad"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "OPTIONS"])
def test_a_page_of_another_site_reads_and_writes_nothing(
    client: httpx2.Client, headers: dict[str, str], method: str
) -> None:
    # proves: K36
    preflight = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    answer = client.request(method, "/v1/recall", headers={**headers, **preflight}, json={"query": "a"})
    assert answer.status_code in (403, 405)
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_the_servers_own_pages_may_ask(served: Served, client: httpx2.Client) -> None:
    headers = {"Origin": served.url, "Sec-Fetch-Site": "same-origin"}
    answer = client.post("/v1/recall", headers=headers, json={"query": "a"})
    assert answer.status_code == 200
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("path", ["/v1/facts", "/health", "/nowhere", "/openapi.json", "/v1/facts/x"])
def test_every_answer_has_safe_headers_and_an_id(client: httpx2.Client, path: str) -> None:
    # proves: K36
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-request-id"]
    assert "server" not in headers


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"[" * 50_000, b'{"a":' * 10_000 + b"1" + b"}" * 10_000, b'{"query": NaN}', b'{"query": -Infinity}',
        b'{"query":"a","query":"b"}', b"\xff\xfe", b'{"query": "\\udfff"}', b'{"query": ' + b"9" * 50_000 + b"}",
        b'{"query": "a", "limit": ' + b"9" * 25 + b"}", b'{"query": "a\\u0000b", "limit": 0}', b"null", b"[]", b'"a"',
        b'{"query": {"query": "a"}}', b'{"query": "a", "tags": {"0": "x"}}', b'{"query": "a", "now": "2026-13-99"}',
        b'{"query": "a", "now": "9999999999-01-01"}', b'{"query": "a", "limit": 1e400}', b'{"query": "a", "limit": -1}',
        b'{"query": "a", "namespaces": ["elsewhere"]}', b'{"query": "a", "self": 1}', b'{"query": "a", "scope": {}}',
        b'{"query": "a", "\\u0000": 1}', b"\0", b" " * 1000,
    ],
)  # fmt: skip
def test_a_broken_body_is_the_callers_fault_and_named(client: httpx2.Client, body: bytes) -> None:
    answer = client.post("/v1/recall", content=body, headers=JSON)
    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["argument"] or answer.json()["detail"]


@pytest.mark.parametrize("depth", [90, 190, 900, 20_000])
def test_deep_metadata_is_kept_or_refused(client: httpx2.Client, depth: int) -> None:
    deep = b'{"a":' * depth + b"1" + b"}" * depth
    body = b'{"conversation":"c","messages":[{"content":"deep","metadata":' + deep + b"}]}"
    answer = client.post("/v1/messages", content=body[:99_000], headers=JSON)
    assert answer.status_code in (200, 400, 413, 422), answer.text
    assert client.get("/v1/messages").status_code == 200


def test_a_body_that_is_too_large_is_refused_announced_or_not(client: httpx2.Client) -> None:
    # proves: K36
    announced = client.post("/v1/recall", content=b"x" * 100_001, headers=JSON)
    assert (announced.status_code, announced.json()["argument"]) == (413, "body")
    pieces = (b"x" * 10_000 for _ in range(20))
    try:
        streamed = client.post("/v1/recall", content=pieces, headers=JSON)
    except httpx2.TransportError:
        return  # the connection was closed while the rest was on its way
    assert streamed.status_code == 413


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=a", ""]
)
def test_a_body_that_a_foreign_form_could_send_is_no_request(client: httpx2.Client, kind: str) -> None:
    # proves: K36
    answer = client.post("/v1/recall", content=b'{"query": "a"}', headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["argument"]) == (415, "Content-Type")


def test_a_body_that_does_not_come_is_not_waited_for(served: Served) -> None:
    head = (
        b"POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
    )
    assert raw(served, head).split()[1] == b"408"


def test_a_head_that_comes_byte_by_byte_is_cut(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    # proves: K36
    monkeypatch.setattr("glossator.surfaces.http.running.HEAD_WAIT_S", 0.3)
    assert raw(served, b"GET /health HTTP/1.1\r\nHost: local") == b""
    assert ImpatientProtocol._head_due is None


def test_a_fault_of_the_server_tells_its_id_and_nothing_else(tmp_path: Path) -> None:
    # proves: K36
    with serving(tmp_path / "memory.db", SETTINGS) as served, served.client() as client:
        served.memory.close()
        answer = client.get("/v1/facts")
    assert answer.status_code in (500, 503)
    document = answer.json()
    assert document["request_id"] == answer.headers["x-request-id"]
    assert "Traceback" not in answer.text
    assert str(tmp_path) not in answer.text


def test_more_requests_than_may_run_are_asked_to_come_again(tmp_path: Path) -> None:
    settings = Settings(keyed=False, inspector=False, mcp=False, requests_max=1, body_wait_s=5)
    with serving(tmp_path / "memory.db", settings) as served, served.client() as client:
        port = int(served.url.rpartition(":")[2])
        with closing(socket.create_connection(("127.0.0.1", port), timeout=10)) as slow:
            slow.sendall(b"POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
            slow.sendall(b"Content-Length: 14\r\n\r\n{")
            answers = [client.get("/v1/facts") for _ in range(20)]
            full = [each for each in answers if each.status_code == 503]
            assert full, [each.status_code for each in answers]
            assert full[0].headers["retry-after"]
            assert client.get("/health").status_code == 200
            slow.sendall(b'"query": "a"}')
            assert slow.recv(65_536).split()[1] == b"200"
