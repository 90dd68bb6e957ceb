"""The search page: hits with their words, dates and facts, why they came, and what is said where nothing did."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.surface.web.callers import Visitor, links_of, query_of, tags_of, visiting, words_of
from tests.surface.web.conftest import Browse
from tests.surface.web.harness import Eye, Inspector
from tests.surface.web.story import ATTACKS

from glossator import Memory, Options, Scope
from glossator.surfaces.web.text import folded, marked, plain, shown
from glossator.testing.contract.base import NASTY

ANA = Scope(workspace="acme", agent="helper", owner="ana")
SEEN = {"workspace": "acme", "agent": "helper", "owner": "ana"}
TALK = [
    {"role": "user", "content": "I live in Oslo. I love jazz.", "speaker": "Ana", "id": "a1",
     "at": "2026-03-01T09:00:00+02:00"},
    {"role": "user", "content": "I moved to Bergen last week.", "speaker": "Ana", "id": "a2",
     "at": "2026-06-10T09:00:00+02:00"},
]  # fmt: skip


@pytest.fixture
def visitor(memory: Memory) -> Iterator[Visitor]:
    """Somebody at the machine whose memory has some talk."""
    memory.record(TALK, scope=ANA, conversation="telegram:42", project="atlas", tags=["home"])
    memory.drain()
    with visiting(memory, trust="operator", seen=SEEN) as visitor:
        yield visitor


def test_a_hit_shows_its_words_speaker_date_and_place(visitor: Visitor) -> None:
    page = visitor.get("search", q="when did I move to Bergen", **SEEN)
    # the words that matched and the words of the time are marked
    assert '<mark class="matched">Bergen</mark>' in page.text
    assert '<mark class="timed">last week</mark>' in page.text
    # who said it and when, in the speaker's zone with the exact instant behind it
    words = words_of(page.text)
    assert "Ana, Wed 10 Jun 2026, 09:00 +02:00" in words
    exact = [attributes for tag, attributes in tags_of(page.text) if tag == "time"]
    assert "2026-06-10T09:00:00+02:00" in [each["datetime"] for each in exact]
    assert any("07:00:00 UTC" in (each["title"] or "") for each in exact)
    # when it happened, with the words that say so
    assert "happened 1 Jun 2026 – 7 Jun 2026 “last week”" in words
    # and where it stands
    talk = [link for link in links_of(page.text) if "/conversation?" in link]
    assert query_of(talk[0])["name"] == ["telegram:42:root"]
    assert query_of(talk[0])["message"] == ["a2"]


def test_a_hit_shows_the_facts_that_rest_on_it_and_which_hold_no_more(visitor: Visitor) -> None:
    page = visitor.get("search", q="live in Oslo", **SEEN)
    words = words_of(page.text)
    assert "What rests on it" in words
    assert "no longer so since" in words
    assert "what replaced it" in words


def test_a_hit_says_why_it_came(visitor: Visitor) -> None:
    page = visitor.get("search", q="Bergen", **SEEN)
    words = words_of(page.text)
    assert "Why: words “Bergen”" in words
    assert "Rank 1, score 1.000" in words
    assert "Words in common" in words
    assert "Hand-set sum" in words
    captions = [tag for tag, _ in tags_of(page.text) if tag == "caption"]
    tables = [tag for tag, _ in tags_of(page.text) if tag == "table"]
    assert len(captions) == len(tables) > 0


def test_what_narrows_a_question_narrows_the_hits(visitor: Visitor) -> None:
    assert "Bergen" in words_of(visitor.get("search", q="Bergen", project="atlas", tags="home", **SEEN).text)
    assert "Nothing was found" in words_of(visitor.get("search", q="Bergen", project="hermes", **SEEN).text)
    early = words_of(visitor.get("search", q="where do I live", as_of="2026-04-01", **SEEN).text)
    assert "I live in Oslo" in early
    assert "I moved" not in early
    # what was said on the day itself counts
    assert "I live in Oslo" in words_of(visitor.get("search", q="live", as_of="2026-03-01", **SEEN).text)


def test_nothing_found_says_how_to_widen(visitor: Visitor) -> None:
    page = visitor.get("search", q="Bergen", project="hermes", **SEEN)
    widened = [link for link in links_of(page.text) if "/search?" in link and "history=1" in link]
    assert query_of(widened[0])["q"] == ["Bergen"]
    assert "project" not in query_of(widened[0])
    assert "Look in another memory" in words_of(page.text)


def test_an_answer_without_an_embedder_says_so(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "words.db", options=Options(embedder="none", worker=False)) as memory:
        memory.record(TALK, scope=ANA, conversation="telegram:42")
        with visiting(memory, trust="operator", seen=SEEN) as visitor:
            assert "Without the embedder" in words_of(visitor.get("search", q="Oslo", **SEEN).text)


def test_a_conversation_narrows_and_can_be_left(visitor: Visitor) -> None:
    page = visitor.get("search", q="Bergen", within="signal:1", **SEEN)
    assert "Only the conversation signal:1" in words_of(page.text)
    assert "Nothing was found" in words_of(page.text)
    wider = [link for link in links_of(page.text) if "/search?" in link and "within" not in query_of(link)]
    assert wider


@pytest.mark.parametrize("text", [*ATTACKS, *NASTY], ids=lambda text: ascii(text)[:24])
def test_stored_text_is_shown_and_never_obeyed(text: str) -> None:
    # proves: K36
    for html in (shown(text), folded(text), marked(text, [(0, 3)], timed=(4, 6))):
        tags = {tag for tag, _ in tags_of(str(html))}
        assert tags <= {"bdi", "span", "mark", "details", "summary", "div", "p"}
    visible = text.replace("\r\n", "\n")
    if text in ATTACKS:
        assert visible.split()[0] in words_of(str(shown(text)))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=80), st.integers(0, 40), st.integers(0, 40))
def test_no_text_opens_a_tag_or_hides_a_character(text: str, start: int, stop: int) -> None:
    # proves: K36
    html = str(marked(text, [(min(start, stop), max(start, stop))]))
    assert {tag for tag, _ in tags_of(html)} <= {"bdi", "span", "mark"}
    for hidden in "\u202e\u2066\u200b\x00\x1b\x7f\ufeff\U000e0041":
        assert hidden not in html
        assert hidden not in plain(text)


def test_a_text_hides_nothing_and_keeps_what_belongs_to_words() -> None:
    assert words_of(str(shown("a\u202eb"))) == "aU+202Eb"
    assert plain("a\x1b[31mb") == "a⟨U+001B⟩[31mb"
    family = "👩\u200d👩\u200d👧 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
    assert family in str(shown(family))


def test_a_long_text_is_folded_between_letters() -> None:
    html = str(folded("👩\u200d👩\u200d👧" * 400))
    assert "<summary>All 2,000 characters</summary>" in html
    assert html.split("…")[0].removesuffix("</bdi>").endswith("👧")


def test_htmx_changes_the_hits_in_place_and_the_address(browse: Browse) -> None:
    # given a page that must not be loaded anew
    page = browse("search", q="jazz")
    page.evaluate("window.kept = true")
    # when another question is asked
    page.fill("#q", "Bergen")
    page.press("#q", "Enter")
    page.wait_for_selector("mark:has-text('Bergen')")
    # then the page is the same and its address, title of the list and field are of the new question
    assert page.evaluate("window.kept")
    assert query_of(page.url)["q"] == ["Bergen"]
    assert page.locator("#summary").inner_text().endswith("hits")
    page.go_back()
    page.wait_for_selector("mark:has-text('jazz')")
    assert page.input_value("#q") == "jazz"


def test_a_question_that_cannot_be_asked_is_told_in_place(browse: Browse, faults: "object") -> None:
    faults.allow("422")  # type: ignore[attr-defined]
    page = browse("search", q="jazz")
    page.click("details.more summary")
    page.fill("#tags", "x" * 300)
    page.press("#tags", "Enter")
    page.wait_for_selector("text=That cannot be asked so")


def test_hostile_talk_does_nothing_in_a_browser(browse: Browse, inspector: Inspector) -> None:
    # proves: K36
    # given messages that try to run, in text, speaker and conversation, and questions that do
    page = browse("search")
    for asked in ("alert onload onerror script style", *ATTACKS):
        page.goto(inspector.url("search", q=asked, limit=60))
        page.wait_for_selector(".hit")
        # then nothing ran and nothing left (the fixture looks), and what was said is read as it was written
        assert page.evaluate("typeof window.alerted") == "undefined"
        assert page.input_value("#q") == asked
    said = page.locator(".hit .words").all_inner_texts()
    for attack in ATTACKS[:3]:
        assert any(attack in words for words in said)


def test_the_search_is_fit_to_be_read(browse: Browse, eye: Eye) -> None:
    page = browse("search", q="when did Ana move to Bergen", history=1, limit=4)
    page.evaluate("document.querySelectorAll('.why')[0].open = true")
    assert eye.looked_at(page, "search", ready=".hit") == []


def test_an_empty_answer_is_fit_to_be_read(browse: Browse, eye: Eye) -> None:
    assert eye.looked_at(browse("search", q="jazz", project="none"), "search-empty", ready=".empty") == []
