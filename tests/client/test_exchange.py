"""What a client makes of answers, of no answer, and when it asks again. Without any network."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from glossator import ConflictError, Memory, PermissionDeniedError, Scope, StoreError, StoreLockedError
from glossator.client.exchange import Answered, Came, Pause, Terms, Unanswered, done
from glossator.client.requests import IDEMPOTENCY_KEY, Asked, Verb, given_to
from glossator.errors import StoreReadOnlyError, UsageError
from glossator.providers.language.pace import Pace
from glossator.wire.problems import MEDIA_TYPE, problem_of

ANA = Scope(workspace="acme", owner="ana")
PACE = Pace(fraction=lambda: 0.0, now=lambda: datetime(2026, 1, 1, tzinfo=UTC))
AWAY = Unanswered(reason="no server answers", arrived=False)
BROKEN = Unanswered(reason="the connection broke", arrived=True)
LATE = Unanswered(reason="no answer in time", arrived=True, late=True)
RECEIPT = Answered(status=200, body=b'{"recorded":[],"pending":0}', kind="application/json")


def problem(error: Any, *, retry_after: str = "", status: int | None = None) -> Answered:
    document = problem_of(error, status=status)
    body = json.dumps(document).encode()
    return Answered(status=document["status"], body=body, kind=f"{MEDIA_TYPE}; charset=utf-8", retry_after=retry_after)


def played(
    verb: Verb, came: Sequence[Came], *args: object, retries: int = 2, **kwargs: object
) -> tuple[Any, list[Any]]:
    """The verb's result, or its error, and all that was asked or waited for."""
    numbers = iter(range(100))
    terms = Terms(retries=retries, new_key=lambda: f"key-{next(numbers)}", pace=PACE)
    exchange = done(verb, given_to(verb, args, kwargs), terms)
    steps: list[Any] = []
    left = iter(came)
    told: Came | None = None
    while True:
        try:
            step = exchange.send(told)
        except StopIteration as end:
            assert next(left, None) is None
            return end.value, steps
        except Exception as error:
            assert next(left, None) is None
            return error, steps
        steps.append(step)
        told = next(left) if isinstance(step, Asked) else None


def recorded(*came: Came, retries: int = 2) -> tuple[Any, list[Any]]:
    return played(Memory.record, came, [{"content": "a"}], scope=ANA, conversation="c", retries=retries)


def waits(steps: Sequence[Any]) -> list[float]:
    return [step.seconds for step in steps if isinstance(step, Pause)]


@pytest.mark.parametrize("failed", [AWAY, BROKEN, Answered(status=503, body=b"", kind="text/html")])
def test_a_write_is_sent_again_under_the_same_key(failed: Came) -> None:
    result, steps = recorded(failed, failed, RECEIPT)

    assert result.pending == 0
    assert {step.headers[IDEMPOTENCY_KEY] for step in steps if isinstance(step, Asked)} == {"key-0"}
    assert waits(steps) == [0.125, 0.25]


def test_after_so_many_attempts_it_is_told() -> None:
    result, steps = recorded(AWAY, AWAY, AWAY)
    assert isinstance(result, StoreError)
    assert (str(result), result.retryable, len(waits(steps))) == ("no server answers", True, 2)


def test_what_took_all_its_time_is_not_asked_again() -> None:
    result, steps = recorded(LATE)
    assert isinstance(result, StoreError)
    assert (result.retryable, len(steps)) == (True, 1)


def test_a_change_without_a_key_is_sent_again_only_where_it_cannot_have_arrived() -> None:
    again, steps = played(Memory.drop_steps, [AWAY, Answered(status=200, body=b"2")], "r", scope=ANA)
    assert (again, len(waits(steps))) == (2, 1)
    broken, steps = played(Memory.drop_steps, [BROKEN], "r", scope=ANA)
    assert isinstance(broken, StoreError)
    assert len(steps) == 1


