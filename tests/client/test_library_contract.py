"""The contract of the verbs, kept by Memory and by AsyncMemory."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.client.contract_base import awaited
from tests.client.contract_facts import FactsContract
from tests.client.contract_misuse import MisuseContract
from tests.client.contract_words import WordsContract
from tests.client.server import OPTIONS

from glossator import AsyncMemory, Memory


class Contract(WordsContract, FactsContract, MisuseContract):
    """All of it."""


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory.open(Path(tmp_path_factory.mktemp("library")) / "memory.db", options=OPTIONS) as memory:
        memory.warm(30)
        yield memory


class TestMemory(Contract):
    @pytest.fixture
    def memory(self, held: Memory) -> Memory:
        return held

    @pytest.fixture
    def expected(self, held: Memory) -> Memory:
        return held

    @pytest.fixture
    def settle(self, held: Memory) -> Callable[[], None]:
        return held.drain


class TestAsyncMemory(Contract):
    @pytest.fixture
    def memory(self, held: Memory) -> Iterator[Memory]:
        with awaited(AsyncMemory(held)) as memory:
            yield memory

    @pytest.fixture
    def expected(self, held: Memory) -> Memory:
        return held

    @pytest.fixture
    def settle(self, held: Memory) -> Callable[[], None]:
        return held.drain
