"""Where are the reasoning steps of runs kept, and how are they found by their words?"""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from glossator.model import Scope, Step, StepMatch
from glossator.rules.tokens import index_terms
from glossator.stores.matching import bm25
from glossator.stores.sqlite.fact_rows import step_of
from glossator.stores.sqlite.journal import found_or_added
from glossator.stores.sqlite.rows import ids_json, micros, micros_or_none, scope_parameters
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.terms import body_words, match_term


def put(connection: sqlite3.Connection, scope: Scope, steps: Sequence[Step], *, now: datetime) -> int:
    """Keep the steps by run and number, replacing; the words of thought and observation are indexed with them."""
    owner = (scope.workspace, scope.agent, scope.owner)
    scope_id = found_or_added(connection, "scope_row", owner, "add_scope", owner)
    for step in steps:
        thought, observation = index_terms(step.thought), index_terms(step.observation)
        row = (
            scope_id, scope.conversation, step.run_id, step.number, step.thought, step.action, step.observation,
            step.verified, step.evidence, micros_or_none(step.at), body_words(scope_id, thought),
            body_words(scope_id, observation), len(thought) + len(observation), micros(now),
        )  # fmt: skip
        connection.execute(SQL["put_step"], row)
    return len(steps)


def steps_of(connection: sqlite3.Connection, scope: Scope, run_id: str) -> tuple[Step, ...]:
    """The steps of a run, in order."""
    rows = connection.execute(SQL["steps"], {"run_id": run_id, **scope_parameters(scope)})
    return tuple(step_of(row) for row in rows)


def search(
    connection: sqlite3.Connection, scope: Scope, terms: Sequence[str], *, run_id: str | None, limit: int
) -> tuple[StepMatch, ...]:
    """Steps that have any of the terms, best first; counts are those of this scope and run alone."""
    owner = (scope.workspace, scope.agent, scope.owner)
    row = connection.execute(SQL["scope_row"], owner).fetchone()
    if row is None or not terms:
        return ()
    words = {body_words(row[0], [term]): term for term in terms}
    asked = {"run_id": run_id, **scope_parameters(scope)}
    total, term_count = connection.execute(SQL["count_steps"], asked).fetchone()
    matching = " OR ".join(match_term(row[0], term) for term in dict.fromkeys(terms))
    rows = connection.execute(SQL["matching_steps"], {"words": matching, **asked}).fetchall()
    counts = [Counter(words[each] for each in f"{row[8]} {row[9]}".split() if each in words) for row in rows]
    holders = Counter(term for count in counts for term in count)
    order = dict.fromkeys(terms)
    matches = [
        StepMatch(
            step=step_of(row),
            score=bm25(
                {term: count[term] for term in order}, row[10],
                total=total, length_mean=term_count / total, holders=holders,
            ),
        )
        for row, count in zip(rows, counts, strict=True)
    ]  # fmt: skip
    matches.sort(key=lambda match: (-match.score, match.step.run_id, match.step.number))
    return tuple(matches[: max(limit, 0)])


def drop(connection: sqlite3.Connection, scope: Scope, run_id: str, numbers: Sequence[int] | None) -> int:
    """Delete steps of a run; returns how many went."""
    asked = {
        "run_id": run_id,
        "numbers": None if numbers is None else ids_json(numbers),
        **scope_parameters(scope),
    }
    dropped = connection.execute(SQL["drop_steps"], asked).rowcount
    if dropped:
        connection.execute(SQL["optimize_steps_fts"])  # an old segment would keep the words
    return dropped
