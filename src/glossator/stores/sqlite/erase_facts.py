"""What goes with forgotten messages: evidence, facts that rest on nothing else, their log, waiting turns, steps."""

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from glossator.model import ForgetTarget
from glossator.stores.matching import trust_left
from glossator.stores.quoting import holds_any, is_said_in, names
from glossator.stores.sqlite.fact_rows import queued_of
from glossator.stores.sqlite.resources import blank_revisions, revisions_that_go
from glossator.stores.sqlite.rows import ids_json, micros
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.tombstones import Burial, bury

FORGET = "forget"
"""Who erased a fact, in the audit."""
REASON = "what it rested on was forgotten"


EPOCH = datetime.fromtimestamp(0, UTC)
"""Stands where a time is asked for that plays no part."""


def is_whole(target: ForgetTarget) -> bool:
    """True if all of the owner goes, not only one conversation."""
    return target.everything and target.scope.conversation is None


def whole_conversation(target: ForgetTarget) -> str | None:
    """The conversation that goes as a whole, if it is one that does."""
    if target.message_ids or target.session is not None:
        return None
    inside = target.scope.conversation
    if target.conversation is not None:
        return target.conversation if inside in (None, target.conversation) else None
    return inside


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """What was erased beside messages and chunks, with the index words that have to be gone."""

    fact_count: int
    evidence_count: int
    lexical_row_count: int
    vector_count: int
    work_count: int
    revision_count: int
    fact_words: frozenset[str]
    step_words: frozenset[str]


