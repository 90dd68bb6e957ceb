"""A conversation that outgrows its model: what is sent then, what stays in memory, and what a failure leaves."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import ANA, NOW, Opener
from tests.unit.test_tool_pairs import refusals

from glossator import Memory, Options, PermissionDeniedError, ProviderError, ProviderTimeoutError, UsageError
from glossator import facade as engine
from glossator.context.compaction import NOTICE
from glossator.context.truncate import truncate_to_context
from glossator.model import CompactionResult, FactFilter, Message, Prompt
from glossator.providers.hashing import HashingEmbedder
from glossator.providers.language.openai import COMPATIBLE, OPENAI
from glossator.retain.offline import OfflineExtractor
from glossator.stores.memory import MemoryStore
from glossator.testing.clock import FakeClock
from glossator.testing.faulty import FaultyStore
from glossator.testing.ids import CountingIds
from glossator.testing.scripted import Line, ScriptedModel
from glossator.wiring import options_from

CHAT = "telegram:42"
WHERE: dict[str, Any] = {"scope": ANA, "conversation": CHAT}
OPERATOR = replace(ANA, trust="operator")
BOSS: dict[str, Any] = {"scope": OPERATOR, "conversation": CHAT}
SUMMARY = "Ana plans her move to Bergen in May. Two firms were asked; the zyzzyva quotation is still open."
WORDS = "We spoke about boxes and about the van and about who carries the piano down. "
BUDGET = 4_000
WINDOW = 8_000


def spoken(memory: Memory, count: int, *, first: int = 0, size: int = 6) -> None:
    """So many messages of about 125 tokens, each with a word of its own."""
    memory.record(
        [
            {
                "role": "user" if number % 2 == 0 else "assistant",
                "content": f"Item number{number} of the talk. " + WORDS * size,
                "id": f"m{number}",
            }
            for number in range(first, first + count)
        ],
        **WHERE,
    )


def with_model(open_memory: Opener, *lines: Line, **choices: object) -> tuple[Memory, ScriptedModel]:
    model = ScriptedModel(lines or [SUMMARY] * 9)
    return open_memory(language_model=model, **choices), model


def full(memory: Memory, *, count: int = 40) -> None:
    """A long conversation, and a measure that says so."""
    spoken(memory, count)
    measured(memory)


def measured(memory: Memory, share: float = 0.9) -> None:
    memory.measured(**WHERE, prompt_tokens=int(share * WINDOW), window_tokens=WINDOW)


def state(memory: Memory) -> list[tuple[int, str, str]]:
    return [(each.message_id, each.content, each.window_state) for each in all_of(memory)]


def all_of(memory: engine.Memory) -> tuple[Message, ...]:
    return memory.messages(scope=ANA, limit=1000)


def counted(memory: Memory, reason: str) -> float:
    return memory.metrics().get(f'glossator_compactions_total{{reason="{reason}"}}', 0.0)


def test_after_a_compaction_a_checkpoint_and_the_newest_are_sent_and_all_is_still_there(open_memory: Opener) -> None:
    # proves: F38, F40, D16b, C-10
    memory, model = with_model(open_memory)
    full(memory)
    before = all_of(memory)
    result = memory.preflight(**WHERE)
    assert (result.compacted, result.reason) == (True, "compacted")
    assert result.before_tokens > BUDGET >= result.after_tokens
    window = memory.window(**WHERE)
    assert window.tokens == result.after_tokens
    assert window.checkpoint == SUMMARY
    assert SUMMARY in str(window.messages[0]["content"])
    tail = len(window.messages) - 1
    assert 1 < tail < 40
    assert window.message_ids == tuple(each.external_id for each in before[-tail:])
    assert [each["content"] for each in window.messages[1:]] == [each.content for each in before[-tail:]]
    after = all_of(memory)
    assert [replace(each, window_state="live") for each in after[:40]] == list(before)
    assert (len(after), after[-1].kind, len(model.prompts)) == (41, "checkpoint_summary", 1)
    hits = memory.recall("number3", scope=ANA, limit=1).hits
    assert [hit.message_ids for hit in hits] == [("m3",)]


def test_a_first_turn_is_not_looked_at(open_memory: Opener) -> None:
    # proves: F43, F45
    memory, model = with_model(open_memory)
    assert memory.preflight(**WHERE) == CompactionResult(reason="no_measurement")
    spoken(memory, 40)
    assert memory.preflight(**WHERE) == CompactionResult(reason="no_measurement")
    assert memory.after_delivery(**WHERE).reason == "no_measurement"
    assert model.prompts == []


def test_the_threshold_counts_what_the_provider_measured(open_memory: Opener) -> None:
    # proves: F39
    memory, model = with_model(open_memory)
    spoken(memory, 60)
    memory.measured(**WHERE, prompt_tokens=8_499, window_tokens=10_000)
    assert memory.preflight(**WHERE).reason == "under_threshold"
    assert model.prompts == []
    memory.measured(**WHERE, prompt_tokens=8_500, window_tokens=10_000)
    assert memory.preflight(**WHERE).compacted


def test_a_window_that_nobody_knows_has_a_hundred_thousand_tokens(open_memory: Opener) -> None:
    memory, _ = with_model(open_memory)
    spoken(memory, 4)
    memory.measured(**WHERE, prompt_tokens=84_999)
    assert memory.preflight(**WHERE).reason == "under_threshold"
    memory.measured(**WHERE, prompt_tokens=85_000)
    assert memory.preflight(**WHERE).reason == "nothing_to_compact"


def test_a_preflight_that_compacted_gives_one_notice(open_memory: Opener) -> None:
    # proves: F43, F45
    memory, _ = with_model(open_memory)
    run = memory.run(**WHERE)
    notices = [run.preflight().notice]
    full(memory)
    notices += [run.preflight().notice for _ in range(3)]
    assert notices == ["", NOTICE, "", ""]


def test_after_delivery_compacts_without_a_notice_and_the_next_turn_need_not_wait(open_memory: Opener) -> None:
    # proves: F43, F45
    memory, model = with_model(open_memory)
    spoken(memory, 40)
    run = memory.run(**WHERE)
    result = run.after_delivery(prompt_tokens=7_200, window_tokens=WINDOW)
    assert (result.compacted, result.notice) == (True, "")
    assert run.preflight() == CompactionResult(reason="no_measurement")
    assert len(model.prompts) == 1


def test_the_effort_of_the_summary_is_its_own(open_memory: Opener) -> None:
    # proves: F41, F42
    for effort in ("medium", "low"):
        chosen = {} if effort == "medium" else {"compaction_reasoning_effort": effort}
        memory, model = with_model(open_memory, name=f"{effort}.db", **chosen)
        full(memory)
        assert memory.preflight(**WHERE).compacted
        (prompt,) = model.prompts
        assert (prompt.effort, prompt.tag, prompt.timeout_s) == (effort, "compaction", 90)
        for wire in (OPENAI, COMPATIBLE):
            assert wire.request(prompt, model="m", without=frozenset()).body["reasoning_effort"] == effort
            assert "reasoning_effort" not in wire.request(prompt, model="m", without=frozenset({"reasoning"})).body
            assert "reasoning" in wire.offers(prompt)
    plain = replace(prompt, effort=None)
    assert OPENAI.request(plain, model="m", without=frozenset()).body["reasoning_effort"] == "minimal"
    assert "reasoning_effort" not in COMPATIBLE.request(plain, model="m", without=frozenset()).body


def test_the_table_of_the_options_is_read_and_wrong_types_are_refused(tmp_path: Path) -> None:
    # proves: F41
    def read(*lines: str) -> Options:
        path = tmp_path / "glossator.toml"
        path.write_text("[glossator.compaction]\n" + "\n".join(lines))
        return options_from({}, path)

    options = read()
    assert (options.compaction_enabled, options.compaction_threshold) == (True, 0.85)
    assert (options.compaction_budget, options.compaction_reasoning_effort) == (0.5, "medium")
    assert read("enabled = false", "threshold = 0.6").compaction_threshold == 0.6
    assert not read("enabled = false").compaction_enabled
    wrong = (
        'enabled = "perhaps"', "threshold = 0.09", "threshold = 1.1", 'threshold = "much"', "threshold = true",
        'reasoning_effort = "huge"', "reasoning_effort = 3", "budget = 1.0", "hourly_max = 0", "other = 1",
    )  # fmt: skip
    for line in wrong:
        with pytest.raises(UsageError):
            read(line)
    with pytest.raises(UsageError):
        Options(compaction_enabled="yes")  # type: ignore[arg-type]


BAD: dict[str, Line] = {
    "empty": "",
    "blank": "  \n ",
    "html": "<!DOCTYPE html><html><body>502</body></html>",
    "json": '{"error": "overloaded"}',
    "refusal": "I'm sorry, but I can't help with that.",
    "placeholder": "(summary)",
    "too long": "and so on " * 4000,
    "down": ProviderError("503", retryable=True),
    "slow": ProviderTimeoutError("no answer within 90 s"),
}


@pytest.mark.parametrize("line", BAD.values(), ids=BAD)
def test_a_summary_that_fails_leaves_the_history_and_comes_again_after_sixty_seconds(
    open_memory: Opener, clock: FakeClock, line: Line
) -> None:
    # proves: D21, F44
    memory, model = with_model(open_memory, line, SUMMARY)
    full(memory)
    before, window = state(memory), memory.window(**WHERE)
    result = memory.preflight(**WHERE)
    assert (result.compacted, result.reason, result.notice) == (False, "failed", "")
    assert result.detail
    assert counted(memory, "failed") == 1
    assert (state(memory), memory.window(**WHERE)) == (before, window)
    clock.advance(seconds=59)
    assert memory.preflight(**WHERE).reason == "failure_backoff"
    assert memory.after_delivery(**WHERE, prompt_tokens=7_900, window_tokens=WINDOW).reason == "failure_backoff"
    assert len(model.prompts) == 1
    clock.advance(seconds=1)
    assert memory.preflight(**WHERE).compacted


def test_weak_compactions_change_nothing_and_never_switch_it_off(open_memory: Opener, clock: FakeClock) -> None:
    # proves: D22
    long = "word " * 780
    memory, model = with_model(open_memory, *[long] * 4, SUMMARY)
    spoken(memory, 25)
    before = state(memory)
    for _ in range(4):
        measured(memory)
        assert memory.preflight(**WHERE).reason == "weak"
        clock.advance(seconds=60)
    assert state(memory) == before
    assert memory.preflight(**WHERE).reason == "frequency_limit"
    assert len(model.prompts) == 4
    clock.advance(seconds=3600)
    assert memory.preflight(**WHERE).compacted


def test_there_is_a_brake_on_compactions_that_succeed(open_memory: Opener, clock: FakeClock) -> None:
    # proves: D22
    memory, _ = with_model(open_memory, *[SUMMARY] * 200)
    done = []
    for turn in range(60):
        spoken(memory, 40, first=40 * turn)
        measured(memory)
        done.append(memory.preflight(**WHERE).reason)
        clock.advance(seconds=150)
    assert set(done) == {"compacted", "frequency_limit"}
    assert done.count("compacted") == 4 * 3
    assert "compacted" in done[-24:], "it comes back by itself"


def test_what_is_said_during_the_summary_is_kept_behind_it(open_memory: Opener) -> None:
    def meanwhile(_: Prompt) -> str:
        memory.record([{"content": "One more thing: the cat.", "id": "late"}], **WHERE)
        return SUMMARY

    memory, _ = with_model(open_memory, meanwhile)
    full(memory)
    assert memory.preflight(**WHERE).compacted
    window = memory.window(**WHERE)
    assert (window.message_ids[-1], window.checkpoint) == ("late", SUMMARY)


def test_what_is_forgotten_during_the_summary_is_in_no_checkpoint(open_memory: Opener) -> None:
    def meanwhile(_: Prompt) -> str:
        preview = memory.forget(scope=ANA, message_ids=["m1"])
        memory.forget(scope=ANA, message_ids=["m1"], confirm=preview.token)
        return SUMMARY

    memory, _ = with_model(open_memory, meanwhile, SUMMARY)
    full(memory)
    result = memory.preflight(**WHERE)
    assert (result.reason, memory.window(**WHERE).checkpoint) == ("stale", "")
    assert memory.preflight(**WHERE).compacted


def test_what_is_forgotten_afterwards_takes_the_checkpoint_with_it(open_memory: Opener) -> None:
    # proves: K20
    memory, _ = with_model(open_memory, SUMMARY, SUMMARY, "Another summary of the talk about boxes and the move.")
    full(memory)
    memory.preflight(**WHERE)
    spoken(memory, 30, first=40)
    measured(memory)
    assert memory.preflight(**WHERE).compacted
    preview = memory.forget(scope=ANA, message_ids=["m1"])
    memory.forget(scope=ANA, message_ids=["m1"], confirm=preview.token)
    assert memory.window(**WHERE).checkpoint == ""
    assert not any("zyzzyva" in each.content for each in all_of(memory))
    kept = memory._store.revisions(ANA, "checkpoint", conversation="telegram:42:root", limit=99)
    assert not any("zyzzyva" in each.content for each in kept)
    spoken(memory, 30, first=70)
    measured(memory)
    assert memory.preflight(**WHERE).compacted
    assert memory.window(**WHERE).checkpoint.startswith("Another")


def test_two_processes_that_compact_at_once_leave_one_checkpoint(open_memory: Opener) -> None:
    other, _ = with_model(open_memory, "The other process was faster, and this is its summary of the talk.")

    def meanwhile(_: Prompt) -> str:
        assert other.preflight(**WHERE).compacted
        return SUMMARY

    memory, _ = with_model(open_memory, meanwhile)
    full(memory)
    before = memory.window(**WHERE)
    result = memory.preflight(**WHERE)
    assert (result.compacted, result.reason) == (False, "stale")
    window = memory.window(**WHERE)
    assert window.checkpoint.startswith("The other process")
    assert window.message_ids == before.message_ids[-len(window.message_ids) :]
    assert sum(each.kind == "checkpoint_summary" for each in all_of(memory)) == 1
    assert memory.preflight(**WHERE).reason == "no_measurement"


def test_the_window_of_the_model_is_remembered_beyond_a_compaction(open_memory: Opener) -> None:
    memory, _ = with_model(open_memory)
    full(memory)
    memory.preflight(**WHERE)
    spoken(memory, 40, first=40)
    result = memory.compact(**BOSS)
    assert result.compacted
    assert result.after_tokens <= BUDGET


def test_without_a_model_nothing_is_done_and_it_is_said(open_memory: Opener) -> None:
    # proves: C-16, C-17
    memory = open_memory()
    full(memory)
    before = state(memory)
    assert memory.preflight(**WHERE) == CompactionResult(reason="no_model")
    assert memory.compact(**BOSS).reason == "no_model"
    reply = memory.command("/compact", **BOSS)
    assert reply is not None
    assert reply.text == "Not compacted: no language model is configured."
    assert state(memory) == before
    whole = "\n".join(str(each["content"]) for each in memory.window(**WHERE).messages)
    assert len(truncate_to_context(whole, window_tokens=1_000)) <= 3_000, "what cuts a prompt needs no model"


def test_a_second_checkpoint_takes_up_the_first(open_memory: Opener) -> None:
    memory, model = with_model(open_memory, SUMMARY, SUMMARY + " The cat comes along too.")
    full(memory)
    memory.preflight(**WHERE)
    assert memory.compact(**BOSS).reason == "nothing_to_compact"
    spoken(memory, 30, first=40)
    measured(memory)
    assert memory.preflight(**WHERE).compacted
    assert SUMMARY in model.prompts[1].text
    assert "number0 " not in model.prompts[1].text
    checkpoints = [each for each in all_of(memory) if each.kind == "checkpoint_summary"]
    assert [each.window_state for each in checkpoints] == ["compacted", "live"]
    assert "cat comes along" in memory.window(**WHERE).checkpoint


def test_a_checkpoint_is_never_taken_for_something_that_was_said(open_memory: Opener) -> None:
    # proves: I11
    memory, _ = with_model(open_memory, "I live in Bergen. I love zyzzyvas. I am a carpenter by trade, and so on.")
    full(memory)
    memory.drain()
    pending, facts = memory.status().pending_count, memory.facts(scope=ANA)
    assert memory.preflight(**WHERE).compacted
    assert memory.status().pending_count == pending
    memory.drain()
    assert memory.facts(scope=ANA) == facts
    assert not any("zyzzyva" in hit.text for hit in memory.recall("zyzzyvas Bergen carpenter", scope=ANA).hits)
    (first, *_) = memory.window(**WHERE).messages
    assert memory.before_truncation([first], scope=ANA, window_tokens=1)
    memory.drain()
    assert memory.facts(scope=ANA) == facts
    assert "checkpoint" not in {hit.speaker for hit in memory.recall("checkpoint", scope=ANA).hits}


def test_a_message_after_a_checkpoint_does_not_take_it_for_its_neighbour(open_memory: Opener) -> None:
    memory, _ = with_model(open_memory)
    full(memory)
    memory.preflight(**WHERE)
    spoken(memory, 2, first=40)
    store = memory._store
    rows = store.claim(["embed"], now=NOW, lease_s=9, limit=1000)
    befores = [chunk.before for chunk in store.work_of([chunk_id for row in rows for chunk_id in row.chunk_ids])]
    assert not any("zyzzyva" in each for each in befores)


def test_the_checkpoint_is_kept_as_a_revision(open_memory: Opener) -> None:
    memory, _ = with_model(open_memory)
    full(memory)
    memory.preflight(**WHERE)
    (revision,) = memory._store.revisions(ANA, "checkpoint", conversation="telegram:42:root")
    assert (revision.content, revision.source, revision.trigger) == (SUMMARY, "compaction", "preflight")
    assert revision.message_ids == tuple(
        each.message_id for each in all_of(memory) if each.window_state == "compacted"
    )  # fmt: skip


def test_a_secret_in_a_summary_is_replaced(open_memory: Opener) -> None:
    # proves: K37
    secret = "sk-" + "a1B2c3D4" * 6
    memory, _ = with_model(open_memory, f"{SUMMARY} The key is {secret} as Ana said.")
    full(memory)
    assert memory.preflight(**WHERE).compacted
    assert SUMMARY in memory.window(**WHERE).checkpoint
    assert secret not in memory.window(**WHERE).checkpoint


class Picky:
    """A redactor that breaks at one word."""

    name = "picky"

    def redacted(self, text: str) -> tuple[str, tuple[str, ...]]:
        if "zyzzyva" in text:
            raise ProviderError("the redactor is broken")
        return text, ()


def test_a_summary_that_cannot_be_redacted_is_not_kept(tmp_path: Path, clock: FakeClock) -> None:
    # proves: D21
    with Memory.open(
        tmp_path / "memory.db", options=Options(embedder="none", worker=False), clock=clock, ids=CountingIds(),
        language_model=ScriptedModel([SUMMARY]), redactor=Picky(),
    ) as memory:  # fmt: skip
        full(memory)
        result = memory.preflight(**WHERE)
        assert (result.reason, memory.window(**WHERE).checkpoint) == ("failed", "")


# Commands


@pytest.mark.parametrize("trust", ["owner", "guest", "tool", "unknown", None])
def test_compacting_is_for_an_operator_only(open_memory: Opener, trust: Any) -> None:
    # proves: F46
    memory, model = with_model(open_memory)
    full(memory)
    for ask in (memory.compact, lambda **where: memory.command("/compact", **where)):
        with pytest.raises(PermissionDeniedError, match="operator"):
            ask(scope=replace(ANA, trust=trust), conversation=CHAT)
    assert model.prompts == []
    assert memory.metrics()['glossator_permission_denied_total{action="compact"}'] == 2


def test_the_command_compacts_without_a_measure_tells_both_sizes_and_keeps_the_summary(open_memory: Opener) -> None:
    # proves: F46
    memory, _ = with_model(open_memory, compaction_enabled=False)
    full(memory)
    reply = memory.command(" /compact ", **BOSS)
    assert reply is not None
    assert reply.result is not None
    result = reply.result
    assert reply.text == f"Compacted: {result.before_tokens:,} to {result.after_tokens:,} tokens."
    assert memory.window(**WHERE).checkpoint == SUMMARY
    assert [each.content for each in all_of(memory) if each.kind == "checkpoint_summary"] == [SUMMARY]


def test_the_fallback_sums_up_where_the_first_model_is_down(tmp_path: Path, clock: FakeClock) -> None:
    # proves: F46
    down = ScriptedModel([ProviderError("503", retryable=True)] * 9, name="scripted:first")
    second = ScriptedModel([SUMMARY], name="scripted:second")
    with Memory.open(
        tmp_path / "memory.db", options=Options(embedder="none", worker=False), clock=clock, ids=CountingIds(),
        language_model=down, language_model_fallback=second,
    ) as memory:  # fmt: skip
        full(memory)
        assert memory.compact(**BOSS).compacted
        assert (len(down.prompts), len(second.prompts)) == (1, 1)


def row_counts(path: Path) -> dict[str, int]:
    """How many rows each table has: facts, evidence, revisions, jobs and all the others."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}


