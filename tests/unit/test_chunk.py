"""Verbatim pieces of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.errors import UsageError
from glossator.model import STRATEGIES, Strategy
from glossator.retain.chunk import split_text

TALK = "User: Hi, I am Ana.\nAssistant: Hello Ana!\nUser: I live in Paris.\nand I like it\nAssistant: Noted."


def pieces(text: str, strategy: Strategy, characters_max: int = 1000) -> list[str]:
    return [text[start:end] for start, end in split_text(text, strategy=strategy, characters_max=characters_max)]


# proves: O6
def test_turn_pairs_keep_a_question_with_its_answer() -> None:
    assert pieces(TALK, "turn_pairs") == [
        "User: Hi, I am Ana.\nAssistant: Hello Ana!",
        "User: I live in Paris.\nand I like it\nAssistant: Noted.",
    ]


def test_each_strategy_cuts_where_it_says() -> None:
    text = "One. Two! Three?\n\nNew paragraph。次の文。"
    assert pieces(text, "paragraphs") == ["One. Two! Three?", "New paragraph。次の文。"]
    assert pieces(text, "sentences") == ["One.", "Two!", "Three?", "New paragraph。", "次の文。"]
    assert pieces(text, "message") == [text]


def test_fixed_tokens_overlap_by_a_tenth() -> None:
    words = " ".join(f"w{number}" for number in range(400))
    first, second, third = (piece.split() for piece in pieces(words, "fixed_tokens", 10_000))
    assert (len(first), second[0], third[-1]) == (200, "w180", "w399")


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(UsageError, match="strategy"):
        split_text("x", strategy="magic", characters_max=10)  # type: ignore[arg-type]


# proves: K14
def test_a_long_message_is_cut_at_sentences_and_its_last_line_is_kept() -> None:
    text = "I like walking a lot. " * 2000 + "My locker code is 4711."
    found = pieces(text, "message")
    assert all(len(piece) <= 1000 for piece in found)
    assert all(piece.endswith(".") for piece in found)
    assert found[-1].endswith("My locker code is 4711.")


@given(st.text(), st.sampled_from(STRATEGIES), st.integers(1, 50))
def test_every_visible_character_lies_in_a_piece(text: str, strategy: Strategy, characters_max: int) -> None:
    spans = split_text(text, strategy=strategy, characters_max=characters_max)
    covered = {place for start, end in spans for place in range(start, end)}
    assert all(place in covered for place, letter in enumerate(text) if not letter.isspace())
    assert all(0 < end - start <= characters_max for start, end in spans)
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)
