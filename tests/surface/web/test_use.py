"""The inspector as people use it: without scripts, by the keyboard, over a bad line, on paper, in another zone."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from tests.conftest import Opener
from tests.surface.web.callers import Visitor, links_of, query_of, tags_of, visiting, words_of
from tests.surface.web.conftest import Browse
from tests.surface.web.harness import Eye, Faults, Inspector, serving

from glossator import Memory, Options, Scope, verify_receipt
from glossator.model import FactPreview

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ODD = 'a/b "q" <b>ü</b> 🙂 שלום?&#'
PAGES = (
    "search", "facts", "timeline", "conversations", "entities", "resources", "work", "charts", "scopes", "sources",
    "receipts",
)  # fmt: skip
WALKED_MAX = 45


def owner(name: str) -> Scope:
    return Scope(workspace="use", agent="helper", owner=name)


def seen(scope: Scope) -> dict[str, str]:
    return {"workspace": scope.workspace, "agent": scope.agent, "owner": scope.owner}


def kinds(url: str) -> str:
    """Which sort of page an address is: one of each is enough."""
    path = urlsplit(url).path
    return "/".join("*" if part[:1] == "f" and part[1:].isdigit() else part for part in path.split("/"))


def test_without_scripts_every_page_is_reached_by_links(browse: Browse, inspector: Inspector) -> None:
    page = browse("search", scripts=False, q="Bergen")
    waiting, walked = [page.url], set[str]()
    while waiting and len(walked) < WALKED_MAX:
        url = waiting.pop(0)
        if kinds(url) in walked:
            continue
        walked.add(kinds(url))
        answer = page.goto(url) if not url.endswith(".json") else None
        if answer is None:
            continue
        assert answer.status == 200, url
        assert page.locator("h1").count() == 1, url
        found = page.eval_on_selector_all("main a[href], nav a[href], details a[href]", "all => all.map(a => a.href)")
        waiting += [each for each in found if each.startswith(inspector.base)]
    reached = {kind.removeprefix("/inspect/") for kind in walked}
    assert {*PAGES, "conversation", "facts/*", "facts/*/forget", "conversation/forget", "resource"} <= reached


def test_without_scripts_a_fact_is_archived_and_brought_back(browse: Browse, inspector: Inspector) -> None:
    scope = owner("plain")
    kept = inspector.memory.remember("I collect stamps.", scope=scope).fact
    assert kept is not None
    page = browse("facts", scope=scope, scripts=False)
    page.click("text=I collect stamps.")
    page.click("details.act summary:has-text('Archive')")
    page.fill("#reason-archive", "sold")
    page.click("details.act button:has-text('Archive')")
    assert inspector.memory.fact(kept.id, scope=scope).state == "archived"
    page.click(".done button")
    assert inspector.memory.fact(kept.id, scope=scope).state == "active"


def tabbed_to(page: "Page", words: str) -> None:
    """Press Tab until the focus is on what says these words."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if words in page.evaluate("document.activeElement.innerText || document.activeElement.id"):
            return
    raise AssertionError(f"no Tab leads to {words!r}")


def test_a_fact_is_archived_and_brought_back_by_the_keyboard_alone(browse: Browse, inspector: Inspector) -> None:
    scope = owner("keys")
    kept = inspector.memory.remember("I collect coins.", scope=scope).fact
    assert kept is not None
    page = browse(f"facts/{kept.id}", scope=scope)
    tabbed_to(page, "Archive")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("sold")
    page.keyboard.press("Enter")
    page.wait_for_selector(".done >> text=It is archived")
    tabbed_to(page, "Undo")
    page.keyboard.press("Enter")
    page.wait_for_selector(".done >> text=It holds again")
    assert inspector.memory.fact(kept.id, scope=scope).state == "active"


def test_a_double_click_does_one_thing_once(browse: Browse, inspector: Inspector) -> None:
    scope = owner("twice")
    kept = inspector.memory.remember("I collect maps.", scope=scope).fact
    assert kept is not None
    page = browse(f"facts/{kept.id}", scope=scope)
    page.click("details.act summary:has-text('Archive')")
    page.fill("#reason-archive", "sold")
    page.dblclick("details.act button:has-text('Archive')")
    page.wait_for_selector(".done >> text=It is archived")
    assert [each.to_state for each in inspector.memory.explain(kept.id, scope=scope).changes] == ["archived"]


def test_back_and_forward_show_each_question_with_its_hits(browse: Browse) -> None:
    page = browse("search", q="peanuts")
    page.fill("#q", "jazz")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=jazz**")
    expect(page.locator(".hit .words").first).to_contain_text("jazz")
    page.go_back()
    expect(page.locator("#q")).to_have_value("peanuts")
    expect(page.locator(".hit .words").first).to_contain_text("peanuts")
    page.go_forward()
    expect(page.locator("#q")).to_have_value("jazz")
    expect(page.locator(".hit .words").first).to_contain_text("jazz")