@pytest.mark.parametrize("command", ["/new", "/clear", "/CLEAR", "/clear@my_bot"])
def test_new_and_clear_change_nothing_but_the_window(open_memory: Opener, tmp_path: Path, command: str) -> None:
    # proves: F47, D16
    memory, _ = with_model(open_memory)
    memory.remember("I live in Oslo.", scope=ANA)
    memory.add_job("nightly", scope=ANA)
    memory.record_steps("r1", [{"thought": "look", "observation": "seen"}], scope=ANA)
    full(memory)
    memory.preflight(**WHERE)

    def counts() -> tuple[object, ...]:
        store = memory._store
        return (
            memory.facts(scope=ANA), memory.steps("r1", scope=ANA), replace(memory.status(), file_bytes=0),
            len(all_of(memory)),
            store.revisions(ANA, "checkpoint", conversation="telegram:42:root"), memory.waiting(ANA),
            len(memory.recall("boxes", scope=ANA, limit=50).hits), store.facts(ANA, FactFilter(limit=99)),
        )  # fmt: skip

    before, rows = counts(), row_counts(tmp_path / "memory.db")
    assert (rows["messages"], rows["memories"], rows["scheduled_jobs"]) == (41, 1, 1)
    reply = memory.command(command, **WHERE)
    assert reply is not None
    assert reply.command == command.strip("/").lower().partition("@")[0]
    assert memory.window(**WHERE).messages == ()
    assert counts() == before
    assert row_counts(tmp_path / "memory.db") == rows
    assert {each.window_state for each in all_of(memory)} == {"compacted", "cleared"}
    spoken(memory, 1, first=40)
    assert memory.window(**WHERE).message_ids == ("m40",)
    assert memory.preflight(**WHERE).reason == "no_measurement"


