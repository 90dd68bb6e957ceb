"""Does the journal keep every message once, word for word, in order?"""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from glossator.errors import StoreError
from glossator.model import Conversation, Scope
from glossator.ports import Store
from glossator.testing.contract.base import LATER, NASTY, NOW, Contract, found, record, survey
from glossator.testing.drafts import CHAT, SCOPE, batch, chunk, entry


class JournalContract(Contract):
    """Journal."""

    def test_a_message_comes_back_as_it_was_given(self, store: Store) -> None:
        # given a message with everything that can be set
        given = entry("m1", "I moved.", session="día 1", metadata={"a": [1, {"ß": None}]}, speaker="Zoë", role="tool")
        # when it is recorded
        (recorded,) = record(store, given)
        # then every part comes back
        message = store.message(SCOPE, "m1")
        assert message is not None
        assert recorded.outcome == "stored"
        assert (message.message_id, message.external_id) == (recorded.message_id, "m1")
        assert (message.content, message.speaker, message.role) == ("I moved.", "Zoë", "tool")
        assert (message.session, message.said) == ("día 1", given.message.said)
        assert message.metadata == {"a": [1, {"ß": None}]}
        assert message.conversation == CHAT
        assert message.scope == Scope(workspace="acme", agent="helper", owner="u1", conversation=CHAT.key)

    def test_a_chunk_comes_back_as_it_was_given(self, store: Store) -> None:
        since = datetime(2023, 3, 1, tzinfo=UTC)
        draft = chunk(
            "moved", start=2, event=(since, None), source="own", project="atlas", tags=("b", "a"), weight=0.5,
            namespace="preference",
        )  # fmt: skip
        (recorded,) = record(store, entry("m1", "I moved.", chunks=(draft,)))
        (kept,) = store.chunks(SCOPE, recorded.chunk_ids)
        assert (kept.text, kept.start, kept.end, kept.index) == ("moved", 2, 7, 0)
        assert (kept.event, kept.project, kept.tags, kept.weight) == (draft.event, "atlas", ("b", "a"), 0.5)
        assert (kept.namespace, kept.strategy, kept.session, kept.position) == ("preference", "message", "s1", 0)
        assert (kept.external_id, kept.message_id, kept.speaker) == ("m1", recorded.message_id, "Ann")

    @pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
    def test_any_text_is_kept_word_for_word_and_found_by_each_of_its_words(self, store: Store, text: str) -> None:
        # proves: K25, K26, D36
        given = entry("m1", text, speaker=text[:50], session=text[:50])
        record(store, given, entry("m2", "something else"))
        message = store.message(SCOPE, "m1")
        assert message is not None
        assert (message.content, message.speaker, message.session) == (text, text[:50], text[:50])
        for term in dict.fromkeys(given.chunks[0].terms):
            assert found(store, term) == ["m1"]

    @pytest.mark.parametrize(
        "term",
        ["c++", "o'hara", "猫", "👍", "AND", "NEAR", "*", '"', "", "a:b", "0x41", "0z", "A", "x" * 900, "猫" * 9000],
    )
    def test_a_term_is_matched_literally(self, store: Store, term: str) -> None:
        # proves: K25, D36
        given = replace(chunk("text"), terms=(term, "other"))
        record(store, entry("m1", "text", chunks=(given,)), entry("m2", "and near a b x other o hara"))
        assert found(store, term) == ["m1"]

    def test_a_message_is_recorded_once_per_conversation(self, store: Store) -> None:
        # proves: D45
        (first,) = record(store, entry("m1", "tea"))
        again = record(store, entry("m1", "tea"), entry("m2", "milk"), entry("m2", "milk"))
        assert [each.outcome for each in again] == ["duplicate", "stored", "duplicate"]
        assert (again[0].message_id, again[0].chunk_ids) == (first.message_id, first.chunk_ids)
        assert [message.content for message in store.messages(SCOPE)] == ["tea", "milk"]
        assert len(survey(store)) == 2

    def test_an_id_with_another_text_is_a_conflict_and_changes_nothing(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        outcomes = [each.outcome for each in record(store, entry("m1", "coffee"))]
        assert outcomes == ["conflict"]
        assert [message.content for message in store.messages(SCOPE)] == ["tea"]

    def test_the_same_id_in_another_conversation_is_another_message(self, store: Store) -> None:
        other = Conversation.parse("telegram:43")
        record(store, entry("m1", "tea"))
        (recorded,) = record(store, entry("m1", "coffee"), conversation=other)
        assert recorded.outcome == "stored"
        first, second = store.message(SCOPE, "m1"), store.message(SCOPE, "m1", conversation=other.key)
        assert first is not None
        assert second is not None
        assert (first.content, second.content) == ("tea", "coffee")

    def test_conversations_whose_ids_contain_colons_do_not_collide(self, store: Store) -> None:
        record(store, entry("m1", "tea"), conversation=Conversation(channel="a:b", chat="c"))
        (recorded,) = record(store, entry("m1", "milk"), conversation=Conversation(channel="a", chat="b:c"))
        assert recorded.outcome == "stored"

    def test_messages_are_paged_in_the_order_of_arrival(self, store: Store) -> None:
        # given times that run backwards: arrival decides, not the clock
        record(store, *(entry(f"m{n}", "x", said=datetime(2026, 1, 9 - n, tzinfo=UTC)) for n in range(5)))
        first = store.messages(SCOPE, limit=2)
        rest = store.messages(SCOPE, after_id=first[-1].message_id, limit=10**30)
        assert [message.external_id for message in (*first, *rest)] == ["m0", "m1", "m2", "m3", "m4"]

    def test_messages_are_read_backwards_from_a_number_and_stand_in_order_of_arrival(self, store: Store) -> None:
        record(store, *(entry(f"m{n}", "x", session=f"s{n % 2}") for n in range(6)))
        elsewhere = Conversation(channel="c", chat="other")
        record(store, entry("other", "x"), conversation=elsewhere)
        first, second, third, fourth, fifth, sixth, other = (each.message_id for each in store.messages(SCOPE))

        def numbers(*, before_id: int, after_id: int = 0, limit: int = 1000) -> list[int]:
            asked = store.messages(SCOPE, before_id=before_id, after_id=after_id, limit=limit)
            return [message.message_id for message in asked]

        assert numbers(before_id=fourth, limit=2) == [second, third]
        assert numbers(before_id=second, limit=2) == [first]
        assert numbers(before_id=first) == []
        assert numbers(before_id=2**62, limit=3) == [fifth, sixth, other]
        assert numbers(before_id=sixth, after_id=second, limit=10**30) == [third, fourth, fifth]
        in_session = store.messages(SCOPE, before_id=sixth, session="s0", limit=2)
        assert [message.message_id for message in in_session] == [third, fifth]
        inside = replace(SCOPE, conversation=elsewhere.key)
        assert [each.external_id for each in store.messages(inside, before_id=2**62)] == ["other"]

    def test_messages_of_one_session(self, store: Store) -> None:
        record(store, entry("m1", "x"), entry("m2", "x", session="s2"), entry("m3", "x"))
        assert [message.external_id for message in store.messages(SCOPE, session="s1")] == ["m1", "m3"]

    def test_positions_count_the_messages_of_a_session_in_order_of_arrival(self, store: Store) -> None:
        record(store, entry("m1", "x"), entry("m2", "x", session="s2"))
        record(store, entry("m3", "x"), entry("m1", "x"), entry("m4", "x"))
        pool = survey(store)
        chunks = store.chunks(SCOPE, pool.chunk_id.tolist())
        assert [(each.external_id, each.position) for each in chunks] == [("m1", 0), ("m3", 1), ("m4", 2), ("m2", 0)]

    def test_a_message_without_chunks_is_kept_and_not_searched(self, store: Store) -> None:
        (recorded,) = record(store, entry("m1", "🫥", chunks=()))
        assert (recorded.outcome, recorded.chunk_ids, store.pending()) == ("stored", (), 0)
        assert store.message(SCOPE, "m1") is not None

    def test_what_is_unknown_is_nothing(self, store: Store) -> None:
        assert store.message(SCOPE, "m1") is None
        assert store.messages(SCOPE) == ()
        assert store.chunks(SCOPE, [1, 2, -1, 10**30]) == ()
        assert len(survey(store, "tea")) == 0
        assert store.append(batch(), now=NOW) == ()

    def test_what_was_acknowledged_is_there_when_the_store_is_opened_again(self, tmp_path: Path) -> None:
        if not self.durable:
            pytest.skip("keeps nothing once it is closed")
        first = self.open_store(tmp_path)
        (recorded,) = record(first, entry("m1", "tea"))
        first.close()
        second = self.open_store(tmp_path)
        assert found(second, "tea") == ["m1"]
        (later,) = second.append(batch(entry("m2", "milk")), now=LATER)
        assert later.message_id > recorded.message_id
        second.close()

    def test_a_closed_store_says_so(self, tmp_path: Path) -> None:
        store = self.open_store(tmp_path)
        store.close()
        store.close()
        with pytest.raises(StoreError):
            store.messages(SCOPE)
        with pytest.raises(StoreError):
            record(store, entry("m1", "tea"))
