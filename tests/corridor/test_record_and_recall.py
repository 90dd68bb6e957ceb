"""What goes in word for word comes back: found, dated, attributed, and only to whom it belongs."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.conftest import ANA, Opener

from glossator import Answer, Memory, NotDrainedError, Options, ProviderError, Scope, UsageError
from glossator.model import Receipt
from glossator.options import SIGNALS
from glossator.providers.hashing import HashingEmbedder
from glossator.testing.clock import FakeClock


def say(memory: Memory, *texts: str, at: str = "2023-05-20T10:00", scope: Scope = ANA, **more: Any) -> Receipt:
    messages = [{"role": "user", "content": text, "at": at, "id": f"{at}#{place}"} for place, text in enumerate(texts)]
    return memory.record(messages, scope=scope, conversation=more.pop("conversation", "telegram:42"), **more)


def texts(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


def ask(memory: Memory, question: str, **more: Any) -> list[str]:
    return texts(memory.recall(question, scope=more.pop("scope", ANA), **more))


# proves: I2
def test_a_message_comes_back_word_for_word_with_speaker_time_and_id(memory: Memory) -> None:
    text = "  I moved to\tEdinburgh — “Auld Reekie” —\nlast March. 🎉  "
    memory.record(
        [{"role": "user", "content": text, "speaker": "Ana", "at": "2023-05-20T02:21:00+01:00", "id": "D1:3"}],
        scope=ANA,
        conversation="telegram:42",
        session="spring",
    )
    (hit,) = memory.recall("Edinburgh", scope=ANA).hits
    (message,) = memory.messages(scope=ANA)
    assert message.content == text
    assert hit.text == text.strip()
    assert (hit.speaker, hit.session, hit.message_ids) == ("Ana", "spring", ("D1:3",))
    assert hit.said_at == datetime(2023, 5, 20, 1, 21, tzinfo=UTC)
    assert hit.said.offset_minutes == 60


# proves: D32, O16
def test_last_march_is_resolved_against_the_speakers_day_and_keeps_its_words(memory: Memory) -> None:
    say(memory, "I moved to Edinburgh last March.", at="2023-05-20T10:00:00Z")
    say(memory, "I left Leeds last March.", at="2023-02-10T10:00:00Z")
    first, second = (memory.recall(question, scope=ANA).hits[0].event for question in ("Edinburgh", "Leeds"))
    assert (first.words, first.source, first.interval.precision) == ("last March", "own", "month")
    assert first.interval.start == datetime(2023, 3, 1, tzinfo=UTC)
    assert second.interval.start == datetime(2022, 3, 1, tzinfo=UTC)


# proves: K17
def test_yesterday_is_the_speakers_yesterday_whatever_the_clock_of_the_server(memory: Memory) -> None:
    say(memory, "I fainted yesterday.", at="2025-03-02T00:30+09:00")
    event = memory.recall("fainted", scope=ANA).hits[0].event
    assert event.interval.start == datetime(2025, 2, 28, 15, tzinfo=UTC)
    assert event.interval.end == datetime(2025, 3, 1, 15, tzinfo=UTC)
    assert "+09:00" in memory.recall("fainted", scope=ANA).text(tokens=100)


# proves: K18
def test_a_plain_date_and_an_instant_are_comparable(memory: Memory) -> None:
    say(memory, "The flat is rented.", at="2026-01-05")
    say(memory, "The flat is painted.", at="2026-01-05T10:00:00Z")
    assert len(ask(memory, "flat", said_since="2026-01-05", said_until="2026-01-06")) == 2


# proves: O12, O10
def test_an_undated_statement_takes_the_time_it_was_said_and_one_without_a_time_says_so(memory: Memory) -> None:
    say(memory, "The boiler is broken.", at="2023-05-20T10:00")
    memory.remember_document("The boiler manual.", scope=ANA, at="2019-02-03")
    memory.record([{"content": "The boiler hums."}], scope=ANA, conversation="x")
    sources = {hit.text: hit.event.source for hit in memory.recall("boiler", scope=ANA).hits}
    assert sources == {"The boiler is broken.": "session", "The boiler manual.": "source", "The boiler hums.": "ingest"}
    assert ask(memory, "boiler", until="2020-01-01") == ["The boiler manual."]


# proves: K26, K25, D36
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("猫を二匹飼っています", "猫"),
        ("ฉันมีแมวสองตัว", "แมว"),
        ("Живу в Москве", "Москва"),
        ("Mr. O'Hara called", "O'Hara"),
        ("look in src/app", "src/app"),
        ("the pre-edit hook", "pre-edit"),
        ("we NOT amused", "NOT amused"),
        ('he said "stop"', '"stop"'),
        ("a * b", "b *"),
        ("NEAR(a b)", "NEAR(b"),
        ("what a day 🎉", "🎉"),
        ("100% sure_thing", "sure_thing"),
    ],
)
def test_any_script_and_any_punctuation_is_found_by_keyword_alone(
    open_memory: Opener, text: str, question: str
) -> None:
    memory = open_memory(signals=frozenset({"lexical"}))
    say(memory, "Something else entirely.", text)
    assert ask(memory, question)[0] == text


@pytest.mark.parametrize("question", ["?", '"', "*", "🎉", "NOT", "AND OR", "()", "%", "\\", "'", "x" * 5000])
def test_no_question_is_an_error(memory: Memory, question: str) -> None:
    say(memory, "Hello there.")
    assert memory.recall(question, scope=ANA).hits is not None


# proves: K22, I4
def test_the_same_sentence_of_two_owners_is_found_once_by_each_and_never_by_a_third(memory: Memory) -> None:
    owners = [Scope(workspace="acme", agent="helper", owner=name) for name in ("u1", "u2", "u3")]
    elsewhere = Scope(workspace="other", agent="helper", owner="u1")
    for scope in (*owners[:2], elsewhere):
        say(memory, "My code is tulip.", scope=scope)
    memory.drain()
    found = [len(memory.recall("tulip", scope=scope).hits) for scope in owners]
    assert found == [1, 1, 0]
    assert [len(memory.messages(scope=scope)) for scope in owners] == [1, 1, 0]
    assert [memory.status(scope).message_count for scope in owners] == [1, 1, 0]


def test_a_scope_narrowed_to_a_conversation_sees_only_that(memory: Memory) -> None:
    say(memory, "The key is red.", conversation="telegram:1")
    say(memory, "The key is blue.", conversation="telegram:2", at="2023-05-21T10:00")
    narrow = Scope(workspace="acme", agent="helper", owner="ana", conversation="telegram:2")
    assert ask(memory, "key", scope=narrow) == ["The key is blue."]
    assert len(ask(memory, "key")) == 2


# proves: K14
def test_the_last_line_of_a_very_long_message_is_found(memory: Memory) -> None:
    long = "We talked about the garden and the weather again. " * 800 + "\nThe locker code is 4711."
    receipt = say(memory, "Short one.", long, "Another short one.")
    assert receipt.count("stored") == 3
    hits = memory.recall("What is the locker code?", scope=ANA).hits
    assert "The locker code is 4711." in hits[0].text


def test_a_megabyte_is_kept_and_more_than_the_limit_is_refused_whole(open_memory: Opener) -> None:
    memory = open_memory(message_bytes_max=1_000_000)
    say(memory, "word " * 199_998 + "needle")
    assert "needle" in ask(memory, "needle")[0]
    with pytest.raises(UsageError, match=r"messages\[1\]\.content"):
        say(memory, "fine", "x" * 1_000_001, at="2024-01-01T00:00")
    assert memory.status().message_count == 1


# proves: D45
def test_recording_again_adds_nothing_and_a_longer_export_adds_only_what_is_new(memory: Memory) -> None:
    say(memory, "one", "two")
    again = say(memory, "one", "two", "three")
    assert [each.outcome for each in again.recorded] == ["duplicate", "duplicate", "stored"]
    assert [message.content for message in memory.messages(scope=ANA)] == ["one", "two", "three"]


def test_another_text_under_a_known_id_is_reported_and_changes_nothing(memory: Memory) -> None:
    say(memory, "I like jazz.")
    receipt = say(memory, "I hate jazz.")
    assert receipt.recorded[0].outcome == "conflict"
    assert str(receipt) == "stored 0, conflict 1"
    assert ask(memory, "jazz") == ["I like jazz."]


class Fickle(HashingEmbedder):
    """Fails while `broken`; counts what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.broken = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.broken:
            raise ProviderError("the server is down", retryable=True)
        return super().embed(texts)


