"""From what is said to the facts that a user sees, without a model."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.conftest import ANA, Opener

from glossator import ConflictError, Memory, NotFoundError, Options, Scope, UsageError
from glossator.model import Fact, FactPreview, FactReceipt
from glossator.testing.clock import FakeClock

BOB = Scope(workspace="acme", agent="helper", owner="bob")


def say(memory: Memory, text: str, *, at: str = "2026-03-02T10:00:00+00:00", **where: object) -> str:
    """Record one user turn, let everything settle, and give the message's id."""
    message = {"content": text, "at": at, "role": where.pop("role", "user"), "speaker": where.pop("speaker", None)}
    scope = where.pop("scope", ANA)
    receipt = memory.record([message], scope=scope, conversation="chat:1", **where)  # type: ignore[arg-type]
    memory.drain()
    return receipt.message_ids[0]


def texts(facts: Sequence[Fact]) -> list[str]:
    return [fact.text for fact in facts]


def test_a_statement_becomes_a_fact_with_its_sentence_speaker_and_date(memory: Memory) -> None:
    # proves: A4, O17
    message_id = say(memory, "Hello there! I'm allergic to peanuts. What should I cook tonight?", speaker="Ana")
    (fact,) = memory.facts(scope=ANA)
    assert "allergic to peanuts" in fact.text
    assert fact.category == "identity"
    told = memory.explain(fact.id, scope=ANA)
    (evidence,) = told.evidence
    assert (evidence.external_id, evidence.speaker) == (message_id, "Ana")
    assert evidence.quote == fact.text
    assert evidence.said.at.isoformat() == "2026-03-02T10:00:00+00:00"
    assert [each.decision for each in told.decided] == ["admit"]


def test_the_words_stay_as_they_were_said(memory: Memory) -> None:
    # proves: O6
    words = "Well —  I'm allergic to peanuts ,  and   I live in Paris!!"
    say(memory, words)
    assert [message.content for message in memory.messages(scope=ANA)] == [words]
    assert memory.recall("peanuts", scope=ANA).hits[0].text == words


def test_facts_and_preferences_have_namespaces_of_their_own(memory: Memory) -> None:
    # proves: O7
    say(memory, "I love jazz.")
    say(memory, "I live in Paris.", at="2026-03-03T10:00:00+00:00")
    notes = {fact.text: hit.namespace for hit in memory.recall("jazz Paris", scope=ANA).hits for fact in hit.facts}
    assert set(notes.values()) == {"episodic"}
    assert {fact.category for fact in memory.facts(scope=ANA)} == {"preference", "identity"}
    only = memory.recall("jazz", scope=ANA, namespaces=["preference"])
    assert [hit.namespace for hit in only.hits] == ["preference"]
    assert only.hits[0].source_id is not None


def test_the_same_statement_twice_is_one_fact_seen_twice(memory: Memory) -> None:
    # proves: K1, A42
    say(memory, "I like tea.")
    say(memory, "I like tea.", at="2026-03-05T10:00:00+00:00")
    (fact,) = memory.facts(scope=ANA)
    assert fact.seen_count == 2
    assert fact.last_seen_at.isoformat() == "2026-03-05T10:00:00+00:00"
    assert fact.valid_from.isoformat() == "2026-03-02T10:00:00+00:00"
    assert len(memory.explain(fact.id, scope=ANA).evidence) == 2


def test_a_change_of_mind_closes_the_old_taste_and_keeps_it_findable(memory: Memory) -> None:
    # proves: K2
    say(memory, "I love jazz.", at="2026-01-02T10:00:00+00:00")
    say(memory, "I hate jazz now.", at="2026-06-02T10:00:00+00:00")
    (now,) = memory.facts(scope=ANA)
    assert (now.polarity, now.value) == ("negative", "dislikes")
    first, second = memory.history(now.id, scope=ANA)
    assert (first.text, first.state) == ("I love jazz.", "superseded")
    assert first.valid_to == second.valid_from


def test_the_present_job_comes_first_and_the_old_one_is_marked(memory: Memory) -> None:
    # proves: K3
    say(memory, "I work at Acme as a nurse.", at="2026-01-10T10:00:00+00:00")
    say(memory, "I left, I now teach at Borealis.", at="2026-06-10T10:00:00+00:00")
    hits = memory.recall("Where do I work?", scope=ANA).hits
    assert "Borealis" in hits[0].text
    assert not hits[0].superseded
    assert [hit.superseded for hit in hits if "Acme" in hit.text] == [True]
    assert all("Acme" not in fact.text for fact in memory.facts(scope=ANA))
    assert "no longer so since 2026-06-10" in memory.recall("Where do I work?", scope=ANA).text()
    then = memory.recall("Where do I work?", scope=ANA, as_of="2026-03-15")
    assert ["Acme" in hit.text for hit in then.hits] == [True]
    assert not then.hits[0].superseded
    assert ["Acme" in text for text in texts(memory.facts(scope=ANA, as_of="2026-03-15"))] == [True]


