"""May this agent do this, and may it do it for this caller? Both must allow it.

An agent's tier says how far it has matured, the caller's trust how far they are believed. A tier is a matter of
routing, not of security: it keeps an agent that is still learning from writing, and no sandbox.
"""

from collections.abc import Mapping

from glossator.errors import UsageError
from glossator.model.fact import Category, Fact, FactState
from glossator.model.scope import TIERS, Tier, Trust

ALIASES: Mapping[str, Tier] = {"JUNIOR": "INTERN"}
"""Accepted on input only."""

READ, PROPOSE, CHANGE, DESTROY = 1, 2, 3, 4
"""How grave an action is; the tier at the same place of TIERS and those after it may do it."""

COMPLEXITY: Mapping[str, int] = {
    "recall": READ,
    "durable_facts": READ,
    "prefetch": READ,
    "check_contradictions": READ,
    "explain": READ,
    "memory_search": READ,
    "memory_recall": READ,
    "memory_sources_list": READ,
    "extract": PROPOSE,
    "memory_remember": PROPOSE,
    "memory_store": PROPOSE,
    "remember_document": PROPOSE,
    "memory_forget": CHANGE,
    "restore": CHANGE,
    "archive": CHANGE,
    "deprioritise": CHANGE,
    "reinstate": CHANGE,
    "relearn": CHANGE,
    "forget_facts": CHANGE,
    "drop_steps": CHANGE,
    "clear_window": CHANGE,
    "compact": CHANGE,
    "add_job": CHANGE,
    "begin_job_run": CHANGE,
    "finish_job_run": CHANGE,
    "erase_facts": DESTROY,
    "forget": DESTROY,
    "write_resource": DESTROY,
    "rollback_resource": DESTROY,
}
"""By the exact name of the action. What is not here counts as the gravest: a name that was forgotten must not let
anybody do what it names."""

TRUST_MAX: Mapping[Trust, int] = {"operator": DESTROY, "owner": DESTROY, "guest": PROPOSE, "tool": READ}
"""The gravest action that a caller may have done for them. A tool's output asks for nothing that is kept on purpose;
a guest may tell, and removes nothing. Whoever is unknown is a guest."""


BY_OPERATORS = frozenset({"compact"})
"""Asked for by whoever runs the agent alone: it may spend a model's tokens whatever was chosen."""
OPERATORS_ONLY: tuple[Category, ...] = ("directive",)
"""How the agent shall behave is for whoever runs it to say; all other categories are open to everybody (F14)."""

ORDER: Mapping[Trust, int] = {"tool": 0, "unknown": 1, "guest": 1, "owner": 2, "operator": 3}
"""Who is believed more than whom."""

TAKING_AWAY = ("archive", "deprioritise", "forget_facts", "erase_facts")
"""What is done to a fact so that it holds no more."""
UNDONE_BY_OPERATORS: tuple[FactState, ...] = ("invalidated", "quarantined")
"""What was forgotten on request or held back comes back only when an operator says so."""


TRUSTED: tuple[Trust, ...] = ("operator", "owner")
"""Whose word about the owner and about the agent's work counts, beside others' and against them."""


def less_believed(first: Trust, second: Trust) -> Trust:
    """The one of the two that is believed less: words that are passed on are worth no more than who passes them."""
    return min(first, second, key=lambda trust: ORDER[trust])


def shows_directives(trust: Trust) -> bool:
    """True for whoever may see how the agent was told to behave (I4)."""
    return trust in TRUSTED


def moving_refusal(action: str, fact: Fact, *, trust: Trust) -> str | None:
    """Why whoever is believed so far may not do this to the fact, or None: beside what `refusal` says.

    A directive is moved by an operator. One that no operator gave, from before directives were theirs alone, the owner
    may take away, and not bring back: that would be giving one. What was forgotten or held back an operator restores.
    """
    if trust == "operator":
        return None
    theirs = action in TAKING_AWAY and fact.source_trust != "operator"
    if fact.category in OPERATORS_ONLY and not theirs:
        return f"{action} of a directive ({fact.id}) needs trust 'operator', and this caller is {trust!r}"
    if action == "restore" and fact.state in UNDONE_BY_OPERATORS:
        return f"restoring the {fact.state} {fact.id} needs trust 'operator', and this caller is {trust!r}"
    return None


def stated_category(category: Category, *, trust: Trust, asked_for: bool) -> Category | None:
    """The category under which a statement of this trust is kept, None where it is not kept at all.

    An owner's "always answer in French" is worth knowing, and no rule for the agent: it becomes context, unless a rule
    was `asked_for` by its name (C3). A guest's is refused.
    """
    if category not in OPERATORS_ONLY or trust == "operator":
        return category
    return "context" if trust == "owner" and not asked_for else None


def may_change(category: Category, *, trust: Trust) -> bool:
    """True if whoever is believed so far may replace or remove a fact of this category."""
    return category not in OPERATORS_ONLY or trust == "operator"


def tier_of(name: str) -> Tier:
    """The tier of a name in any case; JUNIOR is INTERN. Raises UsageError for any other."""
    wanted = name.strip().upper()
    wanted = ALIASES.get(wanted, wanted)
    for tier in TIERS:
        if tier == wanted:
            return tier
    raise UsageError("tier", f"{name!r} is unknown", remedy=f"choose from {', '.join(TIERS)}")


def effective_tier(registry: Mapping[str, str] | None, agent: str, *, at_most: Tier | None = None) -> Tier:
    """The agent's tier as the registry has it, and never above the one that its caller brings.

    Without a registry nobody has graded any agent, and none is held back. With one, an agent that it does not name, or
    for which it names no tier that there is, has not matured.
    """
    graded = _graded(registry, agent)
    return graded if at_most is None else min(graded, at_most, key=TIERS.index)


def may_learn(registry: Mapping[str, str] | None, agent: str, *, at_most: Tier | None = None) -> bool:
    """True if facts may be taken from what this agent hears, whoever says it."""
    return allowed("extract", tier=effective_tier(registry, agent, at_most=at_most), trust="owner")


def _graded(registry: Mapping[str, str] | None, agent: str) -> Tier:
    if registry is None:
        return "AUTONOMOUS"
    try:
        return tier_of(registry.get(agent, "STUDENT"))
    except UsageError:
        return "STUDENT"


def refusal(action: str, *, tier: Tier, trust: Trust | None) -> str | None:
    """Why the action is refused, or None when both the agent's tier and the caller's trust allow it."""
    complexity = COMPLEXITY.get(action, DESTROY)
    needed = TIERS[complexity - 1]
    if TIERS.index(tier) < complexity - 1:
        return f"{action} needs an agent of tier {needed} or above, and this one is {tier}"
    believed: Trust = "guest" if trust is None or trust == "unknown" else trust
    if TRUST_MAX.get(believed, PROPOSE) < complexity:
        return f"{action} is not done for a caller of trust {believed!r}"
    if action in BY_OPERATORS and believed != "operator":
        return f"{action} needs trust 'operator', and this caller is {believed!r}"
    return None


def allowed(action: str, *, tier: Tier, trust: Trust | None) -> bool:
    """True when both the agent's tier and the caller's trust allow the action."""
    return refusal(action, tier=tier, trust=trust) is None