# proves: K15
def test_what_is_written_while_the_embedder_is_down_is_found_by_word_now_and_embedded_later(
    open_memory: Opener, clock: FakeClock
) -> None:
    fickle = Fickle()
    memory = open_memory(embedder=fickle)
    fickle.broken = True
    say(memory, "I adore hiking in the hills.", "Rain is forecast.")
    with pytest.raises(ProviderError, match="cannot drain"):
        memory.drain()
    answer = memory.recall("hiking", scope=ANA)
    assert texts(answer)[0] == "I adore hiking in the hills."
    assert [each.part for each in answer.degraded] == ["embedder"]
    backlog = {finding.check: finding for finding in memory.doctor()}["backlog"]
    assert "2" in backlog.detail
    fickle.broken = False
    clock.advance(seconds=600)
    memory.drain()
    assert memory.status().vector_count == 2
    assert memory.recall("hiking", scope=ANA).degraded == ()


def test_draining_ends_with_its_time_and_says_what_is_open(tmp_path: Path) -> None:
    fickle = Fickle()
    with Memory.open(tmp_path / "m.db", options=Options(worker=False, work_batch_count=1), embedder=fickle) as memory:
        say(memory, "one", "two", "three")
        with pytest.raises(NotDrainedError, match="5 work rows"):
            memory.drain(timeout_s=0)
        memory.drain()
        assert memory.status().vector_count == 3


