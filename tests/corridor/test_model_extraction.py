"""From a turn through a language model to facts: gates, time-outs, failures, breaker, queue."""

import json
import logging
import threading
import time
from collections.abc import Callable

import pytest
from tests.conftest import ANA, Opener

from glossator import Memory, ProviderError, UsageError
from glossator.model import Extraction, Prompt, Turn
from glossator.testing.clock import FakeClock
from glossator.testing.scripted import ScriptedModel

ON = {"turn_fact_extraction_enabled": True}
HOME = "The user lives in Paris."


def reply(*facts: str, **given: object) -> str:
    """A reply with these facts, quoted as they are."""
    items = [
        {"fact": each, "category": "identity", "kind": "none", "subject": "user", "quote": "", **given}
        for each in facts
    ]
    return json.dumps({"facts": items})


def say(memory: Memory, text: str, *, at: str = "2026-03-02T10:00:00+00:00") -> None:
    memory.record([{"content": text, "at": at}], scope=ANA, conversation="chat:1")


def failures(memory: Memory, kind: str) -> float:
    return memory.metrics()[f'glossator_turn_fact_extraction_failure_total{{kind="{kind}"}}']


def drain_quietly(memory: Memory) -> None:
    with pytest.raises(ProviderError):
        memory.drain()


def test_a_model_takes_the_fact_and_names_itself_in_the_log(open_memory: Opener) -> None:
    # proves: A16
    model = ScriptedModel([reply(HOME)], name="scripted:fast")
    memory = open_memory(language_model=model, **ON)
    say(memory, "I live in Paris.")
    memory.drain()
    (fact,) = memory.facts(scope=ANA)
    assert (fact.text, fact.category) == (HOME, "identity")
    told = memory.explain(fact.id, scope=ANA)
    assert [each.by for each in told.decided] == ["scripted:fast"]
    assert told.evidence[0].quote == "I live in Paris."
    assert [prompt.tag for prompt in model.prompts] == ["extraction"]


def test_both_extractors_answer_the_same_question(open_memory: Opener) -> None:
    say(first := open_memory(), "I live in Paris.")
    first.drain()
    first.close()
    memory = open_memory(language_model=ScriptedModel([reply("The user lives in Oslo.")]), **ON)
    say(memory, "I live in Oslo.", at="2026-04-02T10:00:00+00:00")
    memory.drain()
    (fact,) = memory.facts(scope=ANA)
    assert [each.text for each in memory.history(fact.id, scope=ANA)] == ["I live in Paris.", "The user lives in Oslo."]


def test_no_model_is_called_until_it_is_asked_for(open_memory: Opener) -> None:
    # proves: A25
    model = ScriptedModel([])
    memory = open_memory(language_model=model)
    say(memory, "I live in Paris.")
    memory.drain()
    assert model.prompts == []
    assert len(memory.facts(scope=ANA)) == 1


def test_asking_for_a_model_without_naming_one_is_refused(open_memory: Opener) -> None:
    with pytest.raises(UsageError, match="language_model"):
        open_memory(**ON)
    with pytest.raises(UsageError, match="turn_fact_extraction_enabled"):
        open_memory(capture_mode="per_turn")


def test_the_caller_never_waits_for_the_model(open_memory: Opener) -> None:
    # proves: A13
    asked, release = threading.Event(), threading.Event()

    def slow(_: Prompt) -> str:
        asked.set()
        release.wait(10)
        return reply(HOME)

    memory = open_memory(language_model=ScriptedModel([slow]), worker=True, extraction_timeout_s=10.0, **ON)
    started = time.perf_counter()
    say(memory, "I live in Paris.")
    assert time.perf_counter() - started < 0.1
    assert asked.wait(10), "the extraction runs behind"
    assert memory.facts(scope=ANA) == ()
    release.set()
    memory.drain(10)
    assert len(memory.facts(scope=ANA)) == 1


def test_stages_come_in_their_order(open_memory: Opener) -> None:
    # proves: A14
    model = ScriptedModel([reply(HOME)])
    memory = open_memory(language_model=model, **ON)
    say(memory, "hi")
    memory.drain()
    assert model.prompts == [], "the prefilter comes before the model"
    say(memory, "I live in Paris.")
    store = memory._store
    seen: list[str] = []
    commit, put = store.commit, store.put_fact_vectors
    store.commit = lambda *given, **named: (seen.append("commit"), commit(*given, **named))[1]  # type: ignore[method-assign]
    store.put_fact_vectors = lambda *given, **named: (seen.append("vector"), put(*given, **named))[1]  # type: ignore[method-assign]
    memory.drain()
    assert seen == ["commit", "vector"]


