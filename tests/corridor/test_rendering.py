"""Hits laid out for a prompt: dated, attributed, inside the budget, always valid text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import ANA

from glossator import Memory, UsageError
from glossator.model.rendering import cut_to_tokens, estimated_tokens

FAMILY = "👩\u200d👩\u200d👧"


def fill(memory: Memory) -> None:
    for day, words in (("2023-05-20", "I like green tea."), ("2023-05-21", "Tea with milk is fine too.")):
        memory.record(
            [{"content": words, "speaker": "Ana", "at": f"{day}T10:00+02:00"}], scope=ANA, conversation="telegram:42"
        )
    memory.drain()


def test_lines_stand_under_their_day_with_zone_and_speaker_in_order_of_time(memory: Memory) -> None:
    fill(memory)
    assert memory.recall("tea with milk", scope=ANA).text() == (
        "[2023-05-20 (Sat) +02:00]\nAna: I like green tea.\n[2023-05-21 (Sun) +02:00]\nAna: Tea with milk is fine too."
    )


def test_the_budget_is_kept_and_the_best_hit_goes_in_first(memory: Memory) -> None:
    fill(memory)
    answer = memory.recall("tea with milk", scope=ANA)
    for tokens in range(40):
        assert estimated_tokens(answer.text(tokens=tokens)) <= tokens
    assert answer.text(tokens=17).endswith("Tea with milk is fine too.")
    assert answer.text(tokens=0) == ""
    with pytest.raises(UsageError, match="tokens"):
        answer.text(tokens=-1)


def test_the_block_is_the_same_to_the_byte_when_nothing_has_changed(memory: Memory) -> None:
    fill(memory)
    first, second = (memory.recall("tea", scope=ANA, now="2023-06-01").text() for _ in range(2))
    assert first == second


# proves: K34
@pytest.mark.parametrize("tokens", range(1, 12))
def test_a_cut_never_falls_into_an_emoji(tokens: int) -> None:
    cut = cut_to_tokens(FAMILY * 4, tokens)
    assert cut.rstrip("…").replace(FAMILY, "") == ""
    assert estimated_tokens(cut) <= tokens


@given(st.text(), st.integers(0, 50))
def test_a_cut_text_fits_and_is_a_beginning(text: str, tokens: int) -> None:
    text = text.encode("utf-8", "replace").decode()
    cut = cut_to_tokens(text, tokens)
    assert estimated_tokens(cut) <= tokens or cut == ""
    assert text.startswith(cut.removesuffix("…").rstrip())
