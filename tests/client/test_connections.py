"""Real connections: servers that are away, late or break off, keys, threads, streams; sent twice is done once."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.client.server import UNLIMITED, Served, served

from glossator import PermissionDeniedError, Scope, StoreError, UsageError
from glossator.client import AsyncClient, Client, IngestProgress

ANA = Scope(workspace="acme", agent="helper", owner="ana")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("keyed") / "memory.db", settings=replace(UNLIMITED, keyed=True)) as server:
        yield server


@pytest.fixture(scope="module")
def key(server: Served) -> str:
    return server.memory.add_key("tests", workspace="acme").secret


@pytest.fixture
def client(server: Served, key: str) -> Iterator[Client]:
    with Client(server.url, key=key) as client:
        yield client


@pytest.fixture
def scope(request: pytest.FixtureRequest) -> Scope:
    return replace(ANA, owner=request.node.name[:100])


def whole(connection: socket.socket) -> bytes:
    """One HTTP request or answer with its body; b"" where the connection has ended."""
    message = b""
    while b"\r\n\r\n" not in message:
        more = connection.recv(65_536)
        if not more:
            return b""
        message += more
    head, _, body = message.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")]
    length = int(lengths[0].split(b":")[1]) if lengths else 0
    while len(body) < length:
        body += connection.recv(65_536)
    return head + b"\r\n\r\n" + body


@contextmanager
def relay(url: str, *, cut_count: int) -> Iterator[str]:
    """A way to the server on which the first answers are lost after the server has given them."""
    target = (str(urlsplit(url).hostname), int(urlsplit(url).port or 0))
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def carry() -> None:
            left = cut_count
            while True:
                try:
                    inward, _ = listening.accept()
                except OSError:
                    return
                with inward, socket.create_connection(target) as outward:
                    while asked := whole(inward):
                        outward.sendall(asked)
                        answer = whole(outward)
                        if left:
                            left -= 1
                            break
                        inward.sendall(answer)

        thread = threading.Thread(target=carry, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def test_a_write_whose_answer_was_lost_is_written_once(server: Served, key: str, scope: Scope) -> None:
    with relay(server.url, cut_count=2) as url, Client(url, key=key) as client:
        receipt = client.record([{"content": "I like tea."}], scope=scope, conversation="c")

    assert receipt.count("stored") == 1  # the first answer, given again: not "duplicate"
    assert len(server.memory.messages(scope=scope)) == 1


def test_without_retries_a_lost_answer_is_told(server: Served, key: str, scope: Scope) -> None:
    with (
        relay(server.url, cut_count=1) as url,
        Client(url, key=key, retries=0) as client,
        pytest.raises(StoreError, match="broke") as told,
    ):
        client.recall("tea", scope=scope)
    assert told.value.retryable


def test_a_server_that_is_away_is_told_and_is_not_ready() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with Client(url, key="gl_secret", retries=1) as client:
        assert client.ready() is False
        with pytest.raises(StoreError, match="no server answers") as told:
            client.recall("tea", scope=ANA)
    assert told.value.retryable
    assert "gl_secret" not in str(told.value) + repr(client)


def test_a_server_that_says_nothing_is_waited_for_so_long() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Client(url, timeout_s=0.2) as client, pytest.raises(StoreError, match=r"did not answer within 0\.2 s"):
            client.recall("tea", scope=ANA)


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
    server: Served, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with Client(server.url, key=key) as client:
        assert client.ready() is True


def test_a_key_opens_its_own_workspace_until_it_is_revoked(server: Served) -> None:
    made = server.memory.add_key("short", workspace="acme", owner="ben", trust="guest")
    with Client(server.url, key=made.secret) as client:
        client.record([{"content": "I am Ben."}], scope=Scope(workspace="acme"), conversation="c")
        (message,) = client.messages(scope=Scope(workspace="acme", owner="ben"))
        assert (message.scope.owner, message.trust) == ("ben", "guest")
        for other in (Scope(workspace="other"), Scope(workspace="acme", owner="ana")):
            with pytest.raises(PermissionDeniedError, match="not what this key is for"):
                client.messages(scope=other)
    server.memory.revoke_key(made.key.key_id)
    for wrong in (None, "gl_wrong"):
        with Client(server.url, key=wrong) as client, pytest.raises(PermissionDeniedError, match="Authorization"):
            client.messages(scope=Scope(workspace="acme"))


def test_a_run_of_a_job_is_worked_under_whatever_tier_the_key_has(server: Served) -> None:
    made = server.memory.add_key("jobs", workspace="acme", owner="cron", tier="SUPERVISED")
    whole = Scope(workspace="acme")
    with Client(server.url, key=made.secret) as client:
        client.add_job("nightly", scope=whole)
        run = client.begin_job_run("nightly", scope=whole)
        client.note("mail", "three bills", scope=run.scope, conversation="job:nightly")
        assert client.finish_job_run(run, final_text="Three bills came.") is True
        assert [fact.text for fact in client.facts(scope=run.scope)] == ["three bills"]
        with pytest.raises(UsageError, match=r"scope\.tier"):
            client.facts(scope=replace(whole, tier="STUDENT"))


def test_threads_share_a_client(client: Client, scope: Scope) -> None:
    def say(number: int) -> str:
        receipt = client.record([{"content": f"note {number}", "id": f"n{number}"}], scope=scope, conversation="c")
        return receipt.message_ids[0]

    with ThreadPoolExecutor(8) as pool:
        said = set(pool.map(say, range(40)))
    assert {message.external_id for message in client.messages(scope=scope)} == said
    assert len(said) == 40


def test_tasks_share_a_client_and_one_may_be_given_up(server: Served, key: str, scope: Scope) -> None:
    async def run() -> int:
        async with AsyncClient(server.url, key=key, connections_max=3) as client:
            given_up = asyncio.create_task(client.recall("tea", scope=scope))
            await asyncio.sleep(0)
            given_up.cancel()
            said = [client.record([{"content": f"note {n}"}], scope=scope, conversation="c") for n in range(12)]
            await asyncio.gather(*said)
            assert await client.ready()
            return len(await client.messages(scope=scope))

    assert asyncio.run(run()) == 12


def test_a_stream_is_taken_in_with_its_progress(client: Client, scope: Scope, tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text("".join(f'{{"content": "line {n}", "id": "n{n}"}}\n\n' for n in range(450)), encoding="utf-8")
    seen: list[IngestProgress] = []
    with path.open("rb") as lines:
        done = client.ingest(lines, scope=scope, conversation="c", session="s", progress=seen.append)

    assert [each.message_count for each in seen] == [200, 400, 450]
    assert (done, done.stored_count) == (seen[-1], 450)
    again = client.ingest(
        [{"content": "line 7", "id": "n7"}, {"content": "!", "id": "n8"}], scope=scope, conversation="c"
    )
    assert (again.duplicate_count, again.conflict_count, again.stored_count) == (1, 1, 0)
    assert [m.content for m in client.each(client.messages, scope=scope, limit=100)] == [
        f"line {n}" for n in range(450)
    ]


def test_an_error_in_a_stream_names_its_place_and_keeps_what_was_acknowledged(client: Client, scope: Scope) -> None:
    lines = [{"content": f"line {n}"} for n in range(203)] + [{"content": " "}]
    with pytest.raises(UsageError) as told:
        client.ingest(lines, scope=scope, conversation="c")
    assert told.value.argument == "messages[203].content"
    assert len(client.messages(scope=scope)) == 200


def test_an_asynchronous_stream_and_all_pages(server: Served, key: str, scope: Scope) -> None:
    async def lines() -> object:
        for number in range(3):
            yield {"content": f"I like tea number {number}."}

    async def run() -> list[str]:
        async with AsyncClient(server.url, key=key) as client:
            await client.ingest(lines(), scope=scope, conversation="c")  # type: ignore[arg-type]
            for number in range(5):
                await client.remember(f"My door number is {number}.", scope=scope, at=f"2026-01-0{number + 1}")
            everything = client.each(client.facts, scope=scope, limit=2, states=["active", "superseded"])
            return [fact.text async for fact in everything]

    assert asyncio.run(run()) == [f"My door number is {number}." for number in range(5)]


@pytest.mark.parametrize(
    ("argument", "choices"),
    [
        ("url", {"url": "ftp://127.0.0.1"}),
        ("url", {"url": 5}),
        ("url", {"url": "http://ana:secret@127.0.0.1"}),
        ("url", {"url": "http://127.0.0.1:0"}),
        ("key", {"key": "zwei worte"}),
        ("key", {"key": "schlüssel"}),
        ("key", {"key": ""}),
        ("timeout_s", {"timeout_s": 0}),
        ("timeout_s", {"timeout_s": "5"}),
        ("retries", {"retries": -1}),
        ("connections_max", {"connections_max": float("inf")}),
    ],
)
def test_a_client_that_could_not_work_is_not_made(argument: str, choices: dict[str, object]) -> None:
    for cls in (Client, AsyncClient):
        with pytest.raises(UsageError) as told:
            cls(**{"url": "http://127.0.0.1:9", **choices})  # type: ignore[arg-type]
        assert told.value.argument == argument
        assert "secret" not in str(told.value)


def test_a_client_that_was_closed_says_so(server: Served, key: str) -> None:
    client = Client(server.url, key=key)
    client.close()

    with pytest.raises(StoreError, match="the client is closed"):
        client.status(ANA)


def test_an_address_with_the_version_of_the_api_is_told(server: Served) -> None:
    with pytest.raises(UsageError) as told:
        Client(f"{server.url}/v1/")

    assert (told.value.argument, told.value.problem) == ("url", "ends in /v1, which the client adds itself")
