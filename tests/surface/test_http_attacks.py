"""What is tried at a server that asks for keys: keys that say two things, bodies in disguise, borrowed trust."""

import socket
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from tests.surface.http_server import Served, serving
from tests.surface.test_http_keys import Seconds, key, record
from tests.surface.test_http_login import csrf_of
from tests.surface.test_http_safety import JSON, raw

from glossator import Memory, Options
from glossator.surfaces.http import bodies
from glossator.surfaces.http.settings import Settings

FORM = "Content-Type: application/x-www-form-urlencoded"
SECONDS = Seconds()
SETTINGS = Settings(refused_per_minute=5, body_wait_s=0.4, monotonic_s=SECONDS)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("attacks") / "memory.db", SETTINGS) as running:
        yield running


@pytest.fixture(autouse=True)
def _patience() -> None:
    SECONDS.now += 3_600


def head(path: str, *lines: str, method: str = "GET") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", *lines, "", ""]).encode()


def status_of(answer: bytes) -> int:
    return int(answer.split()[1])


# Keys


def test_two_keys_in_one_request_are_no_key(served: Served) -> None:
    # proves: K36
    one, two = (f"Authorization: Bearer {key(served.memory, name)}" for name in ("twice one", "twice two"))
    for lines in ((one, two), (one, "Authorization: Basic x"), (one, one)):
        answer = raw(served, head("/v1/facts", *lines))
        assert (status_of(answer), b"more than once" in answer) == (401, True)
    assert status_of(raw(served, head("/v1/facts", one))) == 200


def test_whoever_tries_wrong_keys_locks_nobody_out_who_came_in_before(served: Served) -> None:
    # proves: K36
    known, fresh = served.memory.add_key("was here", workspace="acme"), key(served.memory, "never came")
    with served.client(known.secret) as client, served.client(fresh) as other:
        assert client.get("/v1/facts").status_code == 200
        for number in range(7):
            client.get("/v1/facts", headers={"Authorization": f"Bearer gl_{number}"})
        SECONDS.now += SETTINGS.key_cache_s
        assert client.get("/v1/facts").status_code == 200
        assert other.get("/v1/facts").status_code == 429
        served.memory.revoke_key(known.key.key_id)
        SECONDS.now += SETTINGS.key_cache_s
        assert client.get("/v1/facts").status_code == 401


def test_a_session_ends_with_the_secret_that_began_it(served: Served) -> None:
    # proves: K36
    leaked = served.memory.add_key("leaked", workspace="acme")
    with served.client(follow_redirects=False) as thief, served.client(follow_redirects=False) as owner:
        thief.post("/inspect/login", data={"key": leaked.secret})
        assert thief.get("/inspect/search").status_code == 200
        renewed = served.memory.rotate_key(leaked.key.key_id)
        owner.post("/inspect/login", data={"key": renewed.secret})
        SECONDS.now += SETTINGS.key_cache_s
        assert (thief.get("/inspect/search").status_code, owner.get("/inspect/search").status_code) == (303, 200)


def test_the_cookie_stays_on_tls_where_the_browser_came_by_it(served: Served) -> None:
    # proves: K36
    secret = key(served.memory, "behind a proxy")
    with served.client(follow_redirects=False) as browser:
        for scheme in ("https", "http"):
            headers = {"Host": "localhost", "Origin": f"{scheme}://localhost"}
            answer = browser.post("/inspect/login", data={"key": secret}, headers=headers)
            assert ("secure" in answer.headers["set-cookie"].lower()) == (scheme == "https")


def test_a_token_of_a_form_is_good_in_its_own_session_alone(served: Served) -> None:
    # proves: K36
    secret = key(served.memory, "forms of two")
    with served.client(follow_redirects=False) as one, served.client(follow_redirects=False) as two:
        for browser in (one, two):
            browser.post("/inspect/login", data={"key": secret})
        assert one.post("/inspect/logout", data={"csrf": csrf_of(two)}).status_code == 403
        assert one.post(f"/inspect/logout?csrf={csrf_of(one)}").status_code == 403
        assert one.get("/inspect/search").status_code == 200


