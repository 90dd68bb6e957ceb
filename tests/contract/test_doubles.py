"""Do the doubles do what tests rely on?"""

from datetime import UTC, datetime, timedelta, timezone
from typing import Literal

import pytest

from glossator.errors import StoreError
from glossator.stores.memory import MemoryStore
from glossator.testing.clock import START, FakeClock
from glossator.testing.contract.base import record
from glossator.testing.drafts import SCOPE, entry
from glossator.testing.faulty import FaultyStore
from glossator.testing.ids import CountingIds


@pytest.mark.parametrize(("when", "kept"), [("before", 0), ("after", 1)])
def test_a_faulty_store_fails_once_before_or_after_the_effect(when: Literal["before", "after"], kept: int) -> None:
    inner = MemoryStore()
    faulty = FaultyStore(inner, fail_at=2, when=when)
    assert faulty.messages(SCOPE) == ()
    with pytest.raises(StoreError, match="append"):
        record(faulty, entry("m1", "tea"))
    assert (len(inner.messages(SCOPE)), faulty.failed_in, faulty.call_count) == (kept, "append", 2)
    # what is tried again is done once
    record(faulty, entry("m1", "tea"))
    assert len(faulty.messages(SCOPE)) == 1


def test_a_faulty_store_has_every_call_of_a_store() -> None:
    verbs = {name for name in dir(MemoryStore) if not name.startswith("_")}
    assert verbs <= set(dir(FaultyStore(MemoryStore(), fail_at=1)))


def test_the_clock_moves_only_by_hand_and_stays_in_utc() -> None:
    clock = FakeClock()
    assert clock.now() == clock.now() == START
    assert clock.advance(seconds=1.5) == START + timedelta(seconds=1.5) == clock.now()
    clock.jump_to(datetime(2020, 1, 1, 9, tzinfo=timezone(timedelta(hours=9))))
    assert clock.now() == datetime(2020, 1, 1, tzinfo=UTC)
    assert clock.now().tzinfo is UTC


def test_ids_count() -> None:
    ids = CountingIds()
    assert [ids.new(), ids.new()] == ["id-1", "id-2"]
