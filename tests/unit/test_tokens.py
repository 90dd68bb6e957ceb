"""Words of a text, in every script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.rules.tokens import fold, index_terms, query_terms


# proves: K26, K25, D36
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("猫を二匹飼っています", "猫"),
        ("猫を二匹飼っています", "飼って"),
        ("我去年去了北京", "北京"),
        ("ฉันมีแมวสองตัว", "แมว"),
        ("Живу в Москве с марта", "москва"),
        ("José lives in São Paulo", "jose sao paulo"),
        ("Meet Mr. O'Hara at noon", "O'Hara"),
        ("Meet Mr. O’Hara at noon", "O'Hara"),
        ("see src/app for it", "src/app"),
        ("a pre-edit hook", "pre-edit"),
        ("we write C++ here", "C++"),
        ("the party was 🎉🎉 great", "🎉"),
        ("the family 👩‍👩‍👧 came", "👩‍👩‍👧"),
        ("pay $10,000 now", "10000"),
        ("日本語とEnglishの混在", "English"),
        ("한국어를 공부해요", "한국어"),
        ("version 3.11 it is", "3.11"),
        ("Straße", "STRASSE"),
        ("ｆｕｌｌ width", "full"),
    ],
)
def test_what_was_written_is_found_by_what_is_asked(text: str, question: str) -> None:
    terms = set(index_terms(text))
    assert set(query_terms(question)) <= terms
    assert query_terms(question)


def test_different_things_stay_different() -> None:
    assert len({index_terms(text) for text in ("C", "C++", "C#", "1.5", "15", "1 5")}) == 6


def test_question_words_are_not_searched_for() -> None:
    assert query_terms("What did Caroline say when she was with us?") == ("carolin", "say")
    assert query_terms("我什么时候去了北京？") == ("我", "去了", "了北", "北京")


def test_a_question_of_stop_words_alone_keeps_them() -> None:
    assert query_terms("who are they?") == ("who", "are", "they")


@pytest.mark.parametrize("text", ["", " \n", "?!", '"', "*", "\0", "\ud800", "()", "-"])
def test_punctuation_alone_has_no_words(text: str) -> None:
    assert index_terms(text) == ()
    assert query_terms(text) == ()


@given(st.text())
def test_any_text_is_cut_and_its_words_find_it(text: str) -> None:
    terms = index_terms(text)
    assert all(terms)
    assert set(query_terms(text)) <= set(terms)


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize("text", ["ʼ", "a ʼ b", "ʼs", "'ʼ'"])
def test_an_apostrophe_that_is_a_letter_is_no_word(text: str) -> None:
    # proves: K25
    assert all(index_terms(text))
    assert all(query_terms(text))
