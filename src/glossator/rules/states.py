"""Which states may a fact have, and which changes are allowed?

A table, so that stores, verbs and documentation say the same. Superseding and erasing have their own verbs.
"""

from collections.abc import Mapping

from glossator.model import FactState

TRANSITIONS: Mapping[FactState, frozenset[FactState]] = {
    "active": frozenset({"deprioritised", "superseded", "archived", "invalidated", "expired", "quarantined", "erased"}),
    "deprioritised": frozenset({"active", "archived", "invalidated", "superseded", "expired", "erased"}),
    "superseded": frozenset({"active", "erased"}),
    "archived": frozenset({"active", "erased"}),
    "invalidated": frozenset({"active", "erased"}),
    "expired": frozenset({"active", "erased"}),
    "quarantined": frozenset({"active", "archived", "erased"}),
    "erased": frozenset(),
}
WEIGHTS: Mapping[FactState, float] = {"active": 1.0, "deprioritised": 0.2}
"""How much a fact counts in recall beside another of the same score; states that are missing are never recalled."""

FORGOTTEN: tuple[FactState, ...] = ("invalidated", "erased")
"""What was forgotten on request: its words are not told again, nor what was answered with them."""


def may_move(from_state: FactState, to_state: FactState) -> bool:
    """True if a fact may go from one state to the other."""
    return to_state in TRANSITIONS[from_state]
