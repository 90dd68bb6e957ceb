"""Do the scorers of extraction count what they say they count?"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.evaluate.extraction.judging import judge
from glossator.evaluate.extraction.labelled_report import labelled_figures
from glossator.evaluate.extraction.match import (
    LOOSE,
    MAIN,
    STRICT,
    has_words,
    one_supports,
    share_of,
    words_of,
)
from glossator.evaluate.extraction.naive import naive_facts
from glossator.evaluate.extraction.points_report import Remembered, points_figures
from glossator.evaluate.extraction.rates import rate_of
from glossator.evaluate.extraction.values import (
    GoldPoint,
    GoldSession,
    LabelledFact,
    LabelledTurn,
    Person,
    StoredFact,
    WrittenSpan,
)
from glossator.evaluate.values import TurnData

SAID = datetime(2026, 3, 10, 12, tzinfo=UTC)
MARCH = WrittenSpan(
    start=datetime(2025, 3, 1, tzinfo=UTC), end=datetime(2025, 4, 1, tzinfo=UTC), precision="month"
)  # fmt: skip


def label(*must: str, polarity: str = "positive", subject: str = "user", **given: object) -> LabelledFact:
    plain = LabelledFact(
        must=tuple(tuple(each.split("|")) for each in must),
        must_not=(),
        categories=("preference",),
        kinds=(None,),
        polarity=polarity,
        subject=subject,
        quote="",
    )
    return replace(plain, **given)  # type: ignore[arg-type]


def turn(*facts: LabelledFact, sort: str = "preference", half: str = "dev", name: str = "t1") -> LabelledTurn:
    return LabelledTurn(
        id=name,
        half=half,
        sort=sort,
        role="user",
        speaker="Mara",
        said=SAID,
        text="some words of Mara",
        before=None,
        facts=facts,
    )


def test_a_fact_with_the_words_polarity_and_subject_of_a_label_is_right() -> None:
    judged = judge(turn(label("hik", "hiking|walks")), [StoredFact(text="Mara likes hiking")])

    assert (judged.count("right"), judged.wrong, len(judged.missed)) == (0, 1, 1)

    judged = judge(turn(label("hiking|walks")), [StoredFact(text="Mara likes hikes")])

    assert (judged.count("right"), judged.wrong, len(judged.missed)) == (1, 0, 0)


def test_a_dislike_stored_as_a_like_is_a_polarity_error_and_the_label_is_missed() -> None:
    # proves: D42
    hates = turn(label("cilantro", polarity="negative"))

    for stored in (
        StoredFact(text="Mara: cilantro", polarity="positive"),
        StoredFact(text="cilantro", polarity="negative", value="likes"),
    ):
        judged = judge(hates, [stored])

        assert judged.count("polarity") == 1
        assert len(judged.missed) == 1

    assert judge(hates, [StoredFact(text="cilantro", polarity="negative", value="dislikes")]).count("right") == 1


def test_another_persons_taste_stored_for_the_user_is_a_subject_error() -> None:
    theirs = turn(label("opera", subject="my sister"))

    assert judge(theirs, [StoredFact(text="opera", subject="user")]).count("subject") == 1
    assert judge(theirs, [StoredFact(text="opera", subject="my sister")]).count("right") == 1


def test_the_speaker_by_name_is_the_user() -> None:
    assert judge(turn(label("tea")), [StoredFact(text="tea", subject="mara")]).count("right") == 1


def test_a_forbidden_word_makes_a_fact_wrong() -> None:
    both = turn(label("hiking", must_not=("camping",)))

    assert judge(both, [StoredFact(text="loves hiking but hates camping")]).count("unlabelled") == 1


def test_an_optional_label_is_right_when_found_and_no_loss_when_not() -> None:
    maybe = turn(label("techno", optional=True), sort="negative:others_taste")

    assert judge(maybe, [StoredFact(text="techno")]).count("right") == 1
    assert judge(maybe, []).missed == ()


def test_a_fact_said_twice_is_right_and_counted_as_a_repeat() -> None:
    judged = judge(turn(label("tea")), [StoredFact(text="likes tea"), StoredFact(text="tea is liked")])

    assert (judged.count("right"), judged.repeats) == (2, 1)


@pytest.mark.parametrize(
    ("start", "right"),
    [(datetime(2025, 3, 1, tzinfo=UTC), True), (datetime(2026, 3, 1, tzinfo=UTC), False), (None, False)],
)
def test_a_date_is_right_when_both_ends_are(start: datetime | None, right: bool) -> None:
    # proves: D32
    moved = turn(label("porto", event=MARCH))
    stored = StoredFact(text="moved to Porto", event_source="own", event_start=start, event_end=MARCH.end)

    (found,) = judge(moved, [stored]).found

    assert found.date_right is right


def test_figures_add_up_over_turns() -> None:
    judged = [
        judge(turn(label("tea"), name="a"), [StoredFact(text="tea", category="preference")]),
        judge(turn(label("jazz"), name="b"), []),
        judge(turn(sort="negative:question", name="c"), [StoredFact(text="anything at all")]),
        judge(turn(sort="negative:question", name="d"), []),
    ]

    figures = labelled_figures(judged, seed=0)

    shares = {name: (figures[name]["part"], figures[name]["of"]) for name in ("precision", "recall", "junk_turns")}  # type: ignore[index]
    assert shares == {"precision": (1, 2), "recall": (1, 2), "junk_turns": (1, 2)}
    assert figures["category_agreement"]["share"] == 1.0  # type: ignore[index]
    assert [row["turn"] for row in figures["misses"]] == ["b"]  # type: ignore[attr-defined]
    assert [row["turn"] for row in figures["false_positives"]] == ["c"]  # type: ignore[attr-defined]


def test_the_test_half_is_counted_and_never_listed() -> None:
    hidden = turn(label("tea"), half="test")
    judged = [judge(hidden, [StoredFact(text="something else")])]

    figures = labelled_figures(judged, seed=0)

    assert figures["recall"]["of"] == 1  # type: ignore[index]
    assert hidden.text not in repr(figures)
    assert figures["misses"] == figures["false_positives"] == figures["date_misses"] == []


def test_words_are_found_folded_stemmed_and_next_to_each_other() -> None:
    assert has_words("She is ALLERGIC to Peanuts", "peanut")
    assert has_words("paid on the 25th", "25")
    assert has_words("a budget of 12,500", "12500")
    assert has_words("self-employed since May", "self employed")
    assert not has_words("employed by herself", "self employed")
    assert not has_words("250 people", "25")
    assert not has_words("anything", "...")


def test_a_gold_point_is_matched_by_half_of_its_content_words() -> None:
    gold = words_of("Martin Mark's colleague Daniel is a patient teacher", ["Martin", "Mark"])

    assert gold.content == {"colleagu", "daniel", "patient", "teacher"}
    assert share_of(gold, words_of("I have a colleague, Daniel")) == 0.5
    assert LOOSE < MAIN < STRICT


def test_another_number_does_not_match() -> None:
    gold = words_of("The user's income is 18000 yuan")

    assert share_of(gold, words_of("My income is 18,000 yuan a month")) == 1.0
    assert share_of(gold, words_of("My income is 15,700 yuan a month")) == 0.0
    assert one_supports(words_of("income 18000"), gold, MAIN)


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_a_share_is_between_0_and_1_for_any_text(first: str, second: str) -> None:
    share = share_of(words_of(first), words_of(second))

    assert 0.0 <= share <= 1.0
    assert share_of(words_of(first), words_of(first)) in (0.0, 1.0)


def test_the_naive_baseline_takes_the_sentences_of_the_user() -> None:
    said = "Hello there! I live in Paris now. Fine.\nWhere do you live then?"

    assert [fact.text for fact in naive_facts(said, role="user")] == ["I live in Paris now.", "Where do you live then?"]
    assert naive_facts(said, role="assistant") == ()


def test_a_share_of_all_or_nothing_keeps_a_doubt() -> None:
    whole, none, nothing = rate_of([3, 0], [3, 0], seed=0), rate_of([0], [30], seed=0), rate_of([], [], seed=0)

    assert (whole.share, whole.low, whole.high) == (1.0, 0.0, 1.0)
    assert (none.share, none.low, none.high) == (0.0, 0.0, 0.1)
    assert (nothing.share, nothing.low) == (None, None)


def test_an_interval_holds_its_share_and_comes_out_the_same_again() -> None:
    parts, wholes = [1, 0, 2, 3, 0, 1], [2, 1, 3, 3, 2, 1]

    first, again = rate_of(parts, wholes, seed=7), rate_of(parts, wholes, seed=7)

    assert first == again
    assert first.low is not None
    assert first.high is not None
    assert first.low < 7 / 12 < first.high


TRUTH = "Martin accepted a promotion to senior director at Huaxin"
TRAP = "Martin accepted a promotion to vice president at Huaxin"


def person(*points: GoldPoint, said: str = "I accepted a promotion to senior director at Huaxin.") -> Person:
    spoken = TurnData(id="s1:0", role="user", speaker="user", text=said, at=SAID)
    session = GoldSession(name="s1", said_at=SAID, turns=(spoken,), points=points)
    return Person(id="p", names=("Martin",), sessions=(session,))


def gold(text: str, **given: object) -> GoldPoint:
    return replace(GoldPoint(text=text, group="Event Memory", origin="secondary"), **given)  # type: ignore[arg-type]


def shares(people: Person, *facts: StoredFact) -> dict[str, object]:
    figures = points_figures([Remembered(person=people, facts=facts)], seed=0)
    return {name: value["share"] for name, value in figures.items() if isinstance(value, dict) and "share" in value}


def test_a_point_is_found_by_a_fact_of_its_session_and_of_no_later_one() -> None:
    said = StoredFact(text="I accepted a promotion to senior director", session="s1")

    assert shares(person(gold(TRUTH)), said)["found"] == 1.0
    assert shares(person(gold(TRUTH)), replace(said, session="s9"))["found"] == 0.0


def test_a_trap_is_taken_only_by_a_fact_that_is_nearer_to_it_than_to_the_truth() -> None:
    traps = person(gold(TRAP, trap=True, origin="interference", reference=TRUTH), gold(TRUTH))

    true = shares(traps, StoredFact(text="accepted a promotion to senior director at Huaxin", session="s1"))
    false = shares(traps, StoredFact(text="accepted a promotion to vice president at Huaxin", session="s1"))

    assert (true["traps"], true["found"]) == (0.0, 1.0)
    assert false["traps"] == 1.0


def test_a_fact_that_nobody_said_is_unsupported_and_matches_nothing_gold() -> None:
    invented = shares(person(gold(TRUTH)), StoredFact(text="owns three boats in Genoa", session="s1"))

    assert (invented["unsupported"], invented["matching_nothing_gold"]) == (1.0, 1.0)


def test_an_update_counts_as_closing_where_the_old_fact_holds_no_more() -> None:
    first = person(gold("Martin's title is director"), said="My title is director.").sessions[0]
    update = gold("Martin's title is senior director", update=True, updates=("Martin's title is director",))
    second = replace(person(update).sessions[0], name="s2", said_at=SAID + timedelta(days=30))
    both = Person(id="p", names=("Martin",), sessions=(first, second))
    old = StoredFact(text="my title is director", session="s1", current=False)
    new = StoredFact(text="my title is senior director", session="s2")

    assert shares(both, old, new)["updates_closed_old"] == 1.0
    assert shares(both, replace(old, current=True), new)["updates_closed_old"] == 0.0


def test_a_fact_dated_far_from_its_session_is_a_date_error() -> None:
    dated = StoredFact(text="accepted a promotion", session="s1", event_source="session", event_start=SAID)

    assert shares(person(gold(TRUTH)), dated)["date_errors"] == 0.0
    assert shares(person(gold(TRUTH)), replace(dated, event_start=SAID - timedelta(days=400)))["date_errors"] == 1.0
    assert shares(person(gold(TRUTH)), replace(dated, event_source="own"))["date_errors"] is None