def test_of_several_facts_in_one_sentence_the_one_asked_about_decides(memory: Memory) -> None:
    # proves: K3
    say(memory, "I live in Oslo and I'm allergic to peanuts.", at="2026-01-10T10:00:00+00:00")
    say(memory, "I moved to Bergen last month.", at="2026-06-10T10:00:00+00:00")
    answer = memory.recall("Where do I live?", scope=ANA)
    assert ["Bergen" in hit.text for hit in answer.hits] == [True, False]
    assert "no longer so since 2026-06-10: “I live in Oslo”" in answer.text()


def test_different_facts_about_one_person_all_stay(memory: Memory) -> None:
    # proves: K6
    for day, text in enumerate(["Ed plays cello.", "Ed lives in Oslo.", "Ed plays chess."], 1):
        say(memory, text, at=f"2026-03-0{day}T10:00:00+00:00")
    assert sorted(texts(memory.facts(scope=ANA))) == ["Ed lives in Oslo.", "Ed plays cello.", "Ed plays chess."]


def test_paraphrases_are_one_fact_with_several_sources(memory: Memory) -> None:
    # proves: K5
    say(memory, "Dana runs 5 km every morning before work.", at="2026-03-01T10:00:00+00:00")
    say(memory, "Every morning before work Dana runs 5 km.", at="2026-03-02T10:00:00+00:00")
    say(memory, "Before work Dana runs 5 km every morning.", at="2026-03-03T10:00:00+00:00")
    (fact,) = memory.facts(scope=ANA)
    assert len(memory.explain(fact.id, scope=ANA).evidence) == 3


@pytest.mark.parametrize(
    ("text", "polarity"), [("I can't stand cilantro.", "negative"), ("I can’t stand cilantro.", "negative")]
)
def test_a_dislike_stays_a_dislike(memory: Memory, text: str, polarity: str) -> None:
    # proves: K8, D42
    say(memory, text)
    (fact,) = memory.facts(scope=ANA)
    assert fact.polarity == polarity
    assert memory.messages(scope=ANA)[0].content == text


def test_whenever_is_not_never(memory: Memory) -> None:
    # proves: K8
    say(memory, "Ping me whenever it fails.")
    assert all(fact.polarity == "positive" for fact in memory.facts(scope=ANA))


def test_a_correction_closes_the_wrong_fact_and_strengthens_nothing(memory: Memory) -> None:
    # proves: K9
    say(memory, "My sister is Ana.", at="2026-03-01T10:00:00+00:00")
    (wrong,) = memory.facts(scope=ANA)
    say(memory, "No, she is Anja, not Ana.", at="2026-03-02T10:00:00+00:00")
    (right,) = memory.facts(scope=ANA)
    assert "Anja" in right.text
    old = memory.history(right.id, scope=ANA)[0]
    assert (old.fact_id, old.state) == (wrong.fact_id, "superseded")
    assert old.confidence <= wrong.confidence


def test_another_limit_is_the_current_one(memory: Memory) -> None:
    # proves: K10
    say(memory, "The rate limit is 10 requests per second.", at="2026-03-01T10:00:00+00:00")
    say(memory, "The rate limit is 20 requests per second.", at="2026-03-02T10:00:00+00:00")
    (current,) = memory.facts(scope=ANA)
    assert "20" in current.text
    assert ["10" in fact.text for fact in memory.history(current.id, scope=ANA)] == [True, False]


def test_what_was_forgotten_can_be_said_again(memory: Memory) -> None:
    # proves: D1
    say(memory, "I like tea.")
    (fact,) = memory.facts(scope=ANA)
    preview = memory.forget_facts(scope=ANA, fact_ids=[fact.id])
    assert isinstance(preview, FactPreview)
    receipt = memory.forget_facts(scope=ANA, fact_ids=[fact.id], confirm=preview.token)
    assert isinstance(receipt, FactReceipt)
    assert memory.facts(scope=ANA) == ()
    say(memory, "I like tea.", at="2026-03-09T10:00:00+00:00")
    assert len(memory.facts(scope=ANA)) == 1


