"""The same contract, kept over HTTP by Client and AsyncClient, against a real server."""

from collections.abc import Callable, Iterator
from typing import cast

import pytest
from tests.client.contract_base import awaited
from tests.client.server import Served, served
from tests.client.test_library_contract import Contract

from glossator import Memory
from glossator.client import AsyncClient, Client


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served") / "memory.db") as server:
        yield server


class TestClient(Contract):
    @pytest.fixture
    def memory(self, server: Served) -> Iterator[Memory]:
        with Client(server.url) as client:
            yield cast(Memory, client)

    @pytest.fixture
    def expected(self, server: Served) -> Memory:
        return server.memory

    @pytest.fixture
    def settle(self, server: Served) -> Callable[[], None]:
        return server.memory.drain


class TestAsyncClient(Contract):
    @pytest.fixture
    def memory(self, server: Served) -> Iterator[Memory]:
        client = AsyncClient(server.url)
        with awaited(client, close=client.close) as memory:
            yield memory

    @pytest.fixture
    def expected(self, server: Served) -> Memory:
        return server.memory

    @pytest.fixture
    def settle(self, server: Served) -> Callable[[], None]:
        return server.memory.drain
