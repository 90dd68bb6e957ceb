"""Names, speakers and quoted phrases of a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.rules.names import named_speakers, proper_names, quoted_phrases


# proves: D34
@pytest.mark.parametrize(
    ("text", "phrases", "names"),
    [
        ("What's the name of Rachel's dog?", (), ("rachel",)),
        ("Explain 'the big plan' to José O'Brien", ("the big plan",), ("jose", "o'brien")),
        ("Remind me what May said", (), ()),
        ("Did Bo see “The Fall” with us?", ("The Fall",), ("bo", "fall")),
        ('who said "never again"?', ("never again",), ()),
        ("«la vie» and 「猫」", ("la vie", "猫"), ()),
        ("the kids' toys and the cats' food", (), ()),
    ],
)
def test_quotes_are_quotes_and_names_are_names(text: str, phrases: tuple[str, ...], names: tuple[str, ...]) -> None:
    assert quoted_phrases(text) == phrases
    assert proper_names(text) == names


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What does Mel like?", (1,)),
        ("what does melanie like?", (1,)),
        ("Caroline's and Melanie's plans", (0, 1)),
        ("What did the user say?", ()),
        ("Is it melancholic?", ()),
        ("When did anna meet us?", (3,)),
    ],
)
def test_a_question_names_a_speaker_by_name_or_nickname(text: str, named: tuple[int, ...]) -> None:
    assert named_speakers(text, ("Caroline", "Melanie", "user", "Anna Smith")) == named


@given(st.text())
def test_no_text_breaks_the_search_for_names(text: str) -> None:
    assert all(phrase.strip() for phrase in quoted_phrases(text))
    assert all(proper_names(text))
    assert set(named_speakers(text, ("Ann", "Ümit"))) <= {0, 1}
