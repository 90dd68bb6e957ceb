"""The queue and its age in words, and conversations that no review has read."""

from datetime import UTC, datetime, timedelta

import pytest

from glossator.model import ConversationOutline, OpenWork, ReviewState, Scope
from glossator.surfaces.web.review_pages import age_words, reviews_of, summary_of

NOW = datetime(2026, 1, 2, tzinfo=UTC)
SCOPE = Scope(workspace="acme", owner="ana")


@pytest.mark.parametrize(
    ("waited", "words"),
    [
        (timedelta(seconds=-5), "under a minute"),
        (timedelta(seconds=59), "under a minute"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(minutes=59), "59 minutes"),
        (timedelta(hours=1), "1 hour"),
        (timedelta(days=2, hours=23), "2 days"),
    ],
)
def test_how_long_something_waited(waited: timedelta, words: str) -> None:
    assert age_words(NOW - waited, NOW) == words


def test_nothing_waited_for_no_time() -> None:
    assert age_words(None, NOW) == ""


def test_the_queue_is_summed_up_in_a_sentence() -> None:
    assert summary_of([]) == "No work is waiting."
    work = [OpenWork(kind="embed", pending_count=1_000), OpenWork(kind="extract", pending_count=1, failed_count=2)]
    assert summary_of(work) == "1,001 pieces of work waiting, 2 given up."
    assert summary_of([OpenWork(kind="embed", failed_count=1)]) == "No work is waiting, 1 given up."


def test_conversations_that_no_review_has_read_stand_behind_the_others() -> None:
    read = ReviewState(scope=Scope(workspace="acme", owner="ana", conversation="chat:1:root"), status="ok")
    talks = [
        ConversationOutline(
            conversation=key, message_count=1, live_count=1, session_count=1, first_said_at=NOW, last_said_at=NOW,
            last_words="", page=key,
        )
        for key in ("chat:2:root", "chat:1:root")
    ]  # fmt: skip
    shown = reviews_of(SCOPE, [read], talks)
    assert [(each.scope.conversation, each.status) for each in shown] == [("chat:1:root", "ok"), ("chat:2:root", None)]