def test_a_model_that_is_too_slow_is_left_and_counted(open_memory: Opener) -> None:
    # proves: A17, A84, A35
    release = threading.Event()
    memory = open_memory(
        language_model=ScriptedModel([lambda _: str(release.wait(20))]), extraction_timeout_s=0.2, **ON
    )
    say(memory, "I live in Paris.")
    started = time.perf_counter()
    drain_quietly(memory)
    assert time.perf_counter() - started < 2
    assert failures(memory, "timeout") == 1
    assert memory.facts(scope=ANA) == ()
    release.set()


@pytest.mark.parametrize("error", [ProviderError("down", retryable=True), RuntimeError("a bug of theirs")])
def test_a_model_that_raises_is_counted_and_nothing_is_lost(
    open_memory: Opener, clock: FakeClock, error: Exception
) -> None:
    # proves: A18, K11, A84
    memory = open_memory(language_model=ScriptedModel([error, reply(HOME)]), **ON)
    say(memory, "I live in Paris.")
    drain_quietly(memory)
    assert failures(memory, "llm_error") == 1
    assert memory.recall("Paris", scope=ANA).hits[0].text == "I live in Paris."
    (message,) = memory.messages(scope=ANA)
    told = memory.learned(scope=ANA, message_ids=[message.external_id])
    assert told.pending_count == 1
    clock.advance(seconds=10)
    memory.drain()
    assert [fact.text for fact in memory.facts(scope=ANA)] == [HOME]


def test_an_outage_of_hours_loses_no_turn(open_memory: Opener, clock: FakeClock) -> None:
    # proves: K11
    down = [ProviderError("down", retryable=True)] * 20
    memory = open_memory(language_model=ScriptedModel([*down, reply(HOME)]), turn_fact_cb_threshold=1000, **ON)
    say(memory, "I live in Paris.")
    for _ in range(20):
        drain_quietly(memory)
        clock.advance(seconds=301)
    memory.drain()
    assert [fact.text for fact in memory.facts(scope=ANA)] == [HOME]