@pytest.mark.parametrize("trust", ["guest", "tool", None])
def test_a_guest_does_not_clear_what_another_one_said(memory: Memory, trust: Any) -> None:
    spoken(memory, 3)
    with pytest.raises(PermissionDeniedError, match="owner"):
        memory.clear_window(scope=replace(ANA, trust=trust), conversation=CHAT)
    assert memory.clear_window(**WHERE) == 3
    assert memory.clear_window(**WHERE) == 0


@pytest.mark.parametrize(
    "text", ["/help", "/compact the report", "compact", "/newer", "please /clear", "", "/", "/compacted", "//new"]
)
def test_other_texts_are_for_the_model(memory: Memory, text: str) -> None:
    spoken(memory, 3)
    before = state(memory)
    assert memory.command(text, **WHERE) is None
    assert state(memory) == before


# Nothing is lost on the way


@pytest.mark.parametrize("leave", ["compact", "clear"])
@pytest.mark.parametrize("mode", ["offline", "per_turn", "both", "review", "off"])
def test_what_has_left_the_window_is_learned_all_the_same(open_memory: Opener, mode: str, leave: str) -> None:
    # proves: D16, C-10, C-17, I9
    def answer(prompt: Prompt) -> str:
        if prompt.tag == "compaction":
            return SUMMARY
        if prompt.tag == "extraction":
            said = "I live in Oslo."
            fact = {"fact": "The user lives in Oslo.", "category": "identity", "kind": "none", "subject": "user",
                    "quote": said}  # fmt: skip
            import json

            return json.dumps({"facts": [fact] if said in prompt.text else []})
        raise ProviderError("the rules read it then")

    choices = {"capture_mode": mode, "turn_fact_extraction_enabled": mode in ("per_turn", "both")}
    memory, _ = with_model(open_memory, *[answer] * 200, **choices)
    memory.record([{"content": "I live in Oslo.", "id": "fact"}], **WHERE)
    spoken(memory, 40)
    measured(memory)
    if leave == "compact":
        assert memory.preflight(**WHERE).compacted
    else:
        memory.clear_window(**WHERE)
    assert "fact" not in memory.window(**WHERE).message_ids
    memory.drain()
    found = [fact.text for fact in memory.facts(scope=ANA, limit=100)]
    if mode in ("offline", "per_turn", "both"):
        assert any("Oslo" in text for text in found)
    else:
        seen = [each.external_id for each in to_review(memory)]
        assert "fact" in seen, "the review still reads it"
    assert memory.recall("Oslo", scope=ANA, limit=1).hits[0].message_ids == ("fact",)


