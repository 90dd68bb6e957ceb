"""What is read where, and how does a statement become a draft with its evidence?"""

from dataclasses import dataclass

import regex

from glossator.model import SELF, Draft, Passage
from glossator.retain.drafts import event_of
from glossator.retain.offline import english as table
from glossator.retain.offline.orders import Order
from glossator.rules.statements import Statement, lowered

STATED, HEARD = 0.8, 0.5
"""Confidence in what the speaker states and in what the speaker passes on."""
ORDER_RANK, EVENT_RANK, HEARSAY_RANK = 1, 5, 6
OWN_TALK_CHARACTERS_MAX = 1_500
"""A longer text that tells of others is more likely pasted than said."""
SHORT_CHARACTERS_MAX = 300
"""A text this short is taken for talk even if nobody says "I" in it."""
_OWN_TALK = regex.compile(r"\b(?:i|i'm|my|me|we|our)\b")
_TRAILING = " \t\n,;:–—-("


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A draft with how durable it is: 0 first."""

    rank: int
    draft: Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The passage that is read: its number in the turn, its text in both forms, whether it may speak of others."""

    number: int
    passage: Passage
    low: str
    others_may_speak: bool

    @property
    def me(self) -> str:
        """The subject of the speaker's own statements."""
        speaker = self.passage.speaker.strip()
        return SELF if not speaker or speaker == self.passage.role else speaker

    def may_say(self, statement: Statement) -> bool:
        """False for a statement on others in a text that is hardly the speaker's own talk."""
        return statement.subject is None or self.others_may_speak

    def trimmed(self, begin: int, stop: int) -> int:
        """`stop` without the signs that only lead on to the next clause."""
        while stop > begin and self.low[stop - 1] in _TRAILING:
            stop -= 1
        return stop


def place_of(number: int, passage: Passage) -> Place:
    """The passage made ready for reading."""
    low = lowered(passage.text)
    is_talk = len(low) <= SHORT_CHARACTERS_MAX or (
        len(low) <= OWN_TALK_CHARACTERS_MAX and _OWN_TALK.search(low) is not None
    )
    return Place(number=number, passage=passage, low=low, others_may_speak=is_talk)


def stated(
    place: Place, begin: int, stop: int, statement: Statement, *, is_heard: bool = False, denies: str = ""
) -> Ranked:
    """The draft of a statement. Hearsay is context of low confidence, whatever it tells."""
    text = place.passage.text[begin:stop]
    doubted = is_heard or (statement.subject is not None and table.HEARD.search(place.low, begin, stop) is not None)
    return Ranked(
        rank=HEARSAY_RANK if doubted else EVENT_RANK if statement.is_event else statement.rank,
        draft=Draft(
            text=text, category="context" if doubted else statement.category,
            kind=None if doubted and statement.kind == "implicit_pref" else statement.kind,
            subject=place.me if statement.subject is None else statement.subject,
            key=statement.key, value=statement.value, passage=place.number, start=begin, end=stop,
            event=event_of(text, place.passage.said, is_document=False), polarity=statement.polarity,
            epistemic="inferred" if doubted else "stated", confidence=HEARD if doubted else STATED, denies=denies,
        ),
    )  # fmt: skip


def ordered(place: Place, begin: int, stop: int, order: Order) -> Ranked:
    """The draft of a standing instruction or of a rule."""
    text = place.passage.text[begin:stop]
    return Ranked(
        rank=ORDER_RANK,
        draft=Draft(
            text=text, category=order.category, kind=order.kind, subject=place.me, key=order.key, value=order.value,
            passage=place.number, start=begin, end=stop, event=event_of(text, place.passage.said, is_document=False),
            polarity=order.polarity, confidence=STATED,
        ),
    )  # fmt: skip
