"""Does a store do what the reference model does, whatever happens to it, and fail in the same way?

Hypothesis draws histories of calls; each call is made on both, and what comes back, values or kinds of error, and in
the end everything that can be read, has to be the same.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.errors import GlossatorError
from glossator.model import WORK_KINDS, Ask, Conversation, Fact, Filters, ForgetTarget, Pool, Scope
from glossator.ports import Store
from glossator.rules.tokens import index_terms
from glossator.testing.contract import fact_history
from glossator.testing.contract.base import MODEL, NASTY, NOW, Contract
from glossator.testing.drafts import SCOPE, batch, entry

SCOPES = (SCOPE, Scope(workspace="acme", agent="helper", owner="u2"))
CHATS = (Conversation.parse("telegram:42"), Conversation.parse("telegram:42:side"))
TEXTS = ("tea with milk", "milk", "coffee in the morning", "tea", *(text[:200] for text in NASTY))
MODELS = (MODEL, "other-model")
IDS = tuple(f"m{number}" for number in range(6))
SESSIONS = ("s1", "s2", "día %")
TERMS = tuple(dict.fromkeys(term for text in TEXTS for term in index_terms(text)))[:40]
CHUNK_IDS = tuple(range(1, 12))
WHOLE = Ask(scope=SCOPE, filters=Filters(), terms=TERMS[:6], vector=np.array([1, 2], np.float32), model=MODEL)
"""Asked after each call, so that what is in memory is brought up to date by delta again and again."""

Play = Callable[[Store, datetime], object]


@dataclass(frozen=True, slots=True)
class Step:
    """One call, with words for the report of a failure."""

    words: str
    play: Play

    def __repr__(self) -> str:
        return self.words


def day(number: int | None) -> datetime | None:
    """A day of January 2026, or an open end."""
    return None if number is None else datetime(2026, 1, number, tzinfo=UTC)


days = st.one_of(st.none(), st.integers(1, 6))
scopes = st.sampled_from(SCOPES)
narrowed = st.builds(
    lambda scope, chat: replace(scope, conversation=None if chat is None else chat.key),
    scopes,
    st.one_of(st.none(), st.sampled_from(CHATS)),
)
entries = st.builds(
    lambda external_id, text, session, said, event, extra, extract: replace(
        entry(external_id, text, session=session, said=datetime(2026, 1, said, tzinfo=UTC), event=event, **extra),
        extract=extract,
    ),
    st.sampled_from(IDS),
    st.sampled_from(TEXTS),
    st.sampled_from(SESSIONS),
    st.integers(1, 6),
    st.one_of(st.none(), st.tuples(days.map(day), days.map(day))),
    st.fixed_dictionaries(
        {"project": st.sampled_from((None, "p", "q")), "tags": st.sampled_from(((), ("a",), ("a", "b")))}
    ),
    st.booleans(),
)
filters = st.one_of(
    st.builds(Filters, since=days.map(day), until=days.map(day)),
    st.builds(Filters, said_since=days.map(day), said_until=days.map(day), as_of=days.map(day)),
    st.builds(
        Filters,
        project=st.sampled_from((None, None, "p")),
        tags=st.sampled_from(((), (), ("a",), ("b", "a"))),
        since=days.map(day),
        as_of=days.map(day),
    ),
)
vectors = st.lists(st.integers(-3, 3), min_size=2, max_size=2)
targets = st.builds(
    lambda scope, named: ForgetTarget(scope=scope, **named),
    narrowed,
    st.one_of(
        st.builds(lambda ids: {"message_ids": tuple(ids)}, st.lists(st.sampled_from(IDS), min_size=1, max_size=3)),
        st.builds(lambda session: {"session": session}, st.sampled_from(SESSIONS)),
        st.builds(lambda chat: {"conversation": chat.key}, st.sampled_from(CHATS)),
        st.just({"everything": True}),
        st.just({}),
    ),
)


def record_step(scope: Scope, chat: Conversation, given: list[Any]) -> Step:
    """Record a batch."""
    words = f"record({[each.message.external_id for each in given]}, {scope.owner}, {chat.key})"
    return Step(words, lambda store, now: store.append(batch(*given, scope=scope, conversation=chat), now=now))


def survey_step(scope: Scope, conditions: Filters, terms: list[str], vector: list[int] | None, model: str) -> Step:
    """Search."""
    query = None if vector is None else np.array(vector, np.float32)
    ask = Ask(scope=scope, filters=conditions, terms=tuple(terms), vector=query, model=model)
    return Step(f"survey({ask})", lambda store, _: comparable(store.survey(ask)))


def embed_step(model: str, given: dict[int, list[int]]) -> Step:
    """Put vectors."""
    arrays = {chunk_id: np.array(vector, np.float32) for chunk_id, vector in given.items()}
    texts = dict.fromkeys(given, "text")
    return Step(f"put_vectors({model}, {given})", lambda store, _: store.put_vectors(model, arrays, texts=texts))


def work_step(limit: int, outcome: str) -> Step:
    """Claim work, and settle it, fail it, give it up or forget about it."""

    def play(store: Store, now: datetime) -> object:
        rows = store.claim(WORK_KINDS, now=now, lease_s=60, limit=limit)
        if outcome == "settle":
            store.settle(rows)
        elif outcome != "leave":
            store.fail(rows, reason="x", retry_at=None if outcome == "park" else now + timedelta(seconds=90))
        return rows, store.work_of([chunk_id for row in rows for chunk_id in row.chunk_ids])

    return Step(f"claim({limit}) and {outcome}", play)


def forget_step(target: ForgetTarget) -> Step:
    """Preview and erase."""

    def play(store: Store, now: datetime) -> object:
        preview = store.preview(target)
        receipt = store.erase(target, confirm=preview.token, now=now)
        return replace(preview, token="", samples=()), replace(receipt, not_covered=())

    return Step(f"forget({target})", play)


records = st.builds(record_step, scopes, st.sampled_from(CHATS), st.lists(entries, min_size=1, max_size=5))
surveys = st.builds(
    survey_step, narrowed, filters, st.lists(st.sampled_from(TERMS), max_size=3), st.one_of(st.none(), vectors),
    st.sampled_from(MODELS),
)  # fmt: skip
others = st.one_of(
    st.builds(embed_step, st.sampled_from(MODELS), st.dictionaries(st.sampled_from(CHUNK_IDS), vectors, max_size=4)),
    st.builds(work_step, st.integers(0, 5), st.sampled_from(("settle", "retry", "park", "leave"))),
    st.builds(forget_step, targets),
    st.sampled_from(MODELS).map(
        lambda model: Step(f"drop but {model}", lambda store, _: store.drop_vectors(keep_model=model))
    ),
    st.just(Step("repair", lambda store, now: [store.examine(model=MODEL, repair=True, now=now), store.pending()][1])),
    st.lists(st.sampled_from(CHUNK_IDS), max_size=4).map(
        lambda ids: Step(f"enqueue({ids})", lambda store, now: store.enqueue(ids, now=now, fact_ids=ids))
    ),
)
histories = st.lists(
    st.sampled_from((records, records, others, surveys)).flatmap(lambda kind: kind), min_size=8, max_size=20
)
"""Half of the calls record (`one_of` would draw evenly from all branches): something must be there to be found."""
facts = fact_history.plays(narrowed, TERMS[:6]).map(lambda given: Step(*given))
fact_histories = st.lists(
    st.sampled_from((records, facts, facts, facts, others)).flatmap(lambda kind: kind), min_size=8, max_size=24
)
"""As above, with facts made of what was recorded."""


def comparable(pool: Pool) -> object:
    """What two stores have to agree on, in a form that can be compared; vectors may be rounded."""

    def numbers(values: Any) -> object:
        return None if values is None else np.round(np.nan_to_num(values, nan=-9), 2).tolist()

    arrays = {name: getattr(pool, name) for name in Pool.__dataclass_fields__}
    names = ("chunk_id", "message", "namespace", "session", "position", "role", "own_date", "length", "marks", "weight")
    return (
        [arrays[name].tolist() for name in names],
        [numbers(arrays[name]) for name in ("said_at", "event_start", "event_end", "similarity", "vectors")],
        [pool.speakers[code] for code in pool.speaker],
        sorted(pool.speakers),
        {term: rows.tolist() for term, rows in pool.postings.items()},
        (pool.chunk_count, dict(pool.term_counts), round(pool.length_mean, 9)),
    )


def outcome_of(step: Step, store: Store, now: datetime) -> object:
    """What came back, or the kind of error."""
    try:
        return step.play(store, now)
    except GlossatorError as error:
        return type(error)


def dump(store: Store) -> object:
    """Everything that can be read."""
    parts: list[object] = []
    for scope in SCOPES:
        query = np.array([1, 2], np.float32)
        ask = Ask(scope=scope, filters=Filters(), terms=TERMS, vector=query, model=MODEL)
        status = replace(store.status(scope), schema_version=0, file_bytes=0, model="")
        parts += [store.messages(scope), comparable(store.survey(ask)), store.chunks(scope, CHUNK_IDS), status]
    parts += [store.pending(), store.work_of(CHUNK_IDS), [store.unembedded(model, limit=99) for model in MODELS]]
    parts += [store.unembedded_facts(model, limit=99) for model in MODELS]
    for scope in SCOPES:
        parts += [fact_history.book(store, each) for each in (scope, replace(scope, conversation=CHATS[0].key))]
    return parts


class HistoryContract(Contract):
    """The comparison with the reference model."""

    history_count = 40
    """How many histories are played."""

    def test_any_history_of_facts_ends_as_in_the_reference_model(self) -> None:
        # proves: I3, I5, I7, I8
        @settings(
            max_examples=self.history_count,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(fact_histories)
        def play(history: list[Step]) -> None:
            with tempfile.TemporaryDirectory() as folder:
                store, reference = self.open_store(Path(folder)), self.open_reference()
                before: dict[Scope, dict[int, Fact]] = {scope: {} for scope in SCOPES}
                for number, step in enumerate(history):
                    now = NOW + timedelta(seconds=40 * number)
                    assert outcome_of(step, store, now) == outcome_of(step, reference, now), step
                    for scope in SCOPES:
                        before[scope] = fact_history.check_invariants(store, scope, before[scope])
                        assert fact_history.book(store, scope) == fact_history.book(reference, scope), step
                assert dump(store) == dump(reference)
                store.close()

        play()

    def test_any_history_ends_as_in_the_reference_model(self) -> None:
        @settings(
            max_examples=self.history_count,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(histories)
        def play(history: list[Step]) -> None:
            with tempfile.TemporaryDirectory() as folder:
                store, reference = self.open_store(Path(folder)), self.open_reference()
                for number, step in enumerate(history):
                    now = NOW + timedelta(seconds=40 * number)
                    assert outcome_of(step, store, now) == outcome_of(step, reference, now), step
                    assert comparable(store.survey(WHOLE)) == comparable(reference.survey(WHOLE)), step
                assert dump(store) == dump(reference)
                store.close()

        play()