class NamedFacts:
    """The rows that go with these messages, or with their whole scope."""

    def __init__(self, connection: sqlite3.Connection, target: ForgetTarget, message_ids: list[int]) -> None:
        scope = target.scope
        row = connection.execute(SQL["scope_row"], (scope.workspace, scope.agent, scope.owner)).fetchone()
        self.scope_id = 0 if row is None else int(row[0])
        self.message_ids = message_ids
        asked: dict[str, Any] = {
            "scope_id": self.scope_id,
            "whole": is_whole(target),
            "conversation": whole_conversation(target),
            "message_ids": ids_json(message_ids),
        }
        links = connection.execute(SQL["evidence_that_goes"], asked).fetchall()
        self.evidence_ids = [row[0] for row in links]
        self.linked_ids = sorted({row[1] for row in links})
        self._told_ids = [row[0] for row in links if row[2]]
        asked |= {"fact_ids": ids_json(self.linked_ids), "evidence_ids": ids_json(self.evidence_ids)}
        self.fact_ids = [row[0] for row in connection.execute(SQL["facts_that_lose_all"], asked)]
        self.decision_ids = [row[0] for row in connection.execute(SQL["decisions_of_messages"], asked)]
        self._steps = connection.execute(SQL["steps_that_go"], asked).fetchall()
        self.step_ids = [row[0] for row in self._steps]
        self.work_ids = self._queued(connection, target)
        self.run_ids = self._runs(connection, target, asked)
        self.revision_ids = revisions_that_go(
            connection,
            self.scope_id,
            whole=is_whole(target),
            conversation=whole_conversation(target),
            memory_ids=self.fact_ids,
            message_ids=message_ids,
        )

    def _queued(self, connection: sqlite3.Connection, target: ForgetTarget) -> list[int]:
        rows = connection.execute(SQL["queued_in_scope"], (self.scope_id,)).fetchall()
        if not rows or is_whole(target):
            return [row[0] for row in rows]
        contents = [row[0] for row in connection.execute(SQL["contents"], (ids_json(self.message_ids),))]
        conversation = whole_conversation(target)
        gone = []
        for work_id, payload in rows:
            queued = queued_of(payload, queued_at=EPOCH)
            inside = conversation is not None and is_said_in(queued, conversation)
            if inside or holds_any(queued, contents, self.message_ids):
                gone.append(work_id)
        return gone

    def _runs(self, connection: sqlite3.Connection, target: ForgetTarget, asked: dict[str, Any]) -> list[int]:
        """Runs of jobs whose final words repeat a message, as whole words: "ok" does not take "token" with it."""
        rows = connection.execute(SQL["job_runs_that_may_go"], asked).fetchall()
        if not rows or is_whole(target):
            return [row[0] for row in rows]
        contents = [row[0] for row in connection.execute(SQL["contents"], (ids_json(self.message_ids),))]
        return [row[0] for row in rows if names(f"{row[1]}\n{row[2]}", contents)]

    @property
    def is_empty(self) -> bool:
        """True if nothing goes."""
        gone = (self.fact_ids, self.evidence_ids, self.step_ids, self.work_ids, self.revision_ids, self.run_ids)
        return not any(gone)

    @property
    def ids(self) -> tuple[list[int], ...]:
        """What a preview has to have named, beside the messages: what was told or done without them.

        What is made of the messages (facts that are learned from them meanwhile, work, files) goes with them.
        """
        return self._told_ids, self.step_ids, self.run_ids

    def erase(self, connection: sqlite3.Connection, *, now: datetime, revision: int) -> Gone:
        """Erase them inside the caller's transaction."""
        facts = (ids_json(self.fact_ids),)
        fact_words = {word for (body,) in connection.execute(SQL["words_of_facts"], facts) for word in body.split()}
        burial = Burial(
            scope_id=self.scope_id, fact_ids=self.fact_ids, decision_ids=self.decision_ids, by=FORGET, reason=REASON,
            revision=revision,
        )  # fmt: skip
        buried = bury(connection, burial, now=now)
        evidence_count = connection.execute(SQL["erase_evidence"], (ids_json(self.evidence_ids),)).rowcount
        self._move_sources(connection, now=now, revision=revision)
        queued_count = connection.execute(SQL["erase_queued"], (ids_json(self.work_ids),)).rowcount
        revision_count = blank_revisions(connection, self.scope_id, self.revision_ids, now=now)
        connection.execute(SQL["blank_job_runs"], (ids_json(self.run_ids),))
        step_count = connection.execute(SQL["erase_steps"], (ids_json(self.step_ids),)).rowcount
        connection.execute(SQL["optimize_steps_fts"])  # also of steps that were replaced or dropped before
        return Gone(
            fact_count=buried.fact_count,
            evidence_count=buried.evidence_count + evidence_count,
            lexical_row_count=buried.lexical_row_count + step_count,
            vector_count=buried.vector_count,
            work_count=buried.work_count + queued_count,
            revision_count=revision_count,
            fact_words=frozenset(fact_words),
            step_words=frozenset(word for row in self._steps for word in f"{row[1]} {row[2]}".split()),
        )

    def _move_sources(self, connection: sqlite3.Connection, *, now: datetime, revision: int) -> None:
        """A fact that stays names the earliest of what it still rests on as its source, and is believed no more than
        who said what is left.
        """
        buried = set(self.fact_ids)
        for fact_id in (each for each in self.linked_ids if each not in buried):
            source = connection.execute(SQL["source_evidence"], (fact_id,)).fetchone()
            connection.execute(SQL["move_source"], (*source, micros(now), revision, fact_id))
            connection.execute(SQL["move_fact_work"], (source[5], fact_id))
            rows = connection.execute(SQL["trusts_left"], (fact_id,)).fetchall()
            connection.execute(SQL["lower_trust"], (trust_left(rows[0][0], [row[1] for row in rows]), fact_id))

    def remaining(self, connection: sqlite3.Connection, gone: Gone) -> int:
        """Rows that a reader could still find: by id in every table, and by each erased word in the indexes."""
        asked = {
            "fact_ids": ids_json(self.fact_ids),
            "message_ids": ids_json(self.message_ids),
            "evidence_ids": ids_json(self.evidence_ids),
            "decision_ids": ids_json(self.decision_ids),
            "work_ids": ids_json(self.work_ids),
            "step_ids": ids_json(self.step_ids),
        }
        (count,) = connection.execute(SQL["remaining_fact_rows"], asked).fetchone()
        kept_words = {"revision_ids": ids_json(self.revision_ids), "run_ids": ids_json(self.run_ids)}
        count += connection.execute(SQL["remaining_kept_words"], kept_words).fetchone()[0]
        count += _still_indexed(connection, "remaining_fact_words", gone.fact_words, self.fact_ids)
        return int(count) + _still_indexed(connection, "remaining_step_words", gone.step_words, self.step_ids)


def _still_indexed(connection: sqlite3.Connection, statement: str, words: frozenset[str], ids: list[int]) -> int:
    if not ids:
        return 0
    span, gone = (min(ids), max(ids)), set(ids)
    return sum(
        sum(1 for row in connection.execute(SQL[statement], (f'"{word}"', *span)) if row[0] in gone) for word in words
    )
