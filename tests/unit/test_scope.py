"""Who may see it, and which conversation it belongs to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.model import Conversation, Scope

part = st.text(min_size=1, max_size=20).filter(lambda text: text.strip() and "\0" not in text)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("telegram:42", "telegram:42:root"),
        ("telegram:42:topic-7", "telegram:42:topic-7"),
        ("notes", "chat:notes:root"),
        ("irc:%23a%3Ab", "irc:%23a%3Ab:root"),
        ("mail:ana@example.org:a:b", "mail:ana%40example.org:a%3Ab"),
        (":42", "chat:42:root"),
    ],
)
def test_a_conversation_is_read_from_text(text: str, key: str) -> None:
    assert Conversation.parse(text).key == key


@given(part, part, part)
def test_a_stored_key_leads_back_to_its_conversation_and_no_two_collide(channel: str, chat: str, thread: str) -> None:
    conversation = Conversation(channel=channel, chat=chat, thread=thread)
    assert Conversation.parse(conversation.key) == conversation


def test_a_scope_covers_its_own_and_a_conversation_narrows_it() -> None:
    ana = Scope(workspace="acme", owner="ana")
    there = Scope(workspace="acme", owner="ana", conversation="telegram:42:root")
    assert ana.covers(there)
    assert there.covers(there)
    assert not there.covers(ana)
    for other in (
        Scope(workspace="x", owner="ana"),
        Scope(workspace="acme"),
        Scope(workspace="acme", agent="b", owner="ana"),
    ):
        assert not ana.covers(other)
        assert not other.covers(ana)