def to_review(memory: engine.Memory) -> Sequence[Message]:
    place = replace(ANA, conversation="telegram:42:root")
    found = memory._store.review_state(place)
    assert found is not None
    return memory._store.messages_to_review(place, after=found.cursor, limit=1000)


def test_a_review_right_after_a_compaction_sees_what_it_saw_before(open_memory: Opener) -> None:
    # proves: D16b, I9
    memory, _ = with_model(open_memory)
    full(memory)
    before = to_review(memory)
    assert len(before) == 20
    memory.preflight(**WHERE)
    assert [replace(each, window_state="live") for each in to_review(memory)] == list(before)


# Who sees it


def test_a_conversation_is_its_owners_and_a_job_has_none(open_memory: Opener) -> None:
    # proves: K22, I4
    memory, model = with_model(open_memory)
    full(memory)
    others = [
        replace(ANA, owner="bob"), replace(ANA, agent="other"), replace(ANA, workspace="acm_"),
        replace(ANA, job="nightly"),
    ]  # fmt: skip
    for other in others:
        assert memory.window(scope=other, conversation=CHAT).messages == ()
        assert memory.preflight(scope=other, conversation=CHAT).reason == "no_measurement"
        assert memory.after_delivery(scope=other, conversation=CHAT, prompt_tokens=0).reason == "no_measurement"
    assert memory.clear_window(scope=others[0], conversation=CHAT) == 0
    for ask in (memory.compact, memory.clear_window):
        with pytest.raises(UsageError, match="job"):
            ask(scope=replace(OPERATOR, job="nightly"), conversation=CHAT)
    with pytest.raises(UsageError, match="conversation"):
        memory.window(scope=replace(ANA, conversation="telegram:7"), conversation=CHAT)
    assert model.prompts == []
    assert len(memory.window(**WHERE).messages) == 40


