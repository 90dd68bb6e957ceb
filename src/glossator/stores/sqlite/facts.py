"""Which facts does the scope cover, and which of them are asked for? Every statement has the condition."""

import sqlite3
from collections.abc import Iterable, Sequence

from glossator.model import (
    FACT_STATES,
    RECALLABLE,
    Decided,
    Evidence,
    Fact,
    FactFilter,
    FactState,
    Scope,
    StateChange,
)
from glossator.stores.matching import in_order, passes, sees_all, shown, visible
from glossator.stores.sqlite.fact_rows import change_of, decided_of, evidence_of, fact_of
from glossator.stores.sqlite.journal import ROWS_MAX
from glossator.stores.sqlite.rows import fact_parameters, ids_json, micros_or_none, to_json
from glossator.stores.sqlite.statements import SQL


def facts(connection: sqlite3.Connection, scope: Scope, asked: FactFilter) -> tuple[Fact, ...]:
    """The facts that the scope covers and the filter lets through, in its order."""
    narrowed = visible(scope, asked)
    return () if narrowed is None else _facts(connection, scope, narrowed)


def _facts(connection: sqlite3.Connection, scope: Scope, asked: FactFilter) -> tuple[Fact, ...]:
    named = named_ids(connection, scope, asked)
    if named is None:
        return in_order(facts_of(connection, scope, _listed_ids(connection, scope, asked)), asked)
    # a key may have thousands of versions that hold no more: they are left out before they are read
    found = facts_of(connection, scope, named, states=asked.states)
    return in_order([fact for fact in found if passes(fact, asked)], asked)


def facts_of(
    connection: sqlite3.Connection, scope: Scope, fact_ids: Iterable[int], *, states: Sequence[FactState] = FACT_STATES
) -> list[Fact]:
    """The facts with these ids and in these states that the scope covers."""
    parameters = {"fact_ids": ids_json(fact_ids), "states": to_json(states), **fact_parameters(scope)}
    found = [fact_of(row) for row in connection.execute(SQL["facts"], parameters)]
    return [fact for fact in found if shown(scope, fact)]


def named_ids(connection: sqlite3.Connection, scope: Scope, asked: FactFilter) -> set[int] | None:
    """Ids that meet the conditions which name facts (ids, hashes, keys, values); None if there is none of these."""
    lists: list[set[int]] = []
    owner = fact_parameters(scope)
    if asked.fact_ids is not None:
        lists.append(set(asked.fact_ids))
    if asked.hashes:
        lists.append(_ids(connection, "fact_ids_by_hash", {"hashes": to_json(asked.hashes), **owner}))
    if asked.keys:
        lists.append(_ids(connection, "fact_ids_by_key", {"keys": to_json(asked.keys), **owner}))
    if asked.values:
        lists.append(_ids(connection, "fact_ids_by_value", {"values": to_json(asked.values), **owner}))
    return set.intersection(*lists) if lists else None


def listed_statement(asked: FactFilter) -> str:
    """The statement that lists ids in the filter's order; the durable facts have their own, which never sorts."""
    if asked.order == "fact_id":
        return "fact_ids_in_order"
    return "fact_ids_newest" if set(asked.states) <= set(RECALLABLE) else "fact_ids_last_seen"


def filter_parameters(scope: Scope, asked: FactFilter) -> dict[str, object]:
    """What the listing statements are asked with."""
    return {
        "states": to_json(asked.states),
        "categories": to_json(asked.categories) if asked.categories else None,
        "scope_types": to_json(asked.scope_types) if asked.scope_types else None,
        "scope_ids": to_json(asked.scope_ids) if asked.scope_ids else None,
        "sensitivities": to_json(asked.sensitivities) if asked.sensitivities else None,
        "as_of": micros_or_none(asked.as_of),
        "project": asked.project,
        "tags": to_json(asked.tags) if asked.tags else None,
        "after_id": asked.after_id,
        "limit": min(max(asked.limit, 0), ROWS_MAX),
        **fact_parameters(scope),
    }


def _listed_ids(connection: sqlite3.Connection, scope: Scope, asked: FactFilter) -> list[int]:
    rows = connection.execute(SQL[listed_statement(asked)], filter_parameters(scope, asked))
    return [row[0] for row in rows]


def _ids(connection: sqlite3.Connection, statement: str, parameters: dict[str, object]) -> set[int]:
    return {row[0] for row in connection.execute(SQL[statement], parameters)}


def evidence(
    connection: sqlite3.Connection, scope: Scope, fact_ids: Sequence[int], message_ids: Sequence[int]
) -> tuple[Evidence, ...]:
    """The evidence of these facts, or that these messages give; see ports.Ledger."""
    asked = {"fact_ids": ids_json(fact_ids), "message_ids": ids_json(message_ids), **fact_parameters(scope)}
    found = [evidence_of(row) for row in connection.execute(SQL["evidence"], asked)]
    seen = _seen(connection, scope, {each.fact_id for each in found})
    return tuple(each for each in found if each.fact_id in seen)


def decisions(
    connection: sqlite3.Connection, scope: Scope, fact_ids: Sequence[int], message_ids: Sequence[int], limit: int
) -> tuple[Decided, ...]:
    """The log's rows about these facts or messages, or all; see ports.Ledger."""
    asked = {
        "fact_ids": ids_json(fact_ids),
        "message_ids": ids_json(message_ids),
        "limit": min(max(limit, 0), ROWS_MAX),
        **fact_parameters(scope),
    }
    statement = "decisions_about" if fact_ids or message_ids else "decisions"
    found = [decided_of(row) for row in connection.execute(SQL[statement], asked)]
    if sees_all(scope):
        return tuple(found)
    seen = _seen(connection, scope, {each.fact_id for each in found if each.fact_id is not None})
    return tuple(each for each in found if each.fact_id in seen)


def changes(connection: sqlite3.Connection, scope: Scope, fact_ids: Sequence[int]) -> tuple[StateChange, ...]:
    """The audit of these facts; see ports.Ledger."""
    asked = {"fact_ids": ids_json(_seen(connection, scope, fact_ids)), **fact_parameters(scope)}
    return tuple(change_of(row) for row in connection.execute(SQL["changes"], asked))


def _seen(connection: sqlite3.Connection, scope: Scope, fact_ids: Iterable[int]) -> set[int]:
    """Those of the facts that the caller may see; all of them where nothing is kept from the caller."""
    if sees_all(scope):
        return set(fact_ids)
    return {fact.fact_id for fact in facts_of(connection, scope, fact_ids)}
