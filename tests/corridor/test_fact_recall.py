"""Facts and the words they rest on, in one answer."""

from typing import Literal

import pytest
from tests.conftest import ANA, Opener

from glossator import Memory, Scope
from glossator.model import Draft, EventTime, Extraction, Interval, Turn
from glossator.recall.candidates import BUDGETS
from glossator.retain.placing import indexed_text, placed

NOISE = Scope(workspace="acme", agent="helper", owner="ana")


class Retelling:
    """An extractor that retells every user turn in other words, as a model would."""

    name = "retelling"

    def __init__(self, words: dict[str, str]) -> None:
        self._words = words

    def extract(self, turn: Turn, *, limit: int) -> Extraction:
        drafts = []
        for place, passage in enumerate(turn.passages):
            for said, fact in self._words.items():
                at = passage.text.find(said)
                if at >= 0:
                    event = EventTime(
                        interval=Interval(start=passage.said.at, end=passage.said.at, precision="second"),
                        source="session",
                    )
                    drafts.append(
                        Draft(
                            text=fact,
                            category="context",
                            kind=None,
                            subject="user",
                            key="",
                            value="",
                            passage=place,
                            start=at,
                            end=at + len(said),
                            event=event,
                        )
                    )
        return Extraction(drafts=tuple(drafts[:limit]))


def say(memory: Memory, text: str, *, at: str = "2026-03-02T10:00:00+00:00", **where: object) -> None:
    memory.record([{"content": text, "at": at}], scope=ANA, conversation="chat:1", **where)  # type: ignore[arg-type]


def test_thirty_facts_do_not_crowd_out_the_words(memory: Memory) -> None:
    # proves: D29, O3, O8
    say(memory, "For my degree I went to the university of Leeds, and business administration it was.")
    for number in range(30):
        memory.remember(f"Degree note {number}: a degree in business administration from Leeds.", scope=ANA)
    memory.drain()
    hits = memory.recall("degree in business administration from Leeds", scope=ANA, limit=5).hits
    assert any(hit.fact_id is None and "university of Leeds" in hit.text for hit in hits)
    assert BUDGETS["episodic"] > 30


def test_a_question_in_everyday_words_finds_the_words_themselves(memory: Memory) -> None:
    # proves: O2
    say(memory, "I graduated with a degree in Business Administration, which has helped me in my job.")
    memory.remember("Education: BBA.", scope=ANA, category="identity")
    memory.drain()
    best = memory.recall("What degree did I graduate with?", scope=ANA).hits[0]
    assert best.fact_id is None
    assert "Business Administration" in best.text


@pytest.mark.parametrize(
    "text",
    [
        "I like leather straps better than metal ones for my watch.",
        "The earthy tones in that room are so much my thing.",
    ],
)
def test_subtle_preferences_are_recalled(memory: Memory, text: str) -> None:
    # proves: O5
    say(memory, "The bus was late again today.")
    say(memory, text)
    memory.drain()
    question = "Which watch straps do I like?" if "strap" in text else "Which tones for a room are my thing?"
    assert memory.recall(question, scope=ANA).hits[0].text == text


def test_a_fact_lifts_the_sentence_that_it_rests_on(open_memory: Opener) -> None:
    # proves: O21, D33
    words = {"We sit in the old mill by the canal": "The office of the user is in Utrecht"}
    memory = open_memory(extractor=Retelling(words), fact_weight=1.0)
    say(memory, "Utrecht Utrecht, what a song about an office that nobody knows.")
    say(memory, "We sit in the old mill by the canal.")
    memory.drain()
    hits = memory.recall("In which town is the office?", scope=ANA).hits
    assert [hit.fact_id for hit in hits] == [None] * len(hits), "the source stands for its fact"
    assert sum("old mill" in hit.text for hit in hits) == 1
    mill = next(hit for hit in hits if "old mill" in hit.text)
    assert [fact.text for fact in mill.facts] == ["The office of the user is in Utrecht"]


@pytest.mark.parametrize("per", ["turn", "session"])
def test_facts_in_the_words_of_their_source_move_nothing(open_memory: Opener, per: Literal["turn", "session"]) -> None:
    # proves: I13, O1
    memory, plain = open_memory(), open_memory(facts_join="off", capture_mode="off")
    things = ["tea", "jazz", "chess", "rain", "maps"]
    for number in range(220):
        say(memory, f"I like {things[number % 5]} from shop {number}.", session=f"s{number // 4}")
    memory.drain()
    assert len(memory.facts(scope=ANA, limit=1000)) > 100
    for question in ("Which tea do I like?", "jazz from shop 21", "What do I like?", "shop"):
        ours, theirs = (each.recall(question, scope=ANA, limit=200, per=per) for each in (memory, plain))
        assert [hit.chunk_id for hit in ours.hits] == [hit.chunk_id for hit in theirs.hits]


def test_facts_are_filtered_inside_the_search(memory: Memory) -> None:
    # proves: D30, O24, O25
    for number in range(200):
        memory.remember(f"Number {number} is about the budget of the year.", scope=ANA, project="other")
    kept = memory.remember("The budget is 500.", scope=ANA, project="mine", tags=["money"])
    hits = memory.recall("budget", scope=ANA, project="mine", limit=5).hits
    assert [hit.fact_id for hit in hits] == [kept.fact.fact_id]  # type: ignore[union-attr]
    assert (hits[0].project, hits[0].tags, hits[0].source_id) == ("mine", ("money",), kept.fact.id)  # type: ignore[union-attr]
    assert [fact.fact_id for fact in memory.search_facts("budget", scope=ANA, project="mine")] == [hits[0].fact_id]


