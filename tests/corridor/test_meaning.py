"""With the model that ships: what keyword search alone would miss, and what a restart must not change."""

from pathlib import Path

import pytest
from tests.conftest import ANA

from glossator import Memory, Options

TALK = [
    ("user", "I graduated in marine biology from the university up in Bergen."),
    ("assistant", "That must have been cold."),
    ("user", "I only wear watches with a leather strap, metal gives me a rash."),
    ("assistant", "Noted."),
    ("user", "For the living room I'd go for earthy tones, terracotta and so on."),
    ("assistant", "Good choice."),
    ("user", "Yesterday the gearbox of my old Volvo gave up."),
    ("user", "Our neighbours keep bees on the roof."),
    ("user", "I can't stand coriander."),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("meaning") / "memory.db"
    with Memory.open(path, options=Options(worker=False)) as memory:
        memory.record(
            [
                {"role": role, "content": text, "at": f"2023-05-20T10:{minute:02}"}
                for minute, (role, text) in enumerate(TALK)
            ],
            scope=ANA,
            conversation="telegram:42",
        )
        memory.drain()
    return path


# proves: O2, O5
@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What degree do I have?", "marine biology"),
        ("Which kind of watch should I get as a present?", "leather strap"),
        ("What colours should the sofa be?", "earthy tones"),
        ("What is wrong with my car?", "gearbox"),
        ("Which herb do I dislike?", "coriander"),
    ],
)
def test_a_paraphrase_finds_the_words_as_they_were_said(store: Path, question: str, word: str) -> None:
    with Memory.open(store, options=Options(worker=False)) as memory:
        assert memory.warm(60)
        answer = memory.recall(question, scope=ANA, limit=3)
        assert answer.degraded == ()
        assert any(word in hit.text for hit in answer.hits)


# proves: I16, D46, D25
def test_rebuilt_vectors_and_a_restart_give_the_same_answers(store: Path, tmp_path: Path) -> None:
    def answers(memory: Memory) -> list[tuple[str, float]]:
        hits = memory.recall("What is wrong with my car?", scope=ANA, now="2023-06-01").hits
        return [(hit.text, round(hit.score, 4)) for hit in hits]

    with Memory.open(store, options=Options(worker=False)) as memory:
        memory.warm(60)
        before = answers(memory)
        memory.backup(tmp_path / "copy.db")
    with Memory.open(tmp_path / "copy.db", options=Options(worker=False, embedder="hashing")) as other:
        other.drain()
        other.doctor(repair=True)
    with Memory.open(tmp_path / "copy.db", options=Options(worker=False)) as memory:
        memory.warm(60)
        assert memory.recall("car", scope=ANA).degraded[0].part == "vectors"
        memory.drain()
        assert answers(memory) == before


# proves: D35
def test_a_single_name_finds_its_one_turn_among_hundreds(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory.db", options=Options(worker=False)) as memory:
        memory.record(
            [{"content": f"Note {number}: we talked about the weather.", "id": str(number)} for number in range(200)]
            + [{"content": "Priscilla fixed the boiler.", "id": "x"}],
            scope=ANA,
            conversation="telegram:42",
        )
        memory.drain()
        assert memory.recall("priscilla", scope=ANA).hits[0].text == "Priscilla fixed the boiler."
        assert memory.recall("What do I drink?", scope=ANA).hits


def test_where_the_model_does_not_know_the_script_words_order_the_answer_alone(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory.db", options=Options(worker=False)) as memory:
        said = ["我明天去看牙医。", "公司的会议改到周五了。", "我的猫叫小白。", "妹妹在北京上大学。"]
        memory.record(
            [{"content": text, "at": f"2024-05-0{place + 1}T10:00"} for place, text in enumerate(said)],
            scope=ANA,
            conversation="telegram:42",
        )
        memory.drain()
        memory.warm(60)
        hits = memory.recall("我的猫叫什么？", scope=ANA, explain=True).hits
        assert hits[0].text == "我的猫叫小白。"
        assert hits[0].trace is not None
        assert "late" not in hits[0].trace.signals
        assert hits[0].trace.signals["vector"] == 0
