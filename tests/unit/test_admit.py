"""What becomes of a draft beside the facts that are known?"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.model import (
    SELF,
    Admit,
    Decision,
    Draft,
    EventTime,
    Fact,
    Hold,
    Interval,
    Merge,
    Passage,
    Refuse,
    SaidTime,
    Scope,
    Supersede,
    Turn,
)
from glossator.retain.admit import Setting, blended, decide
from glossator.retain.placing import placed

SCOPE = Scope(workspace="acme", owner="ana")
JANUARY = datetime(2026, 1, 10, tzinfo=UTC)
JUNE = datetime(2026, 6, 10, tzinfo=UTC)


def draft(text: str, **given: object) -> Draft:
    """A draft that covers its whole sentence."""
    event = EventTime(interval=Interval(start=JUNE, end=JUNE + timedelta(days=1), precision="day"), source="session")
    plain = {"category": "context", "kind": None, "subject": SELF, "key": "", "value": ""}
    return Draft(text=text, passage=0, start=0, end=len(text), event=event, **(plain | given))  # type: ignore[arg-type]


def turn(text: str, *, at: datetime = JUNE, role: str = "user") -> Turn:
    """A turn of one passage."""
    said = SaidTime(at=at, offset_minutes=0, precision="second")
    passage = Passage(text=text, role=role, speaker=role, said=said, message_id=1, external_id="m1")  # type: ignore[arg-type]
    return Turn(scope=SCOPE, passages=(passage,), source="turn")


def fact(number: int, known: Draft, *, at: datetime = JANUARY, **given: object) -> Fact:
    """The draft as a fact that was admitted at a time."""
    new = placed(known, turn(known.text, at=at))
    plain = Fact(
        fact_id=number, scope=SCOPE, scope_type=new.scope_type, scope_id=new.scope_id, text=known.text,
        category=known.category, kind=known.kind, subject=known.subject, key=known.key, value=known.value,
        polarity=known.polarity, epistemic=known.epistemic, confidence=known.confidence, content_hash=new.content_hash,
        state="active", weight=1.0, event=known.event, valid_from=at, valid_to=None, created_at=at, last_seen_at=at,
        updated_at=at, seen_count=1, version=1, parent_id=None, superseded_by=None, source="turn", source_trust="owner",
        project=None, tags=(), domain="general", sensitivity="internal",
    )  # fmt: skip
    return replace(plain, **given)  # type: ignore[arg-type]


def decided(new: Draft, *near: Fact, at: datetime = JUNE, role: str = "user", **setting: object) -> Decision:
    """The decision about a draft said at a time."""
    said = turn(new.text, at=at, role=role)
    return decide(
        placed(new, said),
        near,
        Setting(said_at=at, place=lambda each: placed(each, said), **setting),  # type: ignore[arg-type]
    )


TEA = draft("I like tea.", category="preference", key="taste:tea", value="likes")


def test_what_nobody_said_before_is_admitted() -> None:
    assert isinstance(decided(TEA), Admit)


def test_the_same_statement_is_another_sighting() -> None:
    # proves: A40, K1
    decision = decided(draft("i LIKE tea!", category="preference", key="taste:tea", value="likes"), fact(1, TEA))
    assert isinstance(decision, Merge)
    assert decision.fact.fact_id == 1


@pytest.mark.parametrize(("stored", "new", "expected"), [(0.8, 0.8, 0.8), (0.8, 0.5, 0.71), (1.0, 1.0, 1.0)])
def test_confidence_is_blended(stored: float, new: float, expected: float) -> None:
    # proves: A40
    assert blended(stored, new) == pytest.approx(expected)
    decision = decided(replace(TEA, confidence=new), fact(1, TEA, confidence=stored))
    assert isinstance(decision, Merge)
    assert decision.confidence == pytest.approx(expected)


@given(st.floats(0, 1), st.floats(0, 1))
def test_confidence_stays_between_0_and_1(stored: float, new: float) -> None:
    assert 0 <= blended(stored, new) <= 1


@pytest.mark.parametrize(("new", "superseded"), [(0.71, True), (0.70, False), (0.9, True), (0.6, False)])
def test_a_clearly_surer_statement_is_a_new_version(new: float, superseded: bool) -> None:
    # proves: A39
    decision = decided(replace(TEA, confidence=new), fact(1, TEA, confidence=0.6))
    assert isinstance(decision, Supersede) is superseded


def test_within_minutes_a_repetition_is_seen_and_changes_nothing_else() -> None:
    decision = decided(replace(TEA, confidence=0.9), fact(1, TEA, confidence=0.6), recent=True)
    assert isinstance(decision, Merge)
    assert decision.confidence == 0.6


def test_another_answer_to_the_same_question_closes_the_old_one_when_it_was_said() -> None:
    # proves: K3
    acme = draft("I work at Acme as a nurse.", category="identity", key="employer", value="acme")
    borealis = draft("I now teach at Borealis", category="identity", key="employer", value="borealis", confidence=0.5)
    decision = decided(borealis, fact(1, acme))
    assert isinstance(decision, Supersede)
    assert [old.fact_id for old in decision.olds] == [1]
    assert decision.closed_at == JUNE


NURSE = draft("I work as a nurse at the Infirmary, on nights.", category="identity", key="employer", value="infirmary")


@pytest.mark.parametrize(
    ("text", "key", "value", "closes"),
    [
        ("I work as an anatomy teacher now", "job", "anatomy teacher", True),
        ("I work as a nurse", "job", "nurse", False),
        ("I'm no longer a teacher", "job", "not teacher", False),
        ("I live in Oslo", "home", "oslo", False),
    ],
)
def test_another_job_closes_where_one_worked_in_the_old_one(text: str, key: str, value: str, closes: bool) -> None:
    said = draft(text, category="identity", key=key, value=value)
    assert isinstance(decided(said, fact(1, NURSE)), Supersede) is closes


def test_a_workplace_without_a_job_stays_beside_a_job() -> None:
    nurse = fact(1, draft("I'm a nurse", category="identity", key="job", value="nurse"))
    acme = draft("I work at Acme", category="identity", key="employer", value="acme")
    assert isinstance(decided(acme, nurse), Admit)
    director = draft("I work at Acme as a director", category="identity", key="employer", value="acme")
    assert isinstance(decided(director, nurse), Supersede)


def test_a_change_of_taste_is_no_duplicate() -> None:
    # proves: K2
    love = draft("I love jazz.", category="preference", key="taste:jazz", value="likes")
    hate = draft("I hate jazz now.", category="preference", key="taste:jazz", value="dislikes", polarity="negative")
    decision = decided(hate, fact(1, love))
    assert isinstance(decision, Supersede)


@pytest.mark.parametrize("key", ["", "meat"])
def test_a_negated_twin_is_a_change_of_mind(key: str) -> None:
    eats = draft("I eat meat", key=key, value="yes" if key else "")
    decision = decided(
        draft("I don't eat meat", key=key, value="no" if key else "", polarity="negative"), fact(1, eats)
    )
    assert isinstance(decision, Supersede)


def test_the_same_subject_is_no_conflict() -> None:
    # proves: K6
    cello = draft("Ed plays cello.", subject="Ed", key="plays:cello", value="cello")
    oslo = draft("Ed lives in Oslo.", subject="Ed", key="home", value="oslo")
    chess = draft("Ed plays chess.", subject="Ed", key="plays:chess", value="chess")
    assert isinstance(decided(oslo, fact(1, cello)), Admit)
    assert isinstance(decided(chess, fact(1, cello), fact(2, oslo)), Admit)


def test_two_people_do_not_answer_for_each_other() -> None:
    ed = fact(1, draft("Ed lives in Oslo.", subject="Ed", key="home", value="oslo"))
    assert isinstance(decided(draft("I live in Paris", category="identity", key="home", value="paris"), ed), Admit)


@pytest.mark.parametrize(
    "words",
    [
        "Every morning before work Dana runs 5 km.",
        "Dana goes running 5 km every morning before work",
        "Before work Dana runs 5 km every morning",
    ],
)
def test_the_same_in_other_words_is_one_more_source(words: str) -> None:
    # proves: K5
    dana = draft("Dana runs 5 km every morning before work.", subject="Dana")
    decision = decided(draft(words, subject="Dana"), fact(1, dana))
    assert isinstance(decision, Merge)
    assert decision.confidence >= 0.8


@pytest.mark.parametrize(
    "words", ["Dana runs 10 km every morning before work.", "Dana never runs 5 km every morning before work."]
)
def test_another_number_or_a_negation_is_never_merged(words: str) -> None:
    dana = draft("Dana runs 5 km every morning before work.", subject="Dana")
    assert not isinstance(decided(draft(words, subject="Dana"), fact(1, dana)), Merge)


def test_a_new_value_in_the_same_sentence_closes_the_old_one() -> None:
    limit = draft("The rate limit is 10 per second.", kind="exact_value")
    decision = decided(draft("The rate limit is 20 per second.", kind="exact_value"), fact(1, limit))
    assert isinstance(decision, Supersede)
    run = draft("I ran 5 km")
    assert isinstance(decided(draft("I ran 8 km"), fact(1, run)), Admit)


def test_a_correction_closes_what_it_denies_and_says_the_rest_of_it() -> None:
    # proves: K9
    known = draft("My sister is Ana.", category="identity", key="sister", value="Ana", confidence=0.8)
    sister = fact(1, known, at=JUNE - timedelta(days=1))
    correction = draft("No, she is Anja, not Ana.", value="Anja", denies="Ana")
    decision = decided(correction, sister)
    assert isinstance(decision, Supersede)
    assert decision.new.draft.text == "My sister is Anja."
    assert decision.new.draft.key == "sister"
    assert decision.new.content_hash != sister.content_hash
    assert [old.fact_id for old in decision.olds] == [1]


def test_a_correction_of_nothing_is_refused_with_that_reason() -> None:
    decision = decided(draft("No, she is Anja, not Ana.", value="Anja", denies="Ana"))
    assert isinstance(decision, Refuse)
    assert "never stated" in decision.reason


def test_a_correction_reaches_only_what_was_said_lately() -> None:
    hens = fact(1, draft("I have 10 hens", key="hens", value="10"))
    assert isinstance(decided(draft("it's 20, not 10", value="20", denies="10"), hens), Refuse)


def test_the_same_answer_with_more_words_is_told_anew() -> None:
    nurse = fact(1, draft("I work at Acme as a nurse", category="identity", key="employer", value="acme"))
    director = draft("I work at Acme as a director", category="identity", key="employer", value="acme")
    assert isinstance(decided(director, nurse), Supersede)
    assert isinstance(decided(draft("I work at Acme", category="identity", key="employer", value="acme"), nurse), Merge)
    jazz = fact(1, draft("I love jazz", category="preference", key="taste:jazz", value="likes"))
    again = draft("I really enjoy listening to jazz", category="preference", key="taste:jazz", value="likes")
    assert isinstance(decided(again, jazz), Merge)


def test_a_guess_does_not_close_what_was_stated() -> None:
    home = fact(1, draft("I live in Paris", category="identity", key="home", value="paris"))
    guess = draft("She lives in Oslo", category="identity", key="home", value="oslo", epistemic="inferred")
    assert isinstance(decided(guess, home), Refuse)


def test_a_tool_does_not_close_what_the_owner_said() -> None:
    limit = fact(1, draft("The limit is 10", key="limit", value="10", kind="exact_value"))
    assert isinstance(decided(draft("The limit is 20", key="limit", value="20"), limit, role="tool"), Hold)


def test_what_was_said_earlier_does_not_close_what_was_said_later() -> None:
    june = fact(1, draft("I live in Oslo", category="identity", key="home", value="oslo"), at=JUNE)
    decision = decided(draft("I live in Paris", category="identity", key="home", value="paris"), june, at=JANUARY)
    assert isinstance(decision, Refuse)
    assert "older" in decision.reason


@pytest.mark.parametrize("state", ["invalidated", "superseded", "archived", "erased", "quarantined", "expired"])
def test_what_is_no_longer_held_is_no_obstacle(state: str) -> None:
    # proves: D1
    assert isinstance(decided(TEA, fact(1, TEA, state=state)), Admit)


def test_a_source_in_quarantine_adds_nothing_and_closes_nothing() -> None:
    jazz = draft("I hate jazz", category="preference", key="taste:jazz", value="dislikes", polarity="negative")
    known = fact(1, draft("I love jazz", category="preference", key="taste:jazz", value="likes"))
    assert isinstance(decided(TEA, quarantined="too many"), Hold)
    assert isinstance(decided(jazz, known, quarantined="too many"), Refuse)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("latency < 5 ms", "latency > 5 ms"),
        ("the offset is -5", "the offset is 5"),
        ("I write C++", "I write C#"),
        ("it takes 1.5 hours", "it takes 1 5 hours"),
        ("it costs $50", "it costs 50%"),
    ],
)
def test_facts_that_differ_in_a_sign_are_never_merged(one: str, other: str) -> None:
    # proves: D4
    assert not isinstance(decided(draft(other), fact(1, draft(one))), Merge)


@given(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80), st.text(max_size=10), st.text(max_size=10))
def test_every_pair_of_statements_ends_in_a_decision(one: str, other: str, value: str, denies: str) -> None:
    known = fact(1, draft(one, key="k", value=value))
    assert decided(draft(other, key="k", value=denies, denies=value), known) is not None
    assert decided(draft(other), known) is not None
