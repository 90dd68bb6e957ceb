"""What goes from the reference store with forgotten messages, and how does a fact become a tombstone there?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import cast

from glossator.errors import StoreError
from glossator.model import (
    ErasureRecord,
    Evidence,
    Fact,
    ForgetTarget,
    Message,
    Passage,
    Scope,
    StateChange,
    Trust,
    Turn,
)
from glossator.stores.matching import trust_left
from glossator.stores.memory.doomed import Counts, Doomed, Gone, Neighbours, whole_conversation
from glossator.stores.memory.rows import State, Tombstone
from glossator.stores.quoting import names, repeats, without_quotes

REASON = "what it rested on was forgotten"


class MemoryBurying:
    """The state of a store in memory, and what is erased of its facts."""

    def __init__(self) -> None:
        self._open_state: State | None = State()

    @property
    def _state(self) -> State:
        if self._open_state is None:
            raise StoreError("the store is closed")
        return self._open_state

    def _doomed(self, target: ForgetTarget, named: Sequence[Message]) -> Doomed:
        state, owner = self._state, target.scope.whole
        whole = target.everything and target.scope.conversation is None
        gone = Gone(owner=owner, whole=whole, conversation=whole_conversation(target), messages=tuple(named))
        facts = {fact_id: kept.fact for fact_id, kept in state.facts.items() if owner.covers(kept.fact.scope)}
        links = tuple(link for link in state.evidence if link.evidence.fact_id in facts and gone.takes_evidence(link))
        left = {link.evidence.fact_id for link in state.evidence if link not in links}
        linked = {link.evidence.fact_id for link in links}
        fact_ids = tuple(
            fact_id
            for fact_id, fact in facts.items()
            if fact.state != "erased" and (gone.takes_fact(fact) or (fact_id in linked and fact_id not in left))
        )
        return Doomed(
            fact_ids=fact_ids,
            links=links,
            decision_ids=tuple(row.decided.decision_id for row in state.decisions if gone.takes_decision(row)),
            work_ids=tuple(row.work_id for row in state.work if row.queued is not None and gone.takes_turn(row.queued)),
            steps=tuple(key for key, kept in state.steps.items() if gone.takes_step(kept.scope)),
            revision_ids=self._neighbours._revisions_that_go(
                owner,
                whole=whole,
                conversation=gone.conversation,
                memory_ids=fact_ids,
                message_ids=sorted(gone.ids),
            ),
            run_ids=tuple(run.run_id for run in self._neighbours._shelf.runs if gone.takes_words_of(run)),
        )

    @property
    def _neighbours(self) -> Neighbours:
        return cast(Neighbours, self)

    def _receipt(self, scope: Scope, body: str, now: datetime) -> str:
        """Keep a receipt that is still to be signed; its id."""
        kept = self._state.forgotten.receipts
        kept.append(ErasureRecord(number=len(kept) + 1, scope=scope, at=now, body=body))
        return kept[-1].receipt_id

    def _close(self, fact_id: int) -> None:
        """Put tombstones over the words that the fact rests on, and take them out of the turns that wait."""
        owner = self._state.facts[fact_id].fact.scope.whole
        quotes = [link.evidence.quote for link in self._state.evidence if link.evidence.fact_id == fact_id]
        for row in self._state.work:
            if row.queued is not None and row.queued.turn.scope.whole == owner:
                blanked = _without(row.queued.turn, quotes)
                if blanked != row.queued.turn:
                    row.queued, row.attempt = replace(row.queued, turn=blanked), row.attempt + 1
        stones = self._state.forgotten.tombstones
        for link in self._state.evidence:
            given = link.evidence
            if given.fact_id == fact_id and given.message_id is not None:
                stone = Tombstone(fact_id=fact_id, message_id=given.message_id, start=given.start, stop=given.end)
                if stone not in stones:
                    stones.append(stone)

    def _erase_doomed(self, target: ForgetTarget, doomed: Doomed, now: datetime) -> Counts:
        state = self._state
        owner = target.scope.whole
        before = len(state.evidence)
        counts = self._bury(doomed.fact_ids, doomed.decision_ids, owner=owner, by="forget", reason=REASON, now=now)
        state.evidence = [link for link in state.evidence if link not in doomed.links]
        linked = {link.evidence.fact_id for link in doomed.links}
        for fact_id in sorted(linked - set(doomed.fact_ids)):
            self._move_source(fact_id, now)
        state.work = [row for row in state.work if row.work_id not in doomed.work_ids]
        for key in doomed.steps:
            del state.steps[key]
        runs = self._neighbours._shelf.runs
        runs[:] = [replace(run, final_text="", error="") if run.run_id in doomed.run_ids else run for run in runs]
        return replace(
            counts,
            revision_count=self._neighbours._blank_revisions(owner, doomed.revision_ids, now=now),
            evidence_count=before - len(state.evidence),
            lexical_row_count=counts.lexical_row_count + len(doomed.steps),
            work_count=counts.work_count + len(doomed.work_ids),
        )

    def _bury(
        self, fact_ids: Sequence[int], decision_ids: Sequence[int], *, owner: Scope, by: str, reason: str, now: datetime
    ) -> Counts:
        """Turn the facts into tombstones; their words leave the log and the reasons of others too."""
        state = self._state
        facts = [state.facts[fact_id].fact for fact_id in fact_ids]
        texts: dict[int | None, list[str]] = {fact.fact_id: [fact.text, fact.value, fact.subject] for fact in facts}
        values = [word for fact in facts for word in (fact.text, fact.value)]
        for link in state.evidence:
            if link.evidence.fact_id in texts:
                values.append(link.evidence.quote)
                texts[link.evidence.fact_id].append(link.evidence.quote)
        for place, row in enumerate(state.decisions):
            if row.decided.decision_id in decision_ids or row.decided.fact_id in fact_ids:
                told = repeats(row.decided.reason, (row.decided.text, row.quote, *texts.get(row.decided.fact_id, ())))
                blank = replace(row.decided, text="", reason="" if told else row.decided.reason)
                state.decisions[place] = replace(row, decided=blank, quote="")
        for place, change in enumerate(state.changes):
            if change.fact_id in texts and repeats(change.reason, texts[change.fact_id]):
                state.changes[place] = replace(change, reason="")
        for fact in facts:
            told_reason = "" if repeats(reason, texts[fact.fact_id]) else reason
            change = StateChange(
                fact_id=fact.fact_id, at=now, by=by, from_state=fact.state, to_state="erased", reason=told_reason
            )
            state.changes.append(change)
            kept = state.facts[fact.fact_id]
            kept.fact, kept.indexed_text, kept.terms = _tombstone(fact, now), "", ()
            self._close(fact.fact_id)
            state.forgotten.hints.pop(fact.fact_id, None)
        before = (len(state.evidence), len(state.fact_vectors), len(state.work))
        state.evidence = [link for link in state.evidence if link.evidence.fact_id not in fact_ids]
        state.fact_vectors = {key: held for key, held in state.fact_vectors.items() if key[0] not in fact_ids}
        state.work = [row for row in state.work if row.fact_id not in fact_ids or row.fact_id is None]
        self._blank_reasons(owner, values)
        return Counts(
            fact_count=len(facts),
            evidence_count=before[0] - len(state.evidence),
            lexical_row_count=len(facts),
            vector_count=before[1] - len(state.fact_vectors),
            work_count=before[2] - len(state.work),
        )

    def _blank_reasons(self, owner: Scope, values: Sequence[str]) -> None:
        state = self._state
        theirs = {fact_id for fact_id, kept in state.facts.items() if owner.covers(kept.fact.scope)}
        for place, row in enumerate(state.decisions):
            if owner.covers(row.scope) and names(row.decided.reason, values):
                state.decisions[place] = replace(row, decided=replace(row.decided, reason=""))
        for place, change in enumerate(state.changes):
            if change.fact_id in theirs and names(change.reason, values):
                state.changes[place] = replace(change, reason="")
        for fact_id in theirs:
            kept = state.facts[fact_id]
            if names(kept.fact.reason, values):
                kept.fact = replace(kept.fact, reason="")

    def _move_source(self, fact_id: int, now: datetime) -> None:
        """A fact that stays names the earliest of what it still rests on as its source."""
        left = [link for link in self._state.evidence if link.evidence.fact_id == fact_id]
        first = min(left, key=lambda link: _said_order(link.evidence))
        kept = self._state.facts[fact_id]
        trusts = {each.message.message_id: each.message.trust for each in self._state.messages if each.message}
        kept.fact = replace(
            kept.fact,
            source_trust=trust_left(kept.fact.source_trust, [_trust_of(link.evidence, trusts) for link in left]),
            scope=replace(kept.fact.scope.whole, conversation=first.evidence.conversation),
            session=first.evidence.session,
            source=first.source,
            version=kept.fact.version + 1,
            updated_at=now,
        )


def _without(turn: Turn, quotes: Sequence[str]) -> Turn:
    def blanked(passage: Passage) -> Passage:
        return replace(passage, text=without_quotes(passage.text, quotes))

    before = None if turn.before is None else blanked(turn.before)
    return replace(turn, passages=tuple(blanked(each) for each in turn.passages), before=before)


def _trust_of(evidence: Evidence, trusts: Mapping[int, Trust]) -> Trust | None:
    return None if evidence.message_id is None else trusts.get(evidence.message_id)


def _said_order(evidence: Evidence) -> tuple[datetime, int, int]:
    return evidence.said.at, evidence.message_id or 0, evidence.start


def _tombstone(fact: Fact, now: datetime) -> Fact:
    """The fact without its words."""
    return replace(
        fact,
        text="",
        value="",
        subject="",
        key="",
        content_hash="",
        state="erased",
        event=replace(fact.event, interval=replace(fact.event.interval, start=None, end=None), words=""),
        tags=(),
        project=None,
        domain="",
        session=None,
        run_id=None,
        reason="",
        expires_at=None,
        version=fact.version + 1,
        updated_at=now,
    )
