"""How does a fact become a tombstone? Its words leave the row, the index, the log and the reasons of others."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from glossator.stores.quoting import names, repeats, without_quotes
from glossator.stores.sqlite.rows import ids_json, micros, to_json
from glossator.stores.sqlite.statements import SQL


@dataclass(frozen=True, slots=True, kw_only=True)
class Buried:
    """How many rows went."""

    fact_count: int
    evidence_count: int
    lexical_row_count: int
    vector_count: int
    work_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Burial:
    """Which facts go, by whom and why; `decision_ids` are rows of the log that lose their words with them."""

    scope_id: int
    fact_ids: Sequence[int]
    decision_ids: Sequence[int]
    by: str
    reason: str
    revision: int


def bury(connection: sqlite3.Connection, burial: Burial, *, now: datetime) -> Buried:
    """Turn the facts into tombstones and blank the decisions, inside the caller's transaction."""
    asked = (ids_json(burial.fact_ids),)
    rows = connection.execute(SQL["facts_that_go"], asked).fetchall()
    texts: dict[int, list[str]] = {row[0]: list(row[2:5]) for row in rows}
    values = {word for row in rows for word in row[2:4]}
    for fact_id, quote in connection.execute(SQL["quotes_of_facts"], asked):
        values.add(quote)
        texts.setdefault(fact_id, []).append(quote)
    _blank_decisions(connection, burial, texts)
    _blank_changes(connection, burial, texts)
    changes = [
        (
            fact_id,
            micros(now),
            burial.by,
            state,
            "erased",
            "" if repeats(burial.reason, texts[fact_id]) else burial.reason,
        )
        for fact_id, state, *_ in rows
    ]
    connection.executemany(SQL["add_change"], changes)
    blank_waiting(connection, burial.scope_id, burial.fact_ids)
    blanked = {"fact_ids": asked[0], "now": micros(now), "revision": burial.revision}
    connection.execute(SQL["add_tombstones"], blanked)
    connection.execute(SQL["blank_kept_words"], asked)
    buried = Buried(
        evidence_count=connection.execute(SQL["erase_evidence_of_facts"], asked).rowcount,
        lexical_row_count=connection.execute(SQL["erase_fact_terms"], asked).rowcount,
        vector_count=connection.execute(SQL["erase_fact_vectors"], asked).rowcount,
        work_count=connection.execute(SQL["erase_fact_work"], asked).rowcount,
        fact_count=connection.execute(SQL["bury_facts"], blanked).rowcount,
    )
    _blank_other_reasons(connection, burial.scope_id, values)
    connection.execute(SQL["optimize_facts_fts"])  # an old segment would keep the words
    return buried


def blank_waiting(connection: sqlite3.Connection, scope_id: int, fact_ids: Sequence[int]) -> None:
    """Take what these facts rest on out of the turns that wait with their text.

    Whoever has read such a turn already loses its claim with it, and reads it again without the words.
    """
    quotes = [row[1] for row in connection.execute(SQL["quotes_of_facts"], (ids_json(fact_ids),))]
    if not quotes:
        return
    for work_id, payload in connection.execute(SQL["queued_in_scope"], (scope_id,)).fetchall():
        given = json.loads(payload)
        passages = [*given["passages"], *([] if given["before"] is None else [given["before"]])]
        texts = [without_quotes(each["text"], quotes) for each in passages]
        if texts != [each["text"] for each in passages]:
            for each, text in zip(passages, texts, strict=True):
                each["text"] = text
            connection.execute(SQL["blank_payload"], (to_json(given), work_id))


def _blank_decisions(connection: sqlite3.Connection, burial: Burial, texts: Mapping[int, Sequence[str]]) -> None:
    asked = {"decision_ids": ids_json(burial.decision_ids), "fact_ids": ids_json(burial.fact_ids)}
    rows = connection.execute(SQL["decisions_that_go"], asked).fetchall()
    blanked = [
        ("" if repeats(reason, (text, quote, *texts.get(fact_id, ()))) else reason, decision_id)
        for decision_id, reason, text, quote, fact_id in rows
    ]
    connection.executemany(SQL["blank_decision"], blanked)


def _blank_changes(connection: sqlite3.Connection, burial: Burial, texts: Mapping[int, Sequence[str]]) -> None:
    rows = connection.execute(SQL["changes_with_reasons"], (ids_json(burial.fact_ids),)).fetchall()
    gone = [(change_id,) for change_id, fact_id, reason in rows if repeats(reason, texts.get(fact_id, ()))]
    connection.executemany(SQL["blank_change"], gone)


def _blank_other_reasons(connection: sqlite3.Connection, scope_id: int, values: Iterable[str]) -> None:
    """Reasons of other facts that name what went, such as "corrected: not Ana"."""
    found = connection.execute(SQL["reasons_of_scope"], {"scope_id": scope_id})
    telling = [row[0] for row in found if names(row[0], values)]
    if telling:
        asked = {"scope_id": scope_id, "reasons": to_json(telling)}
        for statement in ("decisions", "changes", "facts", "archived"):
            connection.execute(SQL[f"blank_reasons_of_{statement}"], asked)