def test_an_operators_key_for_one_owner_lists_no_other(served: Served) -> None:
    # proves: K22
    for owner in ("ana", "bo"):
        with served.client(key(served.memory, f"words of {owner}", workspace="listed")) as client:
            for agent in ("helper", "other"):
                record(client, "I am here.", owner=owner, agent=agent)
    bounds: tuple[dict[str, str], ...] = ({"owner": "ana", "agent": "helper"}, {"owner": "ana"}, {})
    for number, (bound, count) in enumerate(zip(bounds, (1, 2, 4), strict=True)):
        secret = key(served.memory, f"lists {number}", workspace="listed", trust="operator", **bound)
        with served.client(secret, follow_redirects=False) as client:
            told = [each["scope"] for each in client.get("/v1/scopes").json()]
            assert (len(told), {each["owner"] for each in told} == {"ana"}) == (count, bool(bound))
            client.post("/inspect/login", data={"key": secret})
            assert (">bo<" in client.get("/inspect/scopes").text) == (not bound)


# Trust


RUNS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/v1/jobs", {"job_id": "nightly"}),
    ("/v1/jobs/runs", {"job_id": "nightly"}),
    ("/v1/window/clear", {"conversation": "telegram:42"}),
    ("/v1/window/command", {"conversation": "telegram:42", "text": "/clear"}),
    ("/v1/window/compact", {"conversation": "telegram:42"}),
)


def test_a_guest_and_a_student_run_no_jobs_and_clear_no_window(served: Served) -> None:
    # proves: K36
    with served.client(key(served.memory, "jobs of the owner", owner="jobs")) as client:
        record(client, "The owner says so.")
        assert client.post("/v1/jobs", json={"job_id": "nightly"}).status_code == 200
        run = client.post("/v1/jobs/runs", json={"job_id": "nightly"}).json()
    finish = ("/v1/jobs/runs/finish", {"run": run, "final_text": "Done."})
    for name, bound in (("guest", {"trust": "guest"}), ("student", {"tier": "STUDENT"}), ("tool", {"trust": "tool"})):
        with served.client(key(served.memory, f"jobs of a {name}", owner="jobs", **bound)) as client:
            for path, body in (*RUNS, finish):
                for claimed in ({}, {"trust": "operator"}):
                    answer = client.post(path, json=body, params=claimed)
                    assert (answer.status_code, path) == (403, path), answer.text
    with served.client(key(served.memory, "jobs of another", owner="another")) as client:
        assert client.post(finish[0], json=finish[1]).status_code == 403
    with served.client(key(served.memory, "owner again", owner="jobs")) as client:
        assert client.post("/v1/window/compact", json={"conversation": "telegram:42"}).status_code == 403
        assert client.post(finish[0], json=finish[1]).json() is True
        assert len(client.get("/v1/window", params={"conversation": "telegram:42"}).json()["messages"]) == 1


# Requests in disguise


def test_a_body_with_two_ends_is_refused_and_its_connection_closed(served: Served) -> None:
    # proves: K36
    secret = key(served.memory, "smuggler")
    lines = (f"Authorization: Bearer {secret}", "Content-Type: application/json", "Content-Length: 5",
             "Transfer-Encoding: chunked")  # fmt: skip
    body = b'd\r\n{"query":"a"}\r\n0\r\n\r\nGET /v1/facts HTTP/1.1\r\nHost: localhost\r\n\r\n'
    answer = raw(served, head("/v1/recall", *lines, method="POST") + body)
    assert (status_of(answer), answer.count(b"HTTP/1.1 ")) == (400, 1)


@pytest.mark.parametrize("path", ["/v1/recall", "/v1/ingest?conversation=c", "/mcp", "/inspect/login"])
def test_a_packed_body_is_not_unpacked(served: Served, path: str) -> None:
    # proves: K36
    with served.client(key(served.memory, f"packs {path}")) as client:
        for packed in ("gzip", "br", "identity, gzip"):
            answer = client.post(path, content=b"\x1f\x8b", headers={**JSON, "Content-Encoding": packed})
            assert (answer.status_code, answer.headers["accept-encoding"]) == (415, "identity")
        whole = {**JSON, "Content-Encoding": "identity"}
        assert client.post("/v1/recall", json={"query": "a"}, headers=whole).status_code == 200


def test_a_body_that_trickles_is_cut_although_each_piece_is_in_time(served: Served) -> None:
    # proves: K36
    port = int(served.url.rpartition(":")[2])
    began = time.monotonic()
    with closing(socket.create_connection(("127.0.0.1", port), timeout=10)) as slow:
        slow.sendall(head("/inspect/login", FORM, "Content-Length: 9000", method="POST"))
        slow.settimeout(0.1)
        answer = b""
        while not answer and time.monotonic() < began + 5:
            slow.sendall(b"a")
            try:
                answer = slow.recv(65_536)
            except TimeoutError:
                continue
    assert status_of(answer) == 408