def test_a_guests_turn_compacts_as_any_other(open_memory: Opener) -> None:
    memory, _ = with_model(open_memory)
    full(memory)
    assert memory.preflight(scope=replace(ANA, trust="guest"), conversation=CHAT).compacted
    assert len(memory._store.revisions(ANA, "checkpoint", conversation="telegram:42:root")) == 1


@pytest.mark.parametrize("argument", ["prompt_tokens", "window_tokens"])
@pytest.mark.parametrize("value", [-1, True, 1.5, "many"])
def test_a_measure_that_is_none_is_refused_by_its_name(memory: Memory, argument: str, value: Any) -> None:
    given = {"prompt_tokens": 1, "window_tokens": 1, argument: value}
    with pytest.raises(UsageError, match=argument):
        memory.measured(**WHERE, **given)


# Random histories, over the reference store

Told = Callable[[Sequence[Line]], engine.Memory]


def over_memory_store(model: ScriptedModel) -> engine.Memory:
    clock = FakeClock(NOW)
    return engine.Memory(
        MemoryStore(), clock=clock, ids=CountingIds(), options=Options(worker=False), embedder=HashingEmbedder(),
        extractor=OfflineExtractor(), language_model=model, draw=lambda: 0.5,
        monotonic_s=lambda: clock.now().timestamp(),
    )  # fmt: skip


