"""What is forgotten is gone: from rows, keyword index, vectors, work and the bytes of the file."""

from pathlib import Path

import pytest
from tests.conftest import ANA, Opener

from glossator import ConflictError, Memory, NotFoundError, Scope, UsageError
from glossator.rules.tokens import index_terms

SECRET = "My zebrafinch sings Kantaten at midnight."


def fill(memory: Memory) -> None:
    memory.record(
        [
            {"content": SECRET, "at": "2023-05-20T10:00", "id": "a"},
            {"content": "I like tea.", "at": "2023-05-20T10:01", "id": "b"},
            {"content": "Other talk.", "at": "2023-05-21T10:00", "id": "c"},
        ],
        scope=ANA,
        conversation="telegram:42",
    )
    memory.drain()


# proves: K20, K21, O18
def test_after_forgetting_neither_search_nor_rebuild_nor_the_file_itself_has_it(
    open_memory: Opener, tmp_path: Path
) -> None:
    memory = open_memory()
    fill(memory)
    preview = memory.forget(scope=ANA, message_ids=["a"])
    assert (preview.message_count, preview.chunk_count, preview.samples) == (1, 1, (SECRET,))
    assert memory.status().message_count == 3
    receipt = memory.forget(scope=ANA, message_ids=["a"], confirm=preview.token)
    assert (receipt.message_count, receipt.chunk_count, receipt.lexical_row_count, receipt.vector_count) == (1, 1, 1, 1)
    assert receipt.remaining_count == 0
    assert all("zebrafinch" not in hit.text for hit in memory.recall("zebrafinch Kantaten", scope=ANA).hits)
    memory.doctor(repair=True)
    memory.drain()
    assert all("zebrafinch" not in hit.text for hit in memory.recall(SECRET, scope=ANA).hits)
    memory.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("memory.db*"))
    words = {word for word in (*SECRET.rstrip(".").split(), *index_terms(SECRET)) if len(word) > 6}
    assert [word for word in words if word.encode() in stored] == []
    assert b"I like tea." in stored


# proves: K21
def test_a_forgotten_message_is_not_taken_back_by_the_next_export(memory: Memory) -> None:
    fill(memory)
    memory.forget(scope=ANA, message_ids=["a"], confirm=memory.forget(scope=ANA, message_ids=["a"]).token)
    receipt = memory.record(
        [{"content": SECRET, "at": "2023-05-20T10:00", "id": "a"}], scope=ANA, conversation="telegram:42"
    )
    assert receipt.recorded[0].outcome == "erased"
    assert memory.status().message_count == 2


def test_a_session_a_conversation_or_everything_can_be_named(memory: Memory) -> None:
    fill(memory)
    assert memory.forget(scope=ANA, conversation="telegram:42", session="2023-05-20").message_count == 2
    assert memory.forget(scope=ANA, conversation="telegram:42").message_count == 3
    preview = memory.forget(scope=ANA, everything=True)
    assert memory.forget(scope=ANA, everything=True, confirm=preview.token).message_count == 3
    assert memory.recall("tea", scope=ANA).hits == ()


def test_a_preview_holds_only_while_nothing_has_changed(memory: Memory) -> None:
    fill(memory)
    preview = memory.forget(scope=ANA, everything=True)
    memory.record([{"content": "new", "id": "d"}], scope=ANA, conversation="telegram:42")
    with pytest.raises(ConflictError):
        memory.forget(scope=ANA, everything=True, confirm=preview.token)
    assert memory.status().message_count == 4


# proves: K23
@pytest.mark.parametrize(
    "target",
    [
        {},
        {"message_ids": []},
        {"message_ids": "a"},
        {"message_ids": [" "]},
        {"session": "2023-05-20"},
        {"everything": True, "message_ids": ["a"]},
        {"conversation": ""},
    ],
)
def test_a_target_that_names_nothing_or_two_things_is_refused(memory: Memory, target: dict[str, object]) -> None:
    fill(memory)
    with pytest.raises(UsageError):
        memory.forget(scope=ANA, **target)  # type: ignore[call-overload]
    assert memory.status().message_count == 3


# proves: K23
@pytest.mark.parametrize("wildcard", ["*", "%", "_", "A", "a*"])
def test_ids_are_literal_and_nobody_elses(memory: Memory, wildcard: str) -> None:
    fill(memory)
    with pytest.raises(NotFoundError):
        memory.forget(scope=ANA, message_ids=[wildcard])
    with pytest.raises(NotFoundError):
        memory.forget(scope=Scope(workspace="acme", agent="helper", owner="bob"), message_ids=["a"])