@pytest.mark.parametrize(
    ("asked", "waited"), [("0", 0.0), ("7", 7.0), ("Thu, 01 Jan 2026 00:00:09 GMT", 9.0), ("x", 0.125)]
)
def test_a_server_that_is_busy_says_how_long_to_wait(asked: str, waited: float) -> None:
    _, steps = recorded(problem(StoreError("busy", retryable=True), status=429, retry_after=asked), RECEIPT)
    assert waits(steps) == [waited]


def test_a_wait_that_is_too_long_is_the_callers_to_decide() -> None:
    result, steps = recorded(problem(StoreError("so many", retryable=True), status=429, retry_after="3600"))
    assert isinstance(result, StoreError)
    assert (str(result), waits(steps)) == ("so many", [])


def test_a_locked_store_is_asked_again_and_one_that_is_read_only_is_not() -> None:
    locked, steps = recorded(*[problem(StoreLockedError("locked"))] * 3)
    assert isinstance(locked, StoreLockedError)
    assert len(waits(steps)) == 2
    read_only, steps = recorded(problem(StoreReadOnlyError("read-only")))
    assert isinstance(read_only, StoreReadOnlyError)
    assert waits(steps) == []


def test_while_an_earlier_attempt_is_still_at_work_it_waits() -> None:
    at_work = problem(ConflictError("key", "is being answered right now"), retry_after="1")
    result, steps = recorded(BROKEN, at_work, RECEIPT)
    assert result.pending == 0
    assert waits(steps) == [0.125, 1.0]


def test_an_earlier_attempt_that_may_have_died_is_no_conflict_of_the_callers() -> None:
    at_work = problem(ConflictError("key", "is being answered right now"), retry_after="1")
    result, steps = recorded(at_work, at_work, at_work)
    assert (type(result), result.retryable, len(waits(steps))) == (StoreError, True, 2)


def test_a_conflict_is_told_at_once_and_names_the_argument() -> None:
    told, steps = recorded(problem(ConflictError("confirm", "no longer holds", remedy="ask again")))
    assert isinstance(told, ConflictError)
    assert (told.argument, told.problem, told.remedy, waits(steps)) == ("confirm", "no longer holds", "ask again", [])

    changed = problem(ConflictError("If-Match", "has changed", remedy="read it"), status=412)
    told, _ = played(Memory.write_resource, [changed], "rules", "a", scope=ANA, expected_sha256="")
    assert (type(told), told.argument, told.problem) == (ConflictError, "expected_sha256", "has changed")


def test_a_wrong_key_is_told_as_a_permission() -> None:
    told, steps = recorded(problem(PermissionDeniedError("Authorization", "is unknown"), status=401))
    assert isinstance(told, PermissionDeniedError)
    assert len(steps) == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answered(status=502, body=b"<h1>Bad Gateway</h1>", kind="text/html"), "answered 502: <h1>Bad"),
        (Answered(status=404, body=b"\xff" * 500, kind="text/plain"), "answered 404"),
        (Answered(status=307, body=b"", kind=""), "redirects are not followed"),
        (Answered(status=500, body=b"[1]", kind=MEDIA_TYPE), "answered 500"),
        (Answered(status=200, body=b"<html>", kind="text/html"), "cannot read"),
        (Answered(status=200, body=b'{"recorded": 5}', kind="application/json"), "recorded"),
        (Answered(status=200, body=b"", kind=""), "cannot read"),
    ],
)
def test_what_is_no_answer_of_ours_is_a_store_error_in_words(answer: Answered, words: str) -> None:
    told, _ = recorded(answer)
    assert isinstance(told, StoreError)
    assert words in str(told)
    assert len(str(told)) < 400


def test_an_error_of_a_newer_server_is_the_nearest_known() -> None:
    document = {"type": "urn:glossator:NewError", "status": 500, "detail": "something new", "retryable": False}
    told, _ = recorded(Answered(status=500, body=json.dumps(document).encode(), kind=MEDIA_TYPE))
    assert isinstance(told, StoreError)
    assert "something new" in str(told)


def test_a_wrong_argument_is_told_before_anything_is_asked() -> None:
    with pytest.raises(UsageError, match="query"):
        played(Memory.recall, [], 5, scope=ANA)
