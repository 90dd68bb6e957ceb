"""The background reviewer over a real file: when it runs, what it reads, what it changes, and what it never passes."""

import json
import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import ANA, NOW, Opener

from glossator import Memory, NotFoundError, Options, ProviderError, ReviewResult, Scope, StoreError, UsageError
from glossator.facade import Memory as PlainMemory
from glossator.model import FACT_STATES, Completion, Fact, FactPreview, Prompt, ReviewState
from glossator.ports import Store
from glossator.stores.memory import MemoryStore
from glossator.testing.clock import FakeClock
from glossator.testing.faulty import FaultyStore
from glossator.testing.ids import CountingIds
from glossator.testing.scripted import Line, ScriptedModel

CHAT = "telegram:42"
HERE = replace(ANA, conversation="telegram:42:root")
NOTHING = "Nothing to save."
HOUR = 3600.0
DAY = 24 * HOUR
REVIEWING = {"capture_mode": "review"}


def add(value: str, category: str = "identity", target: str = "user", **more: object) -> dict[str, object]:
    return {"op": "add", "target": target, "category": category, "value": value, **more}


def replacing(fact: Fact, value: str) -> dict[str, object]:
    return {"op": "replace", "id": fact.id, "value": value}


def archiving(fact: Fact, reason: str) -> dict[str, object]:
    return {"op": "archive", "id": fact.id, "reason": reason}


def reply(*operations: dict[str, object]) -> str:
    return json.dumps(list(operations))


def say(memory: PlainMemory, *texts: str, role: str = "user", scope: Scope = ANA, conversation: str = CHAT) -> None:
    memory.record([{"content": text, "role": role} for text in texts], scope=scope, conversation=conversation)


def review(memory: PlainMemory, *, now: bool = False, scope: Scope = ANA) -> ReviewResult:
    (result,) = memory.review(scope=scope, conversation=CHAT, now=now)
    return result


def texts(memory: PlainMemory, scope: Scope = ANA) -> list[str]:
    return sorted(fact.text for fact in memory.facts(scope=scope))


def state_of(memory: PlainMemory, scope: Scope = HERE) -> ReviewState:
    state = memory._store.review_state(scope)
    assert state is not None
    return state


@pytest.fixture
def reviewing(open_memory: Opener) -> Callable[..., tuple[Memory, ScriptedModel]]:
    """A memory that only a reviewer takes facts for, with the replies of its model."""

    def opened(*lines: Line, **choices: object) -> tuple[Memory, ScriptedModel]:
        model = ScriptedModel(lines)
        return open_memory(language_model=model, **{**REVIEWING, **choices}), model

    return opened


Reviewing = Callable[..., tuple[Memory, ScriptedModel]]


# When it runs