parts = st.lists(
    st.tuples(st.sampled_from(("user", "assistant", "group", "system")), st.integers(1, 60), st.integers(1, 3)),
    min_size=1,
    max_size=25,
)


def messages_of(drawn: list[tuple[str, int, int]]) -> list[dict[str, object]]:
    made: list[dict[str, object]] = []
    for number, (role, size, count) in enumerate(drawn):
        text = f"word{number} " + WORDS * size
        if role != "group":
            made.append({"role": role, "content": text, "id": f"p{number}"})
            continue
        ids = [f"c{number}-{each}" for each in range(count)]
        tools = [{"id": each, "type": "function", "function": {"name": "look", "arguments": "{}"}} for each in ids]
        made.append({"role": "assistant", "content": f"word{number} I look.", "tool_calls": tools, "id": f"p{number}"})
        made += [
            {"role": "tool", "content": text, "tool_call_id": each, "id": f"t{each}"} for each in ids
        ]  # fmt: skip
    return made


@settings(max_examples=30, deadline=None)
@given(parts, st.integers(2_000, 12_000))
def test_any_talk_keeps_its_ids_its_order_and_its_words(drawn: list[tuple[str, int, int]], size: int) -> None:
    # proves: F38, F40, D15, D16, D16b, D23, I2
    memory = over_memory_store(ScriptedModel([SUMMARY] * 20))
    memory.record(messages_of(drawn), **WHERE)
    before, to_read = all_of(memory), to_review(memory)
    result = memory.compact(**BOSS, window_tokens=size)
    window = memory.window(**WHERE)
    assert refusals(window.messages) == []
    kept = [each for each in all_of(memory) if each.kind != "checkpoint_summary"]
    assert [replace(each, window_state="live") for each in kept] == list(before)
    assert [replace(each, window_state="live") for each in to_review(memory)] == list(to_read)
    if result.compacted:
        assert window.tokens <= size // 2
        live = [each.window_state for each in kept]
        first = live.index("compacted")
        last = len(live) - live[::-1].index("compacted")
        assert set(live[first:last]) == {"compacted"}
        assert all(each.role == "system" for each in kept[:first])
        hits = memory.recall(kept[first].content.split()[0], scope=ANA, limit=9).hits
        assert (kept[first].external_id,) in [hit.message_ids for hit in hits]
        assert memory.compact(**BOSS, window_tokens=size).reason == "nothing_to_compact"
    memory.close()


