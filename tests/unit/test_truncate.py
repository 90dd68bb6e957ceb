"""An over-long prompt keeps its beginning and its end, says how much is missing, and no letter of it is cut."""

import time

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.context.elide import CHARACTERS_PER_TOKEN, elided_span
from glossator.context.truncate import truncate_to_context

MARK = regex.compile(r"\n\[(\d+) characters removed\]\n")
FAMILY = "👩‍👩‍👧"
FLAG = "🇩🇪"


# proves: A69
def test_the_beginning_and_the_end_stay_and_the_marker_counts_what_is_missing() -> None:
    text = "HEAD" + "a" * 10_000 + "TAIL"

    cut = truncate_to_context(text, window_tokens=1_000)

    head, count, tail = MARK.split(cut)
    assert 2_999 <= len(cut) <= 3_000  # the marker has room for as many digits as the whole length has
    assert cut.startswith("HEAD")
    assert cut.endswith("TAIL")
    assert len(head) + int(count) + len(tail) == len(text)
    assert len(tail) / (len(head) + len(tail)) == pytest.approx(0.6, abs=0.001)


# proves: D10
@pytest.mark.parametrize("tokens", [1, 10, 100, 4_096])
def test_what_fits_is_unchanged_and_one_character_more_is_cut_and_queued(tokens: int) -> None:
    room = tokens * CHARACTERS_PER_TOKEN
    fitting, longer = "a" * room, "a" * (room + 1)

    assert truncate_to_context(fitting, window_tokens=tokens) is fitting
    assert elided_span(room, window_tokens=tokens) is None
    assert truncate_to_context(longer, window_tokens=tokens) != longer
    assert elided_span(room + 1, window_tokens=tokens) is not None


# proves: D10
@pytest.mark.parametrize("length", [301, 350, 399, 401, 5_000])
def test_what_is_queued_before_a_cut_is_exactly_what_the_cut_drops(length: int) -> None:
    text = "".join(chr(0x4E00 + at) for at in range(length))

    span = elided_span(length, window_tokens=100)

    assert span is not None
    cut = truncate_to_context(text, window_tokens=100)
    assert MARK.split(cut) == [text[: span.start], str(span.end - span.start), text[span.end :]]


# proves: D10, I12
@given(st.integers(0, 3_000), st.integers(0, 700))
def test_the_trigger_and_the_cut_agree_at_every_length(length: int, tokens: int) -> None:
    text = "".join(chr(0x4E00 + at) for at in range(length))

    span = elided_span(length, window_tokens=tokens)
    cut = truncate_to_context(text, window_tokens=tokens)

    assert (span is None) == (cut == text) == (length <= CHARACTERS_PER_TOKEN * tokens)
    if span is not None:
        assert 0 <= span.start < span.end <= length
        assert cut.startswith(text[: span.start])
        assert cut.endswith(text[span.end :])


def test_the_reserve_is_taken_off_the_window() -> None:
    text = "a" * 4_000

    assert len(truncate_to_context(text, window_tokens=1_000, reserve_tokens=200)) == 2_400
    assert truncate_to_context(text, window_tokens=1_000, reserve_tokens=200) == truncate_to_context(
        text, window_tokens=800
    )
    assert truncate_to_context(text, window_tokens=100, reserve_tokens=200) == ""


# proves: K34
@pytest.mark.parametrize("letter", [FAMILY, FLAG, "e\u0301\u0323", "\r\n", "ก็", "1️⃣", "👍🏽", "각", "क्षि"])
@pytest.mark.parametrize("shift", range(8))
def test_no_letter_is_cut_wherever_the_budget_ends(letter: str, shift: int) -> None:
    text = "x" * shift + letter * 400 + "y" * (7 - shift)

    cut = truncate_to_context(text, window_tokens=100)

    assert len(cut) <= 300
    head, _, tail = MARK.split(cut)
    boundaries = {found.start() for found in regex.finditer(r"\X", text)}
    assert text.startswith(head)
    assert len(head) in boundaries
    assert text.endswith(tail)
    assert len(text) - len(tail) in boundaries
    cut.encode("utf-8")


LETTERS = st.sampled_from(
    [
        FAMILY,
        FLAG,
        "🇩",
        "\u200d",
        "\u0301",
        "\r",
        "\n",
        "a",
        "B",
        "我",
        "ภ",
        "ำ",
        "각",
        "ᄀ",
        "ᆨ",
        "क",
        "्",
        "ष",
        "👍",
        "🏽",
        "\u0600",
        "م",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=400), st.lists(LETTERS, max_size=300).map("".join), LETTERS.map(lambda each: each * 150)
)


# proves: I12, A69, K34
@settings(max_examples=400)
@given(TEXTS, st.integers(0, 150), st.integers(0, 20))
def test_any_cut_fits_its_room_and_joins_whole_letters_of_both_ends(text: str, tokens: int, reserve: int) -> None:
    room = max(0, tokens - reserve) * CHARACTERS_PER_TOKEN

    cut = truncate_to_context(text, window_tokens=tokens, reserve_tokens=reserve)

    assert len(cut) <= max(room, 0)
    if len(text) <= room:
        assert cut == text
        return
    boundaries = {0, len(text), *(found.start() for found in regex.finditer(r"\X", text))}
    assert any(
        text.startswith(cut[:head]) and text.endswith(cut[tail:]) and (len(text) - len(cut) + tail) in boundaries
        for head, tail in _seams(cut)
        if head in boundaries
    )


def _seams(cut: str) -> list[tuple[int, int]]:
    """Where the marker may stand; a room too small for one has a mark of one letter or none."""
    full = [(found.start(), found.end()) for found in MARK.finditer(cut)]
    short = [(at, at + 1) for at, letter in enumerate(cut) if letter == "…"]
    return [*full, *short, (0, 0)] if not cut else [*full, *short]


@pytest.mark.parametrize("letter", ["word ", "我", FAMILY, "e\u0301", "각"])
def test_a_megabyte_is_cut_within_hundredths_of_a_second(letter: str) -> None:
    text = letter * (1_000_000 // len(letter))
    taken = []
    for _ in range(3):
        started = time.perf_counter()
        truncate_to_context(text, window_tokens=100_000)
        taken.append(time.perf_counter() - started)

    assert min(taken) < 0.02


@pytest.mark.parametrize("letter", [FLAG, "🇩", "\u0301", "\u200d", "ᄀ", "क्", "\u0600", "\r"])
def test_a_text_without_a_letter_to_count_from_is_cut_in_time(letter: str) -> None:
    text = letter * (200_000 // len(letter))
    started = time.perf_counter()
    truncate_to_context(text, window_tokens=20_000)

    assert time.perf_counter() - started < 2.0
