"""Does any verb show a row of another scope? Every verb that takes a scope is asked by everybody about everybody.

The matrix is generated: whoever adds a verb to Memory adds it to READING or to WRITING here, or the last test fails.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.conftest import Opener

from glossator import Memory, Scope, UsageError
from glossator.surfaces.tools import agent_tools

CHAT = "telegram:42"
U1 = Scope(workspace="acme", agent="helper", owner="u1")
PLACES = {
    "u1": U1,
    "u2": replace(U1, owner="u2"),
    "u10": replace(U1, owner="u10"),
    "u_": replace(U1, owner="u_"),
    "u%": replace(U1, owner="u%"),
    "U1": replace(U1, owner="U1"),
    "star": replace(U1, owner="*"),
    "other agent": replace(U1, agent="helper2"),
    "other workspace": replace(U1, workspace="acme/u1"),
    "swapped": Scope(workspace="helper", agent="acme", owner="u1"),
    "default": Scope(workspace="acme"),
}
"""Owners side by side, with shared beginnings, and with what SQL or a shell would take for a wildcard."""
READERS = {
    **PLACES,
    "other chat": replace(U1, conversation="telegram:43"),
    "like chat": replace(U1, conversation="telegram:4_"),
    "job of u1": replace(U1, job="nightly"),
    "job of u2": replace(U1, owner="u2", job="nightly"),
    "guest of u2": replace(U1, owner="u2", trust="guest"),
}
WORDS = "the cellar key is blue"


def marker(name: str) -> str:
    return "mark" + "".join(char if char.islower() or char.isdigit() else f"x{ord(char)}x" for char in name) + "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What somebody who has seen another scope's answers could ask for by its id."""

    message_id: str
    fact_id: str
    archived_id: str
    set_aside_id: str
    run_id: str
    note_key: str
    job_id: str


Ask = Callable[[Memory, Scope, Known], object]
READING: dict[str, Ask] = {
    "recall": lambda m, s, _: m.recall(WORDS, scope=s, limit=200, history=True, explain=True),
    "context": lambda m, s, _: m.context(f"Tell me: {WORDS}?", scope=s, budget=9000, limit=50, durable=50),
    "messages": lambda m, s, _: m.messages(scope=s),
    "conversation": lambda m, s, _: m.conversation(scope=s, conversation=CHAT),
    "window": lambda m, s, _: m.window(scope=s, conversation=CHAT),
    "facts": lambda m, s, _: m.facts(scope=s, limit=1000),
    "fact": lambda m, s, known: m.fact(known.fact_id, scope=s),
    "history": lambda m, s, known: m.history(known.fact_id, scope=s),
    "explain": lambda m, s, known: m.explain(known.fact_id, scope=s),
    "learned": lambda m, s, known: m.learned(scope=s, message_ids=[known.message_id]),
    "check_contradictions": lambda m, s, _: m.check_contradictions("I live in Oslo.", scope=s),
    "forget": lambda m, s, known: m.forget(scope=s, message_ids=[known.message_id]),
    "forget_facts": lambda m, s, known: m.forget_facts(scope=s, fact_ids=[known.fact_id]),
    "archive_facts": lambda m, s, known: m.archive_facts([known.fact_id], scope=s, reason="old"),
    "reinstate_facts": lambda m, s, known: m.reinstate_facts([known.set_aside_id], scope=s, reason="back"),
    "deprioritise_facts": lambda m, s, known: m.deprioritise_facts([known.fact_id], scope=s, reason="old"),
    "restore_fact": lambda m, s, known: m.restore_fact(known.archived_id, scope=s),
    "search_facts": lambda m, s, _: m.search_facts(WORDS, scope=s, limit=100),
    "durable_facts": lambda m, s, _: m.durable_facts(scope=s, limit=50),
    "prefetch": lambda m, s, _: m.prefetch(WORDS, scope=s, limit=50),
    "steps": lambda m, s, known: m.steps(known.run_id, scope=s),
    "search_reasoning_steps_lexical": lambda m, s, _: m.search_reasoning_steps_lexical(WORDS, scope=s),
    "drop_steps": lambda m, s, known: m.drop_steps(known.run_id, scope=s) and "dropped " + known.run_id,
    "prompt_files": lambda m, s, _: m.prompt_files(scope=s, conversation=CHAT),
    "load_prompt_files": lambda m, s, _: m.load_prompt_files(scope=s),
    "rebuild_prompt_files": lambda m, s, _: m.rebuild_prompt_files(scope=s),
    "resources": lambda m, s, _: m.resources(scope=s),
    "resource": lambda m, s, _: m.resource("rules", scope=s),
    "resource_history": lambda m, s, _: m.resource_history("rules", scope=s),
    "resource_diff": lambda m, s, _: m.resource_diff("rules", 1, 2, scope=s),
    "rollback_resource": lambda m, s, _: m.rollback_resource("rules", 1, scope=s),
    "receipts": lambda m, s, _: m.receipts(scope=s),
    "conversations": lambda m, s, _: m.conversations(scope=s),
    "jobs": lambda m, s, _: m.jobs(scope=s),
    "job_runs": lambda m, s, _: m.job_runs(scope=s),
    "begin_job_run": lambda m, s, known: m.begin_job_run(known.job_id, scope=s),
    "memory_sources": lambda m, s, _: m.memory_sources(scope=s),
}
WRITING = {
    "record": "writes under its scope, and answers with the ids that it was given",
    "record_voice": "as record",
    "remember_document": "as record",
    "remember": "answers with the fact that it has just written",
    "note": "as remember",
    "write_resource": "answers with the revision that it has just written",
    "add_job": "answers with the job that it has just written",
    "finish_job_run": "takes the run that begin_job_run gave, which names its scope",
    "record_steps": "answers with a count",
    "before_truncation": "answers yes or no",
    "end_session": "answers yes or no",
    "measured": "answers nothing",
    "preflight": "answers with token counts of the named conversation of its scope",
    "after_delivery": "as preflight",
    "compact": "as preflight",
    "command": "as preflight",
    "clear_window": "a count",
    "relearn": "a count",
    "review": "answers with counts; what it reads is tested in test_review.py",
    "expire_due": "gives the facts that it has just moved; tested in test_lifecycle.py",
    "status": "counts; tested below",
    "waiting": "a count; tested below",
    "scopes": "names of owners and counts; tested in test_outline.py",
    "open_work": "counts; tested in test_outline.py",
    "review_states": "keys of conversations and times; tested in test_outline.py",
    "run": "the hooks call the verbs above",
}
NO_SCOPE = {
    "add_key", "backup", "begin_reply", "claims_without_receipt", "close", "doctor", "drain", "drop_reply",
    "hook_failed", "keep_reply", "key_of", "keys", "metrics", "metrics_text", "open", "receipt_key", "revoke_key",
    "rotate_key", "start", "warm", "work",
}  # fmt: skip


