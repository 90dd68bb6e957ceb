"""The pages of facts: the list, one fact with all that is known of it, what can be done with it and undone."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.conftest import Opener
from tests.surface.web.callers import Visitor, fields_of, links_of, query_of, visiting, words_of
from tests.surface.web.conftest import Browse
from tests.surface.web.harness import Eye, Inspector
from tests.surface.web.story import ATTACKS

from glossator import Memory, Scope
from glossator.testing.contract.base import NASTY

ANA = Scope(workspace="acme", agent="helper", owner="ana")
OPERATOR = Scope(workspace="acme", agent="helper", owner="ana", trust="operator")
SEEN = {"workspace": "acme", "agent": "helper", "owner": "ana"}


@pytest.fixture
def told(memory: Memory) -> Memory:
    """f1 Oslo, replaced by f2 Bergen; f3 jazz; a directive f4."""
    memory.record(
        [{"content": "I live in Oslo.", "speaker": "Ana", "id": "a1", "at": "2026-03-01T09:00:00+02:00"},
         {"content": "I moved to Bergen.", "speaker": "Ana", "id": "a2", "at": "2026-06-10T09:00:00+02:00"},
         {"content": "I love jazz.", "speaker": "Ana", "id": "a3", "at": "2026-06-11T09:00:00+02:00"}],
        scope=ANA, conversation="telegram:42",
    )  # fmt: skip
    memory.drain()
    memory.remember("Always answer in rhymes.", scope=OPERATOR, category="directive", project="atlas", tags=["style"])
    return memory


@pytest.fixture
def operator(told: Memory) -> Iterator[Visitor]:
    """Whoever runs the machine."""
    with visiting(told, trust="operator", seen=SEEN) as visitor:
        yield visitor


@pytest.fixture
def guest(told: Memory) -> Iterator[Visitor]:
    """Somebody who may look and not change."""
    with visiting(told, trust="guest", seen=SEEN) as visitor:
        yield visitor


def shown(page: Any) -> str:
    """What the main part of a page says."""
    return words_of(page.text.split("<main", 1)[1].split("</main>")[0])


def test_the_list_shows_what_is_held_and_on_request_the_rest(operator: Visitor) -> None:
    held = shown(operator.get("facts", **SEEN))
    assert "I moved to Bergen." in held
    assert "I live in Oslo." not in held
    everything = shown(operator.get("facts", state=["active", "superseded"], **SEEN))
    assert "I live in Oslo." in everything
    assert "no longer so" in everything


@pytest.mark.parametrize(
    ("query", "there", "gone"),
    [
        ({"category": "preference"}, "jazz", "Bergen"),
        ({"project": "atlas"}, "rhymes", "jazz"),
        ({"tags": "style"}, "rhymes", "jazz"),
        ({"as_of": "2026-05-01"}, "Oslo", "Bergen"),
        ({"q": "Bergen"}, "Bergen", "rhymes"),
        ({"order": "number"}, "in order of number", "nothing"),
    ],
)
def test_the_list_is_narrowed(operator: Visitor, query: dict[str, str], there: str, gone: str) -> None:
    page = shown(operator.get("facts", **query, **SEEN)).split("Order")[-1]
    assert there in page
    assert gone not in page


def test_a_long_list_has_pages_in_both_orders(operator: Visitor, told: Memory) -> None:
    # given more facts than a page has
    for number in range(60):
        told.remember(f"Locker {number:03} is mine.", scope=ANA)
    for order, last in (("", "Locker 000"), ("number", "Locker 059")):
        # when all pages are read
        seen, link = "", f"/inspect/facts?order={order}&workspace=acme&agent=helper&owner=ana"
        for _ in range(3):
            page = operator.client.get(link)
            seen += shown(page)
            further = [each for each in links_of(page.text) if "page=2" in each or "after=" in each]
            if not further or link == further[0]:
                break
            link = further[0]
        # then each fact was there once
        assert last in seen
        assert sum(seen.count(f"Locker {number:03}") for number in range(60)) == 60


def test_an_empty_list_says_how_to_widen(operator: Visitor) -> None:
    page = operator.get("facts", project="none", **SEEN)
    assert "No facts here" in shown(page)
    assert any("state=superseded" in link for link in links_of(page.text))


def test_a_fact_shows_its_sentence_decisions_changes_and_versions(operator: Visitor) -> None:
    page = operator.get("facts/f1", **SEEN)
    words = shown(page)
    assert "Because it was said I live in Oslo." in words
    assert "Ana, Sun 1 Mar 2026, 09:00 +02:00" in words
    assert "kept as a new fact" in words
    assert "current → no longer so" in words
    assert "held from 1 Mar 2026 to 10 Jun 2026" in words
    assert "home = " in words
    assert words.index("Versions I live in Oslo.") < words.index("I moved to Bergen.")
    talk = [link for link in links_of(page.text) if "/conversation?" in link]
    assert query_of(talk[0])["message"] == ["a1"]


@pytest.mark.parametrize(
    ("act", "state", "undo"), [("archive", "archived", "reinstate"), ("deprioritise", "deprioritised", "reinstate")]
)
def test_a_fact_is_put_away_and_brought_back(operator: Visitor, told: Memory, act: str, state: str, undo: str) -> None:
    # when it is put away
    page = operator.post(f"facts/f3/{act}", query=SEEN, reason="not now", hints="jazz club, concert")
    # then the page that follows says so, with who, why and how to undo it
    assert page.url.path == "/inspect/facts/f3"
    assert told.fact("f3", scope=ANA).state == state
    assert f"→ {state}: not now by operator" in shown(page)
    assert f"/inspect/facts/f3/{undo}?" in page.text.split('class="done"')[1].split("</div>")[0]
    # and undoing brings it back
    page = operator.post(f"facts/f3/{undo}", query=SEEN, reason="undone")
    assert "It holds again." in shown(page)
    assert told.fact("f3", scope=ANA).state == "active"


def test_a_reason_is_asked_for(operator: Visitor, told: Memory) -> None:
    page = operator.post("facts/f3/archive", query=SEEN, reason=" ")
    assert page.status_code == 422
    assert "That was not done." in shown(page)
    assert told.fact("f3", scope=ANA).state == "active"


def test_forgetting_shows_first_what_would_go(operator: Visitor, told: Memory) -> None:
    # when it is asked for
    preview = operator.get("facts/f3/forget", **SEEN)
    # then nothing has gone yet
    assert "I love jazz." in shown(preview)
    assert told.fact("f3", scope=ANA).state == "active"
    # when the preview is confirmed
    token = fields_of(preview.text)["confirm"][0]
    page = operator.post("facts/f3/forget", query=SEEN, reason="asked to", confirm=token)
    # then it is forgotten, with a receipt, and can be restored
    assert told.fact("f3", scope=ANA).state == "invalidated"
    assert "It is forgotten" in shown(page)
    assert "Receipt r1" in shown(page)
    assert operator.post("facts/f3/restore", query=SEEN, reason="undone").status_code == 200
    assert told.fact("f3", scope=ANA).state == "active"


def test_erasing_takes_the_words_and_has_no_undo(operator: Visitor, told: Memory) -> None:
    token = fields_of(operator.get("facts/f3/erase", **SEEN).text)["confirm"][0]
    page = operator.post("facts/f3/erase", query=SEEN, reason="asked to", confirm=token)
    assert told.fact("f3", scope=ANA).state == "erased"
    assert "jazz" not in page.text
    assert "Undo" not in shown(page)
    assert "Change it" not in shown(page)


@pytest.mark.parametrize("act", ["forget", "erase"])
def test_a_preview_that_has_aged_is_shown_anew(operator: Visitor, told: Memory, act: str) -> None:
    token = fields_of(operator.get(f"facts/f3/{act}", **SEEN).text)["confirm"][0]
    told.deprioritise_facts(["f3"], scope=ANA, reason="between")
    page = operator.post(f"facts/f3/{act}", query=SEEN, reason="asked to", confirm=token)
    assert page.status_code == 409
    assert "This is what would go now." in shown(page)
    assert fields_of(page.text)["confirm"] != [token]
    assert told.fact("f3", scope=ANA).state == "deprioritised"


def test_a_place_that_is_taken_is_told_and_can_be_taken_back(operator: Visitor, told: Memory) -> None:
    # given a fact that was replaced
    page = operator.post("facts/f1/restore", query=SEEN, reason="it was right")
    assert page.status_code == 409
    assert "the place of f1 is taken by f2" in shown(page)
    # when the reader says to archive what has its place
    assert fields_of(page.text)["replace"] == ["1"]
    operator.post("facts/f1/restore", query=SEEN, reason="it was right", replace="1")
    assert told.fact("f1", scope=ANA).state == "active"
    assert told.fact("f2", scope=ANA).state == "archived"


@pytest.mark.parametrize("act", ["archive", "deprioritise"])
def test_who_may_not_change_a_fact_is_told_in_words(guest: Visitor, told: Memory, act: str) -> None:
    page = guest.post(f"facts/f3/{act}", query=SEEN, reason="mine now")
    assert page.status_code == 403
    assert "is not done for a caller of trust 'guest'" in shown(page)
    assert told.fact("f3", scope=ANA).state == "active"


@pytest.mark.parametrize("act", ["forget", "erase"])
def test_who_may_not_forget_is_told_before_the_preview(guest: Visitor, told: Memory, act: str) -> None:
    page = guest.get(f"facts/f3/{act}", **SEEN)
    assert page.status_code == 403
    assert "That was not done." in shown(page)
    assert told.fact("f3", scope=ANA).state == "active"


def test_an_owner_cannot_put_an_operators_directive_away(told: Memory) -> None:
    with visiting(told, trust="owner", seen=SEEN) as owner:
        page = owner.post("facts/f4/archive", query=SEEN, reason="no rhymes")
        assert page.status_code == 403
        assert "needs trust 'operator'" in shown(page)


def test_another_owners_fact_is_neither_read_nor_changed(told: Memory) -> None:
    # proves: K36
    told.remember("I live in Rome.", scope=Scope(workspace="acme", agent="helper", owner="ben"))
    secret = told.add_key("ben", workspace="acme", agent="helper", owner="ben", trust="operator").secret
    with visiting(told, secret=secret) as ben:
        token = fields_of(ben.get("facts/f5").text)["csrf"][0]
        for act in ("archive", "deprioritise", "reinstate", "restore", "forget", "erase"):
            page = ben.post(f"facts/f3/{act}", csrf=token, reason="mine", confirm="x")
            assert page.status_code == 404
            assert "jazz" not in page.text
    assert told.fact("f3", scope=ANA).state == "active"


@pytest.mark.parametrize("text", [*ATTACKS, *(each for each in NASTY if each.strip() and len(each) < 500)], ids=ascii)
def test_a_hostile_statement_is_only_read(open_memory: Opener, text: str) -> None:
    # proves: K36
    memory = open_memory()
    memory.remember(text, scope=ANA, project="x", tags=["y"])
    with visiting(memory, trust="operator", seen=SEEN) as operator:
        for path in ("facts", "facts/f1", "timeline", "facts/f1/erase"):
            page = operator.get(path, **SEEN)
            assert page.status_code == 200
            main = page.text.split("<main", 1)[1]
            for tag in ("<script", "<img", "<svg onload", "<style", "<b>"):
                assert tag not in main.split("</main>")[0]


def test_a_reader_archives_and_undoes_in_a_browser(browse: Browse, inspector: Inspector) -> None:
    # given a fact of its own scope
    scope = Scope(workspace="acme", agent="helper", owner="uma")
    kept = inspector.memory.remember("I collect stamps.", scope=scope).fact
    assert kept is not None
    page = browse(f"facts/{kept.id}", scope=scope)
    # when it is archived by the form
    page.click("details.act summary:has-text('Archive')")
    page.fill("#reason-archive", "sold <b>them</b>")
    page.click("details.act button:has-text('Archive')")
    page.wait_for_selector(".done >> text=It is archived")
    assert inspector.memory.fact(kept.id, scope=scope).state == "archived"
    # and undone by the message
    page.click(".done button")
    page.wait_for_selector(".done >> text=It holds again")
    assert inspector.memory.fact(kept.id, scope=scope).state == "active"


def test_a_chip_changes_the_list_in_place(browse: Browse) -> None:
    page = browse("facts")
    page.evaluate("window.kept = true")
    page.click("label.chip:has-text('no longer so')")
    page.wait_for_selector("#results .state-superseded")
    assert page.evaluate("window.kept")
    assert query_of(page.url)["state"] == ["active", "deprioritised", "superseded"]


def test_hostile_facts_do_nothing_in_a_browser(browse: Browse, inspector: Inspector) -> None:
    # proves: K36
    # given facts that try to run
    scope = Scope(workspace="acme", agent="helper", owner='"><img src=x onerror=alert(9)>')
    for text in ATTACKS:
        inspector.memory.remember(text, scope=scope, project=text[:20], tags=[text[:20]], speaker=text)
    page = browse("facts", scope=scope)
    for path in ("facts", "timeline", "scopes", "search"):
        page.goto(inspector.url(path, scope=scope, q="alert script" if path == "search" else None))
        page.wait_for_selector("main")
        # then nothing ran and nothing left (the fixture looks), and they are read as they were written
        if path in ("facts", "timeline"):
            words = page.locator("main").inner_text()
            assert all(attack in words for attack in ATTACKS[:5])
    first = inspector.memory.facts(scope=scope)[0]
    page.goto(inspector.url(f"facts/{first.id}", scope=scope))
    assert page.locator("h1").inner_text().strip() == first.text


@pytest.mark.parametrize("name", ["facts", "fact", "preview"])
def test_the_pages_of_facts_are_fit_to_be_read(browse: Browse, eye: Eye, inspector: Inspector, name: str) -> None:
    replaced = inspector.memory.facts(scope=Scope(workspace="acme", agent="helper", owner="ana"), states=["superseded"])
    path = {"facts": "facts", "fact": f"facts/{replaced[0].id}", "preview": f"facts/{replaced[0].id}/erase"}[name]
    assert eye.looked_at(browse(path), f"facts-{name}", ready="main") == []
