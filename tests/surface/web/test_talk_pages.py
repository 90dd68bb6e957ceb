"""Conversations, and the work behind them, in a real browser."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from tests.surface.web.conftest import Browse
from tests.surface.web.harness import STORY, Eye, Faults, Inspector
from tests.surface.web.story import ASLEEP, ATTACKS, CHAT, HOSTILE, LONG, SUMMARY

from glossator import NotFoundError, Scope
from glossator.model import ForgetPreview

if TYPE_CHECKING:
    from playwright.sync_api import Page

KEY = f"{CHAT}:root"


def owner(name: str) -> Scope:
    """A scope of a test's own, as the operator at this machine sees it."""
    return Scope(workspace="elsewhere", agent="helper", owner=name)


def texts(page: "Page", selector: str) -> list[str]:
    return [" ".join(each.split()) for each in page.locator(selector).all_inner_texts()]


def test_conversations_are_listed_with_the_newest_talk_first(browse: Browse) -> None:
    page = browse("conversations")
    assert texts(page, "tbody th a") == ["signal:7", "telegram:42", "irc:#nasty"]
    assert texts(page, "tbody tr:nth-child(2) td") == ["7", "7", "3", "3 Oct 2026", "20 Nov 2026"]
    assert page.locator(".places [aria-current]").inner_text() == "Conversations"

    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/conversation?**")
    assert page.locator("h1").inner_text() == "telegram:42"
    assert page.locator(".places [aria-current]").inner_text() == "Conversations"


def test_a_long_list_of_conversations_has_pages(browse: Browse, inspector: Inspector) -> None:
    scope = owner("many")
    for number in range(53):
        talk = [{"content": "Hello.", "at": f"2026-01-01T10:{number:02}:00Z"}]
        inspector.memory.record(talk, scope=scope, conversation=f"chat:{number}")
    page = browse("conversations", scope=scope)
    assert len(texts(page, "tbody tr")) == 50
    page.click("text=Older conversations")
    assert texts(page, "tbody th a") == ["chat:2", "chat:1", "chat:0"]
    page.get_by_role("link", name="Newest").click()
    assert len(texts(page, "tbody tr")) == 50


def test_a_memory_without_talk_says_what_to_do(browse: Browse) -> None:
    page = browse("conversations", scope=owner("nobody"))
    assert "glossator record" in page.locator(".empty").inner_text()
    page = browse("work", scope=owner("nobody"))
    assert "Once talk is recorded" in page.locator(".empty").inner_text()
    page = browse("entities", scope=owner("nobody"))
    assert "No facts are held yet" in page.locator(".empty").inner_text()


def test_a_conversation_shows_who_said_what_when_and_what_was_taken_from_it(browse: Browse) -> None:
    page = browse("conversation", name=KEY)
    assert texts(page, ".message .words")[:2] == [
        "My name is Ana. I live in Oslo. I work as a nurse.", "Nice to meet you, Ana. How do you like Oslo?",
    ]  # fmt: skip
    assert texts(page, ".said-by")[0] == "Ana user Sat 3 Oct 2026, 10:00 +02:00"
    assert page.locator(".said-by time").first.get_attribute("datetime") == "2026-10-03T10:00:00+02:00"
    assert "believed as owner" in texts(page, ".foot")[0]
    assert texts(page, "#m1 .taken li") == [
        "kept My name is Ana. current",
        "kept I live in Oslo. no longer so since 2 Nov 2026 what replaced it",
        "kept I work as a nurse. current",
    ]
    page.click("text=I live in Oslo. >> nth=1")
    page.wait_for_url("**/facts/f2?**")


def test_what_left_the_window_and_the_checkpoint_are_set_apart(browse: Browse) -> None:
    page = browse("conversation", name=LONG)
    assert page.locator(".checkpoint-summary .words").inner_text() == SUMMARY
    page.click("nav[aria-label$=above] >> text=Beginning")
    states = texts(page, ".message .foot")
    assert "compacted" in states[0]
    assert "compacted" not in states[-1]
    assert page.locator(".checkpoint-summary").count() == 0


def test_a_link_to_a_message_opens_the_page_where_it_stands(browse: Browse, inspector: Inspector) -> None:
    scope = owner("long")
    talk = [
        {"content": f"Word {number}.", "at": f"2026-01-01T10:{number // 2:02}:00Z", "id": f"w{number}"}
        for number in range(110)
    ]
    inspector.memory.record(talk, scope=scope, conversation="chat:1")
    beside = [{"content": "Beside.", "id": f"b{number}"} for number in range(300)]
    inspector.memory.record(beside, scope=scope, conversation="chat:2")
    page = browse("conversation", scope=scope, name="chat:1", message="w50")
    page.goto(f"{page.url}#here")

    assert texts(page, ".wanted .words") == ["Word 50."]
    assert page.evaluate("document.querySelector('.wanted').getBoundingClientRect().top") < 900
    assert texts(page, ".message .words")[0] == "Word 42."
    page.click("nav[aria-label$=above] >> text=Earlier")
    assert texts(page, ".message .words") == [f"Word {number}." for number in range(2, 42)]
    page.click("nav[aria-label$=above] >> text=Newest")
    assert texts(page, ".message .words") == [f"Word {number}." for number in range(70, 110)]
    page.click("nav[aria-label$=above] >> text=Beginning")
    page.click("nav[aria-label$=below] >> text=Later")
    assert texts(page, ".message .words")[0] == "Word 40."