def tell(memory: Memory, scope: Scope, mark: str) -> Known:
    """Leave rows of every kind under the scope, each with its mark."""
    said = f"I live in {mark.capitalize()}. By the way, {WORDS} {mark}."
    receipt = memory.record([{"content": said, "id": f"m-{mark}"}], scope=scope, conversation=CHAT)
    memory.remember_document(f"The manual {mark} says that {WORDS}.", scope=scope, document_id=f"d-{mark}")
    kept = memory.remember(f"The cellar key {mark} is blue.", scope=scope, tags=[f"t-{mark}"])
    assert kept.fact is not None
    memory.note(f"key-{mark}", f"blue {mark}", scope=scope, conversation=CHAT)
    memory.remember(f"Always answer {mark}.", scope=replace(scope, trust="operator"), category="directive")
    memory.remember(f"The job found {mark}.", scope=replace(scope, job="nightly"))
    steps = [{"thought": f"{WORDS} {mark}", "observation": mark}]
    memory.record_steps(f"run-{mark}", steps, scope=scope)
    for words in (f"Be kind to {mark}.", f"Be very kind to {mark}."):
        memory.write_resource("rules", words, scope=scope)
    memory.add_job(f"job-{mark}", scope=scope, name=f"Job {mark}", schedule="hourly")
    memory.begin_job_run(f"job-{mark}", scope=scope)
    memory.add_job(f"later-{mark}", scope=scope, schedule="daily")
    gone = memory.record([{"content": f"Gone {mark}.", "id": f"gone-{mark}"}], scope=scope, conversation=CHAT)
    preview = memory.forget(scope=scope, message_ids=gone.message_ids)
    memory.forget(scope=scope, message_ids=gone.message_ids, confirm=preview.token)
    return Known(
        message_id=receipt.message_ids[0],
        fact_id=kept.fact.id,
        archived_id=moved(memory, scope, f"The attic of {mark} is dry.", memory.archive_facts),
        set_aside_id=moved(memory, scope, f"The porch of {mark} is wet.", memory.deprioritise_facts),
        run_id=f"run-{mark}",
        note_key=f"key-{mark}",
        job_id=f"later-{mark}",
    )


