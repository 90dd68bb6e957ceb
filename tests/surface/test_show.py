"""How are times, reasons and matches put into words?"""

from datetime import UTC, datetime, timedelta
from math import nan
from pathlib import Path

import pytest

from glossator.model import Conversation, EventTime, Interval, SaidTime, Trace
from glossator.surfaces.show.marking import matched_spans, matched_words
from glossator.surfaces.show.plain_json import document, plain_value, shown_path
from glossator.surfaces.show.wording import (
    conversation_name,
    interval_words,
    one_line,
    reason,
    when_it_happened,
    when_said,
)


def day(year, month=1, number=1, hour=0):
    return datetime(year, month, number, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("start", "end", "precision", "words"),
    [
        (day(2023, 3), day(2023, 4), "month", "March 2023"),
        (day(2023, 3), day(2023, 6), "season", "March 2023 – May 2023"),
        (day(2023, 10), day(2023, 10, 2), "day", "Sun 1 Oct 2023"),
        (day(2023, 10, 2), day(2023, 10, 9), "week", "2 Oct 2023 – 8 Oct 2023"),
        (day(2023), day(2024), "year", "2023"),
        (day(1990), day(2000), "decade", "1990 – 1999"),
        (day(2021), None, "year", "since 2021"),
        (None, day(2021), "year", "until 2020"),
        (None, None, "year", "any time"),
        (day(2023, 5, 1, 9), day(2023, 5, 1, 9) + timedelta(minutes=1), "minute", "1 May 2023, 09:00"),
    ],
)
def test_intervals_are_as_precise_as_the_words_that_named_them(start, end, precision, words):
    assert interval_words(Interval(start=start, end=end, precision=precision)) == words


def test_dates_are_shown_on_the_speakers_clock():
    said = SaidTime(at=datetime(2025, 3, 1, 15, 30, tzinfo=UTC), offset_minutes=540, precision="minute")
    fainted = Interval(start=day(2025, 2, 28, 15), end=day(2025, 3, 1, 15), precision="day")

    assert when_said(said) == "Sun 2 Mar 2025, 00:30 +09:00"
    assert when_it_happened(EventTime(interval=fainted, source="own"), said) == "Sat 1 Mar 2025"
    assert when_it_happened(EventTime(interval=fainted, source="session"), said) == ""


@pytest.mark.parametrize(
    ("text", "terms", "words"),
    [
        ("I moved to Edinburgh.", ("move", "edinburgh"), ("moved", "Edinburgh")),
        ("猫を二匹飼っています", ("猫",), ("猫",)),
        ("O'Malley ruined it.", ("omalley",), ("O'Malley",)),
        ("Serial KX-4471-0093.", ("kx", "4471"), ("KX", "4471")),
        ("Élan vital", ("elan",), ("Élan",)),
        ("Я живу в Лейте", ("лейт",), ("Лейте",)),
        ("nothing here", (), ()),
    ],
)
def test_the_words_that_matched_are_found_again_as_written(text, terms, words):
    assert matched_words(text, terms) == words


def test_matches_that_touch_are_marked_as_one():
    assert matched_spans("二匹の猫", ("二匹", "匹の")) == ((0, 3),)


def test_a_hit_without_matched_words_still_has_a_reason():
    assert reason(Trace(lanes=("vector",), matched_terms=(), signals={"cosine": 0.5}), ()) == "meaning 0.50"
    assert reason(Trace(lanes=("neighbours",), matched_terms=(), signals={}), ()) == "what was said around it"


def test_a_cut_line_ends_with_a_whole_emoji():
    assert one_line("👩‍👩‍👧" * 20, characters=12) == "👩‍👩‍👧👩‍👩‍👧…"
    assert one_line("a\x1b[2Jb\n c", characters=40) == "a\ufffd[2Jb c"


@pytest.mark.parametrize("name", ["telegram:42", "telegram:42:7", "file:notes/a b", "chat:猫"])
def test_a_conversation_is_shown_as_it_can_be_typed_back_in(name):
    key = Conversation.parse(name).key

    assert conversation_name(key) == name
    assert Conversation.parse(conversation_name(key)).key == key


def test_json_is_always_valid():
    value = {"nan": nan, "surrogate": "\ud83d", "path": Path("a/\udcff"), "set": {"b", "a"}, "when": day(2023)}

    assert plain_value(value) == {
        "nan": None, "surrogate": "?", "path": "a/\ufffd", "set": ["a", "b"], "when": "2023-01-01T00:00:00+00:00"
    }  # fmt: skip
    assert "NaN" not in document(value)
    assert shown_path(Path("größe")) == "größe"
