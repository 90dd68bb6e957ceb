"""Who may do what: the agent's tier and the caller's trust must both allow it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.errors import UsageError
from glossator.model.fact import Trust
from glossator.rules.trust import COMPLEXITY, TIERS, Tier, allowed, effective_tier, refusal, tier_of


@pytest.mark.parametrize(
    ("name", "tier"),
    [("STUDENT", "STUDENT"), ("junior", "INTERN"), (" Intern ", "INTERN"), ("Autonomous", "AUTONOMOUS")],
)
def test_a_tier_is_read_in_any_case_and_junior_is_an_intern(name: str, tier: str) -> None:
    assert tier_of(name) == tier


@pytest.mark.parametrize("name", ["", "BOSS", "STUDENTS"])
def test_an_unknown_tier_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(UsageError, match="STUDENT, INTERN, SUPERVISED, AUTONOMOUS"):
        tier_of(name)


def test_without_a_registry_no_agent_is_held_back() -> None:
    assert effective_tier(None, "anybody") == "AUTONOMOUS"


@pytest.mark.parametrize("agent", ["unheard-of", "misspelt"])
def test_with_a_registry_an_unknown_agent_or_tier_is_a_student(agent: str) -> None:
    assert effective_tier({"known": "junior", "misspelt": "INTREN"}, agent) == "STUDENT"


def test_the_registry_counts_for_those_it_names() -> None:
    assert effective_tier({"known": "junior"}, "known") == "INTERN"


@pytest.mark.parametrize(
    ("action", "lowest"),
    [
        ("recall", "STUDENT"),
        ("memory_search", "STUDENT"),
        ("memory_recall", "STUDENT"),
        ("extract", "INTERN"),
        ("memory_remember", "INTERN"),
        ("memory_store", "INTERN"),
        ("remember_document", "INTERN"),
        ("memory_forget", "SUPERVISED"),
        ("restore", "SUPERVISED"),
    ],
)
def test_an_action_is_allowed_from_its_tier_upwards(action: str, lowest: Tier) -> None:
    allowing = [tier for tier in TIERS if allowed(action, tier=tier, trust="operator")]

    assert allowing == list(TIERS[TIERS.index(lowest) :])


@given(st.text(max_size=40).filter(lambda name: name not in COMPLEXITY), st.sampled_from(TIERS[:-1]))
def test_an_action_that_is_not_in_the_table_is_the_gravest(action: str, tier: Tier) -> None:
    assert not allowed(action, tier=tier, trust="operator")
    assert allowed(action, tier="AUTONOMOUS", trust="operator")


@pytest.mark.parametrize("action", ["Memory_Forget", "memory_forget ", "memory_forget2", "forget"])
def test_only_the_exact_name_counts(action: str) -> None:
    assert not allowed(action, tier="SUPERVISED", trust="operator")


@pytest.mark.parametrize("trust", [None, "unknown", "guest"])
def test_a_caller_of_whom_nothing_is_known_is_a_guest_who_removes_nothing(trust: Trust | None) -> None:
    assert allowed("memory_remember", tier="AUTONOMOUS", trust=trust)
    assert "trust 'guest'" in (refusal("memory_forget", tier="AUTONOMOUS", trust=trust) or "")


def test_a_tools_output_may_ask_for_nothing_that_is_kept() -> None:
    assert allowed("recall", tier="AUTONOMOUS", trust="tool")
    assert not allowed("memory_remember", tier="AUTONOMOUS", trust="tool")


def test_a_refusal_names_the_tier_that_is_needed() -> None:
    assert refusal("memory_forget", tier="INTERN", trust="owner") == (
        "memory_forget needs an agent of tier SUPERVISED or above, and this one is INTERN"
    )


def test_more_trust_and_a_higher_tier_never_allow_less() -> None:
    trusts: tuple[Trust, ...] = ("tool", "guest", "owner", "operator")
    for action in COMPLEXITY:
        table = [[allowed(action, tier=tier, trust=trust) for tier in TIERS] for trust in trusts]
        assert all(row == sorted(row) for row in table)
        assert all(list(column) == sorted(column) for column in zip(*table, strict=True))
