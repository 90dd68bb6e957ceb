"""Is a forgotten word anywhere in the bytes of the folder, however it is written, when everything kept it somewhere?"""

import json
import os
import shutil
import signal
import sqlite3
import unicodedata
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ANA, NOW, Opener

from glossator import Memory, Options, verify_receipt
from glossator.model import FACT_STATES, FactPreview, FactReceipt, ForgetPreview, ForgetReceipt, ForgetTarget
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock
from glossator.testing.scripted import ScriptedModel

WORDS = ("Zanzibar", "Zürichsee", "Quokkaland")
SAID = "I live in Zanzibar. I swim in the Zürichsee. I dream of Quokkaland every day."
SUMMARY = "Ana lives in Zanzibar by the Zürichsee, and Quokkaland is open."
PADDING = "We spoke about boxes and about the van and about who carries the piano down. " * 6
CHAT = "telegram:42"
HERE: dict[str, Any] = {"scope": ANA, "conversation": CHAT}


def writings(word: str) -> set[bytes]:
    """The word as text, as JSON, as wide characters, and as the stems and folded terms of an index begin."""
    split = unicodedata.normalize("NFD", word)
    plain = split.encode("ascii", "ignore").decode()
    forms = {form for text in (word, split, plain) for form in (text, text.lower(), text.upper())}
    encoded = {form.encode(kind) for form in forms for kind in ("utf-8", "utf-16-le", "utf-16-be")}
    return encoded | {json.dumps(form)[1:-1].encode() for form in forms} | {plain[:-2].lower().encode()}


def found_in(folder: Path) -> dict[str, set[bytes]]:
    """The files that have one of the words, in any writing."""
    found: dict[str, set[bytes]] = {}
    for path in folder.rglob("*"):
        if path.is_file():
            held = path.read_bytes()
            hits = {form for word in WORDS for form in writings(word) if form in held or form in held.lower()}
            found |= {path.name: hits} if hits else {}
    return found


def talked(memory: Memory, clock: FakeClock) -> None:
    """Two generations of a long talk with the words, each compacted into a checkpoint."""
    for generation in range(2):
        memory.record(lines(f"a{generation}"), **HERE)
        said = {"content": SAID, "id": f"m{generation}", "at": f"2026-03-0{generation + 1}T10:00:00Z"}
        memory.record([{**said, "metadata": {"place": "Zanzibar"}}], **HERE)
        memory.record(lines(f"b{generation}"), **HERE)
        memory.drain()
        memory.measured(**HERE, prompt_tokens=7_500, window_tokens=8_000)
        assert memory.preflight(**HERE).compacted
        clock.advance(seconds=4_000)


def lines(name: str) -> list[dict[str, object]]:
    roles = ("user", "assistant")
    return [{"role": roles[n % 2], "content": f"Item {name} {n}. {PADDING}", "id": f"{name}-{n}"} for n in range(20)]


def filled(memory: Memory, clock: FakeClock) -> None:
    """Leave the words wherever they can be left."""
    talked(memory, clock)
    memory.review(scope=ANA, now=True)
    spoken = replace(ANA, conversation=CHAT)
    thought = {"thought": "think of Zanzibar", "observation": "Zürichsee", "action": "go to Quokkaland"}
    memory.record_steps("replaced", [thought], scope=spoken)
    memory.record_steps("replaced", [{"thought": "other"}], scope=spoken)
    memory.record_steps("dropped", [thought], scope=ANA)
    memory.drop_steps("dropped", scope=ANA)
    memory.record_voice([{"content": "I live in Zanzibar.", "id": "v1"}], scope=ANA, device="kitchen")
    memory.add_job("nightly", scope=ANA)
    memory.finish_job_run(memory.begin_job_run("nightly", scope=ANA), final_text=f"They said: {SAID}")
    memory.before_truncation(f"user: {SAID}\n{PADDING}", **HERE, window_tokens=20)
    memory.end_session(**HERE, request=SAID, final_answer="ok")
    home = next(fact.id for fact in memory.facts(scope=ANA) if fact.text == "I live in Zanzibar.")
    memory.deprioritise_facts([home], scope=ANA, reason="left Zanzibar", reinstate_hints=["back to Zanzibar"])
    memory.reinstate_facts([home], scope=ANA, reason="in Zanzibar again")
    memory.archive_facts([home], scope=ANA, reason="left Zanzibar")
    memory.reinstate_facts([home], scope=ANA, reason="in Zanzibar again")
    memory.rebuild_prompt_files(scope=ANA)
    shown = memory.resource("user_md", scope=ANA).content
    memory.write_resource("user_md", f"{shown}\nBy hand.", scope=ANA, reason="about Zanzibar")
    memory.recall("Where is Zanzibar?", scope=ANA)
    memory.context("Where is Zanzibar, and where the Zürichsee?", scope=ANA, budget=500)


def forget(memory: Memory, **target: Any) -> ForgetReceipt:
    preview = memory.forget(scope=ANA, **target)
    assert isinstance(preview, ForgetPreview)
    receipt = memory.forget(scope=ANA, **target, confirm=preview.token)
    assert isinstance(receipt, ForgetReceipt)
    return receipt


def by_message(memory: Memory) -> None:
    forget(memory, message_ids=["m0", "m1"])
    forget(memory, message_ids=["v1"])


def by_conversation(memory: Memory) -> None:
    forget(memory, conversation=CHAT)
    forget(memory, conversation="realtime:kitchen")


