"""How does what a review may do become facts? By the ways of every other statement: the Learner's and the store's."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from glossator.errors import ConflictError
from glossator.model import (
    RECALLABLE,
    SELF,
    AddOperation,
    AllowedAdd,
    AllowedReplace,
    Category,
    Draft,
    Fact,
    FactFilter,
    Grounds,
    NewFact,
    ReplaceOperation,
    Ruling,
    Supersede,
    Turn,
)
from glossator.ports import Clock, Facts, Ledger
from glossator.retain.drafts import event_of
from glossator.retain.learning import CONFLICTS_MAX, Learner
from glossator.retain.placing import placed, trust_of
from glossator.rules.canonical import normalised
from glossator.rules.injection import suspicion
from glossator.rules.trust import TRUSTED, may_change
from glossator.upkeep.review.rivals import statement_in
from glossator.upkeep.reviewer import REVIEWER

REVIEW_CONFIDENCE = 0.9
"""Not surer by more than the margin than what a turn's extractor says of the same words (0.8): no second version."""


class ReviewWriter:
    """Adds and replaces facts for a review; each is one transaction and, done again, changes nothing.

    A method returns "" where a row was written, else the short reason why none was. Raises StoreError.
    """

    def __init__(self, facts: Facts, ledger: Ledger, learner: Learner, clock: Clock) -> None:
        self._facts = facts
        self._ledger = ledger
        self._learner = learner
        self._clock = clock

    def add(self, turn: Turn, added: AllowedAdd) -> str:
        """Keep the statement as every other is kept: it may repeat, close or contradict what is known."""
        draft = drafted(turn, added.operation, added.operation.category, added.grounds)
        try:
            (decided,) = self._learner.admitted(turn, [draft], by=REVIEWER)
        except ConflictError:
            return "changed_meanwhile"
        match decided.decision:
            case "admit" | "supersede":
                return ""
            case "merge":
                return "known_already"
            case "hold":
                return "held_back"
            case "refuse":
                return "refused"

    def replace(self, turn: Turn, replaced: AllowedReplace) -> str:
        """Close the row by a version with the new words, of the same category, scope and question."""
        for _ in range(CONFLICTS_MAX):
            found = self._facts.facts(turn.scope.whole, FactFilter(fact_ids=(replaced.row.fact_id,)))
            if not found or found[0].state not in RECALLABLE:
                return "gone"
            old = found[0]
            new, within = _successor(turn, old, replaced)
            said_at = within.passages[new.draft.passage].said.at
            olds = (old, *self._rivals(within, new, old))
            reason = _objection(new, olds, said_at=said_at) or self._said_before(within, new, olds)
            if reason:
                return reason
            decision = Supersede(new=new, olds=olds, closed_at=said_at, reason="said otherwise since")
            try:
                self._facts.commit(Ruling(turn=within, by=REVIEWER, decisions=(decision,)), now=self._clock.now())
            except ConflictError:
                continue
            return ""
        return "changed_meanwhile"

    def _said_before(self, turn: Turn, new: NewFact, olds: Sequence[Fact]) -> str:
        """Where both were said at one time, as in a transcript with days only, their place in the journal counts."""
        passage = turn.passages[new.draft.passage]
        tied = [each.fact_id for each in olds if each.last_seen_at == passage.said.at]
        if not tied or passage.message_id is None:
            return ""
        own = passage.message_id, new.draft.start
        places = [
            (each.message_id, each.start)
            for each in self._ledger.evidence(turn.scope.whole, fact_ids=tied)
            if each.message_id is not None
        ]
        return "older_than_the_row" if any(place > own for place in places) else ""

    def _rivals(self, turn: Turn, new: NewFact, old: Fact) -> tuple[Fact, ...]:
        """What else says the same or answers the same question: it is closed too, so that one row is left."""
        whole = turn.scope.whole
        same = list(self._facts.facts(whole, FactFilter(hashes=(new.content_hash,))))
        if new.draft.key:
            same += self._facts.facts(whole, FactFilter(keys=((new.draft.subject, new.draft.key),)))
        near = {each.fact_id: each for each in same if _place(each) == _place(old)}
        near.pop(old.fact_id, None)
        return tuple(near.values())


def drafted(
    turn: Turn, operation: AddOperation | ReplaceOperation, category: Category, grounds: Grounds
) -> Draft:  # fmt: skip
    """The statement with the words that it rests on, and the question that it answers, where its words tell.

    What an extractor has read of it holds: its words alone may not say whom it is about.
    """
    value = operation.value
    passage = next(
        number for number, each in enumerate(turn.passages) if each.message_id == grounds.message_id
    )  # fmt: skip
    if operation.draft is not None:
        return replace(
            operation.draft, text=value, category=category, passage=passage, start=grounds.start, end=grounds.end
        )  # fmt: skip
    spoken = turn.passages[passage]
    own = {SELF, *(normalised(each.speaker) for each in turn.passages if trust_of(each) in TRUSTED)}
    told = statement_in(value, own=frozenset(own))
    speaker = SELF if spoken.speaker == spoken.role else spoken.speaker
    return Draft(
        text=value,
        category=category,
        kind=None,
        subject=speaker if told.subject == SELF else told.subject,
        key=told.key,
        value=told.answer,
        polarity=told.polarity,
        passage=passage,
        start=grounds.start,
        end=grounds.end,
        event=event_of(value, spoken.said, is_document=False),
        confidence=REVIEW_CONFIDENCE,
    )


def _successor(turn: Turn, old: Fact, replaced: AllowedReplace) -> tuple[NewFact, Turn]:
    """The new version, and the turn that puts it where the old one is.

    It answers the old one's question, unless its words themselves say that they answer another.
    """
    draft = drafted(turn, replaced.operation, old.category, replaced.grounds)
    key, value = (draft.key, draft.value) if draft.key else (old.key, replaced.operation.value if old.key else "")
    kept = replace(
        draft, subject=old.subject, key=key, value=value, kind=old.kind, domain=old.domain, tags=old.tags,
        sensitivity=old.sensitivity,
    )  # fmt: skip
    within = replace(turn, within=old.scope_type, project=old.project)
    return placed(kept, within), within


def _objection(new: NewFact, olds: Sequence[Fact], *, said_at: datetime) -> str:
    """Why the new words may not close the old ones, "" where they may. The first of the old ones is the row."""
    if new.content_hash == olds[0].content_hash:
        return "known_already"
    if not all(may_change(each.category, trust=new.source_trust) for each in olds):
        return "directive_not_by_operator"
    if any(said_at < each.last_seen_at for each in olds):
        return "older_than_the_row"
    if new.source_trust not in TRUSTED and any(each.source_trust in TRUSTED for each in olds):
        return "less_trusted"
    return "reads_like_an_instruction" if suspicion(new.draft.text) else ""


def _place(fact: Fact) -> tuple[str, str]:
    return fact.scope_type, fact.scope_id