# proves: O3, O7, O8, D29
def test_thirty_notes_about_a_thing_do_not_crowd_out_the_words_themselves(memory: Memory) -> None:
    say(memory, "My sourdough starter is called Doughlene and she lives in the fridge.")
    for number in range(30):
        memory.remember_document(
            f"The sourdough starter note {number}.", scope=ANA, namespace="knowledge", at="2023-05-20"
        )
    hits = memory.recall("What is the sourdough starter called?", scope=ANA, limit=5).hits
    assert "episodic" in {hit.namespace for hit in hits}


# proves: O24, O25, D30
def test_a_project_is_filtered_inside_the_search_and_shown_on_the_hit(memory: Memory) -> None:
    say(memory, *(f"The deadline of task {number} is Friday." for number in range(1000)), project="other")
    say(memory, "The deadline is Monday.", at="2023-06-01T10:00", project="atlas", tags=["plan", "date"])
    (hit,) = memory.recall("deadline", scope=ANA, project="atlas", limit=5).hits
    assert (hit.text, hit.project, hit.tags) == ("The deadline is Monday.", "atlas", ("plan", "date"))
    assert hit.source_id is None
    assert ask(memory, "deadline", tags=["plan"]) == ["The deadline is Monday."]
    assert ask(memory, "deadline", tags=["plan", "no"]) == []


# proves: K24
def test_a_rare_tag_is_found_as_often_as_it_is_there(memory: Memory) -> None:
    say(memory, *(f"Note {number} about bees." for number in range(150)))
    say(memory, *(f"Rare note {number} about bees." for number in range(50)), at="2023-06-01T10:00", tags=["rare"])
    assert len(ask(memory, "bees", tags=["rare"], limit=50)) == 50


def test_event_time_said_time_and_as_of_are_three_different_filters(memory: Memory) -> None:
    say(memory, "I sold the boat in 2020.", at="2023-05-20T10:00")
    say(memory, "The boat was sold again yesterday.", at="2024-05-20T10:00")
    assert ask(memory, "boat", since="2020-01-01", until="2021-01-01") == ["I sold the boat in 2020."]
    assert ask(memory, "boat", said_since="2024-01-01") == ["The boat was sold again yesterday."]
    assert ask(memory, "boat", as_of="2023-12-31") == ["I sold the boat in 2020."]


