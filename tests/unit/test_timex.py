"""What holds for every text: traps, offsets, zones, impossible dates, speed, questions, and nearness."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.errors import UsageError
from glossator.model.time import Interval
from glossator.rules.timex import asks_when, event_interval, find_times, nostalgic, proximity_boost
from glossator.rules.timex.engine import LANGUAGES

NOW = datetime(2023, 5, 20, 12, tzinfo=UTC)

TRAPS = """
may I ask
May I ask you something?
You may be right
I may go
it may well rain
this may be wrong
what comes next may surprise
the last may not be first
march on
March on, soldiers!
we march to the beat
port 8080
version 3.11
version 3.11.2
room 2023
flight 2019 was late
$2020
it costs $2,020
€1999
2020 dollars
call 555-2020
+1 555 2019 2020
+1 (415) 555-2020
192.168.1.20
sat down
she sat on the bench
The cat sat last.
sun is shining
Sun is shining
in the sun
a second opinion
one second please
Mon ami
mon ami
they wed in secret
the fall of Rome
a fall in prices
spring for it
a spring in her step
May said
April and I
June's dog
with April
June Carter sang
August company
an august body
May's brother Tom
every Monday
every day
each week
on Sundays
Mondays are hard
for three weeks
for two years
at 3pm
at noon
in the morning
one day
some day
day by day
the day
a good year
year 0
year 99999
in 3 easy steps
ratio 3/4
24/7 support
chapter 12
page 2020
my 90s playlist is long
in her 30s
section 8.5
5-3 win
scored 40 points
on the 15th floor
on the 2nd try
300 days of sun
half the time
the whole week
a week
two weeks
long ago
ages ago
once upon a time
the past is gone
last but not least
next door
this is it
the next step
the last man
first things first
of 2000 people
about 2000 people
10:30
summer dress
a summer breeze
winter coat
weekend warrior
Christmas tree
Halloween costume party
Easter eggs
in may be
What may happen in march madness
the decade
quarter back
a quarter of them
mar the surface
jan
Jan said hello
Friday mornings
on Friday evenings
it is 2 hours away
on a Sunday afternoon
On Friday we usually swim
What have you been up to?
inspired by autumn
a 1/48 scale model
my 2018 Ford
in two days I finished it
The Last of Us
"""

IMPOSSIBLE = """
13/45/2020
Feb 30
Feb 30, 2023
April 31st, 2022
2023-02-30
2023-13-01
0000-01-01
00/00/0000
32/12/2020
May 0
June 31
2023-05-08T25:61
May 99999
in the year 0
in 99999
"""


@pytest.mark.parametrize("text", TRAPS.strip().splitlines())
def test_words_that_only_look_like_times_name_none(text: str) -> None:
    assert find_times(text, now=NOW) == ()  # proves: D31


@pytest.mark.parametrize("text", IMPOSSIBLE.strip().splitlines())
def test_a_date_that_does_not_exist_names_no_time(text: str) -> None:
    assert find_times(text, now=NOW) == ()  # proves: O16


WORDS = sorted({word for language in LANGUAGES for word in language.words})
PHRASES = st.lists(
    st.one_of(
        st.sampled_from(WORDS),
        st.integers(0, 99999).map(str),
        st.sampled_from(list(",.-/:'’ \n年月日")),
        st.text(max_size=3),
    ),
    max_size=14,
).flatmap(lambda parts: st.sampled_from([" ", ""]).map(lambda glue: glue.join(parts)))
MOMENTS = st.datetimes(timezones=st.sampled_from([UTC, ZoneInfo("America/New_York"), timezone(timedelta(hours=9))]))


@settings(deadline=None)  # the first text in a language builds its expressions
@given(st.one_of(st.text(), PHRASES), MOMENTS, st.sampled_from(["past", "future"]))
def test_any_text_at_any_moment_gives_ordered_spans_of_itself(text: str, now: datetime, prefer: str) -> None:
    found = find_times(text, now=now, prefer="future" if prefer == "future" else "past")

    end = 0
    for expression in found:
        assert text[expression.begin : expression.stop] == expression.words != ""
        assert end <= expression.begin
        end = expression.stop
        interval = expression.interval
        assert interval.start is not None or interval.end is not None
        if interval.start is not None and interval.end is not None:
            assert interval.start < interval.end
        assert all(edge is None or edge.utcoffset() == timedelta(0) for edge in (interval.start, interval.end))


@settings(deadline=None)
@given(st.text())
def test_any_question_has_an_answer(text: str) -> None:
    assert asks_when(text) in (True, False)
    assert nostalgic(text) in (True, False)
    event_interval(text, now=NOW)


def test_phrases_come_in_text_order_with_their_words() -> None:
    text = "Last week I ran, on 8 May 2023 I rested, and yesterday I swam."

    found = find_times(text, now=NOW)

    assert [(time.words, time.begin) for time in found] == [("Last week", 0), ("8 May 2023", 20), ("yesterday", 45)]


def test_yesterday_is_the_speakers_yesterday() -> None:
    said = datetime(2025, 3, 2, 0, 30, tzinfo=timezone(timedelta(hours=9)))

    interval = find_times("I fainted yesterday.", now=said)[0].interval

    assert interval == Interval(  # proves: K17, D51
        start=datetime(2025, 2, 28, 15, tzinfo=UTC), end=datetime(2025, 3, 1, 15, tzinfo=UTC), precision="day"
    )


@pytest.mark.parametrize(("day", "hours"), [("2023-03-12", 23), ("2023-11-05", 25), ("2023-05-20", 24)])
def test_a_day_has_the_hours_of_its_zone(day: str, hours: int) -> None:
    said = datetime(2023, 12, 1, 12, tzinfo=ZoneInfo("America/New_York"))

    interval = find_times(day, now=said)[0].interval

    assert interval.start is not None
    assert interval.end is not None
    assert interval.end - interval.start == timedelta(hours=hours)


def test_an_hour_that_the_clocks_skip_still_begins_before_it_ends() -> None:
    said = datetime(2023, 3, 13, 12, tzinfo=ZoneInfo("America/New_York"))

    interval = find_times("yesterday at 2:30", now=said)[0].interval

    assert interval.start is not None
    assert interval.end is not None
    assert interval.start < interval.end


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(UsageError, match="zone"):
        find_times("yesterday", now=datetime(2023, 5, 20))


def test_a_caller_may_prefer_the_future() -> None:
    past, future = (find_times("on Monday", now=NOW, prefer=way)[0].interval.start for way in ("past", "future"))

    assert (past, future) == (datetime(2023, 5, 15, tzinfo=UTC), datetime(2023, 5, 22, tzinfo=UTC))


def test_the_same_words_follow_the_moment_given_not_the_clock() -> None:
    def start(day: str) -> datetime | None:
        return find_times("I moved last March", now=datetime.fromisoformat(day).replace(tzinfo=UTC))[0].interval.start

    assert start("2023-05-20") == datetime(2023, 3, 1, tzinfo=UTC)  # proves: O16, D32, D51
    assert start("2023-02-10") == datetime(2022, 3, 1, tzinfo=UTC)  # proves: O16


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I moved last March", "last March"),
        ("Last month I was ill, and yesterday I recovered", "yesterday"),
        ("Yesterday I swam and on Monday I ran", "Yesterday"),
        ("We met in 2019, in June 2019 to be exact", "June 2019"),
        ("Every Monday I swim", None),
        ("I was there for three weeks", None),
        ("I get up at 6am", None),
        ("I like tea", None),
    ],
)
def test_the_most_precise_phrase_dates_a_statement(text: str, words: str | None) -> None:
    found = event_interval(text, now=NOW)

    assert (found.words if found else None) == words


@pytest.mark.parametrize(
    "text",
    [
        "When did I move to Edinburgh?", "when was the party", "What date did we meet?", "which year was it?",
        "What time is the call?", "What day did she leave?", "How long ago was that?", "Since when do you ski?",
        "Do you know when it starts?", "In which month did John start surfing?",
        "When Jon has lost his job as a banker?",
        "on what date", "What year did John start surfing?", "When?",
    ],
)  # fmt: skip
def test_a_question_for_a_time_is_known(text: str) -> None:
    assert asks_when(text)  # proves: D31


@pytest.mark.parametrize(
    "text",
    [
        "Where did I move?", "may I ask", "port 8080", "Who supports her when she is sad?", "What do I like?",
        "When I was a kid, what did I eat?", "I am happy when it rains", "How long did it take?", "",
    ],
)  # fmt: skip
def test_other_questions_do_not_ask_for_a_time(text: str) -> None:
    assert not asks_when(text)


@pytest.mark.parametrize(
    "text",
    [
        "Where did we go last year?", "What did I used to eat?", "Who was my friend when I was a kid?",
        "the house from years ago", "what was it like back then", "my dog growing up", "remember when we met?",
        "when I was in school", "my childhood memories", "last summer's trip",
    ],
)  # fmt: skip
def test_a_look_back_is_known(text: str) -> None:
    assert nostalgic(text)  # proves: O28


@pytest.mark.parametrize("text", ["What is my name?", "Where do I live now?", "last Friday", "I am used", ""])
def test_the_present_is_no_look_back(text: str) -> None:
    assert not nostalgic(text)


def span(first: datetime, days: float) -> Interval:
    return Interval(start=first, end=first + timedelta(days=days), precision="day")


@pytest.mark.parametrize(
    ("gap", "factor"),
    [
        (0, 1.5), (3, 1.5), (7, 1.5), (8, 1.4906), (20, 1.3774), (33.5, 1.25), (46, 1.1321), (59, 1.0094), (60, 1.0),
        (400, 1.0),
    ],
)  # fmt: skip
def test_nearness_multiplies_by_the_table(gap: float, factor: float) -> None:
    asked = span(NOW, 1)
    after, before = span(NOW + timedelta(days=1 + gap), 1), span(NOW - timedelta(days=2 + gap - 1), 1)

    assert round(proximity_boost(after, asked), 4) == factor  # proves: O15
    assert round(proximity_boost(before, asked), 4) == factor  # proves: O15


def test_what_overlaps_or_is_open_is_near() -> None:
    open_end = Interval(start=NOW - timedelta(days=900), end=None, precision="year")

    assert proximity_boost(span(NOW, 30), span(NOW + timedelta(days=10), 1)) == 1.5
    assert proximity_boost(open_end, span(NOW, 1)) == 1.5
    assert proximity_boost(open_end, span(NOW - timedelta(days=2000), 1)) == 1.0


NASTY = [
    "last ", "2 ", "may ", "2023-", "a couple of ", "twenty ", "the ", " ", "'", "1:", "since the ", "last week ", "8/",
    "from may to ", "new year", "３", "二", "on ", "when ", "I was ", "İ", "année ", "по ", "\ud800", "12:34:56.",
    "the first of ",
]  # fmt: skip


@pytest.mark.parametrize("piece", NASTY)
def test_the_time_grows_only_with_the_length(piece: str) -> None:
    text = piece * (100_000 // len(piece))

    begun = time.process_time()
    find_times(text, now=NOW)
    asks_when(text)
    nostalgic(text)

    assert time.process_time() - begun < 5.0
