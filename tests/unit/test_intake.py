"""Messages as they come in."""

import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from glossator.errors import UsageError
from glossator.model import MessageDraft
from glossator.retain.intake import read_messages
from glossator.retain.redaction import Cleaner

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class Counting:
    def __init__(self) -> None:
        self.count = 0

    def new(self) -> str:
        self.count += 1
        return f"new-{self.count}"


def read(*messages: Any, session: str | None = None, zone: str = "UTC") -> tuple[MessageDraft, ...]:
    drafts, _ = read_messages(
        Counting(),
        list(messages),
        session=session,
        zone=ZoneInfo(zone),
        bytes_max=1000,
        now=NOW,
        cleaner=Cleaner(),
        trust="owner",
    )
    return drafts


# proves: K16, K17, K18, I14
@pytest.mark.parametrize(
    ("at", "utc", "offset", "session"),
    [
        ("2023-05-20T02:21:00+01:00", "2023-05-20T01:21:00+00:00", 60, "2023-05-20"),
        ("2025-03-02T00:30+09:00", "2025-03-01T15:30:00+00:00", 540, "2025-03-02"),
        ("2026-01-05", "2026-01-04T18:30:00+00:00", 330, "2026-01-05"),
        ("2026-01-05T10:00:00Z", "2026-01-05T10:00:00+00:00", 0, "2026-01-05"),
        (datetime(2026, 1, 5, 10, tzinfo=UTC), "2026-01-05T10:00:00+00:00", 0, "2026-01-05"),
    ],
)
def test_times_become_utc_and_keep_the_speakers_offset(at: object, utc: str, offset: int, session: str) -> None:
    (draft,) = read({"content": "x", "at": at}, zone="Asia/Kolkata")
    assert (draft.said.at.isoformat(), draft.said.offset_minutes, draft.session) == (utc, offset, session)


def test_a_message_without_a_time_is_said_now_and_says_so() -> None:
    (draft,) = read({"content": "x"})
    assert draft.said.at == NOW
    assert not draft.said.given


def test_the_same_export_read_twice_has_the_same_ids() -> None:
    export = [{"role": "user", "content": "ok", "at": "2026-01-05T10:00"}] * 2
    first, second = read(*export), read(*export)
    assert [draft.external_id for draft in first] == [draft.external_id for draft in second]
    assert first[0].external_id != first[1].external_id


def test_two_live_messages_with_the_same_words_are_two() -> None:
    one, two = read({"content": "ok"}, {"content": "ok"})
    assert one.external_id != two.external_id


def test_unknown_parts_are_kept_as_metadata() -> None:
    (draft,) = read({"content": "x", "channel_post": 7, "metadata": {"mood": "good"}})
    assert dict(draft.metadata) == {"channel_post": 7, "mood": "good"}


def test_content_parts_of_a_chat_api_are_joined() -> None:
    (draft,) = read({"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]})
    assert draft.content == "a\nb"


@pytest.mark.parametrize(
    ("message", "argument"),
    [
        ({"content": ""}, "messages[0].content"),
        ({"content": " \u200b\n"}, "messages[0].content"),
        ({"content": None}, "messages[0].content"),
        ({"content": "x" * 1001}, "messages[0].content"),
        ({"content": "x", "role": "robot"}, "messages[0].role"),
        ({"content": "x", "at": "yesterday"}, "messages[0].at"),
        ({"content": "x", "at": 12}, "messages[0].at"),
        ({"content": "x", "at": "2026-02-30"}, "messages[0].at"),
        ({"content": "x", "id": ["a"]}, "messages[0].id"),
        ({"content": "x", "id": "a" * 501}, "messages[0].id"),
        ({"content": "x", "metadata": "no"}, "messages[0].metadata"),
        ({"content": "x", "metadata": {"a": [object()]}}, "messages[0].metadata.a[0]"),
        ({"content": "x", "metadata": {"a": b"x"}}, "messages[0].metadata.a"),
        ({"content": "x", "metadata": {"a": {"b": {1, 2}}}}, "messages[0].metadata.a.b"),
        ({"content": "x", "metadata": {"a": float("nan")}}, "messages[0].metadata.a"),
        ({"content": "x", "metadata": {"a": 10**5000}}, "messages[0].metadata.a"),
        ({"content": "x", "metadata": {(1, 2): "a"}}, "messages[0].metadata"),
        ({"content": "x", "tool_calls": {1}}, "messages[0].tool_calls"),
        ("just text", "messages[0]"),
    ],
)
def test_a_wrong_message_is_refused_by_the_name_of_its_part(message: object, argument: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(message)
    assert caught.value.argument == argument


def test_metadata_is_kept_as_json_has_it() -> None:
    given = {"sent": datetime(2026, 1, 2, tzinfo=UTC), "half \ud83d": ["\ud83d", (1, None)], 7: True}
    (draft,) = read({"content": "x", "metadata": given, "raw": {"half": "\udc00"}})
    kept = {"sent": "2026-01-02T00:00:00+00:00", "half \ufffd": ["\ufffd", [1, None]], "7": True}
    assert dict(draft.metadata) == {"raw": {"half": "\ufffd"}, **kept}
    assert json.loads(json.dumps(dict(draft.metadata))) == dict(draft.metadata)


def test_metadata_that_holds_itself_is_refused() -> None:
    endless: dict[str, Any] = {}
    endless["again"] = endless
    with pytest.raises(UsageError, match="deep"):
        read({"content": "x", "metadata": endless})


@pytest.mark.parametrize(
    ("at", "precision"),
    [
        ("2026-01-02T07:08-03:30", "minute"),
        ("2026-01-02T07:08+05:30", "minute"),
        ("2026-01-02T07:08Z", "minute"),
        ("2026-01-02 07:08", "minute"),
        ("2026-01-02T07:08:09-03:30", "second"),
        ("2026-01-02T07:08:09.25-03:30", "second"),
        ("20260102T070809-0330", "second"),
        ("20260102T0708", "minute"),
        ("2026-01-02", "day"),
        ("20260102", "day"),
        ("2026-W01-5", "day"),
    ],
)
def test_a_time_is_as_precise_as_it_was_given(at: str, precision: str) -> None:
    (draft,) = read({"content": "x", "at": at})
    assert draft.said.precision == precision


def test_nul_and_lone_surrogates_are_replaced_and_the_receipt_says_so() -> None:
    drafts, notes = read_messages(
        Counting(),
        [{"content": "a\0b\ud800c"}],
        session=None,
        zone=ZoneInfo("UTC"),
        bytes_max=100,
        now=NOW,
        cleaner=Cleaner(),
        trust="owner",
    )
    assert drafts[0].content == "a\ufffdb\ufffdc"
    assert notes == (("2 NUL or lone surrogate characters replaced by U+FFFD",),)