def test_a_message_is_forgotten_after_a_preview_that_touches_nothing(browse: Browse, inspector: Inspector) -> None:
    scope = owner("forgetful")
    inspector.memory.record([{"content": "I live in Oslo.", "id": "m1"}], scope=scope, conversation="chat:1")
    inspector.memory.record([{"content": "Hello.", "id": "m2"}], scope=scope, conversation="chat:1")
    inspector.memory.drain()
    page = browse("conversation", scope=scope, name="chat:1")
    page.locator(".message").first.get_by_text("Forget …").click()
    assert page.locator("h1").inner_text() == "Forget this message?"
    assert texts(page, "main li") == ["1 message, 1 chunk", "1 fact that rests on nothing else"]
    assert len(inspector.memory.messages(scope=scope)) == 2

    page.click("button.danger")
    assert page.locator("h1").inner_text() == "Forgotten"
    assert "1 fact are gone" in page.locator("main [role=status]").inner_text()
    assert [each.external_id for each in inspector.memory.messages(scope=scope)] == ["m2"]
    assert inspector.memory.facts(scope=scope) == ()


def test_a_preview_that_is_out_of_date_forgets_nothing(browse: Browse, inspector: Inspector, faults: Faults) -> None:
    faults.allow("status of 409")
    scope = owner("hasty")
    inspector.memory.record([{"content": "I live in Oslo.", "id": "m1"}], scope=scope, conversation="chat:1")
    page = browse("conversation/forget", scope=scope, name="chat:1", message="m1")
    # given somebody who forgets it first
    preview = inspector.memory.forget(scope=scope, message_ids=["m1"])
    assert isinstance(preview, ForgetPreview)
    inspector.memory.forget(scope=scope, message_ids=["m1"], confirm=preview.token)
    # when the page does so too
    page.click("button.danger")
    # then it says that nothing is there any more
    assert page.locator("main h1").inner_text() != "Forgotten"
    assert len(inspector.memory.receipts(scope=scope)) == 1


def test_what_was_learned_since_the_preview_goes_with_its_message(browse: Browse, inspector: Inspector) -> None:
    scope = owner("learner")
    inspector.memory.record([{"content": "I live in Oslo.", "id": "m1"}], scope=scope, conversation="chat:1")
    page = browse("conversation/forget", scope=scope, name="chat:1", message="m1")
    inspector.memory.drain()
    assert len(inspector.memory.facts(scope=scope)) == 1
    page.click("button.danger")
    assert "1 fact are gone" in page.locator("main [role=status]").inner_text()
    assert inspector.memory.facts(scope=scope) == ()


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("conversation/forget", {"name": KEY, "message": "D1:1", "confirm": "x"}),
        ("work/review", {}),
        ("resource", {"kind": "rules", "content": "stolen", "expected_sha256": ""}),
        ("resource/rollback", {"kind": "rules", "number": "1", "expected_sha256": ""}),
    ],
)
def test_a_form_without_its_token_changes_nothing(
    browse: Browse, inspector: Inspector, path: str, form: dict[str, str]
) -> None:
    page = browse("search")
    before = inspector.memory.resource("rules", scope=STORY)
    answer = page.request.post(inspector.url(path), form=form)
    assert answer.status == 403
    assert inspector.memory.resource("rules", scope=STORY) == before
    assert len(inspector.memory.messages(scope=replace(STORY, conversation=KEY))) == 7


def test_a_conversation_that_is_not_there_is_told_in_words(browse: Browse, faults: Faults) -> None:
    faults.allow("status of 404")
    page = browse("conversation", name="chat:none")
    assert "is no conversation of this scope" in page.locator("main").inner_text()


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("conversations", {}), ("conversation", {"name": HOSTILE}), ("work", {}), ("resources", {}),
        ("resource", {"kind": "rules"}), ("entities", {"show": "all"}),
        ("conversation/forget", {"name": HOSTILE, "message": "h0"}),
    ],
)  # fmt: skip
def test_hostile_words_are_shown_and_never_obeyed(browse: Browse, path: str, query: dict[str, str]) -> None:
    # proves: K36
    page = browse(path, **query)
    if path == "conversation":
        shown = page.locator("main").inner_text()
        assert all(attack in shown for attack in ATTACKS)
    assert (
        page.locator("main script, main style, main img, main svg, main iframe, main [onload], main [onerror]").count()
        == 0
    )
    assert page.locator("main b, main i").count() == 0


