"""Where are the reasoning steps of runs kept, and how are they found by their words?

The server finds the steps that have a word (tsvector and GIN) and counts the words in them. The score is that of
`stores/matching.py`, computed here over those counts: the very BM25 of the other stores, not PostgreSQL's ts_rank,
which knows no rarity of words. So all stores agree on the order.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import psycopg

from glossator.errors import UsageError
from glossator.model import Scope, Step, StepMatch
from glossator.rules.tokens import index_terms
from glossator.stores.matching import bm25
from glossator.stores.postgres.statements import SQL
from glossator.stores.postgres.terms import any_of, parts, step_word

WORDS_MAX = 1000
"""Words per statement: the server walks a tsquery by recursion, and a question of a megabyte must not exhaust it."""

_TEXTS = ("run_id", "thought", "action", "observation", "evidence")


@dataclass(slots=True, kw_only=True)
class Matching:
    """A step that has some of the words: what its score is computed from."""

    step_id: int
    run_id: str
    number: int
    length: int
    counts: Counter[str] = field(default_factory=Counter)


def put(connection: psycopg.Connection, scope: Scope, steps: Sequence[Step], *, now: datetime) -> int:
    """Keep the steps by run and number, replacing; the words of thought and observation are indexed with them."""
    check_texts(steps)
    # The last of two with one place wins. Sorted, so that two writers of one run never wait for each other in a ring.
    latest = {(step.run_id, step.number): step for step in steps}
    kept = [latest[place] for place in sorted(latest)]
    if not kept:
        return 0
    scope_id = _scope_id(connection, scope)
    if scope_id is None:
        [(scope_id,)] = connection.execute(SQL["add_scope"], scope_parameters(scope)).fetchall()
    terms = [index_terms(step.thought) + index_terms(step.observation) for step in kept]
    rows = [
        {
            "scope_id": scope_id, "conversation": scope.conversation, "run_id": step.run_id, "number": step.number,
            "thought": step.thought, "action": step.action, "observation": step.observation,
            "verified": step.verified, "evidence": step.evidence, "at": step.at, "term_count": len(found), "now": now,
        }
        for step, found in zip(kept, terms, strict=True)
    ]  # fmt: skip
    _put_words(connection, scope_id, dict(zip(_put_rows(connection, rows), terms, strict=True)))
    return len(steps)


def steps_of(connection: psycopg.Connection, scope: Scope, run_id: str) -> tuple[Step, ...]:
    """The steps of a run, in order."""
    rows = connection.execute(SQL["steps"], {"run_id": run_id, **scope_parameters(scope)})
    return tuple(step_of(row) for row in rows)


def search(
    connection: psycopg.Connection, scope: Scope, terms: Sequence[str], *, run_id: str | None, limit: int
) -> tuple[StepMatch, ...]:
    """Steps that have any of the terms, best first; counts are those of this scope and run alone."""
    scope_id = _scope_id(connection, scope)
    if scope_id is None or not terms or limit < 1:
        return ()
    asked = {"run_id": run_id, **scope_parameters(scope)}
    matching = _matching(connection, {step_word(scope_id, term): term for term in terms}, asked)
    if not matching:
        return ()
    total, term_count = connection.execute(SQL["count_steps"], asked).fetchone() or (0, 0)
    holders = Counter(term for each in matching for term in each.counts)
    order = dict.fromkeys(terms)
    scores = {
        each.step_id: bm25(
            {term: each.counts[term] for term in order}, each.length,
            total=total, length_mean=term_count / total, holders=holders,
        )
        for each in matching
    }  # fmt: skip
    matching.sort(key=lambda each: (-scores[each.step_id], each.run_id, each.number))
    best = [each.step_id for each in matching[:limit]]
    rows = connection.execute(SQL["steps_by_id"], {"step_ids": best, **asked})
    steps = {row[8]: step_of(row) for row in rows}
    return tuple(StepMatch(step=steps[step_id], score=scores[step_id]) for step_id in best)


def drop(connection: psycopg.Connection, scope: Scope, run_id: str, numbers: Sequence[int] | None) -> int:
    """Delete steps of a run; their words go with them. Returns how many went."""
    asked = {"run_id": run_id, "numbers": None if numbers is None else list(numbers), **scope_parameters(scope)}
    return connection.execute(SQL["drop_steps"], asked).rowcount


def check_texts(steps: Sequence[Step]) -> None:
    """Raise UsageError for the first text that holds a NUL: PostgreSQL keeps every other character."""
    for place, step in enumerate(steps):
        for part in _TEXTS:
            if "\0" in getattr(step, part):
                raise UsageError(f"steps[{place}].{part}", "holds a NUL", remedy="take it out: see rules/canonical.py")


def scope_parameters(scope: Scope) -> dict[str, str | None]:
    """What every scoped statement is asked with."""
    return {
        "workspace": scope.workspace,
        "agent": scope.agent,
        "owner": scope.owner,
        "conversation": scope.conversation,
    }


def step_of(row: tuple[Any, ...]) -> Step:
    """A row of `steps`."""
    return Step(
        run_id=row[0],
        number=row[1],
        thought=row[2],
        action=row[3],
        observation=row[4],
        verified=row[5],
        evidence=row[6],
        at=None if row[7] is None else row[7].astimezone(UTC),
    )


def _scope_id(connection: psycopg.Connection, scope: Scope) -> int | None:
    row = connection.execute(SQL["scope_row"], scope_parameters(scope)).fetchone()
    return None if row is None else int(row[0])


def _matching(
    connection: psycopg.Connection, words: Mapping[str, str], asked: Mapping[str, str | None]
) -> list[Matching]:
    """The steps that have one of the words, each with how often it has which term."""
    found: dict[int, Matching] = {}
    every = list(words)
    for start in range(0, len(every), WORDS_MAX):
        some = every[start : start + WORDS_MAX]
        rows = connection.execute(SQL["matching_words"], {"any_word": any_of(some), "words": some, **asked})
        for step_id, run_id, number, length, word, count in rows:
            step = found.setdefault(step_id, Matching(step_id=step_id, run_id=run_id, number=number, length=length))
            step.counts[words[word]] += count
    return list(found.values())


def _put_rows(connection: psycopg.Connection, rows: Sequence[Mapping[str, object]]) -> list[int]:
    """Ids of the steps, in the order of the rows."""
    step_ids: list[int] = []
    with connection.cursor() as cursor:
        cursor.executemany(SQL["put_step"], rows, returning=True)
        while True:
            step_ids += [row[0] for row in cursor]
            if not cursor.nextset():
                return step_ids


def _put_words(connection: psycopg.Connection, scope_id: int, terms: Mapping[int, Sequence[str]]) -> None:
    """Keep these terms, and no others, for each of the steps."""
    rows = [
        {"step_id": step_id, "part": part, "words": piece}
        for step_id, found in terms.items()
        for part, piece in enumerate(parts(step_word(scope_id, term) for term in found))
    ]
    with connection.cursor() as cursor:
        cursor.execute(SQL["drop_words"], {"step_ids": list(terms), "scope_id": scope_id})
        cursor.executemany(SQL["put_words"], rows)