def test_a_page_that_asks_again_says_when_the_server_is_gone_and_when_it_is_back(
    browse: Browse, faults: Faults
) -> None:
    faults.allow("htmx:")
    faults.allow("ERR_FAILED")
    page = browse("work")
    before = page.locator("#work-status").inner_text()
    page.route("**/work/part*", lambda route: route.abort())
    page.click("#polling-switch")
    expect(page.locator("#work-status")).to_contain_text("The server does not answer")
    page.unroute("**/work/part*")
    page.click("#polling-switch")
    expect(page.locator("#work-status")).to_have_text(before)


def test_who_is_logged_out_meanwhile_comes_to_the_log_in_and_back(browser: "Browser", eye: Eye, tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "memory.db", options=Options(embedder="none", worker=False))
    secret = memory.add_key("laptop", workspace="use", trust="operator").secret
    with serving(memory, keyed=True) as running:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        for path, switch in (("work", "#polling-switch"), ("charts", "button:has-text('Pause')")):
            # given somebody at a page that asks again and again
            page.goto(running.url(path, scope=owner("ana")))
            page.fill("#key", secret)
            page.keyboard.press("Enter")
            page.wait_for_selector(switch)
            # when the session ends
            context.clear_cookies()
            page.click(switch)
            if path == "charts":
                page.click("button:has-text('Go on')")
            # then the next question leads to the log-in, which leads back
            page.wait_for_selector("#key")
            assert query_of(page.url)["next"][0].startswith(f"/inspect/{path}?")
        assert eye.looked_at(page, "login") == []
        context.close()
    memory.close()


def test_a_tall_margin_leaves_no_gap_before_the_reasons(browse: Browse) -> None:
    page = browse("search", q="What is the name of the nurse from Oslo?")
    hit = page.locator(".hit:has(.glosses li:nth-child(2))").first
    place, why, gloss = (hit.locator(each).bounding_box() for each in (".place", ".why", ".glosses"))
    assert place
    assert why
    assert gloss
    assert gloss["height"] > place["height"] + why["height"]
    assert why["y"] - (place["y"] + place["height"]) < 12


def test_a_page_on_paper_is_light_and_has_no_buttons(browse: Browse) -> None:
    page = browse("facts/f1", scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 250, 247)"
    assert page.locator("button:visible, nav:visible, .act:visible").count() == 0
    assert page.locator("h1").is_visible()


@pytest.mark.parametrize("width", [360, 768])
def test_the_way_to_every_page_is_seen_on_a_narrow_screen(browse: Browse, width: int) -> None:
    page = browse("work", width=width)
    for link in page.locator(".places a").all():
        box = link.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


@pytest.fixture
def odd(memory: Memory) -> Memory:
    """Talk of an owner with a name that no address can hold as it is, and of a person at a western desk."""
    scope = owner(ODD)
    memory.record(
        [{"content": "I live in Quito.", "id": 'm/1"<?', "speaker": ODD, "at": "2026-10-03T23:30:00-05:00"}],
        scope=scope, conversation=f"irc:{ODD}",
    )  # fmt: skip
    memory.drain()
    return memory


def test_names_of_any_letters_lead_to_their_pages(odd: Memory) -> None:
    with visiting(odd, trust="operator", seen=seen(owner(ODD))) as visitor:
        for path in PAGES:
            page = visitor.get(path, **visitor.seen)
            assert page.status_code == 200, path
            assert ODD in words_of(page.text)
        (talk,) = {each for each in links_of(visitor.get("conversations", **visitor.seen).text) if "name=" in each}
        page = visitor.client.get(talk)
        assert "I live in Quito." in words_of(page.text)
        (message,) = {each for each in links_of(page.text) if "message=" in each and "forget" not in each}
        assert "wanted" in visitor.client.get(message).text


def test_what_has_no_clock_of_its_own_is_told_on_the_servers(odd: Memory) -> None:
    # given what was said at half past eleven at night in Quito, when it was the next day in UTC
    told = {}
    for zone in ("UTC", "America/Guayaquil"):
        with visiting(odd, trust="operator", seen=seen(owner(ODD)), zone=zone) as visitor:
            told[zone] = words_of(visitor.get("facts/f1", **visitor.seen).text)
    # then the sentence stands on its speaker's clock, and the fact's day on that of the server
    assert all("Sat 3 Oct 2026, 23:30 -05:00" in each for each in told.values())
    assert "since 4 Oct 2026" in told["UTC"]
    assert "since 3 Oct 2026" in told["America/Guayaquil"]
    assert " UTC kept as a new fact" in told["UTC"]
    assert " -05:00 kept as a new fact" in told["America/Guayaquil"]