def test_work_that_waits_is_told_with_its_kind_and_age(browse: Browse, inspector: Inspector) -> None:
    scope = owner("busy")
    inspector.memory.record([{"content": "I live in Oslo.", "id": "m1"}], scope=scope, conversation="chat:1")
    page = browse("work", scope=scope)
    rows = texts(page, "section[aria-labelledby=queue-title] tbody tr")
    assert [row.split(" to ")[0] for row in rows] == ["messages", "messages"]
    assert "since 30 Nov 2026, 12:00 UTC" in rows[0]
    assert page.locator("#work-status").inner_text() == "2 pieces of work waiting."

    inspector.memory.drain()
    page.click("#polling-switch")
    page.wait_for_selector("text=Paused; nothing on this page moves.")
    assert page.locator("#work-status").inner_text() == "No work is waiting."
    assert page.locator("#work-part").get_attribute("hx-trigger") is None
    assert texts(page, "section[aria-labelledby=decided-title] li")[0].startswith("kept I live in Oslo.")
    assert page.evaluate("document.activeElement.id") == "polling-switch"

    page.click("#polling-switch")
    page.wait_for_selector("text=Asked again every 5 seconds.")


def test_the_page_of_work_asks_again_by_itself(browse: Browse, inspector: Inspector) -> None:
    scope = owner("waiting")
    page = browse("search", scope=scope)
    page.clock.install()
    page.goto(inspector.url("work", scope=scope))
    assert page.locator("#work-status").inner_text() == "No work is waiting."
    inspector.memory.record([{"content": "I live in Oslo."}], scope=scope, conversation="chat:1")
    with page.expect_response("**/work/part?**"):
        page.clock.fast_forward(5_100)
    expect(page.locator("#work-status")).to_have_text(re.compile("^2 pieces"))
    inspector.memory.drain()


def test_an_answer_that_is_no_part_leaves_the_page_as_it_is_and_says_so(browse: Browse, faults: Faults) -> None:
    faults.allow("status of 503")
    page = browse("work")
    page.route("**/work/part?**", lambda route: route.fulfill(status=503, body="<h1>busy</h1>"))
    page.click("#polling-switch")
    expect(page.locator("#work-status")).to_contain_text("answered with 503")
    assert page.locator("section[aria-labelledby=reviews-title] tbody tr").count() == 3


def test_a_review_is_begun_by_a_button_and_its_end_is_told(browse: Browse, inspector: Inspector) -> None:
    scope = owner("reviewed")
    inspector.memory.record([{"content": "I like tea.", "id": "m1"}], scope=scope, conversation="chat:1")
    inspector.memory.record([{"content": f"I like {ASLEEP}.", "id": "m2"}], scope=scope, conversation="chat:2")
    page = browse("work", scope=scope)
    page.click("#review-all")
    page.wait_for_selector("#review-results .alert")
    assert "chat:1: read 1 message; nothing to save" in page.locator("#review-results .done").inner_text()
    assert "chat:2: failed: " in page.locator("#review-results .alert").inner_text()

    page.reload()
    rows = texts(page, "section[aria-labelledby=reviews-title] tbody tr")
    assert "failed" in next(row for row in rows if row.startswith("chat:2"))
    assert "nothing to save" in next(row for row in rows if row.startswith("chat:1"))
    assert {each.status for each in inspector.memory.review_states(scope=scope)} == {"nothing_to_save", "failed"}


def test_a_review_that_is_refused_is_told_in_words(browse: Browse, faults: Faults) -> None:
    faults.allow("status of 403")
    page = browse("work")
    refusal = '<main><section class="problem"><h1>Not allowed</h1><p>A guest asks for no review.</p></section></main>'
    page.route("**/work/review?**", lambda route: route.fulfill(status=403, body=refusal, content_type="text/html"))
    page.click("#review-all")
    expect(page.locator("#work-status")).to_contain_text("A guest asks for no review.")
    assert page.locator("#review-results").count() == 1


def test_talk_and_work_can_be_used_without_scripts(browse: Browse, inspector: Inspector) -> None:
    scope = owner("plain")
    inspector.memory.record([{"content": "I like tea.", "id": "m1"}], scope=scope, conversation="chat:1")
    page = browse("work", scope=scope, scripts=False)
    page.click("#review-1")
    assert "read 1 message" in page.locator("#review-results").inner_text()
    page.click("section[aria-labelledby=reviews-title] tbody a")
    page.click("text=Forget …")
    page.click("button.danger")
    with pytest.raises(NotFoundError):
        inspector.memory.forget(scope=scope, message_ids=["m1"])


@pytest.mark.parametrize(
    ("name", "path", "query"),
    [
        ("conversations", "conversations", {}),
        ("conversation", "conversation", {"name": KEY, "message": "D1:5"}),
        ("conversation-compacted", "conversation", {"name": LONG, "after": 42}),
        ("conversation-hostile", "conversation", {"name": HOSTILE}),
        ("forget-message", "conversation/forget", {"name": KEY, "message": "D1:1"}),
        ("work", "work", {"paused": 1}),
    ],
)
def test_every_page_can_be_read_in_every_look(
    browse: Browse, eye: Eye, name: str, path: str, query: dict[str, Any]
) -> None:
    assert eye.looked_at(browse(path, **query), name) == []
