"""The frame of the inspector: scope, navigation, headers, keys, themes, failures as pages."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import Opener
from tests.surface.web.callers import Visitor, fields_of, links_of, query_of, tags_of, visiting, words_of
from tests.surface.web.conftest import Browse
from tests.surface.web.harness import Eye, Inspector

from glossator import Memory, Scope

ANA = Scope(workspace="acme", agent="helper", owner="ana")
BEN = Scope(workspace="acme", agent="helper", owner="ben & <b>co</b>")
PAGES = ("search", "facts", "timeline", "scopes", "conversations", "resources", "entities", "work")


@pytest.fixture
def told(memory: Memory) -> Memory:
    """A memory of two owners."""
    memory.remember("I live in Oslo.", scope=ANA, category="identity")
    memory.remember("I live in Rome.", scope=BEN, category="identity")
    return memory


@pytest.fixture
def operator(told: Memory) -> Iterator[Visitor]:
    """Whoever runs the machine."""
    with visiting(told, trust="operator", seen={"workspace": "acme", "agent": "helper", "owner": "ana"}) as visitor:
        yield visitor


@pytest.fixture
def ben(told: Memory) -> Iterator[Visitor]:
    """Somebody with a key for one owner."""
    secret = told.add_key("ben", workspace="acme", agent="helper", owner=BEN.owner).secret
    with visiting(told, secret=secret) as visitor:
        yield visitor


def test_every_link_of_a_page_keeps_the_scope(operator: Visitor) -> None:
    # given a name that no address could hold as it is
    page = operator.get("facts", workspace="acme", agent="helper", owner=BEN.owner)
    # when the links of the page are read
    links = [link for link in links_of(page.text) if link.startswith("/inspect/")]
    # then each of them leads to the same owner
    assert len(links) > len(PAGES)
    for link in links:
        assert query_of(link)["owner"] == [BEN.owner]


def test_the_switcher_lists_the_memories_and_leads_back_to_the_page(operator: Visitor) -> None:
    page = operator.get("scopes", workspace="acme", page="timeline")
    assert "ben & <b>co</b>" in words_of(page.text)
    leads = [link for link in links_of(page.text) if link.startswith("/inspect/timeline?")]
    assert [BEN.owner] in [query_of(link).get("owner") for link in leads]


@pytest.mark.parametrize(("page", "leads"), [("facts/f1", "facts"), ("conversation", "conversations"), ("x", "search")])
def test_a_choice_leads_to_a_page_that_every_memory_has(operator: Visitor, page: str, leads: str) -> None:
    switcher = operator.get("scopes", workspace="acme", page=page)
    assert any(link.startswith(f"/inspect/{leads}?") and "ana" in link for link in links_of(switcher.text))


def test_whoever_has_chosen_nobody_chooses_first(operator: Visitor) -> None:
    assert operator.get("").url.path == "/inspect/scopes"
    chosen = operator.get("", workspace="acme", agent="helper", owner="ana")
    assert chosen.url.path == "/inspect/search"


@pytest.mark.parametrize("path", PAGES)
def test_a_key_for_one_owner_opens_no_other_memory(ben: Visitor, path: str) -> None:
    # proves: K36
    assert ben.get(path).status_code == 200
    refused = ben.get(path, owner="ana")
    assert refused.status_code == 403
    assert "owner is not what this key is for" in words_of(refused.text)
    assert "Oslo" not in refused.text


def test_a_key_for_one_owner_sees_that_owner_alone(ben: Visitor) -> None:
    shown = words_of(ben.get("scopes").text)
    assert BEN.owner in shown
    assert "ana" not in shown.split("with")[0]
    assert "Rome" in words_of(ben.get("facts").text)


def test_a_memory_that_is_alone_is_shown_at_once(told: Memory) -> None:
    lone = Scope(workspace="lone", agent="juno", owner="nora & co")
    told.record([{"content": "I like tea."}], scope=lone, conversation="c")
    with visiting(told, secret=told.add_key("lone", workspace="lone", trust="operator").secret) as visitor:
        page = visitor.get("")
    assert page.url.path == "/inspect/search"
    assert query_of(str(page.url))["owner"] == ["nora & co"]


def test_a_key_that_leaves_the_owner_open_asks_for_a_name(told: Memory) -> None:
    with visiting(told, secret=told.add_key("free", workspace="acme").secret) as visitor:
        page = visitor.get("")
        assert page.url.path == "/inspect/scopes"
        named = [attributes["name"] for tag, attributes in tags_of(page.text) if tag == "input"]
        assert [name for name in named if name in ("workspace", "agent", "owner")] == ["agent", "owner"]
        assert "Oslo" in words_of(visitor.get("facts", agent="helper", owner="ana").text)


def test_a_fact_of_somebody_else_is_not_here(ben: Visitor) -> None:
    page = ben.get("facts/f1")
    assert page.status_code == 404
    assert "f1 is not in this scope" in words_of(page.text)
    assert "Oslo" not in page.text


@pytest.mark.parametrize(
    ("path", "query", "words"),
    [
        ("search", {"q": "x", "limit": "nine"}, "limit"),
        ("search", {"q": "x", "limit": "0"}, "limit"),
        ("search", {"q": "x", "as_of": "soon"}, "soon"),
        ("search", {"q": "x", "tags": "a" * 300}, "tags"),
        ("facts", {"state": "asleep"}, "state"),
        ("facts", {"as_of": "<b>"}, "<b>"),
        ("timeline", {"as_of": "2026-99-99"}, "as_of"),
        ("facts/nonsense", {}, "no id of a fact"),
        ("search", {"owner": "x" * 500}, "owner"),
        ("search", {"owner": "a\0b"}, "owner"),
        ("search", {"q": "x" * 20_001}, "query"),
    ],
)
def test_what_cannot_be_asked_is_said_on_a_page(
    operator: Visitor, path: str, query: dict[str, str], words: str
) -> None:
    page = operator.get(path, **{"workspace": "acme", **query})
    assert page.status_code == 422
    assert page.headers["content-type"].startswith("text/html")
    assert words in words_of(page.text)
    assert "<b>" not in page.text.split("<main", 1)[1].split("</main>")[0]


@pytest.mark.parametrize(
    "path", ["nowhere", "facts/f1/explode", "static/../pages.py", "static/%2e%2e/pages.py", "static/vendor"]
)
def test_an_address_that_is_none_is_a_page_too(operator: Visitor, path: str) -> None:
    page = operator.get(path, workspace="acme")
    assert page.status_code in (404, 422)
    assert "<html" in page.text
    assert "def " not in page.text


def test_a_locked_store_is_told_with_when_to_come_again(open_memory: Opener, tmp_path: Path) -> None:
    # given somebody else who writes
    memory = open_memory(busy_timeout_s=0.05)
    memory.remember("I live in Oslo.", scope=ANA)
    with visiting(memory, trust="operator", seen={"workspace": "acme", "agent": "helper", "owner": "ana"}) as operator:
        token = operator.csrf
        other = sqlite3.connect(tmp_path / "memory.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        # when a fact is put away
        page = operator.post("facts/f1/archive", csrf=token, query=operator.seen, reason="old")
        other.execute("ROLLBACK")
        other.close()
    # then the page says so
    assert page.status_code == 503
    assert page.headers["retry-after"] == "5"
    assert "Wait a moment" in words_of(page.text)


@pytest.mark.parametrize("path", [*PAGES, "facts/f1", "nowhere"])
def test_nothing_of_a_page_runs_or_is_loaded_from_elsewhere(operator: Visitor, path: str) -> None:
    # proves: K36
    page = operator.get(path, workspace="acme", agent="helper", owner="ana", q="oslo" if path == "search" else None)
    policy = page.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["x-content-type-options"] == "nosniff"
    for tag, attributes in tags_of(page.text):
        assert not [name for name in attributes if name.startswith(("on", "hx-on")) or name == "style"]
        assert tag != "style"
        if tag == "script":
            assert (attributes["src"] or "").startswith("/inspect/static/")
        for name in ("src", "href", "action"):
            assert (attributes.get(name) or "/").startswith(("/inspect/", "#", "/"))
            assert not (attributes.get(name) or "").startswith("//")


@pytest.mark.parametrize("csrf", ["", "x", "ü"])
def test_a_form_without_the_token_of_its_page_changes_nothing(operator: Visitor, told: Memory, csrf: str) -> None:
    # proves: K36
    page = operator.post("facts/f1/archive", csrf=csrf, query=operator.seen, reason="old")
    assert page.status_code == 403
    assert told.fact("f1", scope=ANA).state == "active"


def test_a_form_of_another_site_changes_nothing(operator: Visitor, told: Memory) -> None:
    # proves: K36
    token = operator.csrf
    page = operator.client.post(
        "/inspect/facts/f1/archive", params=operator.seen, data={"csrf": token, "reason": "old"},
        headers={"Origin": "http://evil.test"},
    )  # fmt: skip
    assert page.status_code == 403
    assert told.fact("f1", scope=ANA).state == "active"


def test_the_log_in_says_what_is_wrong_and_keeps_where_to_go(told: Memory) -> None:
    with visiting(told, secret=told.add_key("k", workspace="acme").secret) as visitor:
        visitor.client.cookies.clear()
        asked = visitor.get("facts", owner="ana")
        assert "Log in" in words_of(asked.text)
        assert fields_of(asked.text)["next"] == ["/inspect/facts?owner=ana"]
        wrong = visitor.client.post("/inspect/login", data={"key": "gl_wrong", "next": "/inspect/facts"})
        assert wrong.status_code == 401
        assert "unknown" in words_of(wrong.text)
        assert "gl_wrong" not in wrong.text


def test_keys_lead_through_a_page(browse: Browse) -> None:
    # given the hits of a question
    page = browse("search", q="jazz")
    # when somebody goes down and up by keys
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    # then the first hit's link has the focus, and it is seen
    focus = "document.activeElement.closest('[data-item]') === document.querySelector('[data-item]')"
    assert page.evaluate(focus)
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_url("**/timeline?**")


def test_the_first_tab_skips_the_frame(browse: Browse) -> None:
    page = browse("search")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_the_theme_is_switched_and_kept(browse: Browse) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    page = browse("search", scheme="light")
    before = page.evaluate(ground)
    page.click("[data-theme-switch]")
    page.click("[data-theme-switch]")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate(ground) != before
    page.reload()
    assert page.evaluate(ground) != before
    page.click("[data-theme-switch]")
    assert page.evaluate(ground) == before


def test_the_switcher_opens_in_place_and_leads_to_another_memory(browse: Browse, inspector: Inspector) -> None:
    other = Scope(workspace="acme", agent="helper", owner="zoe <i>")
    inspector.memory.remember("I live in Turin.", scope=other)
    page = browse("facts")
    page.click("details.scope summary")
    page.click("#scopes >> text=zoe <i>")
    page.wait_for_selector("text=I live in Turin.")
    assert query_of(page.url)["owner"] == ["zoe <i>"]


@pytest.mark.parametrize("path", ["search", "facts", "timeline", "scopes", "facts/f1"])
def test_without_scripts_a_page_is_whole(browse: Browse, path: str) -> None:
    page = browse(path, scripts=False)
    assert page.locator("h1").is_visible()
    assert page.locator("[data-theme-switch]").is_hidden()
    page.click("details.scope summary")
    page.click("text=Whose memories are here >> visible=true")
    assert page.locator("h1").inner_text() == "Whose memories are here"


@pytest.mark.parametrize("path", ["scopes", "nowhere"])
def test_the_frame_is_fit_to_be_read(browse: Browse, eye: Eye, path: str, faults: "object") -> None:
    faults.allow("404")  # type: ignore[attr-defined]
    assert eye.looked_at(browse(path), f"frame-{path}") == []