def test_among_many_owners_one_is_found_by_typing(memory: Memory) -> None:
    for number in range(30):
        memory.remember("I like tea.", scope=owner(f"owner-{number}"))
    with visiting(memory, trust="operator", seen=seen(owner("owner-3"))) as visitor:
        tags = tags_of(visitor.get("scopes", **visitor.seen).text)
    named = [each["value"] for tag, each in tags if tag == "option"]
    assert sorted(str(each) for each in named) == sorted(["helper", *(f"owner-{number}" for number in range(30))])
    assert [each["list"] for tag, each in tags if tag == "input" and "list" in each] == ["known-agents", "known-owners"]


# Sources, jobs, receipts


@pytest.fixture
def worked(open_memory: Opener) -> Memory:
    """Talk, a job with a run, and two receipts: of a message, and of a fact."""
    memory = open_memory()
    scope = owner("ana")
    memory.record([{"content": "I live in Oslo.", "id": "m1"}], scope=scope, conversation="chat:1")
    memory.record([{"content": "I love jazz.", "id": "m2"}], scope=scope, conversation="chat:1")
    memory.drain()
    memory.add_job("nightly", scope=scope, name="The <b>news</b>", description="Reads what is new.", schedule="at 3")
    memory.finish_job_run(memory.begin_job_run("nightly", scope=scope), final_text="", status="failed", error="no line")
    shown = memory.forget(scope=scope, message_ids=["m1"])
    memory.forget(scope=scope, message_ids=["m1"], confirm=shown.token)
    (jazz,) = memory.facts(scope=scope)
    named = memory.forget_facts(scope=scope, fact_ids=[jazz.id])
    assert isinstance(named, FactPreview)
    memory.forget_facts(scope=scope, fact_ids=[jazz.id], confirm=named.token)
    return memory


@pytest.fixture
def reader(worked: Memory) -> Iterator[Visitor]:
    with visiting(worked, trust="operator", seen=seen(owner("ana"))) as visitor:
        yield visitor


def test_receipts_are_listed_with_their_verdict_and_can_be_kept_as_files(reader: Visitor, worked: Memory) -> None:
    page = reader.get("receipts", **reader.seen)
    words = words_of(page.text)
    assert words.index("r2") < words.index("r1")
    assert "1 fact forgotten" in words
    assert "1 message and 1 fact erased" in words
    assert words.count(" holds ") == 2
    assert "Oslo" not in words
    # when a file is taken, then it is the signed line to the last byte, and the key of the page checks it
    (link,) = [each for each in links_of(page.text) if "/r1.json" in each]
    file = reader.client.get(link)
    assert file.headers["content-disposition"] == 'attachment; filename="receipt-r1.json"'
    assert verify_receipt(file.text.rstrip("\n"), worked.receipt_key())
    assert worked.receipt_key().splitlines()[1] in words
    assert json.loads(file.text)["receipt_id"] == "r1"
    # and nobody else's
    assert reader.get("receipts/r9.json", **reader.seen).status_code == 404
    assert reader.get("receipts/r1.json", **seen(owner("ben"))).status_code == 404
    assert "Nothing was forgotten here" in words_of(reader.get("receipts", **seen(owner("ben"))).text)


def test_a_guest_is_shown_no_receipt(worked: Memory) -> None:
    with visiting(worked, trust="guest", seen=seen(owner("ana"))) as guest:
        assert "Nothing was forgotten here" in words_of(guest.get("receipts", **guest.seen).text)
        assert guest.get("receipts/r1.json", **guest.seen).status_code == 404


def test_sources_and_jobs_are_listed_with_their_runs(reader: Visitor) -> None:
    page = reader.get("sources", **reader.seen)
    words = words_of(page.text)
    assert "The <b>news</b>" in words
    assert "Reads what is new." in words
    assert "at 3 none is planned" in words
    assert "failed no line" in words
    assert "Nothing is kept yet" in words_of(reader.get("sources", **seen(owner("ben"))).text)


@pytest.mark.parametrize("path", ["sources", "receipts"])
def test_the_pages_of_proof_are_fit_to_be_read(browse: Browse, eye: Eye, inspector: Inspector, path: str) -> None:
    scope = owner("proof")
    if not inspector.memory.receipts(scope=scope):
        kept = inspector.memory.remember("I collect keys.", scope=scope).fact
        assert kept is not None
        inspector.memory.remember("I collect locks.", scope=scope)
        named = inspector.memory.forget_facts(scope=scope, fact_ids=[kept.id])
        assert isinstance(named, FactPreview)
        inspector.memory.forget_facts(scope=scope, fact_ids=[kept.id], confirm=named.token)
        inspector.memory.add_job("weekly", scope=scope, name="Weekly", next_run_at=datetime(2027, 1, 1, tzinfo=UTC))
    assert eye.looked_at(browse(path, scope=scope), path) == []
