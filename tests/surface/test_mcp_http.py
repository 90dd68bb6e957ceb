"""How does the server behave over HTTP: for several clients, for strangers, and inside another application?"""

import asyncio
import re
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest
import uvicorn
from mcp import Client
from starlette.applications import Starlette
from starlette.routing import Mount
from tests.surface.mcp_sessions import HELLO, answer_of, command, environment, error_of

from glossator import Memory, Options, PermissionDeniedError, Scope
from glossator.surfaces.mcp.mounting import mcp_app

ACCEPTED = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


@contextmanager
def serving(folder, *arguments: str) -> Iterator[tuple[str, subprocess.Popen]]:
    """`glossator mcp --http` on a free port: its address and the process."""
    line = command(folder / "m.db", "--http", "--port", "0", *arguments)
    process = subprocess.Popen(line, env=environment(folder), stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        told = process.stderr.readline().decode()
        found = re.search(r"http://\S+/mcp", told)
        assert found, told + process.stderr.read().decode()
        yield found[0], process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("http"), "--allow-host", "memory.local") as (url, _):
        yield url


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_clients_at_the_same_time_write_and_read(address, mode):
    async def client_of(number: int) -> list[str]:
        place = f"{mode}:{number}"
        async with Client(address, mode=mode) as client:
            assert len((await client.list_tools()).tools) == 13
            for each in range(4):
                message = {"role": "user", "content": f"Pearl {each} of {number}.", "id": f"{number}-{each}"}
                answer_of(await client.call_tool("record", {"messages": [message], "conversation": place}))
            answer_of(await client.call_tool("recall", {"q": "pearl", "conversation": place}))
            read = answer_of(await client.call_tool("messages", {"conversation": place}))
            return [each["id"] for each in read["messages"]]

    async def together() -> list[list[str]]:
        return await asyncio.gather(*map(client_of, range(6)))

    assert asyncio.run(together()) == [[f"{number}-{each}" for each in range(4)] for number in range(6)]


# proves: K36
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.test"}, 421),
        ({"host": "127.0.0.1.evil.test:80"}, 421),
        ({"origin": "http://evil.test"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:1234"}, 200),
        ({"host": "memory.local"}, 200),
        ({}, 200),
    ],
)
def test_strange_hosts_and_origins_are_refused_and_nobody_else_may_read_answers(address, headers, status):
    answer = httpx2.post(address, json=dict(HELLO), headers={**ACCEPTED, **headers})

    assert answer.status_code == status
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]


def test_what_is_no_call_is_refused(address):
    long = httpx2.post(address, content=b"x" * (17 * 1024 * 1024), headers=ACCEPTED)
    broken = httpx2.post(address, content=b'{"jsonrpc": ', headers=ACCEPTED)
    elsewhere = httpx2.get(address.removesuffix("/mcp") + "/secrets")

    assert (long.status_code, broken.status_code, elsewhere.status_code) == (413, 400, 404)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "::", "example.com"])
def test_other_machines_are_let_in_only_when_that_is_said(process, host):
    result = process("mcp", "--http", "--host", host)

    assert result.code == 2
    assert "--allow-remote" in result.err


def test_a_port_that_is_taken_is_told(process):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = process("mcp", "--http", "--port", taken.getsockname()[1])

    assert result.code == 2
    assert "--port" in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_well(tmp_path, sent):
    with serving(tmp_path) as (address, process):
        httpx2.post(address, json=dict(HELLO), headers=ACCEPTED)

        process.send_signal(sent)

        assert process.wait(20) == 0
        assert process.stderr.read() == b""
    assert [each.name for each in tmp_path.iterdir()] == ["m.db"]


def scope_of(request: Mapping[str, Any]) -> Scope:
    """Who asks, by a header that a middleware would have checked."""
    owner = dict(request["headers"]).get(b"x-owner", b"").decode()
    if not owner:
        raise PermissionDeniedError("x-owner", "is missing", remedy="say who you are")
    return Scope(workspace="acme", owner=owner)


def test_inside_another_application_each_request_has_the_scope_of_its_caller(tmp_path):
    async def run() -> tuple[list[str], list[str], dict[str, Any]]:
        with Memory.open(tmp_path / "m.db", options=Options(embedder="none")) as memory:
            outer = Starlette(routes=[Mount("/api/mcp", mcp_app(memory, scope=scope_of, hosts=None))])
            async with listening(outer) as base:
                url = f"{base}/api/mcp/"
                ana, ben, nobody = ({"x-owner": "ana"}, {"x-owner": "ben"}, {})
                for owner in (ana, ben):
                    text = f"I am {owner['x-owner']} and like tea."
                    await asked(url, owner, "record", messages=[{"role": "user", "content": text}])
                seen = [await asked(url, owner, "recall", query="tea") for owner in (ana, ben)]
                refused = await asked(url, nobody, "recall", query="tea")
                return *([hit["text"] for hit in answer_of(each)["hits"]] for each in seen), error_of(refused)

    ana, ben, refused = asyncio.run(run())

    assert (ana, ben) == (["I am ana and like tea."], ["I am ben and like tea."])
    assert refused["argument"] == "x-owner"


async def asked(url: str, headers: Mapping[str, str], name: str, **arguments: Any) -> Any:
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx2.AsyncClient(headers=dict(headers)) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        return await client.call_tool(name, arguments)


class listening:
    """An application behind a real server, for a block."""

    def __init__(self, app: Any) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1))

    async def __aenter__(self) -> str:
        self._serving = asyncio.create_task(self._server.serve(sockets=[self._listener]))
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        self._server.should_exit = True
        await self._serving
