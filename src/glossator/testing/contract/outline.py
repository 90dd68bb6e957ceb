"""Do lists tell what is there, in the right order, to nobody else? The contract of the port Outline."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.errors import UsageError
from glossator.model import (
    WORK_KINDS,
    Conversation,
    ConversationOutline,
    ForgetTarget,
    OpenWork,
    ReviewCursor,
    Scope,
    WindowChange,
)
from glossator.model.outline import LAST_WORDS_CHARACTERS_MAX
from glossator.ports import Store
from glossator.testing.contract.base import LATER, NASTY, NOW, Contract, commit, record
from glossator.testing.contract.isolation import OUTSIDERS
from glossator.testing.drafts import SCOPE, admitted, entry

LESS = (*(replace(SCOPE, trust=trust) for trust in ("guest", "tool", "unknown", None)), replace(SCOPE, job="nightly"))
"""Callers to whom no list is shown."""


def say(store: Store, chat: str, external_id: str, text: str = "tea", *, minute: int = 0, **given: Any) -> None:
    """A message in a chat, said so many minutes after NOW."""
    scope, kind, extract = given.pop("scope", SCOPE), given.pop("kind", "chat"), given.pop("extract", False)
    made = entry(external_id, text, said=NOW + timedelta(minutes=minute), **given)
    made = replace(made, message=replace(made.message, kind=kind), extract=extract)
    record(store, made, scope=scope, conversation=Conversation(channel="telegram", chat=chat))


def chats(store: Store, *, limit: int = 100, after: str | None = None, scope: Scope = SCOPE) -> list[str]:
    """The chats of a page."""
    return [each.conversation.split(":")[1] for each in store.conversations(scope, limit=limit, after=after)]


def pages(store: Store, size: int) -> list[ConversationOutline]:
    """All conversations, so many at a time."""
    seen: list[ConversationOutline] = []
    while True:
        page = store.conversations(SCOPE, limit=size, after=seen[-1].page if seen else None)
        if not page:
            return seen
        seen += page


class OutlineContract(Contract):
    """The port Outline."""

    def test_a_conversation_is_told_with_its_counts_times_and_last_words(self, store: Store) -> None:
        say(store, "42", "m1", "first", session="s1")
        say(store, "42", "m2", "  the \n last \t words ", minute=9, session="s2")
        say(store, "42", "m3", "between", minute=5, session="s1")
        say(store, "42", "m4", "a tool's rows", minute=11, session="s1", role="tool", kind="tool")
        (told,) = store.conversations(SCOPE, limit=10)
        assert told == ConversationOutline(
            conversation="telegram:42:root",
            message_count=4,
            live_count=4,
            session_count=2,
            first_said_at=NOW,
            last_said_at=NOW + timedelta(minutes=11),
            last_words="the last words",
            page=told.page,
        )

    def test_what_left_the_window_is_counted_and_no_longer_live(self, store: Store) -> None:
        for number in range(4):
            say(store, "42", f"m{number}")
        clear(store, "42")
        say(store, "42", "m9")
        (told,) = store.conversations(SCOPE, limit=10)
        assert (told.message_count, told.live_count) == (5, 1)

    def test_the_one_in_which_something_was_said_last_comes_first(self, store: Store) -> None:
        say(store, "old", "m1", minute=-60)
        say(store, "new", "m2", minute=60)
        say(store, "imported", "m3", minute=-600)  # came last, was said first
        say(store, "tied", "m4", minute=60)
        assert chats(store) == ["tied", "new", "old", "imported"]
        assert chats(store, limit=2) == ["tied", "new"]
        assert chats(store, limit=0) == []

    def test_pages_stay_as_they_were_while_others_write(self, store: Store) -> None:
        for number in range(6):
            say(store, f"c{number}", "m1", minute=number)
        first = store.conversations(SCOPE, limit=2)
        # when one that was shown and one that was not get new messages, and a new one begins
        for chat in ("c5", "c1", "another"):
            say(store, chat, "m2", "news", minute=100)
        # then the next pages show each other one once
        assert chats(store, limit=2, after=first[-1].page) == ["c3", "c2"]
        second = store.conversations(SCOPE, limit=2, after=first[-1].page)
        third = store.conversations(SCOPE, limit=9, after=second[-1].page)
        assert [each.conversation for each in third] == ["telegram:c1:root", "telegram:c0:root"]
        assert (third[0].last_words, third[0].last_said_at) == ("news", NOW + timedelta(minutes=100))
        assert chats(store, limit=4) == ["another", "c5", "c1", "c4"]  # whoever begins anew sees the news

    @pytest.mark.parametrize("after", ["", "x", "1.2", "1.2.3.4", "1..2", "-1.2.3", f"{2**63}.1.1", "1.1.1 ", "١.٢.٣"])
    def test_what_is_no_page_is_refused(self, store: Store, after: str) -> None:
        with pytest.raises(UsageError, match="after"):
            store.conversations(SCOPE, limit=1, after=after)

    def test_what_was_erased_is_neither_counted_nor_told(self, store: Store) -> None:
        # proves: K20
        say(store, "42", "m1", "kept", minute=1)
        say(store, "42", "m2", "gone", minute=7)
        say(store, "43", "m3", "gone as well", minute=9)
        for ids in (("m2",), ("m3",)):
            target = ForgetTarget(scope=SCOPE, message_ids=ids)
            store.erase(target, confirm=store.preview(target).token, now=LATER)
        (told,) = store.conversations(SCOPE, limit=10)
        assert (told.conversation, told.message_count, told.last_words) == ("telegram:42:root", 1, "kept")
        assert told.last_said_at == NOW + timedelta(minutes=1)
        target = ForgetTarget(scope=SCOPE, everything=True)
        store.erase(target, confirm=store.preview(target).token, now=LATER)
        assert (store.conversations(SCOPE, limit=10), store.scopes(SCOPE)) == ((), ())

    @pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
    def test_last_words_of_any_text_are_one_short_line(self, store: Store, text: str) -> None:
        say(store, "42", "m1", text)
        (told,) = store.conversations(SCOPE, limit=1)
        assert len(told.last_words) <= LAST_WORDS_CHARACTERS_MAX
        assert "\n" not in told.last_words
        assert " ".join(text.split()).startswith(told.last_words.rstrip("…"))

    def test_last_words_are_not_cut_inside_a_character(self, store: Store) -> None:
        family = "👩‍👩‍👧"
        say(store, "42", "m1", family * 100)
        (told,) = store.conversations(SCOPE, limit=1)
        assert told.last_words == family * ((LAST_WORDS_CHARACTERS_MAX - 1) // len(family)) + "…"

    def test_a_conversation_narrows_the_list_to_itself(self, store: Store) -> None:
        say(store, "42", "m1")
        say(store, "43", "m2")
        commit(store, admitted("I like tea"))
        inside = replace(SCOPE, conversation="telegram:43:root")
        assert chats(store, scope=inside) == ["43"]
        assert [each.message_count for each in store.scopes(inside)] == [1]
        assert chats(store, scope=replace(SCOPE, conversation="telegram:4%:root")) == []

    @pytest.mark.parametrize("scope", [*OUTSIDERS, *LESS], ids=str)
    def test_nobody_else_sees_a_line(self, store: Store, scope: Scope) -> None:
        # proves: I4, K22, K23
        say(store, "42", "m1", extract=True)
        claimed(store)
        assert store.conversations(scope, limit=10) == ()
        assert store.review_states(scope, limit=10) == ()
        assert [each for each in store.scopes(scope) if each.scope == SCOPE.whole] == []
        assert all(each == OpenWork(kind=each.kind) for each in store.open_work(scope))
        assert store.conversations(SCOPE, limit=10)  # so that the silence means something
        assert store.review_states(SCOPE, limit=10)
        assert store.scopes(SCOPE)

    def test_an_operator_sees_all_scopes_of_the_workspace_and_of_no_other(self, store: Store) -> None:
        # proves: I4
        places = [Scope(workspace="acme", agent=agent, owner=owner) for agent in ("a", "b_") for owner in ("%", "u1")]
        for number, place in enumerate(reversed(places)):
            for message in range(number + 1):
                say(store, "42", f"m{message}", minute=message, scope=place)
        say(store, "42", "m1", scope=Scope(workspace="acme2", agent="a", owner="u1"))
        commit(store, admitted("I like tea", scope=places[0]))
        told = store.scopes(replace(places[0], trust="operator"))
        assert [each.scope for each in told] == places
        assert [each.message_count for each in told] == [4, 3, 2, 1]
        assert [each.fact_count for each in told] == [1, 0, 0, 0]
        assert [each.last_said_at for each in told] == [NOW + timedelta(minutes=minute) for minute in (3, 2, 1, 0)]
        assert [each.scope for each in store.scopes(places[2])] == [places[2]]
        assert store.scopes(replace(places[2], trust="operator", workspace="nobody")) == ()
        assert store.scopes(replace(places[2], trust="operator", job="nightly")) == ()

    def test_open_work_is_told_by_kind_without_what_was_said(self, store: Store) -> None:
        say(store, "42", "m1", extract=True)
        say(store, "43", "m2", extract=True, scope=replace(SCOPE, owner="u2"))
        assert [each.kind for each in store.open_work()] == list(WORK_KINDS)
        assert [each.pending_count for each in store.open_work()] == [2, 2, 0, 0, 0]
        (first, second) = store.claim(["extract"], now=NOW, lease_s=60, limit=2)
        retry_at = NOW + timedelta(seconds=9)
        store.fail([first], reason="ProviderError: refused: I like tea", retry_at=retry_at)
        store.fail([second], reason="the cellar key is blue", retry_at=None)
        told = {each.kind: each for each in store.open_work()}
        assert told["extract"] == OpenWork(
            kind="extract",
            pending_count=1,
            failed_count=1,
            oldest_created_at=NOW,
            next_due_at=retry_at,
            last_error="failed",
        )
        (mine,) = [each for each in store.open_work(SCOPE) if each.kind == "extract"]
        assert (mine.pending_count, mine.failed_count, mine.last_error) == (1, 0, "ProviderError")
        inside = replace(SCOPE, conversation="telegram:43:root")
        assert all(each == OpenWork(kind=each.kind) for each in store.open_work(inside))

    def test_review_states_come_the_latest_first(self, store: Store) -> None:
        for chat in ("a", "b", "c"):
            say(store, chat, "m1")
        assert store.review_states(SCOPE, limit=10) == ()
        for minute, chat in enumerate(("b", "a")):
            claimed(store, chat, now=NOW + timedelta(minutes=minute))
        told = store.review_states(SCOPE, limit=10)
        assert [each.scope.conversation for each in told] == ["telegram:a:root", "telegram:b:root"]
        assert told[0] == store.review_state(replace(SCOPE, conversation="telegram:a:root"))
        assert len(store.review_states(SCOPE, limit=1)) == 1
        inside = replace(SCOPE, conversation="telegram:b:root")
        assert [each.scope.conversation for each in store.review_states(inside, limit=10)] == ["telegram:b:root"]

    def test_any_history_gives_the_lists_of_the_reference(self, tmp_path_factory: pytest.TempPathFactory) -> None:
        @settings(max_examples=20, deadline=None)
        @given(st.lists(_steps, max_size=14), st.integers(1, 3))
        def same(history: list[tuple[str, int, int, str]], size: int) -> None:
            stores = (self.open_store(tmp_path_factory.mktemp("lists")), self.open_reference())
            seen = []
            for store in stores:
                for place, (chat, number, minute, act) in enumerate(history):
                    _play(store, chat, number, minute, act, NOW + timedelta(seconds=place))
                shown = [replace(each, page="") for each in pages(store, size)]
                seen.append((shown, store.scopes(SCOPE), store.open_work(), store.review_states(SCOPE, limit=9)))
            assert seen[0] == seen[1]
            for store in stores:
                store.close()

        same()


_steps = st.tuples(
    st.sampled_from(("a", "b", "c%")),
    st.integers(0, 4),
    st.integers(-3, 3),
    st.sampled_from(("say", "say", "say", "forget", "clear", "claim", "fail")),
)


def claimed(store: Store, chat: str = "42", *, now: datetime = NOW) -> None:
    """The review of the chat, begun and ended."""
    state = store.review_state(replace(SCOPE, conversation=f"telegram:{chat}:root"))
    assert state is not None
    claim = store.claim_review(state, now=now, lease_s=60)
    if claim is not None:
        cursor = ReviewCursor(message_id=state.cursor.message_id + 1)
        store.finish_review(claim, status="ok", cursor=cursor, now=now)


def clear(store: Store, chat: str) -> None:
    """Take all that is live out of the chat's window."""
    key = f"telegram:{chat}:root"
    window = store.window(SCOPE, key)
    gone = tuple(each.message_id for each in window.messages)
    if gone:
        store.replace_window(SCOPE, WindowChange(conversation=key, last_id=window.last_id, cleared=gone), now=LATER)


def _play(store: Store, chat: str, number: int, minute: int, act: str, now: datetime) -> None:
    inside = replace(SCOPE, conversation=f"telegram:{chat}:root")
    if act == "say":
        say(
            store, chat, f"m{number}", f"words {number} {minute}", minute=minute, session=f"s{number % 2}", extract=True
        )
    elif act == "clear":
        clear(store, chat)
    elif act == "claim" and store.review_state(inside) is not None:
        claimed(store, chat, now=now)
    elif act == "fail":
        rows = store.claim(["extract"], now=now, lease_s=60, limit=1)
        store.fail(rows, reason=f"Error {number}: words", retry_at=now if number % 2 else None)
    elif act == "forget" and store.message(inside, f"m{number}") is not None:
        target = ForgetTarget(scope=inside, message_ids=(f"m{number}",))
        store.erase(target, confirm=store.preview(target).token, now=datetime(2026, 1, 2, tzinfo=UTC))