def test_a_conversation_is_reviewed_once_in_24_hours(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: F23
    memory, model = reviewing(reply(add("The user lives in Oslo")), NOTHING)
    say(memory, "I live in Oslo.")
    assert review(memory).status == "ok"
    say(memory, "Nice weather.")
    clock.advance(seconds=23 * HOUR + 59 * 60)
    assert (review(memory).status, review(memory).skip_reason) == ("skipped", "under_interval")
    clock.advance(seconds=60)
    assert review(memory).status == "nothing_to_save"
    assert len(model.prompts) == 2
    assert memory.metrics()['glossator_review_skipped_total{reason="under_interval"}'] == 2
    assert memory.metrics()['glossator_review_total{status="ok"}'] == 1


def test_the_interval_is_each_conversations_own(reviewing: Reviewing) -> None:
    # proves: F23
    memory, model = reviewing(NOTHING, NOTHING)
    say(memory, "Hello.")
    assert review(memory).status == "nothing_to_save"
    say(memory, "Hello there.", conversation="telegram:43")
    assert [each.conversation for each in memory.review(scope=ANA)] == ["telegram:43:root"]
    assert len(model.prompts) == 2


def test_a_failure_is_tried_again_after_five_minutes(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: F24
    memory, _ = reviewing(ProviderError("down"), reply(add("The user lives in Oslo")))
    say(memory, "I live in Oslo.")
    failed = review(memory)
    assert (failed.status, failed.failure, failed.more) == ("failed", "down", True)
    clock.advance(seconds=299)
    assert review(memory).skip_reason == "in_failure_backoff"
    clock.advance(seconds=1)
    assert review(memory).status == "ok"
    assert texts(memory) == ["The user lives in Oslo"]


def test_what_fails_again_and_again_is_left_alone_for_longer(reviewing: Reviewing, clock: FakeClock) -> None:
    memory, model = reviewing(*[ProviderError("down")] * 9)
    say(memory, "I live in Oslo.")
    for _ in range(4):
        assert review(memory).status == "failed"
        clock.advance(seconds=300)
    assert review(memory).skip_reason == "in_failure_backoff"
    clock.advance(seconds=300)
    assert review(memory).status == "failed"
    assert len(model.prompts) == 5


def test_now_heeds_neither_interval_nor_back_off_but_wants_something_new(reviewing: Reviewing) -> None:
    # proves: F25
    memory, model = reviewing(NOTHING, ProviderError("down"), NOTHING)
    say(memory, "Hello.")
    assert review(memory).status == "nothing_to_save"
    assert review(memory, now=True).skip_reason == "no_new_messages"
    say(memory, "I live in Oslo.")
    assert review(memory).skip_reason == "under_interval"
    assert review(memory, now=True).status == "failed"
    assert review(memory).skip_reason == "under_interval"
    assert review(memory, now=True).status == "nothing_to_save"
    assert review(memory, now=True).skip_reason == "no_new_messages"
    assert len(model.prompts) == 3


def test_of_two_threads_one_reviews_and_the_other_is_told_so(reviewing: Reviewing) -> None:
    # proves: F26
    asked, go_on = threading.Event(), threading.Event()

    def slowly(_: Prompt) -> str:
        asked.set()
        go_on.wait(30)
        return reply(add("The user lives in Oslo"))

    memory, model = reviewing(slowly)
    say(memory, "I live in Oslo.")
    first: list[ReviewResult] = []
    thread = threading.Thread(target=lambda: first.append(review(memory)))
    thread.start()
    assert asked.wait(30)
    assert review(memory).skip_reason == "concurrent_run"
    assert review(memory, now=True).skip_reason == "concurrent_run"
    go_on.set()
    thread.join(30)
    assert [each.status for each in first] == ["ok"]
    assert len(model.prompts) == 1
    assert texts(memory) == ["The user lives in Oslo"]


def test_a_claim_whose_process_died_holds_until_the_larger_of_back_off_and_time_out(
    reviewing: Reviewing, clock: FakeClock
) -> None:
    # proves: F26
    for backoff_ms, timeout_s, lease_s in ((300_000, 90.0, 300), (1_000, 90.0, 90)):
        memory, _ = reviewing(
            NOTHING, name=f"{lease_s}.db", review_failure_backoff_ms=backoff_ms, review_timeout_s=timeout_s
        )
        say(memory, "I live in Oslo.")
        reviewer = memory._reviewer
        assert memory._store.claim_review(state_of(memory), now=clock.now(), lease_s=reviewer._lease_s) is not None
        clock.advance(seconds=lease_s - 1)
        assert review(memory).skip_reason == "concurrent_run"
        clock.advance(seconds=1)
        assert review(memory).status == "nothing_to_save"


def test_who_outlasts_the_lease_gives_way_to_who_took_over(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: F26, I9
    other, _ = reviewing(reply(add("The user lives in Oslo")))

    def outlasting(_: Prompt) -> str:
        clock.advance(seconds=300)
        assert review(other).added == 1
        return reply(add("The user lives in Oslo"), add("The user likes tea", "preference"))

    memory, _ = reviewing(outlasting)
    say(memory, "I live in Oslo. I like tea.")
    assert review(memory).skip_reason == "concurrent_run"
    assert texts(memory) == ["The user likes tea", "The user lives in Oslo"]
    assert len(memory.facts(scope=ANA, states=FACT_STATES)) == 2
    assert (state_of(memory).status, state_of(memory).claim_number) == ("ok", 2)


def test_interval_0_switches_the_background_off_and_now_still_works(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: F35
    memory, model = reviewing(reply(add("The user lives in Oslo")), review_interval_hours=0)
    say(memory, "I live in Oslo.")
    clock.advance(seconds=2 * DAY)
    assert review(memory).skip_reason == "disabled"
    while memory._worker.step() is not None:
        pass
    assert model.prompts == []
    assert memory.metrics()['glossator_review_skipped_total{reason="disabled"}'] == 2
    assert review(memory, now=True).added == 1
    assert review(memory, now=True).skip_reason == "no_new_messages"


def test_a_memory_that_captures_nothing_reviews_nothing(reviewing: Reviewing) -> None:
    memory, model = reviewing(NOTHING, capture_mode="off")
    say(memory, "I live in Oslo.")
    assert review(memory, now=True).skip_reason == "disabled"
    assert model.prompts == []


def test_an_agent_that_may_not_write_is_not_reviewed_for(reviewing: Reviewing) -> None:
    memory, model = reviewing(NOTHING, tiers={"helper": "STUDENT"})
    say(memory, "I live in Oslo.")
    assert review(memory, now=True).skip_reason == "disabled"
    assert model.prompts == []


def test_a_clock_that_was_far_ahead_and_put_back_does_not_stop_reviews(reviewing: Reviewing, clock: FakeClock) -> None:
    memory, _ = reviewing(NOTHING, NOTHING)
    clock.jump_to(NOW + timedelta(days=400))
    say(memory, "Hello.")
    assert review(memory).status == "nothing_to_save"
    clock.jump_to(NOW)
    say(memory, "I live in Oslo.")
    assert review(memory).status == "nothing_to_save"


def test_a_conversation_that_is_not_there_is_told(reviewing: Reviewing) -> None:
    memory, _ = reviewing()
    assert memory.review(scope=ANA) == ()
    with pytest.raises(NotFoundError, match="conversation"):
        memory.review(scope=ANA, conversation="telegram:7")
    with pytest.raises(UsageError, match="scope"):
        memory.review(scope="acme")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("review_interval_hours", -1),
        ("review_interval_hours", 1.5),
        ("review_failure_backoff_ms", -1),
        ("review_failure_backoff_ms", float("nan")),
        ("review_max_messages", 0),
        ("review_input_token_budget", 99),
        ("review_timeout_s", -1.0),
    ],
)
def test_the_knobs_have_defaults_and_refuse_nonsense(name: str, wrong: float) -> None:
    # proves: F34
    defaults = Options()
    knobs = (defaults.review_interval_hours, defaults.review_failure_backoff_ms)
    assert (*knobs, defaults.review_max_messages, defaults.review_input_token_budget) == (24, 300_000, 40, 4_000)
    with pytest.raises(UsageError, match=name):
        Options(**{name: wrong})  # type: ignore[arg-type]


# What it reads


def test_the_model_sees_what_users_said_and_what_is_remembered(reviewing: Reviewing) -> None:
    # proves: F27
    memory, model = reviewing(NOTHING, capture_mode="review")
    memory.remember("I love jazz.", scope=ANA, category="preference")
    say(memory, "Shall I write that down?", role="assistant")
    say(memory, "SECRET PLAN 9", role="tool")
    say(memory, "I live in Oslo.")
    result = review(memory)
    (prompt,) = model.prompts
    assert "I live in Oslo." in prompt.text
    assert "I love jazz." in prompt.text
    assert "Shall I write" not in prompt.text
    assert "SECRET PLAN" not in prompt.text
    assert (result.input_messages, result.input_tokens > 0) == (1, True)


def test_at_most_40_messages_are_read_and_the_others_the_next_time(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: F27, I9
    memory, model = reviewing(NOTHING, NOTHING, NOTHING)
    say(memory, *(f"Message number {number}." for number in range(90)))
    first = review(memory)
    assert (first.input_messages, first.more) == (40, True)
    assert "number 39." in model.prompts[0].text
    assert "number 40." not in model.prompts[0].text
    assert review(memory).skip_reason == "under_interval"
    clock.advance(seconds=DAY)
    second = review(memory)
    assert (second.input_messages, second.more) == (40, True)
    clock.advance(seconds=DAY)
    third = review(memory)
    assert (third.input_messages, third.more) == (10, False)
    shown = "".join(prompt.text for prompt in model.prompts)
    assert all(shown.count(f"number {number}.") == 1 for number in range(90))


def test_the_input_keeps_to_its_budget(reviewing: Reviewing) -> None:
    # proves: F27
    memory, model = reviewing(NOTHING, review_input_token_budget=500)
    say(memory, *(f"{number} " + "lorem ipsum dolor " * 20 for number in range(30)))
    result = review(memory)
    assert 0 < result.input_tokens <= 500
    assert (result.input_messages < 30, result.more) == (True, True)
    assert sum(line.startswith('{"message"') for line in model.prompts[0].text.splitlines()) == result.input_messages


def test_now_goes_on_until_nothing_is_left(reviewing: Reviewing) -> None:
    # proves: F25, D14
    memory, model = reviewing(*[NOTHING] * 2, reply(add("The user lives in Oslo")))
    say(memory, *(f"Message number {number}." for number in range(80)), "I live in Oslo.")
    result = review(memory, now=True)
    assert (result.status, result.added, result.input_messages, result.more) == ("ok", 1, 81, False)
    assert len(model.prompts) == 3


def test_an_over_long_message_is_read_to_its_end(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: D14, I9
    def read(prompt: Prompt) -> str:
        return reply(add("The user lives in Oslo")) if "I live in Oslo." in prompt.text else NOTHING

    memory, model = reviewing(*[read] * 20)
    say(memory, "Lorem ipsum dolor. " * 2_105 + "I live in Oslo.")
    passes = 0
    while not texts(memory):
        assert passes < 10
        review(memory)
        passes += 1
        clock.advance(seconds=DAY)
    assert passes > 1
    assert len(model.prompts) == passes
    assert texts(memory) == ["The user lives in Oslo"]
    assert memory.explain(memory.facts(scope=ANA)[0].id, scope=ANA).evidence[0].quote == "I live in Oslo."
    assert review(memory, now=True).skip_reason == "no_new_messages"


def test_what_was_cleared_before_the_review_is_still_learned(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: D16, I9
    memory, model = reviewing(NOTHING, reply(add("The user lives in Oslo")))
    say(memory, "Hello.")
    assert review(memory).status == "nothing_to_save"
    clock.advance(seconds=10 * HOUR)
    say(memory, "I live in Oslo.")
    clock.advance(seconds=HOUR)
    memory.clear_window(scope=ANA, conversation=CHAT)
    assert {message.window_state for message in memory.messages(scope=ANA)} == {"cleared"}
    clock.advance(seconds=13 * HOUR)
    assert review(memory).added == 1
    assert "I live in Oslo." in model.prompts[1].text
    assert texts(memory) == ["The user lives in Oslo"]


def test_what_was_forgotten_is_not_reviewed(reviewing: Reviewing) -> None:
    memory, model = reviewing(NOTHING)
    say(memory, "I live in Oslo.")
    preview = memory.forget(scope=ANA, conversation=CHAT)
    memory.forget(scope=ANA, conversation=CHAT, confirm=preview.token)
    assert memory.review(scope=ANA) == ()
    assert review(memory, now=True).skip_reason == "no_new_messages"
    assert model.prompts == []


def test_owners_of_one_chat_have_cursors_of_their_own(reviewing: Reviewing) -> None:
    bob = replace(ANA, owner="bob")
    memory, model = reviewing(NOTHING, reply(add("The user lives in Bonn")))
    say(memory, "I live in Oslo.")
    say(memory, "I live in Bonn.", scope=bob)
    assert review(memory).status == "nothing_to_save"
    assert review(memory, scope=bob).added == 1
    assert ["I live in Oslo." in prompt.text for prompt in model.prompts] == [True, False]
    assert (texts(memory), texts(memory, bob)) == ([], ["The user lives in Bonn"])


def test_what_is_said_by_voice_is_reviewed_like_chat(reviewing: Reviewing) -> None:
    # proves: F57
    memory, model = reviewing(reply(add("The user lives in Oslo")), persist_transcripts=True)
    memory.record_voice([{"content": "I live in Oslo.", "role": "user"}], scope=ANA, device="kitchen")
    assert [each.added for each in memory.review(scope=ANA)] == [1]
    assert "I live in Oslo." in model.prompts[0].text
    assert texts(memory) == ["The user lives in Oslo"]


# The call


def test_one_call_tagged_and_with_the_time_of_a_buffered_call(reviewing: Reviewing) -> None:
    # proves: F28, F33
    memory, model = reviewing(NOTHING)
    say(memory, "I live in Oslo.", "I like tea.")
    review(memory)
    (prompt,) = model.prompts
    assert (prompt.tag, prompt.timeout_s, prompt.temperature) == ("memory_reviewer", 90.0, 0.1)
    other, asked = reviewing(NOTHING, name="other.db", review_timeout_s=7.0)
    say(other, "I live in Oslo.")
    review(other)
    assert [each.timeout_s for each in asked.prompts] == [7.0]


def opened_with_fallback(path: Path, clock: FakeClock, first: ScriptedModel, second: ScriptedModel) -> Memory:
    options = Options(embedder="none", worker=False, capture_mode="review", language_model_fallback="scripted:second")
    return Memory.open(
        path, options=options, clock=clock, language_model=first, language_model_fallback=second
    )  # fmt: skip


def test_the_fallback_is_asked_where_the_model_fails(
    tmp_path: Path, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    # proves: F28
    first = ScriptedModel(
        [ProviderError("down", retryable=True), NOTHING, ProviderError("down")], name="scripted:first"
    )
    second = ScriptedModel([reply(add("The user lives in Oslo")), ProviderError("down too")], name="scripted:second")
    with opened_with_fallback(tmp_path / "memory.db", clock, first, second) as memory:
        say(memory, "I live in Oslo.")
        assert review(memory).added == 1
        assert [len(model.prompts) for model in (first, second)] == [1, 1]
        assert first.prompts == second.prompts
        assert "scripted:second is asked instead (memory_reviewer)" in caplog.text
        say(memory, "Hello.")
        assert review(memory, now=True).status == "nothing_to_save"
        assert [len(model.prompts) for model in (first, second)] == [2, 1]
        say(memory, "Hello again.")
        assert review(memory, now=True).failure == "down too"


def test_a_fallback_for_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="language_model_fallback"):
        Memory.open(tmp_path / "memory.db", options=Options(language_model_fallback="ollama:x", embedder="none"))


def test_a_model_that_never_answers_fails_the_review_in_its_time(reviewing: Reviewing) -> None:
    # proves: F33
    never = threading.Event()

    def hangs(_: Prompt) -> str:
        never.wait(30)
        return NOTHING

    memory, _ = reviewing(hangs, review_timeout_s=0.01)
    say(memory, "I live in Oslo.")
    assert "did not answer within 0.01 s" in review(memory).failure
    never.set()


def test_without_a_model_the_rules_read_the_words(open_memory: Opener, clock: FakeClock) -> None:
    memory = open_memory(**REVIEWING)
    say(memory, "I live in Oslo and I love jazz.")
    assert review(memory).added == 2
    assert texts(memory) == ["I live in Oslo", "I love jazz."]
    assert {(fact.source, fact.source_trust) for fact in memory.facts(scope=ANA)} == {("review", "owner")}
    clock.advance(seconds=DAY)
    say(memory, "I moved to Bergen last week.")
    assert review(memory).replaced == 1
    (home,) = [fact for fact in memory.facts(scope=ANA) if fact.key == "home"]
    assert [each.text for each in memory.history(home.id, scope=ANA)] == [
        "I live in Oslo",
        "I moved to Bergen last week.",
    ]


def test_an_extractor_of_ones_own_that_breaks_fails_the_review_only(open_memory: Opener) -> None:
    # proves: F22
    class Broken:
        name = "broken"

        def extract(self, turn: object, *, limit: int) -> object:
            raise ZeroDivisionError("oops")

    memory = open_memory(extractor=Broken(), **REVIEWING)
    say(memory, "I live in Oslo.")
    assert "ZeroDivisionError" in review(memory).failure
    assert state_of(memory).cursor.message_id == 0


# What it changes


def test_the_sentinel_changes_nothing_and_moves_the_cursor(reviewing: Reviewing) -> None:
    # proves: F29
    memory, _ = reviewing(NOTHING)
    say(memory, "Hello.")
    assert review(memory).status == "nothing_to_save"
    assert memory.facts(scope=ANA, states=FACT_STATES) == ()
    (message,) = memory.messages(scope=ANA)
    assert state_of(memory).cursor.message_id == message.message_id


def test_the_latest_statement_takes_the_old_ones_place(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: F30, F21
    memory, model = reviewing(reply(add("The user lives in Oslo")))
    say(memory, "I live in Oslo.")
    review(memory)
    (old,) = memory.facts(scope=ANA)
    assert (old.scope_type, old.scope_id, old.key) == ("owner", "ana", "home")
    clock.advance(seconds=DAY)
    model._lines = iter([reply(replacing(old, "The user lives in Bergen"))])
    say(memory, "We have moved: I live in Bergen now.")
    assert review(memory).replaced == 1
    (new,) = memory.facts(scope=ANA)
    assert (new.text, new.key, new.value) == ("The user lives in Bergen", "home", "bergen")
    assert (new.category, new.scope_type, new.scope_id) == (old.category, old.scope_type, old.scope_id)
    assert [each.state for each in memory.history(new.id, scope=ANA)] == ["superseded", "active"]
    told = memory.explain(new.id, scope=ANA)
    assert [each.by for each in told.decided] == ["memory_reviewer"]
    assert told.evidence[0].quote == "We have moved: I live in Bergen now."


def test_no_owner_closes_a_rule_by_giving_another_row_its_words(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: F14
    memory, model = reviewing()
    rule = memory.remember("Always answer in French.", scope=replace(ANA, trust="operator"), category="directive").fact
    clock.advance(seconds=HOUR)
    other = memory.remember("I want answers in German.", scope=ANA, category="context").fact
    assert rule is not None
    assert other is not None
    clock.advance(seconds=HOUR)
    model._lines = iter([reply(replacing(other, "Always answer in French."))])
    say(memory, "Always answer in French.")
    review(memory)
    assert {fact.id: fact.category for fact in memory.facts(scope=ANA)}[rule.id] == "directive"


def test_prose_that_was_cut_fails_the_review_and_is_read_again(reviewing: Reviewing) -> None:
    # proves: F29, D14
    memory, model = reviewing(Completion(text="Let me think about what the user has", cut=True))
    say(memory, "I live in Oslo.")
    assert review(memory).status == "failed"
    model._lines = iter([reply(add("The user lives in Oslo"))])
    assert review(memory, now=True).added == 1


def test_by_rules_a_fact_is_about_whom_the_extractor_has_read(open_memory: Opener) -> None:
    # proves: F30
    memory = open_memory(**REVIEWING)
    say(memory, "My aunt is a nurse and used to help my family out.")
    assert review(memory).added == 2
    assert {fact.subject for fact in memory.facts(scope=ANA)} == {"My aunt"}


def test_a_row_whose_words_name_no_question_is_replaced_by_its_id(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: F30
    memory, model = reviewing(reply(add("The report goes to Carla on Fridays", "context", "memory")))
    say(memory, "Carla gets the report on Fridays.")
    assert review(memory).added == 1
    (old,) = memory.facts(scope=ANA)
    clock.advance(seconds=DAY)
    model._lines = iter([reply(replacing(old, "The report goes to Dana on Mondays"))])
    say(memory, "From now on Dana gets the report on Mondays.")
    assert review(memory).replaced == 1
    (new,) = memory.facts(scope=ANA)
    assert (new.text, new.category, new.scope_type) == ("The report goes to Dana on Mondays", "context", "agent")
    assert new.parent_id == old.fact_id


def test_an_archived_row_keeps_by_whom_and_why_and_comes_back(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: F12
    memory, model = reviewing(reply(add("The user wants to run a marathon", "goal")))
    say(memory, "I want to run a marathon.")
    review(memory)
    (goal,) = memory.facts(scope=ANA)
    clock.advance(seconds=DAY)
    model._lines = iter([reply(archiving(goal, "the user ran the marathon"))])
    say(memory, "I did it: I ran the marathon yesterday!")
    assert review(memory).archived == 1
    assert memory.facts(scope=ANA) == ()
    (change,) = memory.explain(goal.id, scope=ANA).changes
    assert (change.to_state, change.by, change.reason) == ("archived", "memory_reviewer", "the user ran the marathon")
    assert "marathon" not in str(memory.prompt_files(scope=ANA))
    assert memory.restore_fact(goal.id, scope=ANA).state == "active"
    assert "marathon" in str(memory.prompt_files(scope=ANA))


def test_of_a_mixed_batch_the_good_is_done_and_the_rest_counted(reviewing: Reviewing) -> None:
    # proves: F31
    memory, _ = reviewing(
        reply(
            add("The user lives in Oslo"),
            add("The user lives in Oslo", category="hobby"),
            {"op": "replace", "id": "f99", "value": "The user lives in Rome"},
            {"op": "explode"},
            add("The user's token is ghp_abcdefghijklmnopqrstuvwxyz0123456789"),
            add("The user likes tea", "preference"),
        )
    )
    say(memory, "I live in Oslo and I like tea.")
    result = review(memory)
    assert (result.status, result.added, result.skipped) == ("ok", 2, 4)
    assert texts(memory) == ["The user likes tea", "The user lives in Oslo"]
    counts = memory.metrics()
    assert counts['glossator_review_operations_total{operation="added"}'] == 2
    assert counts['glossator_review_operations_total{operation="skipped"}'] == 4


def test_a_row_that_changed_while_the_model_thought_is_not_archived(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: D24
    memory, model = reviewing(reply(add("The user wants to run a marathon", "goal"), add("The user lives in Oslo")))
    say(memory, "I want to run a marathon. I live in Oslo.")
    review(memory)
    goal = next(fact for fact in memory.facts(scope=ANA) if fact.category == "goal")
    clock.advance(seconds=DAY)

    def meanwhile(_: Prompt) -> str:
        memory.remember(goal.text, scope=ANA, category="goal", confidence=goal.confidence)
        return reply(archiving(goal, "ran the marathon"), add("The user likes tea", "preference"))

    model._lines = iter([meanwhile])
    say(memory, "I ran the marathon. I like tea.")
    result = review(memory)
    assert (result.added, result.archived, result.skipped_ops) == (1, 0, {"changed_meanwhile": 1})
    assert goal.text in texts(memory)


def test_in_both_mode_nothing_is_added_twice(open_memory: Opener) -> None:
    # proves: F30
    drafts = {
        "facts": [{"fact": "The user lives in Oslo.", "category": "identity", "kind": "none", "subject": "user",
                   "quote": "I live in Oslo."}]
    }  # fmt: skip
    model = ScriptedModel([json.dumps(drafts), reply(add("The user lives in Oslo"), add("Lives in Oslo"))])
    memory = open_memory(
        language_model=model, capture_mode="both", turn_fact_extraction_enabled=True
    )  # fmt: skip
    say(memory, "I live in Oslo.")
    memory.drain()
    (fact,) = memory.facts(scope=ANA)
    result = review(memory)
    assert fact.text in model.prompts[1].text
    assert (result.added, result.replaced) == (0, 0)
    assert [each.fact_id for each in memory.facts(scope=ANA, states=FACT_STATES)] == [fact.fact_id]


def test_what_no_prompt_may_show_and_what_is_another_owners_is_no_row(reviewing: Reviewing) -> None:
    # proves: K22
    bob = replace(ANA, owner="bob")
    memory, model = reviewing()
    memory.remember("I have diabetes.", scope=ANA, category="identity", sensitivity="restricted")
    his = memory.remember("I live in Bonn.", scope=bob, category="identity").fact
    assert his is not None
    mine = memory.remember("I love jazz.", scope=ANA, category="preference").fact
    assert mine is not None
    model._lines = iter([reply(replacing(his, "The user lives in Oslo"), archiving(his, "lives in Oslo"))])
    say(memory, "I live in Oslo, not in Bonn. I have no diabetes.")
    result = review(memory)
    assert (result.replaced, result.archived, result.skipped_ops) == (0, 0, {"unknown_row": 2})
    shown = [line for line in model.prompts[0].text.splitlines() if line.startswith('{"id"')]
    assert [json.loads(line)["id"] for line in shown] == [mine.id]
    assert texts(memory, bob) == ["I live in Bonn."]


def test_what_is_forgotten_while_the_model_thinks_is_not_kept(reviewing: Reviewing) -> None:
    def meanwhile(_: Prompt) -> str:
        preview = memory.forget(scope=ANA, message_ids=["m1"], conversation=CHAT)
        memory.forget(scope=ANA, message_ids=["m1"], conversation=CHAT, confirm=preview.token)
        return reply(add("The user lives in Oslo"), add("The user likes tea", "preference"))

    memory, _ = reviewing(meanwhile)
    messages = [{"content": "I live in Oslo.", "id": "m1"}, {"content": "I like tea.", "id": "m2"}]
    memory.record(messages, scope=ANA, conversation=CHAT)
    result = review(memory)
    assert (result.status, result.added, result.skipped_ops) == ("ok", 1, {"changed_meanwhile": 1})
    assert [fact.text for fact in memory.facts(scope=ANA, states=FACT_STATES)] == ["The user likes tea"]


def test_a_conversation_that_is_forgotten_while_the_model_thinks_leaves_nothing(reviewing: Reviewing) -> None:
    def meanwhile(_: Prompt) -> str:
        preview = memory.forget(scope=ANA, everything=True)
        memory.forget(scope=ANA, everything=True, confirm=preview.token)
        return reply(add("The user lives in Oslo"))

    memory, _ = reviewing(meanwhile)
    say(memory, "I live in Oslo.")
    assert review(memory).added == 0
    assert memory.facts(scope=ANA, states=FACT_STATES) == ()
    assert memory.review(scope=ANA, now=True) == ()


class Watched(PlainMemory):
    """Keeps what was to be seen when facts had changed."""

    def __init__(self, store: Store, **parts: object) -> None:
        self.seen: list[tuple[list[str], str | None]] = []
        super().__init__(store, **parts)  # type: ignore[arg-type]

    def _after_review(self, scope: Scope) -> None:
        state = self._store.review_state(HERE)
        assert state is not None
        self.seen.append(([fact.text for fact in self.facts(scope=scope)], state.status))


def watched(store: Store, clock: FakeClock, *lines: Line) -> Watched:
    return Watched(
        store, clock=clock, ids=CountingIds(), options=Options(embedder="none", worker=False, capture_mode="review"),
        embedder=None, language_model=ScriptedModel(lines), draw=lambda: 0.5, monotonic_s=lambda: 0.0,
    )  # fmt: skip


def test_rows_come_first_then_the_files_and_then_the_end(clock: FakeClock) -> None:
    # proves: F32
    memory = watched(MemoryStore(), clock, reply(add("The user lives in Oslo")), NOTHING)
    say(memory, "I live in Oslo.")
    review(memory)
    assert memory.seen == [(["The user lives in Oslo"], None)]
    say(memory, "Hello.")
    review(memory, now=True)
    assert len(memory.seen) == 1


def test_a_store_that_fails_fails_the_review_and_the_next_one_mends_it(clock: FakeClock) -> None:
    # proves: I9
    line = reply(add("The user lives in Oslo"), add("The user likes tea", "preference"))
    inner = MemoryStore()
    say(watched(inner, clock), "I live in Oslo and I like tea.")
    faulty = FaultyStore(inner, fail_at=10_000)
    memory = watched(faulty, clock, line)
    commit, calls = inner.commit, []

    def failing(*args: object, **kwargs: object) -> object:
        calls.append(args)
        if len(calls) == 2:
            raise StoreError("disk full")
        return commit(*args, **kwargs)  # type: ignore[arg-type]

    inner.commit = failing  # type: ignore[method-assign,assignment]
    result = review(memory)
    assert (result.status, result.failure, result.added) == ("failed", "disk full", 1)
    assert (state_of(memory).cursor.message_id, state_of(memory).failure_count) == (0, 1)
    again = watched(inner, clock, line)
    assert review(again, now=True).status == "ok"
    assert texts(again) == ["The user likes tea", "The user lives in Oslo"]
    assert len(again.facts(scope=ANA, states=FACT_STATES)) == 2


def test_a_guest_changes_nothing_of_the_owners(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: F14
    memory, model = reviewing(reply(add("The user lives in Oslo")))
    say(memory, "I live in Oslo.")
    review(memory)
    (home,) = memory.facts(scope=ANA)
    clock.advance(seconds=DAY)
    rule = add("Always answer in French", "directive", "memory")
    model._lines = iter([reply(replacing(home, "The user lives in Rome"), archiving(home, "moved to Rome"), rule)])
    say(memory, "I live in Rome. Always answer in French.", scope=replace(ANA, trust="guest"))
    result = review(memory)
    assert (result.added, result.replaced, result.archived, result.skipped) == (0, 0, 0, 3)
    assert texts(memory) == ["The user lives in Oslo"]


# Behind the caller


def worked(memory: Memory, stop: threading.Event) -> None:
    thread = threading.Thread(target=memory.work, args=(stop,), daemon=True)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()


def stopping(memory: Memory, stop: threading.Event, line: str | Exception) -> Callable[[Prompt], str]:
    """A line that ends the worker's run behind it."""

    def answer(_: Prompt) -> str:
        stop.set()
        memory._worker.wake()
        if isinstance(line, Exception):
            raise line
        return line

    return answer


def test_the_worker_reviews_what_was_recorded(reviewing: Reviewing) -> None:
    # proves: F22
    memory, model = reviewing()
    stop = threading.Event()
    model._lines = iter([stopping(memory, stop, reply(add("The user lives in Oslo")))])
    say(memory, "I live in Oslo.")
    assert memory.facts(scope=ANA) == ()
    worked(memory, stop)
    assert texts(memory) == ["The user lives in Oslo"]


def test_nothing_waits_for_a_review_but_the_review(reviewing: Reviewing, monkeypatch: pytest.MonkeyPatch) -> None:
    # proves: F22
    monkeypatch.setattr("glossator.worker.REVIEW_ENDING_S", 0.01)
    memory, model = reviewing()
    asked, go_on, stop = threading.Event(), threading.Event(), threading.Event()

    def slowly(_: Prompt) -> str:
        asked.set()
        go_on.wait(30)
        return reply(add("The user lives in Oslo"))

    model._lines = iter([slowly])
    say(memory, "I live in Oslo.")
    thread = threading.Thread(target=memory.work, args=(stop,), daemon=True)
    thread.start()
    assert asked.wait(30)
    say(memory, "I like tea.", conversation="telegram:43")
    memory.drain(30)
    assert memory.status().vector_count == 2
    stop.set()
    memory._worker.wake()
    thread.join(30)
    assert not thread.is_alive()
    memory.close()
    go_on.set()


def test_a_turn_never_hears_of_a_reviewer_that_fails(reviewing: Reviewing, caplog: pytest.LogCaptureFixture) -> None:
    # proves: F22
    caplog.set_level(logging.WARNING)
    memory, model = reviewing()
    stop = threading.Event()
    model._lines = iter([stopping(memory, stop, RuntimeError("a bug in a model"))])
    run = memory.run(scope=ANA, conversation=CHAT)
    receipt = run.record([{"content": "I live in Oslo."}])
    worked(memory, stop)
    assert (receipt.count("stored"), receipt.failure, run.failures) == (1, "", ())
    assert run.record([{"content": "And I like tea."}]).count("stored") == 1
    state = state_of(memory)
    assert (state.status, state.failure_count, state.cursor.message_id) == ("failed", 1, 0)
    assert "a review failed: ProviderError (RuntimeError)" in caplog.text
    assert memory.metrics()['glossator_review_total{status="failed"}'] == 1


def test_the_worker_takes_up_what_was_left_and_talk_that_has_fallen_silent(
    reviewing: Reviewing, clock: FakeClock
) -> None:
    # proves: F23
    memory, model = reviewing(NOTHING)
    say(memory, "Hello.")
    review(memory)
    say(memory, "I live in Oslo.")
    memory.close()
    again, model = reviewing(reply(add("The user lives in Oslo")))
    while again._worker.step() is not None:
        pass
    assert model.prompts == []
    clock.advance(seconds=DAY)
    while again._worker.step() is not None:
        pass
    assert (len(model.prompts), texts(again)) == (1, ["The user lives in Oslo"])


def test_a_clock_that_was_put_back_hides_no_silent_talk_from_the_worker(reviewing: Reviewing, clock: FakeClock) -> None:
    # proves: F23
    memory, _ = reviewing(NOTHING)
    clock.jump_to(NOW + timedelta(days=400))
    say(memory, "Hello.")
    review(memory)
    clock.jump_to(NOW)
    say(memory, "I live in Oslo.")
    memory.close()
    again, _ = reviewing(reply(add("The user lives in Oslo")))
    while again._worker.step() is not None:
        pass
    assert texts(again) == ["The user lives in Oslo"]


def test_agents_that_may_not_learn_keep_nobody_elses_review_away(reviewing: Reviewing) -> None:
    # proves: F23
    memory, _ = reviewing(tiers={"helper": "INTERN"})
    for number in range(3):
        say(memory, "Hello.", scope=replace(ANA, agent="novice"), conversation=f"chat:{number}")
    say(memory, "I live in Oslo.")
    assert memory._reviewer.due(NOW, limit=2) == (HERE,)


def test_a_review_waits_until_the_turns_of_its_conversation_are_extracted(
    open_memory: Opener, clock: FakeClock
) -> None:
    drafts = {"facts": [{"fact": "The user lives in Oslo.", "category": "identity", "kind": "none", "subject": "user",
                         "quote": "I live in Oslo."}]}  # fmt: skip
    lines: list[Line] = [ProviderError("busy", retryable=True), json.dumps(drafts), NOTHING]
    model = ScriptedModel(lines)
    memory = open_memory(language_model=model, capture_mode="both", turn_fact_extraction_enabled=True)
    say(memory, "I live in Oslo.")
    while memory._worker.step() is not None:
        pass
    assert [prompt.tag for prompt in model.prompts] == ["extraction"]
    clock.advance(seconds=10)
    while memory._worker.step() is not None:
        pass
    assert [prompt.tag for prompt in model.prompts] == ["extraction", "extraction", "memory_reviewer"]
    assert "The user lives in Oslo." in model.prompts[-1].text


@pytest.mark.parametrize("mode", ["offline", "review"])
def test_of_two_answers_of_one_day_the_later_one_stays_also_when_a_review_reads_both_again(
    open_memory: Opener, mode: str
) -> None:
    memory = open_memory(capture_mode=mode)
    said = ["I live in Oslo and I love jazz.", "I moved to Bergen last week."]
    memory.record([{"content": each, "at": "2026-03-02"} for each in said], scope=ANA, conversation="telegram:42")
    memory.drain()
    for _ in range(2):
        memory.review(scope=ANA, now=True)
        assert texts(memory) == ["I love jazz.", "I moved to Bergen last week."]


def test_drain_waits_for_no_review(reviewing: Reviewing) -> None:
    memory, model = reviewing()
    say(memory, "I live in Oslo.")
    memory.drain()
    assert model.prompts == []


def test_no_review_runs_by_itself_where_it_was_not_chosen(open_memory: Opener) -> None:
    model = ScriptedModel([NOTHING])
    memory = open_memory(language_model=model)
    say(memory, "I live in Oslo.")
    while memory._worker.step() is not None:
        pass
    assert model.prompts == []
    assert review(memory).status == "nothing_to_save"
    assert len(model.prompts) == 1


# What is never lost


def instruments(prompt: Prompt) -> str:
    """A reviewer that keeps every instrument that somebody plays."""
    lines = [json.loads(line)["text"] for line in prompt.text.splitlines() if line.startswith('{"message"')]
    played = [word for line in lines for word in line.removesuffix(".").split("I play ")[1:]]
    return reply(*(add(f"The user plays {word}", "interest") for word in played)) if played else NOTHING


def word_of(number: int) -> str:
    """A word of its own for each number."""
    letters = "bcdfghklmnprstvz"
    return "".join(letters[number // 16**place % 16] + "aeio"[(number // 7 + place) % 4] for place in range(3)) + "rk"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_sessions_that_change_memory_at_once_lose_nothing(tmp_path: Path, clock: FakeClock, seed: int) -> None:
    # proves: D24
    # given four sessions over one file, each with a reviewer of its own
    import random

    def session() -> Memory:
        options = Options(
            embedder="none", worker=False, capture_mode="review", review_max_messages=3,
            prompt_folder=str(tmp_path / "prompts"),
        )  # fmt: skip
        return Memory.open(
            tmp_path / "memory.db", options=options, clock=clock, language_model=ScriptedModel([instruments] * 500)
        )

    with session():
        pass
    kept: set[str] = set()
    gone: set[str] = set()
    broken: list[BaseException] = []

    def work(number: int) -> None:
        dice = random.Random(seed * 10 + number)
        try:
            with session() as memory:
                for turn in range(12):
                    word = word_of(number * 100 + turn)
                    conversation = dice.choice([CHAT, f"telegram:{number}"])
                    if dice.random() < 0.5:
                        say(memory, f"I play {word}.", f"I play {word_of(9999 + turn)}.", conversation=conversation)
                        kept.add(word_of(9999 + turn))
                    else:
                        memory.remember(f"The user plays {word}", scope=ANA, category="interest")
                    kept.add(word)
                    if dice.random() < 0.5:
                        memory.review(scope=ANA, now=True)
                    if dice.random() < 0.3:
                        mine = [each for each in memory.facts(scope=ANA, limit=999) if f" {word}" in each.text]
                        if mine:
                            preview = memory.forget_facts(scope=ANA, fact_ids=[mine[0].id])
                            assert isinstance(preview, FactPreview)
                            memory.forget_facts(scope=ANA, fact_ids=[mine[0].id], confirm=preview.token)
                            gone.add(word)
        except BaseException as error:
            broken.append(error)
            raise

    # when they all talk, remember, review and forget at once
    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert broken == []
    # then the files say what the rows say, and what is not forgotten is there, once
    with session() as memory:
        assert memory.load_prompt_files(scope=ANA).user.text == memory.prompt_files(scope=ANA).user.text
        while memory.review(scope=ANA, now=True):
            pass
        plays = [fact.text.removesuffix(".").split()[-1] for fact in memory.facts(scope=ANA, limit=999)]
        assert sorted(set(plays) | gone) == sorted(kept)
        assert len(plays) == len(set(plays))


def test_what_a_review_kept_is_read_at_once_by_everybody_and_after_a_restart(
    reviewing: Reviewing, tmp_path: Path
) -> None:
    # proves: D25
    folder = {"prompt_folder": str(tmp_path / "prompts")}
    memory, _ = reviewing(reply(add("The user lives in Oslo"), add("The user likes tea", "preference")), **folder)
    other, _ = reviewing(**folder)
    assert texts(other) == []
    say(memory, "I live in Oslo. I like tea.")
    review(memory)
    memory.remember("I play cello.", scope=ANA, category="interest")
    kept = ["I play cello.", "The user likes tea", "The user lives in Oslo"]
    assert texts(memory) == texts(other) == kept
    block = memory.prompt_files(scope=ANA)
    memory.clear_window(scope=ANA, conversation=CHAT)
    memory.close()
    again, _ = reviewing(**folder)
    assert texts(again) == kept
    assert again.prompt_files(scope=ANA) == block
    assert again.load_prompt_files(scope=ANA).user.text == block.user.text
    assert all(word in str(block) for word in ("Oslo", "tea", "cello"))
    assert review(again, now=True).skip_reason == "no_new_messages"


class Reader:
    """A model that fails when it is told to, and remembers what it has read when it does not."""

    name = "reader:test"

    def __init__(self) -> None:
        self.mood = "nothing"
        self.read = ""

    def complete(self, prompt: Prompt) -> Completion:
        if self.mood == "fails":
            raise ProviderError("down")
        if self.mood == "babbles":
            return ScriptedModel(["[{"]).complete(prompt)
        self.read += prompt.text
        return ScriptedModel([NOTHING]).complete(prompt)


Act = tuple[str, int]
ACTS: st.SearchStrategy[Act] = st.one_of(
    st.tuples(st.just("say"), st.integers(1, 9)),
    st.tuples(st.just("say at length"), st.integers(1, 3)),
    st.tuples(st.just("assistant says"), st.integers(1, 3)),
    st.tuples(st.sampled_from(["nothing", "fails", "babbles"]), st.just(0)),
    st.tuples(st.sampled_from(["review", "now", "clear"]), st.just(0)),
    st.tuples(st.just("wait"), st.sampled_from([299, 300, 86_399, 86_400])),
)


def act(memory: PlainMemory, clock: FakeClock, reader: Reader, what: Act, marks: Iterator[int]) -> None:
    name, count = what
    match name:
        case "say" | "assistant says":
            role = "user" if name == "say" else "assistant"
            batch = [{"content": f"mark {next(marks)} here", "role": role} for _ in range(count)]
            memory.record(batch, scope=ANA, conversation=CHAT)
        case "say at length":
            for _ in range(count):
                filling = "lorem ipsum " * 300
                memory.record(
                    [{"content": f"mark {next(marks)} {filling} mark {next(marks)} here"}],
                    scope=ANA, conversation=CHAT,
                )  # fmt: skip
        case "review" | "now":
            if memory._store.review_state(HERE) is not None:
                memory.review(scope=ANA, conversation=CHAT, now=name == "now")
        case "clear":
            memory.clear_window(scope=ANA, conversation=CHAT)
        case "wait":
            clock.advance(seconds=count)
        case mood:
            reader.mood = mood


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(ACTS, max_size=25))
def test_the_cursor_never_passes_what_no_review_has_read(acts: list[Act]) -> None:
    # proves: I9, D14
    clock, reader = FakeClock(datetime(2026, 5, 1, tzinfo=UTC)), Reader()
    options = Options(
        embedder="none", worker=False, capture_mode="review", review_max_messages=4, review_input_token_budget=400
    )  # fmt: skip
    memory = PlainMemory(
        MemoryStore(), clock=clock, ids=CountingIds(), options=options, embedder=None, language_model=reader,
        draw=lambda: 0.5, monotonic_s=lambda: 0.0,
    )  # fmt: skip
    marks = iter(range(1000, 9999))
    passed = 0
    for what in acts:
        before = state_of(memory) if memory._store.review_state(HERE) else None
        act(memory, clock, reader, what, marks)
        state = memory._store.review_state(HERE)
        if state is None:
            continue
        if before is not None and reader.mood != "nothing":
            assert state.cursor == before.cursor
        passed = max(passed, state.cursor.message_id)
        assert state.cursor.message_id == passed
        for message in memory.messages(scope=ANA):
            told = [word for word in message.content.split() if word.isdigit()]
            if message.role == "user" and message.message_id <= passed:
                assert all(f"mark {word}" in reader.read for word in told)
            if message.role == "assistant":
                assert not any(f"mark {word}" in reader.read for word in told)