@pytest.mark.parametrize("words", ["%%%%", "____", "*", "a", "", "  "])
def test_wildcards_forget_nothing(memory: Memory, words: str) -> None:
    # proves: D9, K23
    say(memory, "I like tea.")
    with pytest.raises((UsageError, NotFoundError)):
        memory.forget_facts(scope=ANA, containing=words)
    assert len(memory.facts(scope=ANA)) == 1


def test_forgetting_names_exactly_what_the_preview_showed(memory: Memory) -> None:
    # proves: D9
    say(memory, "I like green tea.")
    preview = memory.forget_facts(scope=ANA, containing="green tea")
    say(memory, "I like green tea.", at="2026-03-09T10:00:00+00:00")
    with pytest.raises(ConflictError):
        memory.forget_facts(scope=ANA, containing="green tea", confirm=preview.token)  # type: ignore[union-attr]
    assert len(memory.facts(scope=ANA)) == 1


def test_erasing_the_sentence_erases_the_fact_that_rests_on_it(memory: Memory) -> None:
    # proves: O18, D20, K20
    kept = say(memory, "I live in Paris.")
    gone = say(memory, "I'm allergic to peanuts.", at="2026-03-03T10:00:00+00:00")
    preview = memory.forget(scope=ANA, message_ids=[gone])
    assert preview.fact_count == 1
    receipt = memory.forget(scope=ANA, message_ids=[gone], confirm=preview.token)
    assert (receipt.fact_count, receipt.evidence_count) == (1, 1)
    assert ["Paris" in text for text in texts(memory.facts(scope=ANA))] == [True]
    assert all("peanut" not in hit.text for hit in memory.recall("peanuts", scope=ANA).hits)
    assert [message.external_id for message in memory.messages(scope=ANA)] == [kept]


def test_a_fact_said_twice_survives_losing_one_sentence(memory: Memory) -> None:
    # proves: O18
    first = say(memory, "I'm allergic to peanuts.")
    say(memory, "I'm allergic to peanuts.", at="2026-03-09T10:00:00+00:00")
    preview = memory.forget(scope=ANA, message_ids=[first])
    assert preview.fact_count == 0
    memory.forget(scope=ANA, message_ids=[first], confirm=preview.token)
    (fact,) = memory.facts(scope=ANA)
    assert len(memory.explain(fact.id, scope=ANA).evidence) == 1


def test_twenty_turns_with_the_recalled_block_in_front_leave_only_what_is_new(memory: Memory) -> None:
    # proves: K4, D41, I11
    things = ["tea", "jazz", "chess", "rain", "Oslo", "cats", "swimming", "maps", "bread", "snow"]
    said = 0
    for number in range(20):
        at = f"2026-03-{number + 1:02d}T10:00:00+00:00"
        block = memory.durable_facts(scope=ANA, limit=50).block
        recalled = memory.recall("What do I like?", scope=ANA).text(tokens=800)
        new = f"I like {things[number // 2]}." if number % 2 == 0 else "Thanks, go on."
        said += number % 2 == 0
        say(memory, f"{block}\n\n<memory-context>\n{recalled}\n</memory-context>\n\n{new}", at=at)
        assert len(memory.facts(scope=ANA)) == said
    facts = memory.facts(scope=ANA)
    assert [fact.seen_count for fact in facts] == [1] * len(things)


@pytest.mark.parametrize(
    "text",
    [
        "What are Christophe's KPIs?",
        "Do you think I should move to Paris?",
        "If I lived in Paris, I'd be happy.",
        "You said that I should try jazz.",
        "hi",
        "Thanks a lot!",
    ],
)
def test_questions_and_hypotheses_give_nothing(memory: Memory, text: str) -> None:
    # proves: D42
    say(memory, text)
    assert memory.facts(scope=ANA) == ()


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_only_what_the_user_says_becomes_the_users_fact(memory: Memory, role: str) -> None:
    # proves: D42
    say(memory, "I love jazz and I live in Paris.", role=role)
    assert memory.facts(scope=ANA) == ()


@pytest.mark.parametrize("text", ["I'm allergic to peanuts", "I live in Paris", "I hate cilantro"])
def test_statements_without_a_number_reach_the_extractor(memory: Memory, text: str) -> None:
    # proves: D3
    say(memory, text)
    assert len(memory.facts(scope=ANA)) == 1