def test_an_unreadable_reply_is_counted_logged_and_given_up_after_another_try(
    open_memory: Opener, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    # proves: A34, A3, A84
    garbage = "no json at all " * 100
    model = ScriptedModel([garbage, garbage])
    memory = open_memory(language_model=model, **ON)
    say(memory, "I live in Paris.")
    with caplog.at_level(logging.WARNING):
        drain_quietly(memory)
    assert failures(memory, "parse_error") == 1
    quoted = [record.content for record in caplog.records if "cannot be read" in record.getMessage()]
    assert quoted
    assert "no json at all" not in caplog.text
    assert max(message.count("no json at all ") for message in quoted) <= 400 // 15 + 1
    clock.advance(seconds=10)
    drain_quietly(memory)
    memory.drain()
    (message,) = memory.messages(scope=ANA)
    told = memory.learned(scope=ANA, message_ids=[message.external_id])
    assert (told.failed_count, len(model.prompts)) == (1, 2)


def test_a_reply_in_part_wrong_keeps_its_valid_facts_and_counts_the_rest(open_memory: Opener) -> None:
    # proves: K12, A42
    items = [
        {"fact": HOME, "category": "identity", "subject": "user"},
        {"fact": "The user likes tea.", "category": "no such category", "subject": "user"},
        "not an object",
        {"fact": "The user lives on Mars with Zaphod.", "category": "identity", "subject": "user"},
    ]
    memory = open_memory(language_model=ScriptedModel([json.dumps(items)]), **ON)
    say(memory, "I live in Paris. I like tea.")
    memory.drain()
    assert [fact.text for fact in memory.facts(scope=ANA)] == [HOME]
    lost = {name: count for name, count in memory.metrics().items() if name.startswith("glossator_turn_fact_lost")}
    assert sum(lost.values()) == 3


def test_an_invented_id_is_no_error_and_no_loss(open_memory: Opener) -> None:
    # proves: K13
    odd = json.dumps([{"event": "UPDATE", "id": 99, "fact": HOME, "category": "identity", "subject": "user"}])
    memory = open_memory(language_model=ScriptedModel([odd]), **ON)
    say(memory, "I live in Paris.")
    memory.drain()
    assert [fact.text for fact in memory.facts(scope=ANA)] == [HOME]


def test_at_most_five_facts_are_kept_of_a_turn(open_memory: Opener) -> None:
    # proves: A20
    things = ["tea", "jazz", "chess", "rain", "maps", "bread", "snow", "cats", "dogs"]
    many = [{"fact": f"The user likes {each}.", "category": "preference", "subject": "user"} for each in things]
    memory = open_memory(language_model=ScriptedModel([json.dumps(many)]), **ON)
    say(memory, "I like " + ", ".join(things) + ".")
    memory.drain()
    assert {fact.text for fact in memory.facts(scope=ANA)} == {f"The user likes {each}." for each in things[:5]}


def test_sampling_spares_calls(open_memory: Opener) -> None:
    # proves: A21
    never = ScriptedModel([])
    memory = open_memory(language_model=never, turn_fact_extraction_sample_rate=0.0, **ON)
    say(memory, "I live in Paris.")
    memory.drain()
    assert never.prompts == []
    assert memory.metrics()['glossator_turn_fact_skipped_total{reason="sampled_out"}'] == 1


def test_a_failing_model_is_left_alone_and_then_probed_once(open_memory: Opener, clock: FakeClock) -> None:
    # proves: A63, A64, A65, D7
    model = ScriptedModel([ProviderError("down", retryable=True)] * 5 + [reply(HOME)] * 3)
    memory = open_memory(language_model=model, work_attempts_max=50, **ON)
    say(memory, "I live in Paris.")
    for _ in range(5):
        drain_quietly(memory)
        clock.advance(seconds=40)
    assert len(model.prompts) == 5
    drain_quietly(memory)
    assert len(model.prompts) == 5, "the breaker is open"
    assert memory.metrics()['glossator_breaker_state{model="scripted:test"}'] == 2
    clock.advance(seconds=400)
    memory.drain()
    assert len(model.prompts) == 6
    assert memory.metrics()['glossator_breaker_state{model="scripted:test"}'] == 0


def test_what_only_the_final_answer_says_is_taken_at_the_end_of_the_session(open_memory: Opener) -> None:
    # proves: A23, A24
    answer = "We decided on Postgres because of its JSON support."
    taken = reply(
        "The team decided on Postgres because of its JSON support.", category="context", kind="decision_reason"
    )
    model = ScriptedModel([json.dumps({"facts": []}), taken, taken])
    memory = open_memory(language_model=model, **ON)
    say(memory, "I wonder about databases for the billing team.")
    memory.drain()
    for _ in range(2):
        assert memory.end_session(
            scope=ANA,
            request="Which database?",
            steps=[{"thought": "x" * 500, "output": "y" * 500}] * 9,
            final_answer=answer,
        )
    memory.drain()
    (fact,) = memory.facts(scope=ANA)
    assert fact.source == "session_end"
    digest = model.prompts[1].text
    assert answer in digest
    assert ("x" * 200 in digest, "x" * 201 in digest) == (True, False)
    assert digest.count("x" * 200) == 6


def test_only_a_prompt_that_is_cut_is_queued(open_memory: Opener) -> None:
    # proves: A26, D10
    memory = open_memory()
    assert not memory.before_truncation("x" * 300, scope=ANA, window_tokens=100)
    assert memory.before_truncation("x" * 301, scope=ANA, window_tokens=100)


def test_the_span_that_is_dropped_is_the_one_that_is_read(open_memory: Opener) -> None:
    # proves: D8, A28, A4
    filler = "The weather report goes on and on about clouds. " * 400
    prompt = filler + "\nI'm allergic to peanuts.\n" + filler
    memory = open_memory()
    assert memory.before_truncation(prompt, scope=ANA, window_tokens=1000)
    memory.drain()
    (fact,) = memory.facts(scope=ANA)
    assert "peanuts" in fact.text
    assert fact.source == "pre_compress"
    assert memory.explain(fact.id, scope=ANA).evidence[0].quote == fact.text


def test_the_same_words_give_the_same_fact_through_every_entry(open_memory: Opener) -> None:
    # proves: A24
    words = "I'm allergic to peanuts."
    kept = []
    for number, enter in enumerate(("turn", "session_end", "pre_compress")):
        memory = open_memory(name=f"{number}.db")
        if enter == "turn":
            say(memory, words)
        elif enter == "session_end":
            memory.end_session(scope=ANA, request=words)
        else:
            memory.before_truncation("- " * 400 + "\n" + words + "\n" + "- " * 400, scope=ANA, window_tokens=10)
        memory.drain()
        (fact,) = memory.facts(scope=ANA)
        kept.append((fact.text, fact.category, fact.kind, fact.key, fact.value, fact.confidence, fact.content_hash))
        assert fact.source == enter
    assert len(set(kept)) == 1


def test_the_queue_can_be_switched_off(open_memory: Opener) -> None:
    # proves: A29
    memory = open_memory(turn_fact_pre_compress_enabled=False)
    assert not memory.before_truncation("x" * 3000, scope=ANA, window_tokens=10)
    assert memory._store.pending(kinds=("pre_compress",)) == 0


def test_a_full_queue_drops_counts_and_never_blocks(open_memory: Opener) -> None:
    # proves: A30, A84
    memory = open_memory(turn_fact_queue_maxsize=100)
    kept = [memory.before_truncation(f"{number} " * 100, scope=ANA, window_tokens=10) for number in range(101)]
    assert kept == [True] * 100 + [False]
    assert memory.metrics()["glossator_turn_fact_queue_dropped_total"] == 1
    assert memory._store.pending(kinds=("pre_compress",)) == 100


def test_the_queue_is_one_and_takes_a_new_capacity_when_reset(open_memory: Opener) -> None:
    # proves: A32
    memory = open_memory(turn_fact_queue_maxsize=1)
    assert memory.queue is memory.queue
    assert memory.before_truncation("x" * 100, scope=ANA, window_tokens=10)
    assert not memory.before_truncation("x" * 100, scope=ANA, window_tokens=10)
    from glossator import Options

    memory.queue.reset(Options(turn_fact_queue_maxsize=2))
    assert memory.before_truncation("x" * 100, scope=ANA, window_tokens=10)


class Poisoned:
    """An extractor that cannot bear one word."""

    name = "poisoned"

    def __init__(self, inner: Callable[[Turn], Extraction]) -> None:
        self._inner = inner

    def extract(self, turn: Turn, *, limit: int) -> Extraction:
        if any("poison" in passage.text for passage in turn.passages):
            raise ValueError("a bug")
        return self._inner(turn)


def test_the_worker_survives_a_turn_that_breaks_its_extractor(open_memory: Opener) -> None:
    # proves: A31
    from glossator.retain.offline import OfflineExtractor

    extractor = Poisoned(lambda turn: OfflineExtractor().extract(turn, limit=5))
    memory = open_memory(extractor=extractor, worker=True)
    say(memory, "I like poison.")
    say(memory, "I live in Paris.", at="2026-03-03T10:00:00+00:00")
    deadline = time.monotonic() + 20
    while not memory.facts(scope=ANA) and time.monotonic() < deadline:
        threading.Event().wait(0.02)
    assert ["Paris" in fact.text for fact in memory.facts(scope=ANA)] == [True]
    assert failures(memory, "llm_error") >= 1


def test_one_extraction_reads_one_turn_however_long_the_history_is(open_memory: Opener) -> None:
    # proves: A2
    model = ScriptedModel([reply()] * 40)
    memory = open_memory(language_model=model, **ON)
    for number in range(40):
        say(
            memory,
            f"I bought {number} apples at the market in Paris for my grandmother.",
            at=f"2026-03-02T10:{number:02d}:00+00:00",
        )
        memory.drain()
    lengths = [len(prompt.text) for prompt in model.prompts]
    assert len(lengths) == 40
    assert max(lengths) - min(lengths[1:]) < 200


def test_no_secret_reaches_the_model(open_memory: Opener) -> None:
    # proves: D43, K37
    key = "sk-test-" + "a1B2c3D4" * 6
    model = ScriptedModel([reply(), reply()])
    memory = open_memory(language_model=model, **ON)
    say(memory, f"I live in Paris and my key is {key}")
    memory.end_session(scope=ANA, request=f"I use the key {key} in Paris.", final_answer="ok")
    memory.drain()
    assert len(model.prompts) == 2
    assert all(key not in prompt.text for prompt in model.prompts)


@pytest.mark.parametrize("shift", range(0, 60, 7))
def test_a_key_at_the_edge_of_the_cut_is_redacted_whole(open_memory: Opener, shift: int) -> None:
    # proves: D43
    key = "sk-test-" + "a1B2c3D4" * 6
    memory = open_memory()
    window = 100
    prompt = "w " * (60 - shift // 2) + f"my key is {key} and so on " + "w " * 400
    assert memory.before_truncation(prompt, scope=ANA, window_tokens=window)
    rows = memory._store.claim(("pre_compress",), now=memory._clock.now(), lease_s=1, limit=9)
    texts = [passage.text for each in memory._store.turns(rows) for passage in each.turn.passages]
    assert all("a1B2c3D4a1B2" not in text for text in texts)


def test_a_sentence_at_the_edge_of_the_cut_is_read_whole(open_memory: Opener) -> None:
    # proves: D8
    memory = open_memory()
    prompt = "The clouds are low. " * 5 + "I'm allergic to peanuts. " + "The clouds are high. " * 60
    assert memory.before_truncation(prompt, scope=ANA, window_tokens=100)
    memory.drain()
    assert ["allergic to peanuts" in fact.text for fact in memory.facts(scope=ANA)] == [True]
    assert memory.facts(scope=ANA)[0].event.source == "ingest"