def test_the_date_stands_before_the_indexed_text_once_and_in_no_hash(memory: Memory) -> None:
    # proves: O11
    from tests.conftest import NOW

    from glossator.retain.explicit import explicit_draft, explicit_turn

    made = []
    for day in (1, 2):
        turn = explicit_turn(
            "I like tea.", scope=ANA, conversation=None, at=NOW.replace(day=day), now=NOW, project=None, tags=()
        )
        made.append((explicit_draft(turn, category="preference", kind=None, confidence=0.9), turn))
    texts = [indexed_text(draft, turn.passages[0]) for draft, turn in made]
    assert texts == ["[2026-11-01] I like tea.", "[2026-11-02] I like tea."]
    hashes = {placed(draft, turn).content_hash for draft, turn in made}
    assert len(hashes) == 1
    say(memory, "I like tea.", at="2026-03-01")
    say(memory, "I like tea.", at="2026-04-01")
    memory.drain()
    (fact,) = memory.facts(scope=ANA)
    assert fact.text == "I like tea."
    assert memory._store.facts_to_embed([fact.fact_id])[fact.fact_id].count("[2026") == 1


def test_facts_can_be_asked_for_by_the_time_of_what_they_tell(memory: Memory) -> None:
    # proves: O10
    say(memory, "I moved to Oslo last March.", at="2023-05-20")
    say(memory, "I adopted a dog yesterday.", at="2024-05-20")
    memory.drain()
    hits = memory.recall("what happened", scope=ANA, since="2024-01-01", namespaces=["knowledge", "preference"]).hits
    assert all("Oslo" not in hit.text for hit in hits)


def test_singles_and_a_batch_give_the_same_facts(open_memory: Opener) -> None:
    # proves: O32, O14
    texts = ["I live in Paris.", "I like tea.", "I'm allergic to peanuts.", "I play chess."]
    singles, batch = open_memory(name="singles.db"), open_memory(name="batch.db")
    for text in texts:
        say(singles, text)
    batch.record(
        [{"content": text, "at": "2026-03-02T10:00:00+00:00"} for text in texts], scope=ANA, conversation="chat:1"
    )
    for memory in (singles, batch):
        rows = memory._store.claim(("extract",), now=memory._clock.now(), lease_s=0, limit=10)
        assert all(row.created_at == memory._clock.now() for row in rows)
        memory.drain()
    seen = [
        [(fact.text, fact.key, fact.event, fact.valid_from) for fact in memory.facts(scope=ANA)]
        for memory in (singles, batch)
    ]
    assert sorted(map(str, seen[0])) == sorted(map(str, seen[1]))


def test_superseding_twice_leaves_one_active_fact_and_a_chain_of_three(memory: Memory) -> None:
    # proves: D2, I7
    for confidence in (0.5, 0.7, 0.9):
        memory.remember("I like tea.", scope=ANA, category="preference", confidence=confidence)
    (head,) = memory.facts(scope=ANA)
    chain = memory.history(head.id, scope=ANA)
    assert [fact.confidence for fact in chain] == [0.5, 0.7, 0.9]
    assert [fact.state for fact in chain] == ["superseded", "superseded", "active"]
    assert [fact.parent_id for fact in chain] == [None, chain[0].fact_id, chain[1].fact_id]


def test_one_name_is_one_subject_however_it_is_written(memory: Memory) -> None:
    # proves: K7
    for day, text in enumerate(["QZT lives in Oslo.", "qzt plays chess.", "Qzt likes tea.", "QZT lives in Bergen."], 1):
        say(memory, text, at=f"2026-03-0{day}")
        memory.drain()
    facts = memory.facts(scope=ANA)
    assert {fact.subject for fact in facts if fact.subject.casefold() == "qzt"} == {"QZT"}
    assert [fact.text for fact in facts if "lives" in fact.text] == ["QZT lives in Bergen."]


def test_within_five_minutes_a_repetition_changes_no_confidence(open_memory: Opener, clock: object) -> None:
    # proves: A41, A3
    memory = open_memory()
    words = {"content": "I like tea."}
    memory.record([words], scope=ANA, conversation="chat:1")
    memory.drain()
    clock.advance(seconds=299)  # type: ignore[attr-defined]
    memory.record([words], scope=ANA, conversation="chat:1")
    memory.drain()
    assert memory.metrics()["glossator_turn_fact_thrash_skip_total"] == 1
    clock.advance(seconds=301)  # type: ignore[attr-defined]
    memory.record([words], scope=ANA, conversation="chat:1")
    memory.drain()
    assert memory.metrics()["glossator_turn_fact_thrash_skip_total"] == 1
    assert memory.facts(scope=ANA)[0].seen_count == 3


def test_truncation_calls_no_model(open_memory: Opener) -> None:
    # proves: A1
    from glossator.testing.scripted import ScriptedModel

    model = ScriptedModel([])
    memory = open_memory(language_model=model, turn_fact_extraction_enabled=True)
    assert memory.before_truncation("word " * 10_000, scope=ANA, window_tokens=1_000)
    assert model.prompts == []
