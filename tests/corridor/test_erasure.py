"""What was forgotten is nowhere, does not come back by any way, and the proof of it cannot be altered."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ANA, NOW, Opener

from glossator import GlossatorError, Memory, Options, facade, verify_receipt
from glossator.model import FACT_STATES, FactPreview, FactReceipt, ForgetPreview, ForgetReceipt
from glossator.ports import Store
from glossator.providers.hashing import HashingEmbedder
from glossator.providers.signing import Ed25519Signer
from glossator.retain.offline import OfflineExtractor
from glossator.stores.memory import MemoryStore
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock
from glossator.testing.faulty import FaultyStore
from glossator.testing.ids import CountingIds

SECRET = "zanzibar"
WORDS = f"I live in {SECRET.capitalize()}."
AT = "2026-03-02T10:00:00+00:00"
PATIENCE_S = 5.0
"""What is refused only by the store is tried again and again: it has to fail a test, not to hang it."""


def say(memory: Memory | facade.Memory, text: str, *, at: str = AT, message_id: str = "m1") -> None:
    """Record one user turn; nothing is done with it yet."""
    memory.record([{"content": text, "at": at, "id": message_id}], scope=ANA, conversation="chat:1")


def forget(memory: Memory | facade.Memory, **target: Any) -> ForgetReceipt:
    """Preview, then erase."""
    preview = memory.forget(scope=ANA, **target)
    assert isinstance(preview, ForgetPreview)
    receipt = memory.forget(scope=ANA, **target, confirm=preview.token)
    assert isinstance(receipt, ForgetReceipt)
    return receipt


def forget_fact(memory: Memory | facade.Memory, fact_id: str, *, erase: bool) -> FactReceipt:
    """Preview, then forget one fact."""
    preview = memory.forget_facts(scope=ANA, fact_ids=[fact_id], erase=erase)
    assert isinstance(preview, FactPreview)
    receipt = memory.forget_facts(scope=ANA, fact_ids=[fact_id], erase=erase, confirm=preview.token)
    assert isinstance(receipt, FactReceipt)
    return receipt


def live(memory: Memory | facade.Memory) -> list[str]:
    """The texts of what is held, in their order."""
    return [fact.text for fact in memory.facts(scope=ANA)]


def files_with(folder: Path, word: str) -> list[str]:
    """The files below the folder that have the word anywhere in their bytes, in either case."""
    return sorted(
        path.name for path in folder.rglob("*") if path.is_file() and word.lower().encode() in path.read_bytes().lower()
    )


# Nowhere


def test_the_words_are_in_no_file_of_the_folder(open_memory: Opener, tmp_path: Path) -> None:
    # proves: K20, D20
    memory = open_memory(prompt_folder=str(tmp_path / "prompts"))
    say(memory, WORDS)
    say(memory, "I like green tea.", at="2026-03-03T10:00:00+00:00", message_id="m2")
    memory.drain(timeout_s=PATIENCE_S)
    memory.rebuild_prompt_files(scope=ANA)
    memory.conversation(scope=ANA, conversation="chat:1")
    memory.before_truncation(f"user: {WORDS}\nuser: hello", scope=ANA, window_tokens=2, conversation="chat:1")
    memory.deprioritise_facts(["f1"], scope=ANA, reason=f"left {SECRET}", reinstate_hints=[f"back to {SECRET}"])
    memory.reinstate_facts(["f1"], scope=ANA, reason="back")
    assert "USER.md" in files_with(tmp_path, SECRET)
    receipt = forget(memory, message_ids=["m1"])
    assert (receipt.message_count, receipt.fact_count, receipt.remaining_count) == (1, 1, 0)
    assert receipt.revision_count >= 1
    assert files_with(tmp_path, SECRET) == []
    assert [message.content for message in memory.conversation(scope=ANA, conversation="chat:1")] == [
        "I like green tea."
    ]
    assert (live(memory), memory.recall(SECRET, scope=ANA, now=AT).hits[1:]) == (["I like green tea."], ())
    assert "green tea" in memory.load_prompt_files(scope=ANA).user_md
    memory.close()
    assert files_with(tmp_path, SECRET) == []


def test_a_fact_that_is_erased_leaves_files_revisions_and_hints_at_once(open_memory: Opener, tmp_path: Path) -> None:
    # proves: K20
    memory = open_memory(prompt_folder=str(tmp_path / "prompts"))
    memory.remember(WORDS, scope=ANA, category="identity")
    memory.remember("I like green tea", scope=ANA, category="preference")
    memory.drain(timeout_s=PATIENCE_S)
    memory.deprioritise_facts(["f1"], scope=ANA, reason="x", reinstate_hints=[SECRET])
    receipt = forget_fact(memory, "f1", erase=True)
    assert [fact.state for fact in receipt.facts] == ["erased"]
    assert "the messages that they were taken from" in " ".join(receipt.not_covered)
    assert files_with(tmp_path, SECRET) == []


def test_a_checkpoint_of_what_was_forgotten_goes_too(memory: Memory) -> None:
    # proves: K20
    from glossator.model import MessageDraft, SaidTime, WindowChange

    for number, text in enumerate((WORDS, "Hello.", "I like green tea."), start=1):
        say(memory, text, message_id=f"m{number}")
    store = memory._store
    summary = MessageDraft(
        external_id="c1", role="system", speaker="", content=f"They live in {SECRET}", session="s1",
        said=SaidTime(at=NOW, offset_minutes=0, precision="second"), kind="checkpoint_summary",
    )  # fmt: skip
    window = store.window(ANA, "chat:1:root")
    change = WindowChange(conversation="chat:1:root", last_id=window.last_id, compacted=(1, 2), checkpoint=summary)
    store.replace_window(ANA, change, now=NOW)
    assert forget(memory, message_ids=["m1"]).message_ids == ("m1", "c1")
    assert [message.external_id for message in memory.messages(scope=ANA)] == ["m2", "m3"]


def test_what_a_job_reported_of_forgotten_words_goes_with_everything(memory: Memory) -> None:
    # proves: K20
    from glossator.model import ScheduledJob

    say(memory, WORDS)
    store = memory._store
    store.put_job(
        ANA, ScheduledJob(job_id="nightly", name="nightly", schedule="", next_run_at=None, enabled=True), now=NOW
    )
    run = store.begin_run(ANA, "nightly", next_run_at=None, due_at=None, now=NOW)
    store.finish_run(run, status="done", final_text=f"They said: {WORDS}", error="", delivered=True, now=NOW)
    say(memory, "say", message_id="m2")
    forget(memory, message_ids=["m2"])
    assert [each.final_text for each in store.job_runs(ANA)] == [f"They said: {WORDS}"]
    forget(memory, message_ids=["m1"])
    assert [each.final_text for each in store.job_runs(ANA)] == [""]


# It does not come back


@pytest.mark.parametrize("erase", [True, False], ids=["erased", "invalidated"])
def test_the_same_message_never_brings_it_back_and_a_new_one_does(memory: Memory, erase: bool) -> None:
    # proves: K21, D1
    say(memory, WORDS)
    memory.drain(timeout_s=PATIENCE_S)
    forget_fact(memory, "f1", erase=erase)
    for _ in range(2):
        assert memory.relearn(scope=ANA) == 1
        memory.drain(timeout_s=PATIENCE_S)
        assert live(memory) == []
    assert memory.search_facts(SECRET, scope=ANA) == ()
    refused = memory.learned(scope=ANA, message_ids=["m1"]).decided[-1]
    assert (refused.decision, refused.reason, refused.text) == ("refuse", "forgotten", "")
    # said again, it is a new fact
    say(memory, WORDS, at="2026-05-02T10:00:00+00:00", message_id="m2")
    memory.drain(timeout_s=PATIENCE_S)
    (fact,) = memory.facts(scope=ANA)
    assert (fact.text, fact.state, fact.id != "f1") == (WORDS, "active", True)
    assert memory.recall(SECRET, scope=ANA, namespaces=["knowledge"]).hits
    memory.relearn(scope=ANA)
    memory.drain(timeout_s=PATIENCE_S)
    assert live(memory) == [WORDS]
    assert [each.external_id for each in memory.explain(fact.id, scope=ANA).evidence] == ["m2"]


def test_erasing_a_fact_takes_earlier_versions_of_the_same_words(memory: Memory, tmp_path: Path) -> None:
    # proves: K20
    memory.remember(WORDS, scope=ANA, category="identity", confidence=0.5)
    memory.remember(WORDS, scope=ANA, category="identity", confidence=0.9, at=NOW)
    assert [fact.state for fact in memory.history("f2", scope=ANA)] == ["superseded", "active"]
    receipt = forget_fact(memory, "f2", erase=True)
    assert {fact.id for fact in receipt.facts} == {"f1", "f2"}
    assert json.loads(receipt.signed)["counts"]["facts"] == 2
    assert files_with(tmp_path, SECRET) == []


def test_what_a_review_reads_again_stays_forgotten(open_memory: Opener) -> None:
    # proves: K21
    memory = open_memory(capture_mode="review")
    say(memory, WORDS)
    memory.review(scope=ANA, now=True)
    assert live(memory) == [WORDS]
    forget_fact(memory, memory.facts(scope=ANA)[0].id, erase=True)
    with closing(sqlite3.connect(memory._store._path)) as connection:  # type: ignore[attr-defined]
        connection.execute("UPDATE reviews SET last_reviewed_message_id = 0")  # as after a restored backup
        connection.commit()
    memory.review(scope=ANA, now=True)
    assert live(memory) == []


def test_rebuilding_everything_gives_the_same_recall_and_nothing_of_what_was_forgotten(
    open_memory: Opener, tmp_path: Path
) -> None:
    # proves: I16, K21
    memory = open_memory()
    said = (WORDS, "I like green tea.", "I play chess on Mondays.", "My sister Anna lives in Rome.", "I hate rain.")
    for number, text in enumerate(said, start=1):
        say(memory, text, at=f"2026-03-0{number}T10:00:00+00:00", message_id=f"m{number}")
    memory.drain(timeout_s=PATIENCE_S)
    facts = {fact.text: fact.id for fact in memory.facts(scope=ANA)}
    forget_fact(memory, facts[WORDS], erase=True)
    forget_fact(memory, facts["I hate rain."], erase=False)
    questions = ("Where does Anna live?", "tea", "chess Mondays", SECRET, "rain", "What do I like?")
    before = [_shown(memory, question) for question in questions]
    held = sorted(live(memory))
    memory.close()
    with closing(sqlite3.connect(tmp_path / "memory.db")) as connection:
        for table in (
            "vectors", "fact_vectors", "chunk_terms", "fact_terms", "evidence", "decisions", "state_changes", "work",
            "memories",
        ):  # fmt: skip
            connection.execute(f"DELETE FROM {table}")
        connection.commit()
    memory = open_memory()
    assert live(memory) == []
    memory.doctor(repair=True)
    memory.relearn(scope=ANA)
    memory.drain(timeout_s=PATIENCE_S)
    assert sorted(live(memory)) == held
    assert WORDS not in held
    assert [_shown(memory, question) for question in questions] == before
    assert all(each.ok for each in memory.doctor())


def _shown(memory: Memory, question: str) -> list[tuple[str, float, tuple[str, ...]]]:
    hits = memory.recall(question, scope=ANA, now="2026-06-01T10:00:00+00:00").hits
    return [(hit.text, round(hit.score, 6), tuple(fact.text for fact in hit.facts)) for hit in hits]


# Races: an erasure at every point of what runs beside it


class Interrupting:
    """A store that lets something happen just before its n-th call, counted from 1."""

    def __init__(self, store: Store, *, at: int, happens: Callable[[], object]) -> None:
        self._store = store
        self._at = at
        self._happens = happens
        self.call_count = 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return partial(self._call, getattr(self._store, name))

    def close(self) -> None:
        self._store.close()

    def _call(self, call: Callable[..., Any], *args: object, **kwargs: object) -> Any:
        self.call_count += 1
        if self.call_count == self._at:
            self._happens()
        return call(*args, **kwargs)


@contextmanager
def two_memories(path: Path, **choices: object) -> Iterator[tuple[facade.Memory, Callable[..., Any], FakeClock]]:
    """A memory on a file, and a way to open it once more over an interrupted store."""
    clock = FakeClock(NOW)
    options = Options(**{"embedder": "hashing", "worker": False, **choices})  # type: ignore[arg-type]
    opened: list[facade.Memory] = []

    def over(store: Any) -> facade.Memory:
        memory = facade.Memory(
            store, clock=clock, ids=CountingIds(), options=options, embedder=HashingEmbedder(),
            extractor=OfflineExtractor(), signer=Ed25519Signer(), draw=lambda: 0.0,
            monotonic_s=lambda: clock.now().timestamp(),
        )  # fmt: skip
        memory.warm(30)
        opened.append(memory)
        return memory

    try:
        yield over(SqliteStore(path, options=options)), over, clock
    finally:
        for memory in opened:
            memory.close()


def drained(memory: facade.Memory) -> None:
    """Everything that waits is done."""
    memory.drain(timeout_s=PATIENCE_S)


def reviewed(memory: facade.Memory) -> None:
    """Everything that was said is reviewed."""
    memory.review(scope=ANA, now=True)


@pytest.mark.parametrize(
    ("choices", "work"), [({}, drained), ({"capture_mode": "review"}, reviewed)], ids=["worker", "review"]
)
def test_a_message_that_is_erased_at_any_point_of_the_work_on_it_is_gone(
    tmp_path: Path, choices: dict[str, object], work: Callable[[facade.Memory], None]
) -> None:
    # proves: K20, K21
    count = 0
    for at in range(1, 200):
        folder = tmp_path / str(at)
        folder.mkdir()
        with two_memories(folder / "memory.db", **choices) as (memory, over, clock):
            say(memory, WORDS)
            say(memory, "I like green tea.", message_id="m2")
            store = Interrupting(
                SqliteStore(folder / "memory.db", options=memory.options), at=at,
                happens=lambda memory=memory: forget(memory, message_ids=["m1"]),  # type: ignore[misc]
            )  # fmt: skip
            with suppress(GlossatorError):
                work(over(store))
            if store.call_count < at:
                break
            count += 1
            clock.advance(seconds=1_000)  # what was left by the disturbed one comes due again
            work(memory)
            assert live(memory) == ["I like green tea."], f"call {at}"
            assert files_with(folder, SECRET) == [], f"call {at}"
    assert count > 5


@pytest.mark.parametrize("erase", [True, False], ids=["erased", "invalidated"])
def test_a_fact_that_is_forgotten_at_any_point_of_learning_anew_stays_so(tmp_path: Path, erase: bool) -> None:
    # proves: K21
    count = 0
    for at in range(1, 200):
        path = tmp_path / f"{at}.db"
        with two_memories(path) as (memory, over, clock):
            say(memory, WORDS)
            memory.drain(timeout_s=PATIENCE_S)
            memory.relearn(scope=ANA)
            store = Interrupting(
                SqliteStore(path, options=memory.options), at=at,
                happens=lambda memory=memory: forget_fact(memory, "f1", erase=erase),  # type: ignore[misc]
            )  # fmt: skip
            with suppress(GlossatorError):
                over(store).drain(timeout_s=PATIENCE_S)
            if store.call_count < at:
                break
            count += 1
            clock.advance(seconds=1_000)
            memory.drain(timeout_s=PATIENCE_S)
            assert live(memory) == [], f"call {at}"
            told = memory.facts(scope=ANA, states=FACT_STATES)
            assert [fact.state for fact in told] == ["erased" if erase else "invalidated"], f"call {at}"
    assert count > 3


# Receipts


def test_a_receipt_is_signed_and_a_changed_byte_shows(open_memory: Opener) -> None:
    # proves: K20
    memory = open_memory()
    say(memory, WORDS)
    say(memory, "I like green tea.", message_id="m2")
    memory.drain(timeout_s=PATIENCE_S)
    by_id = forget(memory, message_ids=["m1"])
    tea = next(fact for fact in memory.facts(scope=ANA))
    by_fact = forget_fact(memory, tea.id, erase=True)
    invalidated_only = forget_fact(memory, _kept(memory), erase=False)
    key = memory.receipt_key()
    for receipt in (by_id, by_fact, invalidated_only):
        assert verify_receipt(receipt.signed, key)
        assert verify_receipt(receipt.signed, memory.receipt_key(form="hex"))
        assert not verify_receipt(receipt.signed.replace(receipt.receipt_id, "r9"), key)
        assert SECRET not in receipt.signed.lower()
        assert "green" not in receipt.signed.lower()
    told = json.loads(by_id.signed)
    assert (told["receipt_id"], told["message_ids"], told["counts"]["messages"], told["by"]) == (
        "r1",
        ["m1"],
        1,
        "owner",
    )
    assert told["scope"] == {
        "workspace": "acme", "agent": "helper", "owner": "ana", "conversation": None, "job": None
    }  # fmt: skip
    assert tuple(told["not_covered"]) == by_id.not_covered
    assert json.loads(by_fact.signed)["state"] == "erased"
    listed = memory.receipts(scope=ANA)
    assert [each.text for each in listed] == [by_id.signed, by_fact.signed, invalidated_only.signed]
    assert memory.receipts(scope=replace(ANA, owner="bob")) == ()
    # the key is the store's own, and stays
    memory.close()
    again = open_memory()
    assert (again.receipt_key(), [each.text for each in again.receipts(scope=ANA)]) == (
        key, [each.text for each in listed],
    )  # fmt: skip
    assert open_memory(name="other.db").receipt_key() != key


def _kept(memory: Memory) -> str:
    fact = memory.remember("I play chess", scope=ANA).fact
    assert fact is not None
    return fact.id


def test_a_receipt_lists_the_copies_that_may_still_hold_the_words(memory: Memory, tmp_path: Path) -> None:
    # proves: K20
    say(memory, WORDS)
    memory.drain(timeout_s=PATIENCE_S)
    memory.backup(tmp_path / "copy.db")
    receipt = forget(memory, message_ids=["m1"])
    assert [each.path for each in receipt.backups] == [str(tmp_path / "copy.db")]
    assert json.loads(receipt.signed)["backups"][0]["path"] == str(tmp_path / "copy.db")
    assert files_with(tmp_path, SECRET) == ["copy.db"]


def test_a_receipt_that_could_not_be_signed_at_once_is_signed_when_it_is_read() -> None:
    # given a store that forgets and then fails
    clock = FakeClock(NOW)
    inner = MemoryStore()
    for fail_at in range(1, 40):
        faulty = FaultyStore(inner, fail_at=fail_at, when="before")
        memory = facade.Memory(
            faulty,
            clock=clock, ids=CountingIds(), options=Options(embedder="none", worker=False), embedder=None,
            extractor=OfflineExtractor(), signer=Ed25519Signer(), draw=lambda: 0.0, monotonic_s=lambda: 0.0,
        )  # fmt: skip
        say(facade.Memory(
            inner, clock=clock, ids=CountingIds(), options=Options(embedder="none", worker=False), embedder=None,
            draw=lambda: 0.0, monotonic_s=lambda: 0.0,
        ), WORDS, message_id=f"m{fail_at}")  # fmt: skip
        with suppress(GlossatorError):
            receipt = forget(memory, message_ids=[f"m{fail_at}"])
            if faulty.failed_in in ("receipts", "signing_key", "seal_receipt"):
                # then what was forgotten is told all the same, and the proof follows
                assert receipt.signed == ""
                proof = memory.receipts(scope=ANA)[-1]
                assert proof.receipt_id == receipt.receipt_id
                assert verify_receipt(proof.text, memory.receipt_key())
        if faulty.failed_in is None:
            break
    assert faulty.failed_in is None


def test_a_memory_without_a_signer_says_so() -> None:
    memory = facade.Memory(
        MemoryStore(), clock=FakeClock(NOW), ids=CountingIds(), options=Options(embedder="none", worker=False),
        embedder=None, draw=lambda: 0.0, monotonic_s=lambda: 0.0,
    )  # fmt: skip
    memory.remember("I like tea", scope=ANA)
    receipt = forget_fact(memory, "f1", erase=True)
    assert (receipt.signed, receipt.receipt_id) == ("", "r1")
    with pytest.raises(GlossatorError, match="signer"):
        memory.receipt_key()
