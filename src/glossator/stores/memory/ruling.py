"""How does the reference store write a ruling? Decision by decision; the caller undoes all if one fails."""

from dataclasses import replace
from datetime import datetime
from typing import assert_never

from glossator.errors import ConflictError, UsageError
from glossator.model import (
    RECALLABLE,
    Admit,
    Decided,
    Decision,
    DecisionName,
    Draft,
    Evidence,
    Fact,
    FactState,
    Hold,
    Merge,
    NewFact,
    Refuse,
    Ruling,
    Scope,
    StateChange,
    Supersede,
)
from glossator.stores.matching import seen_later
from glossator.stores.memory.rows import KeptFact, Link, Logged, State


def write_ruling(state: State, ruling: Ruling, now: datetime) -> tuple[Decided, ...]:
    """Check what the ruling rests on, then do what was decided."""
    for row in ruling.settles:
        held = [w for w in state.work if (w.work_id, w.attempt) == (row.work_id, row.attempt) and not w.failed]
        if not held:
            raise ConflictError("ruling", f"the claim of work {row.work_id} was lost")
        state.work.remove(held[0])
    writer = _Writer(state, ruling, now)
    for decision in ruling.decisions:
        writer.check(decision)
    return tuple(writer.write(decision) for decision in ruling.decisions)