def moved(memory: Memory, scope: Scope, text: str, move: Callable[..., object]) -> str:
    kept = memory.remember(text, scope=scope)
    assert kept.fact is not None
    move([kept.fact.id], scope=scope, reason="for the test")
    return kept.fact.id


@pytest.fixture
def told(open_memory: Opener, tmp_path: Path) -> tuple[Memory, dict[str, Known]]:
    memory = open_memory(turn_fact_vector_recall_enabled=True, prompt_folder=str(tmp_path / "prompts"))
    known = {name: tell(memory, scope, marker(name)) for name, scope in PLACES.items()}
    memory.drain()
    return memory, known


def answer(ask: Ask, memory: Memory, scope: Scope, known: Known) -> str:
    try:
        return repr(ask(memory, scope, known)).lower()
    except UsageError:
        return ""  # not found, said in words that name only what was asked


def sees(reader: Scope, writer: Scope) -> bool:
    return reader.whole == writer.whole


@pytest.mark.parametrize("verb", sorted(READING))
def test_no_verb_shows_a_row_of_another_scope(told: tuple[Memory, dict[str, Known]], verb: str) -> None:
    # proves: I4, K22, K23
    memory, known = told
    for reader_name, reader in READERS.items():
        for writer_name, writer in PLACES.items():
            if sees(reader, writer):
                continue
            shown = answer(READING[verb], memory, reader, known[writer_name])
            assert marker(writer_name) not in shown, (reader_name, writer_name)
    for name, scope in PLACES.items():  # and everybody is shown their own, so that the silence means something
        own = answer(READING[verb], memory, scope, known[name])
        assert marker(name) in own, name


def test_no_tool_shows_a_row_of_another_scope(told: tuple[Memory, dict[str, Known]]) -> None:
    # proves: I4, K22, F50
    memory, known = told
    for reader in READERS.values():
        tools = {tool.name: tool for tool in agent_tools(memory, scope=reader, conversation=CHAT)}
        for writer_name, writer in PLACES.items():
            if sees(reader, writer):
                continue
            asked = known[writer_name]
            calls: list[tuple[str, dict[str, object]]] = [
                ("recall", {"query": WORDS}),
                ("explain", {"fact_id": asked.fact_id}),
                ("memory_sources_list", {}),
                ("memory_forget", {"fact_id": asked.fact_id}),
                *(
                    ("memory_recall", {way: words, "scope": scope, "source": source})
                    for way, words in (("query", WORDS), ("key", asked.note_key))
                    for scope in ("current", "owner", "all")
                    for source in ("memories", "history", "all")
                ),
            ]
            for name, arguments in calls:
                if name in tools:
                    shown = repr(tools[name].call(**arguments)).lower()
                    assert marker(writer_name) not in shown.replace(asked.note_key, ""), (name, reader)


def test_counts_are_of_the_scope_alone(told: tuple[Memory, dict[str, Known]]) -> None:
    # proves: K22
    memory, _ = told
    assert {memory.status(scope).message_count for scope in PLACES.values()} == {2}
    nobody = Scope(workspace="acme", agent="helper", owner="u3")
    assert (memory.status(nobody).message_count, memory.status(nobody).fact_count, memory.waiting(nobody)) == (0, 0, 0)


def test_a_wildcard_names_nothing_but_itself(told: tuple[Memory, dict[str, Known]]) -> None:
    # proves: K23
    memory, _ = told
    before = memory.status().message_count
    preview = memory.forget(scope=PLACES["star"], everything=True)
    memory.forget(scope=PLACES["star"], everything=True, confirm=preview.token)
    assert memory.status().message_count == before - 2
    with pytest.raises(UsageError, match="empty"):
        memory.forget(scope=U1)
    with pytest.raises(UsageError):
        memory.forget(scope=U1, message_ids=["*"])
    with pytest.raises(UsageError):
        memory.forget_facts(scope=U1, containing="%%%%")


def test_every_verb_is_asked() -> None:
    # proves: I4
    verbs = {name for name, verb in inspect.getmembers(Memory, callable) if not name.startswith("_")}
    assert verbs == set(READING) | set(WRITING) | NO_SCOPE
