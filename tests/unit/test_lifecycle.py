"""What has no store: ageing, hints, the bytes of a receipt, signatures, and who may do what."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator import UsageError, verify_receipt
from glossator.model import Admit, Backup, ClosedSpan, Move, Refuse
from glossator.providers.signing import Ed25519Signer
from glossator.retain.forgotten import FORGOTTEN, without_forgotten
from glossator.rules.ageing import FLOOR, age_days, aged_weight
from glossator.rules.hints import checked_hints, is_hinted
from glossator.rules.states import TRANSITIONS
from glossator.rules.trust import refusal
from glossator.testing.contract.base import NASTY
from glossator.testing.drafts import SCOPE, draft, new_fact, passage, turn
from glossator.upkeep.receipts import UNCLEANED, canonical, moved_body, receipt_body, signed_text, without_uncleaned

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
SIGNER = Ed25519Signer()
KEY = b"k" * 32
PUBLIC = SIGNER.public_key(KEY)


# Ageing


@pytest.mark.parametrize(
    ("days", "weight"),
    [(0, 1.0), (90, 1.0), (91, 1.0 - 0.05 / 30), (120, 0.95), (150, 0.9), (510, 0.3), (511, 0.3), (10_000, 0.3)],
)
def test_a_fact_counts_in_full_for_a_season_then_less_each_month_and_never_nothing(days: float, weight: float) -> None:

    assert aged_weight(1.0, days) == pytest.approx(weight)


def test_ageing_every_day_comes_to_the_same_as_once() -> None:
    # proves: D28
    # given a memory of a hundred days that is aged anew on each of them
    base = 1.0
    daily = [aged_weight(base, day) for day in range(101)]
    # then the last value is that of its age alone: no day builds on the day before
    assert daily[-1] == aged_weight(base, 100)
    assert daily[-1] == pytest.approx(1 - 0.05 * 10 / 30)


@given(base=st.floats(0, 1), days=st.floats(0, 1e6), later=st.floats(0, 1e6))
def test_age_never_adds_and_keeps_its_bounds(base: float, days: float, later: float) -> None:
    young, old = aged_weight(base, days), aged_weight(base, days + later)
    assert old <= young <= base
    assert old >= min(base, FLOOR)


def test_what_lies_ahead_is_as_new() -> None:
    assert age_days(AT + timedelta(days=3), AT) == 0
    assert age_days(AT, AT + timedelta(hours=36)) == 1.5


# Hints


@pytest.mark.parametrize(
    ("hint", "said", "is_back"),
    [
        ("new job", "I start my NEW jobs on Monday", True),
        ("new job", "a job offer; something new", True),
        ("new job", "my job", False),
        ("the café", "Cafe, as always", True),
        ("猫", "猫を飼っています", True),
        ("job", "jobless", False),
    ],
)
def test_a_hint_is_met_by_all_of_its_words_in_any_order(hint: str, said: str, is_back: bool) -> None:

    assert is_hinted([hint], [said]) is is_back


def test_the_words_of_two_messages_do_not_add_up_to_a_hint() -> None:
    assert not is_hinted(["new job"], ["a job", "something new"])
    assert is_hinted(["never said", "new job"], ["a job", "a new job"])
    assert not is_hinted([], ["anything"])


@pytest.mark.parametrize("hints", ["new job", [""], ["?!"], [1], ["x" * 201], [f"word{n}" for n in range(21)]])
def test_a_hint_without_words_is_refused(hints: object) -> None:
    with pytest.raises(UsageError, match="reinstate_hints"):
        checked_hints(hints)  # type: ignore[arg-type]
    assert checked_hints([" tea ", "tea"]) == ("tea",)


# What was forgotten


def test_a_draft_from_forgotten_words_is_refused_and_its_words_are_not_logged() -> None:
    # proves: K21
    said = turn(replace(passage("well, I like tea"), message_id=7))
    given_draft = draft("I like tea", start=6, value="tea")
    decision = Admit(new=new_fact(given_draft), reason="new")
    span = ClosedSpan(message_id=7, start=8, stop=12, state="erased")
    (refused,) = without_forgotten(said, [decision], [span])
    assert isinstance(refused, Refuse)
    assert (refused.reason, refused.draft.text, refused.draft.value) == (FORGOTTEN, "", "")
    assert said.passages[0].text[refused.draft.start : refused.draft.end] == ""
    # another message, or words beside it, are not closed
    for other in (replace(span, message_id=8), replace(span, start=0, stop=6), replace(span, start=16, stop=20)):
        assert without_forgotten(said, [decision], [other]) == (decision,)


def test_what_was_put_away_is_not_learned_again_but_the_rest_of_the_sentence_is() -> None:
    said = turn(replace(passage("I like tea"), message_id=7))
    decision = Admit(new=new_fact(draft("I like tea")), reason="new")
    same = ClosedSpan(
        message_id=7, start=0, stop=10, state="archived", content_hash=new_fact(draft("I like tea")).content_hash
    )
    (refused,) = without_forgotten(said, [decision], [same])
    assert isinstance(refused, Refuse)
    assert refused.reason == "archived already"
    assert without_forgotten(said, [decision], [replace(same, content_hash="other")]) == (decision,)


# Receipts


def a_body(words: str = "m1") -> str:
    return receipt_body(
        kind="messages", state="erased", scope=SCOPE, at=AT, by="owner", message_ids=[words], fact_ids=["f1"],
        counts={"messages": 1}, not_covered=["disks"], backups=[Backup(path="/a.db", at=AT)],
    )  # fmt: skip


def a_receipt(words: str = "m1") -> str:
    return signed_text(
        a_body(words), receipt_id="r1", public_key=PUBLIC, sign=lambda message: SIGNER.signature(KEY, message)
    )


@pytest.mark.parametrize("words", ["m1", *NASTY[:-1]])
def test_a_signed_receipt_is_genuine_with_either_form_of_the_key(words: str) -> None:
    # proves: K20
    receipt = a_receipt(words)
    for key in (PUBLIC, PUBLIC.hex(), SIGNER.public_pem(PUBLIC), SIGNER.public_pem(PUBLIC).encode()):
        assert verify_receipt(receipt, key)
    assert verify_receipt(receipt.encode() + b"\n", PUBLIC)  # as it stands in a file
    assert "\n" not in receipt
    assert not verify_receipt(receipt, SIGNER.public_key(b"x" * 32))


@given(place=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_a_changed_byte_fails(place: int, byte: int) -> None:
    # proves: K20
    genuine = a_receipt().encode()
    place %= len(genuine)
    changed = genuine[:place] + bytes([byte]) + genuine[place + 1 :]
    assert verify_receipt(changed, PUBLIC) is (changed == genuine)


FIELDS = sorted(json.loads(a_receipt()))
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.sampled_from([2**63, 10**30, -0.0, 1e300, 0.1]), st.text(max_size=8),
    st.lists(st.text(max_size=3), max_size=2), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)  # fmt: skip


@given(field=st.sampled_from(FIELDS), odd=ODD)
def test_a_changed_field_fails_whichever_it_is(field: str, odd: object) -> None:
    # proves: K20
    fields = json.loads(a_receipt())
    is_changed = canonical({"": fields[field]}) != canonical({"": odd})
    assert verify_receipt(canonical({**fields, field: odd}), PUBLIC) is not is_changed
    del fields[field]
    assert not verify_receipt(canonical(fields), PUBLIC)


@pytest.mark.parametrize("field", FIELDS)
def test_a_key_that_stands_twice_fails(field: str) -> None:
    value = json.dumps(json.loads(a_receipt())[field])
    assert not verify_receipt(a_receipt()[:-1] + f',"{field}":{value}}}', PUBLIC)
    assert not verify_receipt(f'{{"{field}":0,' + a_receipt()[1:], PUBLIC)


def test_the_signature_has_one_way_to_be_written() -> None:
    # proves: K20
    signature = json.loads(a_receipt())["signature"]
    for other in (signature.upper(), f"{signature[:64]} {signature[64:]}", f" {signature}", f"{signature}\u00a0"):
        assert not verify_receipt(a_receipt().replace(signature, other), PUBLIC)


def test_letters_that_look_the_same_are_other_letters() -> None:
    composed, split = a_receipt("caf\u00e9"), a_receipt("cafe\u0301")
    assert (verify_receipt(composed, PUBLIC), verify_receipt(split, PUBLIC)) == (True, True)
    swapped = {**json.loads(composed), "message_ids": json.loads(split)["message_ids"]}
    assert not verify_receipt(canonical(swapped), PUBLIC)


@given(st.binary(max_size=60))
def test_anything_else_is_no_receipt_and_no_error(junk: bytes) -> None:
    assert not verify_receipt(junk, PUBLIC)


@pytest.mark.parametrize(
    "text",
    ["[]", "null", "1", "", "{}", '{"signature":"00"}', '{"signature":""}', " " + a_receipt(), a_receipt() + " ",
     a_receipt().replace(":", ": ", 1), a_receipt()[:-1] + ',"more":1}', "[" * 100_000],
)  # fmt: skip
def test_another_writing_of_the_same_is_not_what_was_signed(text: str) -> None:
    assert not verify_receipt(text, PUBLIC)


@pytest.mark.parametrize("key", ["", "abc", b"short", "00" * 31, "-----BEGIN PUBLIC KEY-----\nAAAA\n"])
def test_what_is_no_key_is_said(key: str | bytes) -> None:
    with pytest.raises(UsageError, match="public_key"):
        verify_receipt(a_receipt(), key)


def test_the_same_forgetting_gives_the_same_bytes() -> None:
    assert a_body() == a_body() == canonical(json.loads(a_body()))


def test_a_body_says_what_could_not_be_cleaned_once() -> None:
    body = moved_body(
        SCOPE, [Move(fact_id=3, version=1, to_state="erased", by="owner", reason="x")], counts={"facts": 1}, at=AT,
        backups=[],
    )  # fmt: skip
    assert UNCLEANED in json.loads(body)["not_covered"]
    cleaned = without_uncleaned(body, ["memory.db-wal"])
    assert json.loads(cleaned)["not_covered"][-1] == "memory.db-wal"
    assert UNCLEANED not in cleaned
    assert without_uncleaned(cleaned, ["again"]) == cleaned
    away = Move(fact_id=3, version=1, to_state="archived", by="owner", reason="x")
    assert moved_body(SCOPE, [away], counts={}, at=AT, backups=[]) == ""


# Who may


@pytest.mark.parametrize("action", ["archive", "deprioritise", "reinstate", "relearn", "forget_facts", "restore"])
def test_what_changes_facts_takes_a_supervised_agent_and_an_owner(action: str) -> None:
    # proves: F14
    assert refusal(action, tier="SUPERVISED", trust="owner") is None
    assert "tier SUPERVISED" in (refusal(action, tier="INTERN", trust="operator") or "")
    for nobody in ("guest", "tool", "unknown", None):
        assert refusal(action, tier="AUTONOMOUS", trust=nobody) is not None


@pytest.mark.parametrize("action", ["forget", "erase_facts"])
def test_what_destroys_words_takes_an_autonomous_agent(action: str) -> None:
    assert refusal(action, tier="AUTONOMOUS", trust="owner") is None
    assert refusal(action, tier="SUPERVISED", trust="operator") is not None


def test_the_machine_is_that_of_the_model() -> None:

    assert TRANSITIONS["active"] == set(TRANSITIONS) - {"active"}
    assert TRANSITIONS["erased"] == frozenset()
    assert TRANSITIONS["invalidated"] == {"active", "erased"}
    assert TRANSITIONS["quarantined"] == {"active", "archived", "erased"}
    assert all("erased" in allowed for state, allowed in TRANSITIONS.items() if state != "erased")
