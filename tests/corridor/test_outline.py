"""Do the lists of conversations, scopes, open work and reviews tell what is there, and nobody else's?"""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.conftest import ANA, NOW, Opener

from glossator import Memory, ProviderError, Scope, UsageError
from glossator.model import OpenWork
from glossator.testing.clock import FakeClock

OPERATOR = replace(ANA, trust="operator")
BOB = replace(ANA, owner="bob")
OTHERS = (
    replace(ANA, trust="guest"),
    replace(ANA, trust="tool"),
    replace(ANA, trust=None),
    replace(ANA, job="nightly"),
    replace(ANA, agent="other"),
    replace(ANA, workspace="acme2"),
    replace(ANA, owner="nobody"),
    replace(ANA, conversation="telegram:7"),
)


class Refusing:
    """An embedder that is never there, and says what it was given."""

    name = "refusing"
    dimension = 4

    def embed(self, texts: list[str]) -> object:
        raise ProviderError(f"cannot embed {texts[0]!r}", retryable=False)


def say(memory: Memory, text: str, *, chat: str = "42", scope: Scope = ANA, **message: object) -> None:
    memory.record([{"content": text, **message}], scope=scope, conversation=f"telegram:{chat}")


def test_conversations_are_listed_with_their_last_words_newest_first(memory: Memory, clock: FakeClock) -> None:
    say(memory, "I live in Oslo.")
    say(memory, "My key is sk-ant-api03-" + "a" * 90, chat="43", at="2026-11-30T11:59:00+00:00")
    clock.advance(seconds=60)
    say(memory, "  And you?\n", role="assistant")
    first, second = memory.conversations(scope=ANA)
    assert (first.conversation, first.message_count, first.last_words) == ("telegram:42:root", 2, "And you?")
    assert (first.first_said_at, first.last_said_at) == (NOW, NOW + timedelta(seconds=60))
    assert second.conversation == "telegram:43:root"
    assert "sk-ant" not in second.last_words
    assert [each.conversation for each in memory.conversations(scope=ANA, after=first.page)] == [second.conversation]


def test_what_clear_took_out_of_the_window_is_no_longer_live(memory: Memory) -> None:
    say(memory, "I live in Oslo.")
    memory.clear_window(scope=ANA, conversation="telegram:42")
    (told,) = memory.conversations(scope=ANA)
    assert (told.message_count, told.live_count, told.session_count) == (1, 0, 1)


def test_a_conversation_is_named_as_a_person_names_it(memory: Memory) -> None:
    say(memory, "I live in Oslo.")
    say(memory, "I live in Rome.", chat="43")
    (told,) = memory.conversations(scope=replace(ANA, conversation="telegram:43"))
    assert told.last_words == "I live in Rome."


@pytest.mark.parametrize("scope", OTHERS, ids=str)
def test_nobody_else_is_shown_a_line(memory: Memory, scope: Scope) -> None:
    # proves: I4, K22
    say(memory, "I live in Oslo.")
    memory.drain()
    memory.review(scope=ANA, now=True)
    assert memory.conversations(scope=ANA)
    assert memory.review_states(scope=ANA)
    assert memory.conversations(scope=scope) == ()
    assert memory.review_states(scope=scope) == ()
    assert memory.scopes(scope=scope) == ()
    assert all(each == OpenWork(kind=each.kind) for each in memory.open_work(scope=scope))


def test_an_operator_sees_every_owner_of_the_workspace_and_an_owner_themselves(memory: Memory) -> None:
    # proves: I4
    say(memory, "I live in Oslo.")
    say(memory, "I live in Rome.", scope=BOB)
    say(memory, "I live in Bonn.", scope=replace(BOB, workspace="other"))
    memory.drain()
    told = memory.scopes(scope=OPERATOR)
    assert [(each.scope.owner, each.message_count, each.fact_count) for each in told] == [("ana", 1, 1), ("bob", 1, 1)]
    assert told[0].last_said_at == NOW
    assert [each.scope for each in memory.scopes(scope=BOB)] == [BOB]
    assert memory.scopes(scope=replace(OPERATOR, owner="nobody", agent="none")) == told


def test_open_work_tells_why_without_what_was_said(open_memory: Opener) -> None:
    memory = open_memory(embedder=Refusing(), work_attempts_max=1)
    say(memory, "I live in Oslo.")
    assert {each.kind: each.pending_count for each in memory.open_work(scope=ANA)}["embed"] == 1
    with pytest.raises(ProviderError, match="Oslo"):
        memory.drain()
    (told,) = [each for each in memory.open_work() if each.kind == "embed"]
    assert (told.pending_count, told.failed_count, told.last_error) == (0, 1, "ProviderError")
    assert "Oslo" not in repr(memory.open_work())
    assert memory.open_work(scope=BOB) == tuple(OpenWork(kind=each.kind) for each in memory.open_work())


def test_reviews_are_told_the_latest_first(memory: Memory, clock: FakeClock) -> None:
    for chat in ("42", "43"):
        say(memory, "I live in Oslo.", chat=chat)
    memory.drain()
    for chat in ("43", "42"):
        clock.advance(seconds=60)
        memory.review(scope=ANA, conversation=f"telegram:{chat}", now=True)
    told = memory.review_states(scope=ANA)
    assert [each.scope.conversation for each in told] == ["telegram:42:root", "telegram:43:root"]
    assert told[0].completed_at == NOW + timedelta(seconds=120)
    assert memory.review_states(scope=ANA, limit=1) == told[:1]


def test_wrong_limits_and_pages_are_refused(memory: Memory) -> None:
    for limit in (0, -1, 1001):
        with pytest.raises(UsageError, match="limit"):
            memory.conversations(scope=ANA, limit=limit)
        with pytest.raises(UsageError, match="limit"):
            memory.review_states(scope=ANA, limit=limit)
    with pytest.raises(UsageError, match="after"):
        memory.conversations(scope=ANA, after="the next one")