class _Writer:
    def __init__(self, state: State, ruling: Ruling, now: datetime) -> None:
        self._state = state
        self._ruling = ruling
        self._now = now

    def check(self, decision: Decision) -> None:
        """Offsets, messages and versions."""
        draft = decision.new.draft if isinstance(decision, Admit | Hold | Supersede) else decision.draft
        passages = self._ruling.turn.passages
        if not 0 <= draft.passage < len(passages):
            raise UsageError("ruling", "draft names a passage that is not there")
        passage = passages[draft.passage]
        if not isinstance(decision, Refuse) and not 0 <= draft.start < draft.end <= len(passage.text):
            raise UsageError("ruling", "offsets are no part of the passage")
        owner = self._owner()
        live = {each.message_id for each in self._state.messages if each.message and each.owner == owner}
        if passage.message_id is not None and passage.message_id not in live:
            raise ConflictError("ruling", "its message is gone from this scope")
        if not isinstance(decision, Refuse) and any(
            stone.message_id == passage.message_id and stone.start < draft.end and stone.stop > draft.start
            for stone in self._state.forgotten.tombstones
        ):
            raise ConflictError("ruling", "its words were forgotten")
        olds = decision.olds if isinstance(decision, Supersede) else ()
        for fact in (decision.fact,) if isinstance(decision, Merge) else olds:
            kept = self._state.facts.get(fact.fact_id)
            if kept is None or not owner.covers(kept.fact.scope) or kept.fact.version != fact.version:
                raise ConflictError("ruling", f"fact {fact.id} has changed since it was read")
            if kept.fact.state == "erased":
                raise ConflictError("ruling", f"fact {fact.id} is erased")

    def write(self, decision: Decision) -> Decided:
        """Do it and log it."""
        match decision:
            case Admit(new=new, reason=reason):
                return self._log("admit", new.draft, reason, self._add(new, state="active"))
            case Hold(new=new, reason=reason):
                return self._log("hold", new.draft, reason, self._add(new, state="quarantined", reason=reason))
            case Supersede(new=new, reason=reason):
                return self._log("supersede", new.draft, reason, self._replace(decision))
            case Merge(draft=draft, fact=fact, reason=reason):
                self._merge(decision)
                return self._log("merge", draft, reason, fact.fact_id)
            case Refuse(draft=draft, reason=reason):
                return self._log("refuse", draft, reason, None)
            case _:
                assert_never(decision)

    def _replace(self, decision: Supersede) -> int:
        for old in decision.olds:
            kept = self._state.facts[old.fact_id]
            fact = kept.fact
            if fact.state not in RECALLABLE:
                raise ConflictError("ruling", f"fact {fact.id} is {fact.state} already")
            kept.fact = replace(
                fact,
                state="superseded",
                valid_to=max(fact.valid_from, decision.closed_at),
                version=fact.version + 1,
                updated_at=self._now,
                reason=decision.reason,
            )
            change = StateChange(
                fact_id=fact.fact_id, at=self._now, by=self._ruling.by, from_state=fact.state, to_state="superseded",
                reason=decision.reason,
            )  # fmt: skip
            self._state.changes.append(change)
        fact_id = self._add(decision.new, state="active", parent_id=decision.olds[0].fact_id if decision.olds else None)
        for old in decision.olds:
            kept = self._state.facts[old.fact_id]
            kept.fact = replace(kept.fact, superseded_by=fact_id)
        return fact_id

    def _merge(self, decision: Merge) -> None:
        kept = self._state.facts[decision.fact.fact_id]
        if not self._link(decision.fact.fact_id, decision.draft) and not seen_later(self._ruling, decision):
            return
        said = self._ruling.turn.passages[decision.draft.passage].said.at
        kept.fact = replace(
            kept.fact,
            seen_count=kept.fact.seen_count + 1,
            last_seen_at=max(kept.fact.last_seen_at, said),
            confidence=decision.confidence,
            version=kept.fact.version + 1,
            updated_at=self._now,
        )

    def _add(self, new: NewFact, *, state: FactState, reason: str = "", parent_id: int | None = None) -> int:
        fact = self._fact(new, state, reason, parent_id)
        if state in RECALLABLE and self._state.is_taken(fact):
            raise ConflictError("ruling", "another fact says this already")
        self._state.facts[fact.fact_id] = KeptFact(fact=fact, indexed_text=new.indexed_text, terms=new.terms)
        self._link(fact.fact_id, new.draft)
        self._state.add_work("embed_fact", self._now, fact_id=fact.fact_id)
        return fact.fact_id

    def _fact(self, new: NewFact, state: FactState, reason: str, parent_id: int | None) -> Fact:
        turn, draft, now = self._ruling.turn, new.draft, self._now
        passage = turn.passages[draft.passage]
        return Fact(
            fact_id=len(self._state.facts) + 1,
            scope=self._said_under(draft),
            scope_type=new.scope_type,
            scope_id=new.scope_id,
            text=draft.text,
            category=draft.category,
            kind=draft.kind,
            subject=draft.subject,
            key=draft.key,
            value=draft.value,
            polarity=draft.polarity,
            epistemic=draft.epistemic,
            confidence=draft.confidence,
            content_hash=new.content_hash,
            state=state,
            weight=new.weight,
            event=draft.event,
            valid_from=new.valid_from,
            valid_to=None,
            created_at=now,
            last_seen_at=passage.said.at,
            updated_at=now,
            seen_count=1,
            version=1,
            parent_id=parent_id,
            superseded_by=None,
            source=turn.source,
            source_trust=new.source_trust,
            project=turn.project,
            tags=tuple(dict.fromkeys((*turn.tags, *draft.tags))),
            domain=draft.domain,
            sensitivity=draft.sensitivity,
            session=passage.session,
            run_id=turn.run_id,
            reason=reason,
            expires_at=draft.expires_at,
        )

    def _owner(self) -> Scope:
        return self._ruling.turn.scope.whole

    def _said_under(self, draft: Draft) -> Scope:
        scope = self._ruling.turn.scope
        said_in = self._ruling.turn.passages[draft.passage].conversation
        return replace(scope.whole, conversation=said_in or scope.conversation)

    def _link(self, fact_id: int, draft: Draft) -> bool:
        passage = self._ruling.turn.passages[draft.passage]
        new = Evidence(
            fact_id=fact_id,
            quote=passage.text[draft.start : draft.end],
            speaker=passage.speaker,
            role=passage.role,
            said=passage.said,
            start=draft.start,
            end=draft.end,
            message_id=passage.message_id,
            external_id=passage.external_id,
            conversation=self._said_under(draft).conversation,
            session=passage.session,
        )
        if any(_same_words(new, link.evidence) for link in self._state.evidence):
            return False
        self._state.evidence.append(Link(evidence=new, source=self._ruling.turn.source))
        return True

    def _log(self, name: DecisionName, draft: Draft, reason: str, fact_id: int | None) -> Decided:
        passage = self._ruling.turn.passages[draft.passage]
        decided = Decided(
            decision_id=len(self._state.decisions) + 1,
            at=self._now,
            by=self._ruling.by,
            decision=name,
            reason=reason,
            text=draft.text,
            fact_id=fact_id,
            message_id=passage.message_id,
            external_id=passage.external_id,
        )
        quote = passage.text[draft.start : draft.end]
        row = Logged(decided=decided, scope=self._said_under(draft), quote=quote, source=self._ruling.turn.source)
        self._state.decisions.append(row)
        return decided


def _same_words(one: Evidence, other: Evidence) -> bool:
    if (one.fact_id, one.message_id) != (other.fact_id, other.message_id):
        return False
    if one.message_id is None:
        return one.quote == other.quote
    return (one.start, one.end) == (other.start, other.end)
