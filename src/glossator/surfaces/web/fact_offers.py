"""What may be done with a fact from its state, what was done last, and how is that undone?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from glossator.facade.lifecycle import REINSTATABLE
from glossator.model import Explanation, Fact, FactState
from glossator.rules.states import TRANSITIONS

Act = Literal["archive", "deprioritise", "reinstate", "restore", "forget", "erase"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Something that can be done: what it is called and what it does. With `previews` it shows first what would go."""

    act: Act
    label: str
    meaning: str
    previews: bool = False
    hinted: bool = False


ARCHIVE = Offer(
    act="archive", label="Archive",
    meaning="Put away: kept with its history, not recalled and not in prompts. It can be brought back.",
)  # fmt: skip
DEPRIORITISE = Offer(
    act="deprioritise", label="Deprioritise", hinted=True,
    meaning="It counts a fifth in recall and stands in no prompt. Words that you name bring it back by themselves.",
)  # fmt: skip
REINSTATE = Offer(act="reinstate", label="Bring back", meaning="It holds again, as it was.")
RESTORE = Offer(
    act="restore", label="Restore",
    meaning="It holds again, as it was. What was forgotten or held back takes an operator.",
)  # fmt: skip
FORGET = Offer(
    act="forget", label="Forget", previews=True,
    meaning="Never recalled again; its words are kept for the audit, and an operator can restore it.",
)  # fmt: skip
ERASE = Offer(
    act="erase", label="Erase", previews=True,
    meaning="Its words go for good. The messages stay in the journal. There is no way back.",
)  # fmt: skip

DONE: Mapping[FactState, str] = {
    "active": "It holds again.",
    "deprioritised": "It is deprioritised: it counts a fifth in recall and stands in no prompt.",
    "archived": "It is archived: kept with its history, and not recalled.",
    "invalidated": "It is forgotten: never recalled again. The message that it came from is still in the journal.",
    "erased": "It is erased: its words are gone. The message that it came from is still in the journal.",
}
_BACK: Mapping[tuple[FactState, FactState], Act] = {
    ("active", "archived"): "reinstate",
    ("deprioritised", "archived"): "reinstate",
    ("active", "deprioritised"): "reinstate",
    ("active", "invalidated"): "restore",
    ("deprioritised", "invalidated"): "restore",
    ("archived", "active"): "archive",
    ("deprioritised", "active"): "deprioritise",
}
"""From, to: what undoes the move. Erasing has no way back, and forgetting again asks for its preview."""


def offers_of(fact: Fact) -> tuple[Offer, ...]:
    """What can be done, the mildest first; whether this caller may do it, the engine says when it is asked."""
    ways = TRANSITIONS[fact.state]
    back = REINSTATE if fact.state in REINSTATABLE else RESTORE
    by_state = (
        ("active", back), ("deprioritised", DEPRIORITISE), ("archived", ARCHIVE), ("invalidated", FORGET),
        ("erased", ERASE),
    )  # fmt: skip
    return tuple(offer for state, offer in by_state if state in ways)


def done_words(why: Explanation) -> str:
    """What has just become of the fact."""
    return DONE.get(why.fact.state, "")


def undo_of(why: Explanation) -> Act | None:
    """What undoes the last move."""
    if not why.changes:
        return None
    last = why.changes[-1]
    return _BACK.get((last.from_state, last.to_state))