def test_log_ins_that_do_not_come_to_an_end_keep_no_caller_out(tmp_path: Path) -> None:
    # proves: K36
    settings = Settings(mcp=False, requests_max=4, body_wait_s=20)
    with serving(tmp_path / "memory.db", settings) as served, ExitStack() as slow:
        port = int(served.url.rpartition(":")[2])
        for _ in range(9):
            connection = slow.enter_context(closing(socket.create_connection(("127.0.0.1", port), timeout=10)))
            connection.sendall(head("/inspect/login", FORM, "Content-Length: 9000", method="POST"))
        with served.client(key(served.memory, "comes in")) as client, served.client() as nobody:
            assert [client.get("/v1/facts").status_code for _ in range(5)] == [200] * 5
            assert nobody.get("/inspect/login").status_code == 503
            assert nobody.get("/health").status_code == 200


def test_who_has_shown_no_key_sends_no_long_body(served: Served) -> None:
    # proves: K36
    with served.client(follow_redirects=False) as nobody:
        long = {"key": "x" * bodies.STRANGER_BYTES_MAX}
        assert nobody.post("/inspect/login", data=long).status_code == 413


def test_one_request_does_not_keep_all_other_writers_waiting(served: Served) -> None:
    # proves: K29
    with served.client(key(served.memory, "a flood")) as client:
        flood = [{"content": "a"}] * 10_001
        for path, body in (
            ("/v1/messages", {"conversation": "c", "messages": flood}),
            ("/v1/voice", {"device": "kitchen", "turns": flood}),
            ("/v1/steps", {"run_id": "r", "steps": flood}),
        ):
            answer = client.post(path, json=body)
            assert (answer.status_code, "/v1/ingest" in answer.json()["remedy"]) == (413, True)
        assert client.get("/v1/messages").json()["items"] == []


def test_mcp_keeps_no_connection_open_for_nothing(served: Served) -> None:
    # proves: K36
    with served.client(key(served.memory, "listens")) as client:
        for method in ("GET", "DELETE", "PUT"):
            answer = client.request(method, "/mcp", headers={"Accept": "text/event-stream"})
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("path", ["/mcp/", "/v1/facts/", "/inspect/search/", "/inspect", "/health/"])
def test_no_redirect_leads_from_tls_to_plain_http(served: Served, path: str) -> None:
    with served.client(key(served.memory, f"slash {path}"), follow_redirects=False) as client:
        assert client.get(path).headers.get("location", "/").startswith("/")


@pytest.mark.parametrize(
    "name",
    ["../pages.py", "%2e%2e/style.css", "..%2f..%2fapp.js", "vendor/../style.css", "./style.css", "style.css/",
     "%00.js", "/etc/a.css", "a" * 5_000 + ".css", "vendor", "vendor/VENDORED.md", "%ff.css", "..%5cstyle.css", "",
     "VENDOR/htmx.min.js"],
)  # fmt: skip
def test_a_file_of_the_pages_is_known_by_its_name_alone(served: Served, name: str) -> None:
    # proves: K36
    assert status_of(raw(served, head(f"/inspect/static/{name}"))) == 404


# What is kept


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/voice"])
def test_a_write_whose_answer_was_lost_with_the_server_is_not_written_twice(tmp_path: Path, path: str) -> None:
    # proves: K29
    database = tmp_path / "memory.db"
    said = [{"content": "Once."}, {"content": "Twice."}, {"content": "Twice."}, {"content": "By id.", "id": "a"}]
    body = {"conversation": "c", "messages": said} if path == "/v1/messages" else {"device": "kitchen", "turns": said}
    options = Options(embedder="hashing", persist_transcripts=True)
    settings = Settings(keyed=False, inspector=False, mcp=False)
    with serving(database, settings, options=options) as served, served.client() as client:

        def sent(name: str) -> list[str]:
            answer = client.post(path, json=body, headers={"Idempotency-Key": name})
            return [each["outcome"] for each in answer.json()["recorded"]]

        assert sent("lost") == ["stored"] * 4
        with closing(sqlite3.connect(database)) as opened, opened:
            opened.execute("DELETE FROM replies")  # as where it was killed between the write and the answer
        assert sent("lost") == ["duplicate"] * 4
        assert sent("another") == ["stored"] * 3 + ["duplicate"]


def test_the_file_is_for_the_account_that_made_it(tmp_path: Path) -> None:
    # proves: K36
    with Memory.open(tmp_path / "memory.db", options=Options(embedder="none")) as memory:
        memory.backup(tmp_path / "copy.db")
        for each in tmp_path.iterdir():
            assert stat.S_IMODE(each.stat().st_mode) == 0o600, each.name
