"""How does a ruling become rows, all or none? Facts, evidence, index rows, the log, the audit, work done and due."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import assert_never

from glossator.errors import ConflictError, UsageError
from glossator.model import (
    Admit,
    Conversation,
    Decided,
    Decision,
    DecisionName,
    Draft,
    Fact,
    FactState,
    Hold,
    Merge,
    NewFact,
    Passage,
    Refuse,
    Ruling,
    Supersede,
)
from glossator.stores.matching import seen_later
from glossator.stores.sqlite.journal import found_or_added, inserted
from glossator.stores.sqlite.rows import ids_json, micros, micros_or_none, said_parts, to_json
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.terms import body_words
from glossator.stores.targets import promote_target

ASK_AGAIN = "read the facts again and decide anew"


def commit(connection: sqlite3.Connection, ruling: Ruling, *, now: datetime) -> tuple[Decided, ...]:
    """Write the ruling inside the caller's transaction; one Decided per decision, in order."""
    scope = ruling.turn.scope
    owner = (scope.workspace, scope.agent, scope.owner)
    for row in ruling.settles:
        if connection.execute(SQL["settle_work"], (row.work_id, row.attempt)).rowcount == 0:
            raise ConflictError("ruling", f"the claim of work {row.work_id} was lost", remedy="leave it to who has it")
    scope_id = found_or_added(connection, "scope_row", owner, "add_scope", owner)
    scribe = Scribe(connection, ruling, scope_id=scope_id, now=now)
    scribe.check(ruling.decisions)
    try:
        return tuple(scribe.write(decision) for decision in ruling.decisions)
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
            raise
        raise ConflictError("ruling", "another fact says this already", remedy=ASK_AGAIN) from error


def revised(connection: sqlite3.Connection, scope_id: int, *, erased: bool = False) -> int:
    """The scope's next revision: what is written under it is seen by every reader."""
    connection.execute(SQL["revise_scopes_erased" if erased else "revise_scopes"], (ids_json([scope_id]),))
    (revision,) = connection.execute(SQL["scope_revision"], (scope_id,)).fetchone()
    return int(revision)


