"""The contract of what was said: record, recall, read, forget, by whichever way a memory is reached."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.client.contract_base import Base

from glossator import ConflictError, ForgetPreview, ForgetReceipt, Memory, Scope, UsageError, verify_receipt
from glossator.rules.canonical import storable
from glossator.testing.contract.base import NASTY

TALK = [
    {"role": "user", "content": "I moved to Edinburgh last March.", "speaker": "Ana",
     "at": "2023-05-20T02:21:00+01:00", "id": "D1:3"},
    {"role": "assistant", "content": "How do you like it there?", "at": "2023-05-20T02:21:30+01:00", "id": "D1:4"},
]  # fmt: skip
TEXTS = st.text(st.characters(), max_size=60).map(lambda text: f"{text}!")
"""Any text that says something, also with NUL and half characters."""


class WordsContract(Base):
    def test_a_receipt_says_what_became_of_each_message(self, memory: Memory, scope: Scope) -> None:
        first = memory.record(TALK, scope=scope, conversation="telegram:42")
        edited = {**TALK[1], "content": "How do you find it there?"}
        again = memory.record([TALK[0], edited], scope=scope, conversation="telegram:42")

        assert (first.count("stored"), first.message_ids) == (2, ("D1:3", "D1:4"))
        assert [each.outcome for each in again.recorded] == ["duplicate", "conflict"]
        assert again.recorded[0].message_id == first.recorded[0].message_id
        assert str(again).startswith("stored 0, duplicate 1, conflict 1")

    def test_what_was_said_is_read_back_as_it_was(self, memory: Memory, scope: Scope) -> None:
        metadata = {"reply_to": 7, "nested": {"a": [1, None, "ж"]}, "score": 0.5}
        memory.record([{**TALK[0], "metadata": metadata}], scope=scope, conversation="telegram:42", session="s 1")

        (message,) = memory.messages(scope=scope)
        assert (message.content, message.speaker, message.role) == (TALK[0]["content"], "Ana", "user")
        assert message.metadata == metadata
        assert message.said.at == datetime(2023, 5, 20, 1, 21, tzinfo=UTC)
        assert (message.said.offset_minutes, message.said.precision, message.session) == (60, "second", "s 1")
        assert message.conversation.key == "telegram:42:root"
        assert (message.scope.workspace, message.scope.owner) == (scope.workspace, "ana")

    def test_recall_finds_the_turn_with_its_dates(
        self, memory: Memory, scope: Scope, settle: Callable[[], None]
    ) -> None:
        memory.record(TALK, scope=scope, conversation="telegram:42")
        settle()

        answer = memory.recall("When did I move to Edinburgh?", scope=scope, now="2023-06-01T09:00Z")
        hit = answer.hits[0]
        assert (hit.text, hit.speaker, hit.message_ids) == (TALK[0]["content"], "Ana", ("D1:3",))
        assert hit.event.words == "last March"
        assert hit.event.interval is not None
        assert hit.event.interval.precision == "month"
        assert hit.event.interval.start == datetime(2023, 2, 28, 23, tzinfo=UTC)
        assert "Edinburgh" in answer.text(tokens=200)

    def test_times_may_be_datetimes_dates_and_texts_in_every_zone(self, memory: Memory, scope: Scope) -> None:
        tokyo = timezone(timedelta(hours=9))
        said = [datetime(2024, 2, 3, 4, 5, 6, tzinfo=tokyo), date(2024, 3, 1), "2024-05-06T07:08+05:30", "2024-07-01"]
        memory.record(
            [{"content": f"note number {place}", "at": at} for place, at in enumerate(said)],
            scope=scope, conversation="c",
        )  # fmt: skip

        kept = [message.said for message in memory.messages(scope=scope)]
        assert [each.precision for each in kept] == ["second", "day", "minute", "day"]
        assert [each.offset_minutes for each in kept] == [540, 0, 330, 0]
        assert kept[0].at == said[0]
        found = memory.recall(
            "note", scope=scope, said_since=date(2024, 3, 1), said_until=datetime(2024, 6, 1, tzinfo=UTC)
        )
        assert {hit.text for hit in found.hits} == {"note number 1", "note number 2"}
        assert found.filters.said_since == datetime(2024, 3, 1, tzinfo=UTC)

    def test_filters_and_explanations_cross(self, memory: Memory, scope: Scope) -> None:
        memory.record([{"content": "The plan is green."}], scope=scope, conversation="c", project="atlas", tags=["x"])
        memory.record([{"content": "The plan is red."}], scope=scope, conversation="c", tags=["x", "y z"])

        one = memory.recall("plan", scope=scope, project="atlas", explain=True)
        two = memory.recall("plan", scope=scope, tags=["x", "y z"], namespaces=["episodic"])
        assert [hit.text for hit in one.hits] == ["The plan is green."]
        trace = one.hits[0].trace
        assert trace is not None
        assert "plan" in trace.matched_terms
        assert all(isinstance(value, float) for value in trace.signals.values())
        assert [(hit.text, hit.tags, hit.trace) for hit in two.hits] == [("The plan is red.", ("x", "y z"), None)]

    def test_a_document_is_cut_and_found(self, memory: Memory, scope: Scope) -> None:
        text = "# Plan\n\nWe ship on Friday.\n\nWe celebrate on Saturday."
        receipt = memory.remember_document(text, scope=scope, project="atlas", at="2024-03-01")

        assert receipt.count("stored") == 1
        assert memory.recall("When do we ship?", scope=scope, project="atlas").hits[0].text == "We ship on Friday."

    @pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
    def test_hostile_texts_come_back_to_the_letter(self, memory: Memory, scope: Scope, text: str) -> None:
        memory.record(
            [{"content": text, "speaker": "O'Hara & Söhne <b>", "id": "x'y\"z/%2F"}], scope=scope, conversation="c"
        )

        (message,) = memory.messages(scope=scope)
        assert message.content == text
        assert (message.speaker, message.external_id) == ("O'Hara & Söhne <b>", "x'y\"z/%2F")

    def test_any_text_comes_back_to_the_letter(self, memory: Memory, scope: Scope) -> None:
        seen = [0]

        @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
        @given(st.lists(TEXTS, min_size=1, max_size=5))
        def check(texts: list[str]) -> None:
            receipt = memory.record([{"content": text} for text in texts], scope=scope, conversation="c")
            kept = memory.messages(scope=scope, after_id=seen[0])
            seen[0] = kept[-1].message_id
            assert [message.content for message in kept] == [storable(text) for text in texts]
            assert [bool(each.notes) for each in receipt.recorded] == [storable(text) != text for text in texts]

        check()

    def test_names_of_every_script_stay_apart(self, memory: Memory, scope: Scope) -> None:
        names = ("小李", "O'Hara", "a/b?c=d&e#f", "100%", "a+b c", "..", "\u202eanA")
        for name in names:
            memory.record([{"content": f"I am {name}."}], scope=replace(scope, owner=name), conversation=f"chat:{name}")

        for name in names:
            (message,) = memory.messages(scope=replace(scope, owner=name, conversation=f"chat:{name}"))
            assert message.content == f"I am {name}."

    def test_nobody_sees_what_another_scope_said(self, memory: Memory, scope: Scope) -> None:
        memory.record(TALK, scope=scope, conversation="telegram:42")

        others = [replace(scope, owner="ben"), replace(scope, agent="other"), replace(scope, workspace="acme-0")]
        for other in (*others, replace(scope, conversation="telegram:43"), replace(scope, job="nightly")):
            assert memory.recall("Edinburgh", scope=other).hits == ()
            assert memory.messages(scope=other) == ()

    def test_forgetting_asks_before_and_proves_after(self, memory: Memory, scope: Scope) -> None:
        memory.record(TALK, scope=scope, conversation="telegram:42")
        preview = memory.forget(scope=scope, message_ids=["D1:3"])
        assert isinstance(preview, ForgetPreview)
        assert (preview.message_count, len(memory.messages(scope=scope))) == (1, 2)

        memory.record([{"content": "One more."}], scope=scope, conversation="telegram:42")
        whole = memory.forget(scope=scope, everything=True)
        assert isinstance(whole, ForgetPreview)
        with pytest.raises(ConflictError):
            memory.forget(scope=scope, everything=True, confirm=preview.token)
        receipt = memory.forget(scope=scope, everything=True, confirm=whole.token)

        assert isinstance(receipt, ForgetReceipt)
        assert (receipt.message_count, receipt.remaining_count) == (3, 0)
        assert verify_receipt(receipt.signed, memory.receipt_key(form="hex"))
        assert memory.messages(scope=scope) == ()
        assert [each.receipt_id for each in memory.receipts(scope=scope)] == [receipt.receipt_id]
        assert memory.record(TALK[:1], scope=scope, conversation="telegram:42").count("erased") == 1

    def test_a_thousand_messages_come_in_pages(self, memory: Memory, scope: Scope) -> None:
        for begin in range(0, 1_100, 100):
            memory.record([{"content": f"line {begin + place}"} for place in range(100)], scope=scope, conversation="c")

        assert len(memory.messages(scope=scope)) == 1_000
        all_of_them = memory.messages(scope=scope, limit=2_000)
        assert [message.content for message in all_of_them] == [f"line {number}" for number in range(1_100)]
        later = memory.messages(scope=scope, after_id=all_of_them[6].message_id, limit=3)
        assert [message.content for message in later] == ["line 7", "line 8", "line 9"]

    def test_a_guest_may_say_something_and_forget_nothing(self, memory: Memory, scope: Scope) -> None:
        for trust in ("guest", "unknown", None):
            guest = replace(scope, trust=trust)
            memory.record([{"content": f"I am {trust}."}], scope=guest, conversation="c")
            with pytest.raises(UsageError) as refused:
                memory.forget(scope=guest, everything=True)
            assert type(refused.value).__name__ == "PermissionDeniedError"
        assert {message.trust for message in memory.messages(scope=scope)} == {"guest"}