def test_last_march_counts_from_the_day_it_was_said(memory: Memory) -> None:
    # proves: D32, O16, O4
    say(memory, "I moved to Oslo last March.", at="2023-05-20T10:00:00+00:00")
    (fact,) = memory.facts(scope=ANA)
    assert fact.event.source == "own"
    assert fact.event.words == "last March"
    assert fact.event.interval.precision == "month"
    assert fact.event.interval.start is not None
    assert fact.event.interval.start.isoformat() == "2023-03-01T00:00:00+00:00"


def test_a_fact_takes_its_date_from_its_words_then_the_session_then_the_clock(memory: Memory, clock: FakeClock) -> None:
    # proves: O12
    memory.record([{"content": "I moved to Oslo in March 2021."}], scope=ANA, conversation="chat:1")
    memory.record([{"content": "I play chess.", "at": "2024-02-03"}], scope=ANA, conversation="chat:1")
    memory.record([{"content": "I'm vegan."}], scope=ANA, conversation="chat:1")
    memory.drain()
    dated = {fact.text.rstrip("."): fact.event for fact in memory.facts(scope=ANA)}
    assert {text: event.source for text, event in dated.items()} == {
        "I moved to Oslo in March 2021": "own", "I play chess": "session", "I'm vegan": "ingest",
    }  # fmt: skip
    assert dated["I play chess"].interval.start is not None
    assert dated["I play chess"].interval.start.date().isoformat() == "2024-02-03"
    assert dated["I'm vegan"].interval.start == clock.now()


def test_repeating_a_fact_moves_neither_its_event_nor_its_beginning(memory: Memory) -> None:
    # proves: I8
    say(memory, "I moved to Oslo last March.", at="2023-05-20T10:00:00+00:00")
    (before,) = memory.facts(scope=ANA)
    say(memory, "I moved to Oslo last March.", at="2023-06-20T10:00:00+00:00")
    (after,) = memory.facts(scope=ANA)
    assert (after.created_at, after.event) == (before.created_at, before.event)
    assert after.last_seen_at > before.last_seen_at


def test_other_languages_stay_verbatim(memory: Memory) -> None:
    say(memory, "猫を二匹飼っています。東京に住んでいます。")
    say(memory, "Ich wohne in Berlin und mag keine Oliven.", at="2026-03-03T10:00:00+00:00")
    assert memory.facts(scope=ANA) == ()
    assert len(memory.messages(scope=ANA)) == 2


def test_no_fact_crosses_to_another_owner(memory: Memory) -> None:
    # proves: K22
    say(memory, "I'm allergic to peanuts.")
    say(memory, "I'm allergic to peanuts.", scope=BOB)
    mine, his = memory.facts(scope=ANA), memory.facts(scope=BOB)
    third = Scope(workspace="acme", agent="helper", owner="eve")
    assert (len(mine), len(his), len(memory.facts(scope=third))) == (1, 1, 0)
    assert mine[0].fact_id != his[0].fact_id
    for verb in (memory.explain, memory.history, memory.restore_fact):
        with pytest.raises(NotFoundError):
            verb(his[0].id, scope=ANA)
    with pytest.raises(NotFoundError):
        memory.forget_facts(scope=ANA, fact_ids=[his[0].id])
    assert memory.durable_facts(scope=third).facts == ()
    assert memory.search_facts("peanuts", scope=third) == ()
    assert memory.check_contradictions("I'm not allergic to peanuts", scope=third) == ()
    assert memory.recall("peanuts", scope=third).hits == ()


def test_every_draft_has_a_decision_in_the_log(memory: Memory) -> None:
    # proves: A42, K12
    ids = [say(memory, "I like tea."), say(memory, "I like tea.", at="2026-03-09T10:00:00+00:00")]
    ids.append(say(memory, "I hate tea.", at="2026-03-10T10:00:00+00:00"))
    learned = memory.learned(scope=ANA, message_ids=ids, conversation="chat:1")
    assert [each.decision for each in learned.decided] == ["admit", "merge", "supersede"]
    assert all(each.reason for each in learned.decided)
    assert str(learned) == "stored 1, merged 1, superseded 1"
    counted = memory.metrics()
    assert counted['glossator_turn_fact_decisions_total{decision="admit"}'] == 1
    assert counted['glossator_turn_fact_decisions_total{decision="merge"}'] == 1


