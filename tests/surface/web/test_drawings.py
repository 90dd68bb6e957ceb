"""The graph of entities and the charts in a real browser: what is drawn, and the tables that say the same."""

import threading
from typing import TYPE_CHECKING

import pytest
from tests.conftest import NOW
from tests.surface.web.conftest import Browse
from tests.surface.web.harness import STORY, Eye, Faults, Inspector, serving
from tests.surface.web.test_talk_pages import texts

from glossator import Memory, Options, PermissionDeniedError
from glossator.surfaces.http.callers import Caller
from glossator.surfaces.web import graph_pages
from glossator.surfaces.web.chart_pages import permit_figures, samples_of
from glossator.testing.clock import FakeClock

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

DRAWN = "#graph[data-ready=yes]"
CHARTED = "#charts[data-ready]"
MIDDLE_OF = """label => {
  const cy = document.getElementById('graph').drawn;
  const edge = cy.edges().filter(each => each.data('words') === label)[0];
  const place = document.getElementById('graph').getBoundingClientRect();
  const { x, y } = edge.renderedMidpoint();
  return { x: place.x + x, y: place.y + y };
}"""


def drawn(page: "Page") -> list[str]:
    """The lines of the drawing, by their words."""
    page.wait_for_selector(DRAWN)
    found: list[str] = page.evaluate(
        "document.getElementById('graph').drawn.edges().map(each => [each.source().data('label'),"
        " each.data('label'), each.target().data('label')].join(' '))"
    )
    return sorted(found)


def test_the_drawing_and_the_table_say_the_same(browse: Browse) -> None:
    page = browse("entities")
    rows = sorted(row.replace("\t", " ") for row in texts(page, ".edges tbody tr"))
    assert drawn(page) == [row for row in rows if row != "Ana name Ana"]
    assert "Ana home Bergen" in rows
    assert "Ana no longer likes jazz" in rows
    assert "8 facts between 8 names." in page.locator(".summary").inner_text()
    assert page.locator("#graph canvas").count() > 0


def test_what_held_before_is_drawn_where_it_is_asked_for(browse: Browse) -> None:
    page = browse("entities")
    page.check("text=Also what held before")
    page.click("button:text('Show')")
    assert "Ana home Oslo" in drawn(page)
    assert "Ana home Bergen" in drawn(page)
    assert texts(page, ".edges tr.past td:last-child") == ["jazz no longer so", "Oslo no longer so"]

    page.fill("#as_of", "2026-10-10")
    page.click("button:text('Show')")
    assert "Ana home Oslo" in drawn(page)
    assert "Ana home Bergen" not in drawn(page)
    assert "as of the end of 2026-10-10" in page.locator(".summary").inner_text()


def test_a_click_on_a_line_opens_its_fact(browse: Browse) -> None:
    page = browse("entities")
    page.wait_for_selector(DRAWN)
    middle = page.evaluate(MIDDLE_OF, "I moved to Bergen last week.")
    page.mouse.move(middle["x"], middle["y"])
    assert page.locator(".graph-words").inner_text() == "I moved to Bergen last week."
    page.mouse.click(middle["x"], middle["y"])
    page.wait_for_url("**/facts/f7?**")
    page.go_back()
    page.get_by_role("link", name="home", exact=True).click()
    page.wait_for_url("**/facts/f7?**")


def test_more_facts_than_can_be_drawn_are_cut_and_the_page_says_so(
    browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_pages, "EDGES_MAX", 5)
    page = browse("entities")
    assert "Only the 5 facts seen last are drawn" in page.locator(".summary").inner_text()
    assert len(texts(page, ".edges tbody tr")) == 5
    assert len(drawn(page)) == 5