def by_everything(memory: Memory) -> None:
    for kind in ("rules", "soul"):
        memory.write_resource(kind, "Speak of Zanzibar.", scope=ANA)
    forget(memory, everything=True)


@pytest.mark.parametrize("ways", [by_message, by_conversation, by_everything])
def test_no_byte_of_the_folder_has_the_words(
    open_memory: Opener, clock: FakeClock, tmp_path: Path, ways: Callable[[Memory], None]
) -> None:
    # proves: K20, D20, K21
    memory = open_memory(
        language_model=ScriptedModel([SUMMARY] * 9), prompt_folder=str(tmp_path / "prompts"), persist_transcripts=True
    )
    filled(memory, clock)
    assert {"memory.db-wal", "USER.md"} <= set(found_in(tmp_path))
    ways(memory)
    assert found_in(tmp_path) == {}
    memory.relearn(scope=ANA)
    memory.drain(timeout_s=20)
    memory.doctor(repair=True)
    memory.record([{"content": SAID, "id": "m1"}], **HERE)  # the same export once more
    memory.rebuild_prompt_files(scope=ANA)
    assert found_in(tmp_path) == {}
    memory.close()
    assert found_in(tmp_path) == {}
    assert [path.name for path in tmp_path.rglob("*") if path.name[0] == "." or path.suffix in (".tmp", ".part")] == []


def test_erased_facts_leave_no_byte_where_no_message_has_the_words(
    open_memory: Opener, clock: FakeClock, tmp_path: Path
) -> None:
    # proves: K20, D20
    memory = open_memory(prompt_folder=str(tmp_path / "prompts"))
    for number, word in enumerate(WORDS):
        memory.remember(f"I live in {word}.", scope=ANA, category="identity")
        clock.advance(seconds=86_400)
        memory.note(f"note{number}", f"see {word}", **HERE)
        memory.note(f"note{number}", f"see {word} twice", **HERE)
    memory.drain()
    ids = [fact.id for fact in memory.facts(scope=ANA, states=FACT_STATES)]
    preview = memory.forget_facts(scope=ANA, fact_ids=ids, erase=True, reason="no more Zanzibar")
    assert isinstance(preview, FactPreview)
    receipt = memory.forget_facts(scope=ANA, fact_ids=ids, erase=True, confirm=preview.token, reason="no more Zanzibar")
    assert isinstance(receipt, FactReceipt)
    assert (len(receipt.facts), found_in(tmp_path)) == (9, {})


def test_what_a_reader_holds_back_goes_with_the_next_write_after_it(open_memory: Opener, tmp_path: Path) -> None:
    # proves: K20
    memory = open_memory(busy_timeout_s=0.1)
    memory.record([{"content": SAID, "id": "m1"}], **HERE)
    memory.drain()
    with closing(sqlite3.connect(tmp_path / "memory.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM messages").fetchone()
        receipt = forget(memory, message_ids=["m1"])
        assert "memory.db-wal, until the readers" in " ".join(receipt.not_covered)
        assert "memory.db-wal" in found_in(tmp_path)  # as it was said
        reader.execute("COMMIT")
        memory.record([{"content": "Hello again, what is new?"}], **HERE)
        assert found_in(tmp_path) == {}


KILLED_AT_MAX, STRIDE = 400, 11
"""Statements of one erasure, and every how many it is tried: each try is a process."""


def test_a_process_killed_at_any_statement_leaves_all_of_it_or_nothing(tmp_path: Path) -> None:
    # proves: K20, D20
    options = Options(embedder="none", worker=False)
    with Memory.open(tmp_path / "whole.db", options=options) as memory:
        memory.record([{"content": SAID, "id": "m1"}, {"content": "I like tea.", "id": "m2"}], **HERE)
        memory.drain()
    for at in range(1, KILLED_AT_MAX, STRIDE):
        path = tmp_path / str(at) / "memory.db"
        path.parent.mkdir()
        shutil.copy(tmp_path / "whole.db", path)
        child = os.fork()
        if child == 0:
            _forget_and_die(path, options, at=at)
        _, status = os.waitpid(child, 0)
        with Memory.open(path, options=options) as memory:
            ids = [message.external_id for message in memory.messages(scope=ANA)]
            proofs = memory.receipts(scope=ANA)
            texts = {fact.text for fact in memory.facts(scope=ANA)}
            if ids == ["m2"]:
                assert ([verify_receipt(each.text, memory.receipt_key()) for each in proofs], texts) == (
                    [True], {"I like tea."},
                )  # fmt: skip
                assert found_in(path.parent) == {}, at
            else:
                assert (ids, proofs, "I live in Zanzibar." in texts) == (["m1", "m2"], (), True)
                forget(memory, message_ids=["m1"])
                assert found_in(path.parent) == {}, at
        if os.WIFEXITED(status):
            return
    raise AssertionError("it was never left alone")


def _forget_and_die(path: Path, options: Options, *, at: int) -> None:
    """In a process of its own: forget, and be killed just before the `at`-th statement of it."""
    counted = [0]

    def counts(_: str) -> None:
        counted[0] += 1
        if counted[0] == at:
            os.kill(os.getpid(), signal.SIGKILL)

    store = SqliteStore(path, options=options)
    target = ForgetTarget(scope=ANA, message_ids=("m1",))
    token = store.preview(target).token
    store._connections._writer.set_trace_callback(counts)
    store.erase(target, confirm=token, now=NOW)
    os._exit(0)