def test_the_hooks_of_a_run_never_fail_a_turn() -> None:
    # proves: I1
    for call in range(1, 9):
        store = FaultyStore(MemoryStore(), fail_at=0)
        memory = engine.Memory(
            store,  # type: ignore[arg-type]
            clock=FakeClock(NOW), ids=CountingIds(), options=Options(worker=False), embedder=None,
            language_model=ScriptedModel([SUMMARY] * 9), draw=lambda: 0.5, monotonic_s=lambda: 0.0,
        )  # fmt: skip
        full(memory)  # type: ignore[arg-type]
        store._fail_at = store.call_count + call
        run = memory.run(**WHERE)
        results = [run.preflight(), run.after_delivery(prompt_tokens=7_900, window_tokens=WINDOW)]
        failed = store.failed_in is not None and store.failed_in != "commit_revision"
        assert len(run.failures) == failed
        assert [each.reason for each in results].count("failed") == failed
        assert memory.metrics().get('glossator_hook_failure_total{hook="preflight"}', 0) + memory.metrics().get(
            'glossator_hook_failure_total{hook="after_delivery"}', 0
        ) == int(failed)


def test_an_assistant_that_only_calls_tools_is_kept_with_its_calls(memory: Memory) -> None:
    # proves: D23
    call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    memory.record(
        [
            {"content": "How is the weather in Oslo?"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "content": "4 degrees, rain", "tool_call_id": "call_1"},
        ],
        scope=ANA,
        conversation="telegram:42",
    )
    memory.drain()
    sent = memory.window(scope=ANA, conversation="telegram:42").messages
    assert [message["role"] for message in sent] == ["user", "assistant", "tool"]
    assert sent[1]["tool_calls"] == [call]
    assert memory.recall("weather in Oslo", scope=ANA).hits
