"""The timeline: lanes of what replaced what, and what held at the end of a day."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from tests.surface.web.callers import Visitor, links_of, visiting, words_of
from tests.surface.web.conftest import Browse
from tests.surface.web.harness import Eye
from tests.surface.web.test_facts import ANA, OPERATOR, SEEN, shown

from glossator import Memory
from glossator.surfaces.web.timeline import BAR_MIN, WIDTH, axis_of, lanes_of


@pytest.fixture
def told(memory: Memory) -> Memory:
    """Two homes after each other, a taste, and what was put away."""
    memory.record(
        [{"content": "I live in Oslo.", "speaker": "Ana", "id": "a1", "at": "2026-03-01T09:00:00+00:00"},
         {"content": "I love jazz.", "speaker": "Ana", "id": "a2", "at": "2026-04-01T09:00:00+00:00"},
         {"content": "I moved to Bergen.", "speaker": "Ana", "id": "a3", "at": "2026-06-09T09:00:00+00:00"}],
        scope=ANA, conversation="telegram:42",
    )  # fmt: skip
    memory.drain()
    return memory


@pytest.fixture
def operator(told: Memory) -> Iterator[Visitor]:
    """Whoever runs the machine."""
    with visiting(told, trust="operator", seen=SEEN) as visitor:
        yield visitor


def test_what_replaced_what_stands_in_one_lane(told: Memory) -> None:
    # given the facts of a scope
    facts = told.facts(scope=OPERATOR, states=["active", "superseded"])
    axis = axis_of(facts)
    # when they are drawn
    lanes = lanes_of(facts, axis, held=None)
    # then the two homes follow each other without a gap, and their lane comes first
    first, second = lanes[0].bars
    assert [first.fact.text, second.fact.text] == ["I live in Oslo.", "I moved to Bergen."]
    assert [first.look, second.look] == ["past", "held"]
    assert first.left == 0
    assert abs(first.left + first.width - second.left) <= BAR_MIN
    assert second.left + second.width <= WIDTH
    assert len(lanes) == 2


def test_the_axis_holds_everything_and_is_never_empty(told: Memory) -> None:
    alone = told.facts(scope=ANA)[:1]
    axis = axis_of(alone)
    assert axis.end - axis.start >= timedelta(days=1)
    assert axis.place(datetime(1990, 1, 1, tzinfo=UTC)) == 0
    assert axis.place(datetime(2090, 1, 1, tzinfo=UTC)) == WIDTH


@pytest.mark.parametrize(
    ("day", "held", "gone"),
    [
        ("2026-02-28", [], ["I live in Oslo.", "I moved to Bergen."]),
        ("2026-03-01", ["I live in Oslo."], ["I moved to Bergen."]),
        ("2026-06-08", ["I live in Oslo."], ["I moved to Bergen."]),
        ("2026-06-09", ["I moved to Bergen."], ["I live in Oslo."]),
    ],
)
def test_a_day_shows_what_held_at_its_end(operator: Visitor, day: str, held: list[str], gone: list[str]) -> None:
    words = shown(operator.get("timeline", as_of=day, **SEEN))
    for text in held:
        assert ", held" in words.split(text)[1].split("→")[0].split("I ")[0]
    for text in gone:
        assert ", did not hold" in words.split(text)[1].split("→")[0].split("I ")[0]


def test_talk_of_any_year_is_drawn(operator: Visitor, told: Memory) -> None:
    for number, at in enumerate(("1900-01-01T00:00:00+14:00", "2199-12-31T23:59:59-12:00")):
        told.remember(f"Box {number} is red.", scope=ANA, at=at)
    for path in ("timeline", "facts", "search", "facts/f4", "facts/f5"):
        assert operator.get(path, q="box" if path == "search" else None, **SEEN).status_code == 200
    assert operator.get("timeline", as_of="9999-12-31", **SEEN).status_code in (200, 422)


def test_lanes_are_narrowed_by_words_and_to_what_was_replaced(operator: Visitor) -> None:
    assert "jazz" not in shown(operator.get("timeline", replaced="1", **SEEN))
    assert "Oslo" not in shown(operator.get("timeline", q="jazz", **SEEN))
    assert "No fact has these words" in shown(operator.get("timeline", q="zebra", **SEEN))


def test_an_empty_memory_says_so(operator: Visitor) -> None:
    page = operator.get("timeline", workspace="acme", owner="nobody")
    assert page.status_code == 200
    assert "No facts here yet" in words_of(page.text)


def test_each_fact_leads_to_its_page(operator: Visitor) -> None:
    links = links_of(operator.get("timeline", **SEEN).text)
    assert [link.split("?")[0] for link in links if "/facts/f" in link] == [
        "/inspect/facts/f1", "/inspect/facts/f3", "/inspect/facts/f2",
    ]  # fmt: skip


def test_the_slider_moves_the_day_and_the_lanes(browse: Browse) -> None:
    # given the timeline of the story: Oslo from 3 October, Bergen from 2 November
    page = browse("timeline", q="Ana")
    slider = page.locator("#slider")
    slider.focus()
    # when the slider is moved by keys to its beginning
    page.keyboard.press("Home")
    # then the day is written beside it and the lanes show what held then
    page.wait_for_selector("#summary:has-text('2026-10-03')")
    assert page.input_value("#as_of") == "2026-10-03"
    assert page.locator(".lane .steps > .held:has-text('I live in Oslo')").count() == 1
    page.fill("#as_of", "2026-11-21")
    page.wait_for_selector("#summary:has-text('2026-11-21')")
    assert page.locator(".lane .steps > .held:has-text('I live in Oslo')").count() == 0


def test_without_scripts_a_button_shows_the_day(browse: Browse) -> None:
    page = browse("timeline", scripts=False)
    assert page.locator("#slider").is_hidden()
    page.fill("#as_of", "2026-10-03")
    page.click("button:has-text('Show')")
    assert "at the end of 2026-10-03" in page.locator("#summary").inner_text()


def test_the_timeline_is_fit_to_be_read(browse: Browse, eye: Eye) -> None:
    assert eye.looked_at(browse("timeline", as_of="2026-10-20"), "timeline", ready=".lane") == []
