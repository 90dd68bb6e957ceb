"""A source that rewrites the memory is held back for a while."""

import pytest

from glossator.errors import UsageError
from glossator.retain.tripwire import Tripwire

SOURCE = "ana/run-1/session-1"


def tripped(wire: Tripwire, *, at_s: float = 0.0, source: str = SOURCE) -> list[bool]:
    return [wire.superseded(source, at_s + number) for number in range(5)]


def test_the_fifth_supersession_within_ten_minutes_trips_it() -> None:
    wire = Tripwire()

    assert tripped(wire) == [False, False, False, False, True]
    assert wire.quarantined(SOURCE, 5.0)


def test_four_within_ten_minutes_and_a_fifth_later_do_not() -> None:
    wire = Tripwire()
    for second in (0.0, 10.0, 20.0, 30.0, 600.0):
        assert not wire.superseded(SOURCE, second)

    assert not wire.quarantined(SOURCE, 601.0)


def test_the_quarantine_ends_after_half_an_hour_and_counting_begins_anew() -> None:
    wire = Tripwire()
    tripped(wire, at_s=0.0)

    assert wire.quarantined(SOURCE, 1_803.0)
    assert not wire.quarantined(SOURCE, 1_804.0)
    assert not wire.superseded(SOURCE, 1_805.0)


def test_another_source_is_not_held_for_it() -> None:
    wire = Tripwire()
    tripped(wire)

    assert not wire.quarantined("ana/run-2/session-1", 5.0)


def test_the_number_of_watched_sources_is_bounded_and_the_quietest_goes_first() -> None:
    wire = Tripwire(sources_max=2)
    for source in ("a", "b"):
        for second in range(4):
            wire.superseded(source, float(second))
    wire.superseded("c", 5.0)

    assert not wire.superseded("a", 6.0)
    assert not wire.superseded("b", 7.0)


def test_a_wire_that_trips_on_nothing_is_refused() -> None:
    with pytest.raises(UsageError):
        Tripwire(superseded_max=0)