# proves: D31
def test_a_when_question_prefers_the_statement_that_names_a_time(open_memory: Opener) -> None:
    memory = open_memory(signals=SIGNALS - {"ranker"})
    say(memory, "Edinburgh is where I moved, and I love Edinburgh.", "I moved to Edinburgh last March.")
    memory.drain()
    assert ask(memory, "When did I move to Edinburgh?")[0] == "I moved to Edinburgh last March."


# proves: O15, D31, K19
def test_a_date_in_the_question_lifts_what_happened_then_and_may_is_no_date(open_memory: Opener) -> None:
    memory = open_memory(signals=SIGNALS - {"ranker"})
    for month in ("01", "03", "05", "09"):
        say(memory, "We had a long walk by the river.", at=f"2023-{month}-10T10:00")
    memory.drain()
    answer = memory.recall("the walk in May 2023", scope=ANA, explain=True)
    assert answer.hits[0].said_at.month == 5
    assert answer.hits[0].trace is not None
    assert answer.hits[0].trace.signals["time"] == 1.5
    assert answer.asked_time is not None
    for question in ("may I ask about the walk", "walk on port 8080"):
        assert memory.recall(question, scope=ANA).asked_time is None


# proves: K19
def test_a_russian_month_is_a_window(memory: Memory) -> None:
    say(memory, "Мы гуляли у реки.", at="2023-05-10T10:00")
    asked = memory.recall("прогулка в мае", scope=ANA, now="2023-06-01T10:00Z").asked_time
    assert asked is not None
    assert asked.start == datetime(2023, 5, 1, tzinfo=UTC)


# proves: D51
def test_the_question_is_read_at_the_time_it_is_asked(memory: Memory) -> None:
    say(memory, "We walked.", at="2023-05-10T10:00")
    asked = memory.recall("the walk last month", scope=ANA, now="2023-06-15T10:00Z").asked_time
    assert asked is not None
    assert asked.start == datetime(2023, 5, 1, tzinfo=UTC)


# proves: D34, O27
@pytest.mark.parametrize("question", ["What about Rachel's dog?", "what about rachel's dog?"])
def test_a_name_is_found_in_any_case_and_its_apostrophe_is_no_quotation(memory: Memory, question: str) -> None:
    say(memory, "The dog is fine.", "Rachel bought a dog.", "Ross has a monkey.")
    assert ask(memory, question)[0] == "Rachel bought a dog."


# proves: O27
def test_a_quoted_phrase_lifts_the_row_that_has_it_and_its_switch_takes_that_away(open_memory: Opener) -> None:
    said = ("Never give up the fight, the fight is on.", "The fight: never again, give it up.")
    scores = []
    for signals in (SIGNALS - {"ranker"}, SIGNALS - {"ranker", "phrases"}):
        memory = open_memory(name=f"{len(signals)}.db", signals=signals)
        say(memory, *said)
        hits = {hit.text: hit.score for hit in memory.recall('who said "never again"', scope=ANA).hits}
        scores.append(hits[said[1]] / hits[said[0]])
    assert scores[0] > scores[1]


# proves: O28
def test_a_nostalgic_question_lifts_dated_memories_and_its_switch_takes_that_away(open_memory: Opener) -> None:
    ratios = []
    for signals in (SIGNALS - {"ranker"}, SIGNALS - {"ranker", "nostalgia"}):
        memory = open_memory(name=f"{len(signals)}.db", signals=signals)
        say(memory, "I played chess in 2009.", "I played chess a lot, chess is fun.")
        hits = {hit.text: hit.score for hit in memory.recall("what did I used to play, chess?", scope=ANA).hits}
        ratios.append(hits["I played chess in 2009."] / hits["I played chess a lot, chess is fun."])
    assert ratios[0] > ratios[1]


