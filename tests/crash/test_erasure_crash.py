"""Forgetting while the store fails or the process dies: all or nothing, and the proof is never lost."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from tests.conftest import ANA, NOW

from glossator import GlossatorError, Options, UsageError, facade, verify_receipt
from glossator.model import FACT_STATES, FactState
from glossator.providers.signing import Ed25519Signer
from glossator.retain.offline import OfflineExtractor
from glossator.stores.memory import MemoryStore
from glossator.testing.clock import FakeClock
from glossator.testing.faulty import FaultyStore
from glossator.testing.ids import CountingIds
from glossator.upkeep.receipts import UNCLEANED
from glossator.wiring import Memory

SOURCE = Path(__file__).resolve().parents[2] / "src"
OPERATOR = replace(ANA, trust="operator")
OPTIONS = Options(embedder="none", worker=False)


def memory_over(store: object) -> facade.Memory:
    """A memory on this store."""
    return facade.Memory(
        store,  # type: ignore[arg-type]
        clock=FakeClock(NOW), ids=CountingIds(), options=OPTIONS, embedder=None, extractor=OfflineExtractor(),
        signer=Ed25519Signer(), draw=lambda: 0.0, monotonic_s=lambda: 0.0,
    )  # fmt: skip


def prepared() -> MemoryStore:
    """Two homes, the later one held, and a taste."""
    store = MemoryStore()
    memory = memory_over(store)
    for number, text in enumerate(("I live in Paris.", "I live in Oslo.", "I like tea."), start=1):
        said = {"content": text, "at": f"2026-03-0{number}T10:00:00+00:00", "id": f"m{number}"}
        memory.record([said], scope=ANA, conversation="chat:1")
    memory.drain()
    return store


def erased(memory: facade.Memory) -> None:
    preview = memory.forget_facts(scope=ANA, fact_ids=["f3"], erase=True)
    memory.forget_facts(scope=ANA, fact_ids=["f3"], erase=True, confirm=preview.token)  # type: ignore[union-attr]


def forgotten(memory: facade.Memory) -> None:
    preview = memory.forget(scope=ANA, message_ids=["m3"])
    memory.forget(scope=ANA, message_ids=["m3"], confirm=preview.token)


def archived(memory: facade.Memory) -> None:
    memory.archive_facts(["f3", "f2"], scope=ANA, reason="done")


def replaced(memory: facade.Memory) -> None:
    memory.restore_fact("f1", scope=OPERATOR, replace=True)


def states(store: MemoryStore) -> list[FactState]:
    return [fact.state for fact in sorted(memory_over(store).facts(scope=ANA, states=FACT_STATES), key=lambda f: f.id)]


BEFORE: list[FactState] = ["superseded", "active", "active"]


@pytest.mark.parametrize(
    ("verb", "after", "receipts"),
    [
        (erased, ["superseded", "active", "erased"], 1),
        (forgotten, ["superseded", "active", "erased"], 1),
        (archived, ["superseded", "archived", "archived"], 0),
        (replaced, ["active", "archived", "active"], 0),
    ],
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_store_that_fails_at_any_call_leaves_all_or_nothing(
    verb: Callable[[facade.Memory], None], after: list[FactState], receipts: int, when: Literal["before", "after"]
) -> None:
    # proves: K20
    for fail_at in range(1, 60):
        store = prepared()
        faulty = FaultyStore(store, fail_at=fail_at, when=when)
        with suppress(GlossatorError):
            verb(memory_over(faulty))
        assert states(store) in (BEFORE, after)
        # done or not, doing it (again) ends the same way, and there is one proof for what was forgotten
        with suppress(UsageError):
            verb(memory_over(store))
        assert states(store) == after
        memory = memory_over(store)
        proofs = memory.receipts(scope=ANA)
        assert len(proofs) == receipts
        assert all(verify_receipt(each.text, memory.receipt_key()) for each in proofs)
        if faulty.failed_in is None:
            return
    raise AssertionError("it never ran undisturbed")


KILLED_BEHIND = """
import os, signal, sys
from glossator import Memory, Options, Scope
from glossator.stores.sqlite import erase

def dies(connection, *, path):
    os.kill(os.getpid(), signal.SIGKILL)

erase.clean_files = dies
scope = Scope(workspace="acme", agent="helper", owner="ana")
with Memory.open(sys.argv[1], options=Options(embedder="none", worker=False)) as memory:
    memory.record([{"content": "I like green tea.", "id": "m1"}], scope=scope, conversation="chat:1")
    memory.drain()
    preview = memory.forget(scope=scope, message_ids=["m1"])
    memory.forget(scope=scope, message_ids=["m1"], confirm=preview.token)
"""


def test_a_process_that_dies_behind_the_erasure_has_left_the_proof(tmp_path: Path) -> None:
    # proves: K20
    path = tmp_path / "memory.db"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    killed = subprocess.run([sys.executable, "-c", KILLED_BEHIND, str(path)], env=environment, check=False, timeout=60)
    assert killed.returncode == -signal.SIGKILL
    with Memory.open(path, options=OPTIONS) as memory:
        assert memory.messages(scope=ANA) == ()
        assert memory.facts(scope=ANA) == ()
        (proof,) = memory.receipts(scope=ANA)
        assert verify_receipt(proof.text, memory.receipt_key())
        # and opening it has cleaned the pages that the other could not clean any more
        assert UNCLEANED not in json.loads(proof.text)["not_covered"]
    assert not any(b"green tea" in each.read_bytes() for each in tmp_path.iterdir())
