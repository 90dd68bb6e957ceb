"""Where statements conflict, the newest stands first, and only then."""

import pytest
from tests.conftest import ANA, Opener

from glossator import Memory
from glossator.options import SIGNALS

OLD, NEW = "I work as a nurse at the infirmary, I work nights.", "I now teach at the college, that is where I work."


def fill(memory: Memory) -> None:
    for day, text in (("2023-01-10", OLD), ("2023-03-01", "The weather was fine."), ("2023-06-10", NEW)):
        memory.record([{"content": text, "at": f"{day}T10:00"}], scope=ANA, conversation="telegram:42")
    memory.drain()


@pytest.mark.parametrize("per", ["turn", "session"])
def test_the_newer_statement_of_a_state_stands_first_and_its_switch_takes_that_away(
    open_memory: Opener, per: str
) -> None:
    tops = []
    for signals in (SIGNALS, SIGNALS - {"newest"}):
        memory = open_memory(name=f"{len(signals)}.db", signals=signals)
        fill(memory)
        tops.append(memory.recall("Where do I work, work nights?", scope=ANA, per=per).hits[0].text)
    assert tops == [NEW, OLD]


def test_a_question_about_the_past_or_as_of_a_day_gets_the_statement_of_that_time(memory: Memory) -> None:
    fill(memory)
    assert memory.recall("Where did I work before, nights?", scope=ANA).hits[0].text == OLD
    assert memory.recall("Where do I work?", scope=ANA, as_of="2023-02-01").hits[0].text == OLD


def test_turns_of_one_session_keep_their_order(open_memory: Opener) -> None:
    memory = open_memory()
    memory.record(
        [
            {"content": "Where do I work now? I work at the mill, my work.", "at": "2023-01-10T10:00", "id": "a"},
            {"content": "I work, yes.", "at": "2023-01-10T10:01", "id": "b"},
        ],
        scope=ANA,
        conversation="telegram:42",
    )
    memory.drain()
    ids = [hit.message_ids[0] for hit in memory.recall("Where do I work at the mill?", scope=ANA).hits]
    assert ids == ["a", "b"]


def test_where_words_alone_order_the_answer_the_best_row_leads_to_the_second_fact(open_memory: Opener) -> None:
    said = ["科技论坛的地点是北京。", "艺术展览的规模是五百人。", "音乐节的规模是一万人。", "科技论坛的规模是三千人。"]
    found = []
    for signals in (SIGNALS, SIGNALS - {"second"}):
        memory = open_memory(
            name=f"{len(signals)}.db", embedder=None, signals=signals - {"vector", "neighbours", "session"}
        )
        for place, text in enumerate(said):
            memory.record([{"content": text, "at": f"2024-05-0{place + 1}"}], scope=ANA, conversation="telegram:42")
        hits = memory.recall("在北京举办的活动的规模是多少？", scope=ANA, explain=True).hits
        found.append([hit.text for hit in hits[:2]])
    assert found[0] == [said[0], said[3]]
    assert found[1] != found[0]


def test_in_a_young_memory_what_is_newer_and_beside_the_point_does_not_come_first(memory: Memory) -> None:
    for text, at in (
        ("I live in Oslo and I'm allergic to peanuts.", "2026-01-10"),
        ("I moved to Bergen.", "2026-06-10"),
    ):
        memory.record([{"content": text, "at": at}], scope=ANA, conversation="chat:1")
    memory.drain()
    assert "peanuts" in memory.recall("What am I allergic to?", scope=ANA).hits[0].text