def test_what_is_not_extracted_yet_is_told(open_memory: Opener) -> None:
    # proves: K11
    memory = open_memory()
    receipt = memory.record([{"content": "I like tea."}], scope=ANA, conversation="chat:1")
    before = memory.learned(scope=ANA, message_ids=receipt.message_ids)
    assert (before.pending_count, str(before)) == (1, "stored 0; 1 to extract")
    memory.drain()
    after = memory.learned(scope=ANA, message_ids=receipt.message_ids)
    assert (after.pending_count, str(after)) == (0, "stored 1")


def test_old_messages_are_never_turned_into_facts_by_themselves(open_memory: Opener) -> None:
    # proves: A47
    old = open_memory(capture_mode="off")
    say(old, "I like tea.")
    old.close()
    memory = open_memory()
    memory.drain()
    assert memory.facts(scope=ANA) == ()
    other = open_memory(embedder=None)
    other.doctor(repair=True)
    other.drain()
    assert other.facts(scope=ANA) == ()


def test_capture_off_takes_nothing_and_loses_nothing(open_memory: Opener) -> None:
    memory = open_memory(capture_mode="off")
    say(memory, "I like tea.")
    assert memory.facts(scope=ANA) == ()
    assert memory.recall("tea", scope=ANA).hits[0].text == "I like tea."


def test_a_student_learns_nothing(open_memory: Opener) -> None:
    # proves: A22, D12
    memory = open_memory(tiers={"helper": "STUDENT"})
    say(memory, "I like tea.")
    memory.end_session(scope=ANA, request="I live in Paris.", final_answer="Fine.")
    memory.drain()
    assert memory.facts(scope=ANA) == ()
    assert memory.metrics()['glossator_turn_fact_skipped_total{reason="tier"}'] == 2
    grown = open_memory(tiers={"helper": "INTERN"})
    say(grown, "I like coffee.", at="2026-03-09T10:00:00+00:00")
    assert len(grown.facts(scope=ANA)) == 1


def test_explicit_statements_are_decided_like_all_others(memory: Memory) -> None:
    said = memory.remember("I live in Paris.", scope=ANA, category="identity", at="2026-03-01")
    assert (said.decided.decision, str(said)) == ("admit", "stored 1")
    moved = memory.remember("I live in Oslo.", scope=ANA, category="identity", at="2026-04-01")
    assert moved.decided.decision == "supersede"
    assert texts(memory.facts(scope=ANA)) == ["I live in Oslo."]
    assert memory.recall("Where do I live?", scope=ANA).hits[0].fact_id == moved.fact.fact_id  # type: ignore[union-attr]


def test_what_the_owner_said_under_a_name_and_without_one_is_the_owners(memory: Memory) -> None:
    say(memory, "I live in Oslo.", at="2026-03-01T10:00:00+00:00", speaker="Ana")
    moved = memory.remember("I live in Paris.", scope=ANA, category="identity", at="2026-04-01")
    assert (moved.decided.decision, moved.fact and moved.fact.subject) == ("supersede", "Ana")
    other = Scope(workspace="acme", agent="helper", owner="cleo")
    memory.remember("I live in Paris.", scope=other, category="identity", at="2026-04-01")
    say(memory, "I live in Oslo.", at="2026-05-01T10:00:00+00:00", speaker="Cleo", scope=other)
    assert texts(memory.facts(scope=other)) == ["I live in Oslo."]


def test_a_guest_closes_nothing_that_the_owner_said(memory: Memory) -> None:
    memory.remember("I live in Paris.", scope=ANA, category="identity", at="2026-03-01")
    guest = replace(ANA, trust="guest")
    said = memory.remember("I live in Oslo.", scope=guest, category="identity", at="2026-04-01")
    assert said.decided.decision == "hold"
    assert texts(memory.facts(scope=ANA)) == ["I live in Paris."]


def test_what_would_collide_is_told_and_nothing_is_written(memory: Memory) -> None:
    # proves: O20
    say(memory, "I live in Paris.", at="2026-03-01T10:00:00+00:00")
    (collision,) = memory.check_contradictions("I live in Oslo.", scope=ANA)
    assert "Paris" in collision.fact.text
    assert collision.outcome == "supersede"
    assert memory.check_contradictions("I play chess.", scope=ANA) == ()
    assert ["Paris" in text for text in texts(memory.facts(scope=ANA))] == [True]


