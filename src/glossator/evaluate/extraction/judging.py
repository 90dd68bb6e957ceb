"""Is what was stored of a labelled turn right? One verdict per stored fact, and which labels were found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from glossator.evaluate.extraction.match import has_words
from glossator.evaluate.extraction.values import ANY, LabelledFact, LabelledTurn, StoredFact, WrittenSpan
from glossator.rules.tokens import fold

__all__ = ["Found", "Judged", "Verdict", "judge"]

Verdict = Literal["right", "polarity", "subject", "unlabelled"]
"""right; the words of a label with the opposite polarity; another's statement or taste; nothing that was labelled."""
SELVES = frozenset({"user", "i", "me", "the user", "speaker"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A label that was found. `date_right` is None where the label gives no interval."""

    label: LabelledFact
    category_right: bool
    kind_right: bool
    date_right: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A turn with a verdict on every fact that was stored of it.

    `repeats` counts right facts beyond the first of each label.
    """

    turn: LabelledTurn
    verdicts: tuple[tuple[StoredFact, Verdict], ...]
    found: tuple[Found, ...]
    missed: tuple[LabelledFact, ...]
    repeats: int

    def count(self, verdict: Verdict) -> int:
        """How many facts got this verdict."""
        return sum(each == verdict for _, each in self.verdicts)

    @property
    def wrong(self) -> int:
        """How many facts are not right."""
        return len(self.verdicts) - self.count("right")


def judge(turn: LabelledTurn, facts: Sequence[StoredFact]) -> Judged:
    """Compare what was stored with what the turn's labels want. A missed label is one that was not optional."""
    verdicts = tuple((fact, _verdict(turn, fact)) for fact in facts)
    found: list[Found] = []
    missed: list[LabelledFact] = []
    credited = 0
    for label in turn.facts:
        saying = [fact for fact in facts if _says(label, fact, turn.speaker)]
        if saying:
            found.append(_found(label, saying))
        elif not label.optional:
            missed.append(label)
        credited += bool(saying)
    right = sum(verdict == "right" for _, verdict in verdicts)
    return Judged(
        turn=turn,
        verdicts=verdicts,
        found=tuple(found),
        missed=tuple(missed),
        repeats=max(right - credited, 0),
    )


def _verdict(turn: LabelledTurn, fact: StoredFact) -> Verdict:
    worded = [label for label in turn.facts if _worded(label, fact)]
    if any(_polar(label, fact) and _sided(label, fact, turn.speaker) for label in worded):
        return "right"
    if any(_sided(label, fact, turn.speaker) for label in worded):
        return "polarity"
    return "subject" if worded else "unlabelled"


def _says(label: LabelledFact, fact: StoredFact, speaker: str) -> bool:
    return _worded(label, fact) and _polar(label, fact) and _sided(label, fact, speaker)


def _worded(label: LabelledFact, fact: StoredFact) -> bool:
    places = (fact.text, fact.value)
    return all(
        any(has_words(place, word) for word in alternatives for place in places) for alternatives in label.must
    ) and not any(has_words(fact.text, word) for word in label.must_not)


def _polar(label: LabelledFact, fact: StoredFact) -> bool:
    """A dislike whose value says "likes" is the worst of all errors, whatever its polarity says."""
    if label.polarity == ANY:
        return True
    opposite = "likes" if label.polarity == "negative" else "dislikes"
    return fact.polarity == label.polarity and fold(fact.value) != opposite


def _sided(label: LabelledFact, fact: StoredFact, speaker: str) -> bool:
    if label.subject == ANY:
        return True
    own = fold(fact.subject) in SELVES | {fold(speaker)}
    return own == (label.subject == "user")


def _found(label: LabelledFact, saying: Sequence[StoredFact]) -> Found:
    """Of several facts that say it, the one with the most in order counts."""
    return max(
        (
            Found(
                label=label,
                category_right=fact.category in label.categories,
                kind_right=fact.kind in label.kinds,
                date_right=None if label.event is None else _dated(label.event, fact),
            )
            for fact in saying
        ),
        key=lambda found: (found.date_right is not False, found.category_right, found.kind_right),
    )


def _dated(wanted: WrittenSpan, fact: StoredFact) -> bool:
    return (fact.event_start, fact.event_end) == (wanted.start, wanted.end)