def test_a_drawing_that_cannot_be_loaded_leaves_the_table(browse: Browse, faults: Faults) -> None:
    faults.allow("net::ERR_FAILED")
    page = browse("search")
    page.route("**/graph.json?**", lambda route: route.abort())
    page.goto(page.url.replace("/search", "/entities"))
    page.wait_for_selector("#graph[data-ready=failed]")
    assert "the table says the same" in page.locator("#graph").inner_text()
    assert len(texts(page, ".edges tbody tr")) == 8


def test_the_charts_ask_for_newer_figures_until_they_are_paused(browse: Browse, inspector: Inspector) -> None:
    page = browse("search")
    page.clock.install()
    page.goto(inspector.url("charts"))
    page.wait_for_selector(CHARTED)
    page.locator("#charts").evaluate("each => { delete each.dataset.ready; }")
    with page.expect_response("**/figures.json?**"):
        page.clock.fast_forward(5_100)
    page.wait_for_selector(CHARTED)
    assert texts(page, "#figures tr th")[0].count(":") == 2

    asked: list[str] = []
    page.click("#charts-switch")
    page.on("request", lambda request: asked.append(request.url))
    page.clock.fast_forward(20_000)
    assert page.locator("#charts-words").inner_text() == "Paused; nothing on this page moves."
    assert asked == []
    with page.expect_response("**/figures.json?**"):
        page.click("#charts-switch")


def test_what_recall_took_is_drawn_from_the_counters_of_the_memory(tmp_path: "Path", browser: object) -> None:
    memory = Memory.open(
        tmp_path / "memory.db", options=Options(embedder="hashing", worker=False), clock=FakeClock(NOW)
    )
    memory.warm(30)
    with serving(memory) as running:
        page = browser.new_page()  # type: ignore[attr-defined]
        page.goto(running.url("charts"))
        page.wait_for_selector(CHARTED)
        assert "No recall in the last hour" in page.locator("[data-chart=recall]").inner_text()
        memory.record([{"content": "I live in Oslo."}], scope=STORY, conversation="chat:1")
        memory.recall("Oslo", scope=STORY)
        samples_of(running.app).kept[-1] = replaced_by_an_older(running)
        page.reload()
        page.wait_for_selector("[data-chart=recall] canvas")
        cells = texts(page, "#figures tr:first-child td")
        page.close()
    memory.close()
    assert cells[2] == "1"
    assert cells[5] == "1"
    assert float(cells[0]) > 0
    assert cells[6] == "2"


def replaced_by_an_older(running: Inspector) -> object:
    """The last sample, as if it had been taken some seconds earlier, so that the next one is due."""
    from dataclasses import replace

    last = samples_of(running.app).kept[-1]
    return replace(last, at=last.at - 6)


def test_the_server_takes_samples_although_nobody_looks(tmp_path: "Path") -> None:
    memory = Memory.open(tmp_path / "memory.db", options=Options(embedder="none", worker=False))
    with memory, serving(memory) as running:
        waiting, tries = threading.Event(), 500
        while not samples_of(running.app).kept and tries:
            waiting.wait(0.02)
            tries -= 1
        assert samples_of(running.app).kept


def test_a_key_of_one_workspace_is_not_told_how_busy_the_others_are() -> None:
    with pytest.raises(PermissionDeniedError):
        permit_figures(Caller(key_id="k1", name="one", workspace="acme"))
    permit_figures(Caller(key_id="k2", name="operator", workspace="acme", trust="operator"))
    permit_figures(Caller(key_id="k3", name="all", workspace=None))


@pytest.mark.parametrize(
    ("name", "path", "query", "ready"),
    [
        ("entities", "entities", {"show": "all"}, DRAWN),
        ("charts", "charts", {}, CHARTED),
    ],
)
def test_every_drawing_can_be_read_in_every_look(
    browse: Browse, eye: Eye, inspector: Inspector, name: str, path: str, query: dict[str, str], ready: str
) -> None:
    inspector.memory.recall("Where does Ana live?", scope=STORY)
    assert eye.looked_at(browse(path, **query), name, ready=ready) == []