def test_a_superseded_fact_comes_back_only_when_its_place_is_free(memory: Memory) -> None:
    say(memory, "I live in Paris.", at="2026-03-01T10:00:00+00:00")
    say(memory, "I live in Oslo.", at="2026-04-01T10:00:00+00:00")
    (oslo,) = memory.facts(scope=ANA)
    paris = memory.history(oslo.id, scope=ANA)[0]
    with pytest.raises(ConflictError):
        memory.restore_fact(paris.id, scope=ANA)
    preview = memory.forget_facts(scope=ANA, fact_ids=[oslo.id])
    memory.forget_facts(scope=ANA, fact_ids=[oslo.id], confirm=preview.token)  # type: ignore[union-attr]
    assert memory.restore_fact(paris.id, scope=ANA).state == "active"
    assert "Paris" in memory.facts(scope=ANA)[0].text


def test_notes_belong_to_one_conversation_and_are_never_rendered(memory: Memory) -> None:
    memory.note("branch", "main", scope=ANA, conversation="chat:1")
    memory.note("branch", "release", scope=ANA, conversation="chat:1")
    memory.note("branch", "other", scope=ANA, conversation="chat:2")
    kept = {(fact.scope_id, fact.value) for fact in memory.facts(scope=ANA, categories=["note"])}
    assert kept == {("chat:1:root", "release"), ("chat:2:root", "other")}
    assert memory.durable_facts(scope=ANA).facts == ()


def test_keys_are_redacted_before_anything_is_written(open_memory: Opener, tmp_path: object) -> None:
    # proves: K37, D43
    memory = open_memory()
    key = "sk-test-" + "a1B2c3D4" * 6
    receipt = memory.record(
        [{"content": f"my key is {key}", "metadata": {"call": {"api_key": key}}, "id": "m1"}],
        scope=ANA,
        conversation="chat:1",
    )
    memory.remember(f"The staging key is {key}", scope=ANA)
    memory.remember_document(f"notes\n\npassword: {key}", scope=ANA)
    memory.record_steps("run-1", [{"thought": "call", "observation": f"Authorization: Bearer {key}"}], scope=ANA)
    memory.drain()
    assert receipt.recorded[0].notes
    assert "redacted" in memory.messages(scope=ANA)[0].content
    memory.close()
    for file in Path(str(tmp_path)).glob("memory.db*"):
        assert key.encode() not in file.read_bytes()


def test_a_document_in_full_mode_gives_facts_beside_its_words(memory: Memory) -> None:
    # proves: O6
    talk = "User: I'm allergic to peanuts.\nAssistant: I love peanuts.\n\nUser: I live in Paris.\nAssistant: Nice."
    memory.remember_document(talk, scope=ANA, mode="full", strategy="turn_pairs", document_id="talk-1", at="2024-05-01")
    memory.drain()
    found = sorted(texts(memory.facts(scope=ANA)))
    assert len(found) == 2
    assert "peanuts" in found[0] + found[1]
    assert "love" not in found[0] + found[1]
    assert memory.messages(scope=ANA)[0].content == talk
    for fact in memory.facts(scope=ANA):
        assert {each.external_id for each in memory.explain(fact.id, scope=ANA).evidence} == {"talk-1"}
        assert fact.event.source == "source"


def test_a_long_document_may_give_more_facts_than_one_turn(memory: Memory) -> None:
    # proves: O6
    filler = "Thanks, that was a long and useful answer about the river and its floods. " * 10
    things = ["tea", "jazz", "chess", "rain", "maps", "bread", "snow"]
    talk = "\n\n".join(f"User: {filler}I like {thing}.\nAssistant: Good." for thing in things)
    memory.remember_document(talk, scope=ANA, mode="full", strategy="turn_pairs")
    memory.drain()
    assert len(memory.facts(scope=ANA)) > 5


class Names:
    """Finds one name."""

    name = "names"

    def redacted(self, text: str) -> tuple[str, tuple[str, ...]]:
        count = text.count("Ana Kovacs")
        return text.replace("Ana Kovacs", "[redacted: PERSON]"), (f"PERSON x {count}",) if count else ()


def test_personal_data_is_replaced_where_the_user_has_asked_for_it(tmp_path: Path) -> None:
    options = Options(embedder="none", worker=False)
    with Memory.open(tmp_path / "memory.db", options=options, redactor=Names()) as memory:
        said = [{"content": "I'm Ana Kovacs.", "metadata": {"from": ["Ana Kovacs"]}}]
        receipt = memory.record(said, scope=ANA, conversation="chat:1")
        assert receipt.recorded[0].notes == ("redacted: PERSON x 1", "redacted: PERSON x 1")
        (message,) = memory.messages(scope=ANA)
        assert (message.content, message.metadata["from"]) == ("I'm [redacted: PERSON].", ["[redacted: PERSON]"])
        assert memory.metrics()["glossator_redactions_total"] == 2