# proves: O23
def test_a_piece_reached_by_word_and_by_meaning_comes_once(memory: Memory) -> None:
    say(memory, "Bees make honey.", "Honey is sweet.")
    memory.drain()
    hits = memory.recall("honey bees", scope=ANA, explain=True).hits
    assert len({hit.chunk_id for hit in hits}) == len(hits) == 2
    assert hits[0].trace is not None
    assert set(hits[0].trace.lanes) == {"lexical", "vector"}


def test_the_order_of_equal_hits_is_the_order_of_arrival_every_time(memory: Memory) -> None:
    for day in range(10, 20):
        say(memory, "Same words.", at=f"2023-05-{day}T10:00", session=f"s{day}")
    memory.drain()
    first = [hit.chunk_id for hit in memory.recall("same words", scope=ANA, now="2023-06-01").hits]
    assert all(
        [hit.chunk_id for hit in memory.recall("same words", scope=ANA, now="2023-06-01").hits] == first
        for _ in range(3)
    )


def test_one_hit_per_session_when_asked_so(memory: Memory) -> None:
    say(memory, "I like tea.", "Green tea.", "Black tea.", session="a")
    say(memory, "Tea again.", at="2023-06-01T10:00", session="b")
    hits = memory.recall("tea", scope=ANA, per="session").hits
    assert sorted(hit.session for hit in hits) == ["a", "b"]


# proves: O6
def test_a_document_is_kept_byte_for_byte_and_found_by_its_pieces(memory: Memory) -> None:
    text = "User: I wear a leather strap.\nAssistant: Noted.\n\nUser: Earthy tones suit me.\nAssistant: Good."
    memory.remember_document(text, scope=ANA, strategy="turn_pairs", document_id="doc-1", at="2023-05-20")
    assert memory.messages(scope=ANA)[0].content == text
    (first, *_) = memory.recall("leather strap", scope=ANA).hits
    assert first.text == "User: I wear a leather strap.\nAssistant: Noted."
    assert first.message_ids == ("doc-1",)
    again = memory.remember_document(text, scope=ANA, strategy="turn_pairs", document_id="doc-1", at="2023-05-20")
    assert again.count("duplicate") == 1


@pytest.mark.parametrize(
    ("argument", "change"),
    [
        ("query", {"query": "  "}),
        ("query", {"query": 7}),
        ("query", {"query": "x" * 20_001}),
        ("limit", {"limit": 0}),
        ("limit", {"limit": -3}),
        ("limit", {"limit": 10**9}),
        ("limit", {"limit": True}),
        ("limit", {"limit": 2.5}),
        ("per", {"per": "day"}),
        ("since", {"since": "soon"}),
        ("as_of", {"as_of": 12}),
        ("now", {"now": "2023-13-01"}),
        ("namespaces", {"namespaces": ["facts"]}),
        ("namespaces", {"namespaces": []}),
        ("tags", {"tags": "one"}),
        ("project", {"project": " "}),
        ("scope", {"scope": "acme"}),
    ],
)
def test_a_wrong_argument_of_recall_is_named(memory: Memory, argument: str, change: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        memory.recall(**{"query": "x", "scope": ANA, **change})
    assert caught.value.argument == argument


@pytest.mark.parametrize("workspace", ["", "  ", None, 7, "x" * 201, "a\0b"])
def test_a_scope_needs_a_workspace(workspace: Any) -> None:
    with pytest.raises(UsageError, match=r"scope\.workspace"):
        Scope(workspace=workspace)


@pytest.mark.parametrize(
    ("argument", "change"),
    [
        ("conversation", {"conversation": " "}),
        ("session", {"session": ""}),
        ("tags[0]", {"tags": [""]}),
        ("tags", {"tags": [str(number) for number in range(21)]}),
        ("project", {"project": ""}),
        ("messages", {"messages": {"content": "x"}}),
        ("messages", {"messages": "x"}),
    ],
)
def test_a_wrong_argument_of_record_is_named_and_nothing_is_written(
    memory: Memory, argument: str, change: dict[str, Any]
) -> None:
    with pytest.raises(UsageError) as caught:
        memory.record(**{"messages": [{"content": "x"}], "scope": ANA, "conversation": "c", **change})
    assert caught.value.argument == argument
    assert memory.status().message_count == 0