class Scribe:
    """The rows of one ruling."""

    def __init__(self, connection: sqlite3.Connection, ruling: Ruling, *, scope_id: int, now: datetime) -> None:
        self._connection = connection
        self._ruling = ruling
        self._scope_id = scope_id
        self._now = now
        self._revision = revised(connection, scope_id)

    def check(self, decisions: Sequence[Decision]) -> None:
        """Raises ConflictError unless all that is named is as it was read, UsageError for offsets outside the text."""
        for decision in decisions:
            match decision:
                case Admit(new=new) | Hold(new=new):
                    self._check_draft(new.draft)
                case Supersede(new=new, olds=olds):
                    self._check_draft(new.draft)
                    for old in olds:
                        self._check_fact(old)
                case Merge(draft=draft, fact=fact):
                    self._check_draft(draft)
                    self._check_fact(fact)
                case Refuse(draft=draft):  # whose offsets may be the very reason
                    self._check_passage(draft)
                case _:
                    assert_never(decision)

    def _check_draft(self, draft: Draft) -> None:
        self._check_passage(draft)
        if not 0 <= draft.start < draft.end <= len(self._passage(draft).text):
            raise UsageError("ruling", f"{draft.start}:{draft.end} is no part of the passage", remedy="check offsets")
        asked = (self._passage(draft).message_id, draft.end, draft.start)
        if self._connection.execute(SQL["tombstone_over"], asked).fetchone() is not None:
            raise ConflictError("ruling", "its words were forgotten", remedy=ASK_AGAIN)

    def _check_passage(self, draft: Draft) -> None:
        passages = self._ruling.turn.passages
        if not 0 <= draft.passage < len(passages):
            raise UsageError("ruling", f"draft names passage {draft.passage} of {len(passages)}", remedy="count from 0")
        passage = passages[draft.passage]
        if passage.message_id is not None:
            asked = (passage.message_id, self._scope_id)
            if self._connection.execute(SQL["live_message"], asked).fetchone() is None:
                raise ConflictError("ruling", "its message is gone from this scope", remedy="drop the draft")

    def _check_fact(self, fact: Fact) -> None:
        row = self._connection.execute(SQL["named_fact"], (fact.fact_id, self._scope_id)).fetchone()
        if row is None or row[0] != fact.version or row[1] == "erased":
            raise ConflictError("ruling", f"fact {fact.id} has changed since it was read", remedy=ASK_AGAIN)

    def write(self, decision: Decision) -> Decided:
        """Do what was decided, and log it."""
        match decision:
            case Admit(new=new, reason=reason):
                return self._log("admit", new.draft, reason, self._add(new, state="active"))
            case Hold(new=new, reason=reason):
                return self._log("hold", new.draft, reason, self._add(new, state="quarantined", reason=reason))
            case Supersede(new=new, reason=reason):
                return self._log("supersede", new.draft, reason, self._replace(decision))
            case Merge(draft=draft, reason=reason):
                self._merge(decision)
                return self._log("merge", draft, reason, decision.fact.fact_id)
            case Refuse(draft=draft, reason=reason):
                return self._log("refuse", draft, reason, None)
            case _:
                assert_never(decision)

    def _replace(self, decision: Supersede) -> int:
        olds = [old.fact_id for old in decision.olds]
        for fact_id in olds:
            (_, state, _) = self._connection.execute(SQL["named_fact"], (fact_id, self._scope_id)).fetchone()
            if state not in ("active", "deprioritised"):
                raise ConflictError("ruling", f"fact f{fact_id} is {state} already", remedy=ASK_AGAIN)
            asked = {
                "fact_id": fact_id,
                "closed_at": micros(decision.closed_at),
                "now": micros(self._now),
                "reason": decision.reason,
                "revision": self._revision,
            }
            self._connection.execute(SQL["close_fact"], asked)
            change = (fact_id, micros(self._now), self._ruling.by, state, "superseded", decision.reason)
            self._connection.execute(SQL["add_change"], change)
        fact_id = self._add(decision.new, state="active", parent_id=olds[0] if olds else None)
        self._connection.execute(SQL["point_to_newer"], (fact_id, ids_json(olds)))
        return fact_id

    def _merge(self, decision: Merge) -> None:
        passage = self._passage(decision.draft)
        if not self._add_evidence(decision.fact.fact_id, decision.draft) and not seen_later(self._ruling, decision):
            return
        asked = {
            "fact_id": decision.fact.fact_id,
            "said_at": micros(passage.said.at),
            "confidence": decision.confidence,
            "now": micros(self._now),
            "revision": self._revision,
        }
        self._connection.execute(SQL["see_again"], asked)

    def _add(self, new: NewFact, *, state: FactState, reason: str = "", parent_id: int | None = None) -> int:
        conversation_id = self._conversation_id(self._conversation(self._passage(new.draft)))
        row = self._fact_row(new, state=state, reason=reason, parent_id=parent_id, conversation_id=conversation_id)
        fact_id = inserted(self._connection.execute(SQL["add_fact"], row))
        if new.draft.expires_at is not None:
            self._connection.execute(SQL["set_expiry"], (micros(new.draft.expires_at), fact_id))
        self._add_evidence(fact_id, new.draft)
        self._connection.execute(SQL["add_fact_terms"], (fact_id, body_words(self._scope_id, new.terms)))
        now = micros(self._now)
        work = ("embed_fact", None, fact_id, None, self._scope_id, conversation_id, now, now)
        self._connection.execute(SQL["add_work"], work)
        return fact_id

    def _fact_row(
        self, new: NewFact, *, state: FactState, reason: str, parent_id: int | None, conversation_id: int | None
    ) -> tuple[object, ...]:
        turn, draft, event, now = self._ruling.turn, new.draft, new.draft.event, micros(self._now)
        scope, passage = turn.scope, self._passage(new.draft)
        return (
            scope.workspace, scope.agent, scope.owner, self._scope_id, conversation_id, new.scope_type, new.scope_id,
            draft.category, draft.key, draft.value, draft.confidence, promote_target(draft.category),
            passage.external_id or "", turn.source, passage.speaker, passage.session, turn.run_id, passage.message_id,
            now, now, draft.text, new.indexed_text, draft.kind, draft.subject, draft.polarity, draft.epistemic,
            new.content_hash, state, new.weight, micros_or_none(event.interval.start),
            micros_or_none(event.interval.end), event.interval.precision, event.source, event.words,
            micros(new.valid_from), micros(passage.said.at), parent_id, new.source_trust, turn.project,
            to_json(list(dict.fromkeys((*turn.tags, *draft.tags)))), draft.domain, draft.sensitivity, reason,
            len(new.terms), self._revision,
        )  # fmt: skip

    def _passage(self, draft: Draft) -> Passage:
        return self._ruling.turn.passages[draft.passage]

    def _conversation(self, passage: Passage) -> str | None:
        return passage.conversation or self._ruling.turn.scope.conversation

    def _conversation_id(self, key: str | None) -> int | None:
        if key is None:
            return None
        named = (self._scope_id, key)
        place = Conversation.parse(key)
        values = (*named, place.channel, place.chat, place.thread)
        return found_or_added(self._connection, "conversation_id", named, "add_conversation", values)

    def _add_evidence(self, fact_id: int, draft: Draft) -> bool:
        """Link the fact to the draft's words; False if the link is there already."""
        passage = self._passage(draft)
        row = (
            fact_id, passage.message_id, passage.external_id, self._conversation(passage), passage.session,
            self._ruling.turn.source, passage.speaker, passage.role, *said_parts(passage.said), draft.start, draft.end,
            passage.text[draft.start : draft.end],
        )  # fmt: skip
        return self._connection.execute(SQL["add_evidence"], row).rowcount > 0

    def _log(self, name: DecisionName, draft: Draft, reason: str, fact_id: int | None) -> Decided:
        passage = self._passage(draft)
        row = (
            self._scope_id, self._conversation(passage), micros(self._now), self._ruling.by, name, reason, draft.text,
            passage.text[draft.start : draft.end], self._ruling.turn.source, fact_id, passage.message_id,
            passage.external_id,
        )  # fmt: skip
        return Decided(
            decision_id=inserted(self._connection.execute(SQL["add_decision"], row)),
            at=self._now,
            by=self._ruling.by,
            decision=name,
            reason=reason,
            text=draft.text,
            fact_id=fact_id,
            message_id=passage.message_id,
            external_id=passage.external_id,
        )
