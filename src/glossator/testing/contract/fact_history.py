"""Which histories of facts are played on both stores, and what has to hold after each of their calls?"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from hypothesis import strategies as st

from glossator.model import (
    EXTRACTION_KINDS,
    FACT_STATES,
    RECALLABLE,
    Admit,
    Decision,
    Fact,
    FactAsk,
    FactFilter,
    FactPool,
    FactState,
    Hold,
    Merge,
    Message,
    Move,
    Passage,
    QueuedTurn,
    Refuse,
    Scope,
    Step,
    Supersede,
)
from glossator.ports import Store
from glossator.testing.contract.base import MODEL, NASTY
from glossator.testing.drafts import draft, new_fact, passage, ruling, turn

QUOTES = ("tea", "milk", "tea with milk", "coffee", *(text[:40].strip() for text in NASTY))
KEYS = ("", "", "home", "taste:tea", "100%_")
SUBJECTS = ("user", "Ed", "e%")
FACT_IDS = tuple(range(1, 9))

Play = Callable[[Store, datetime], object]


def day(number: int) -> datetime:
    """A day of January 2026."""
    return datetime(2026, 1, number, tzinfo=UTC)


def said_in(message: Message) -> Passage:
    """The message as a passage."""
    return Passage(
        text=message.content,
        role=message.role,
        speaker=message.speaker,
        said=message.said,
        message_id=message.message_id,
        external_id=message.external_id,
        conversation=message.conversation.key,
        session=message.session,
    )


def rule(scope: Scope, choices: dict[str, Any]) -> Play:
    """One ruling about a message that is there, or about words that only the caller has."""

    def play(store: Store, now: datetime) -> object:
        messages = store.messages(scope)
        told = messages[choices["message"] % len(messages)] if messages and choices["journal"] else None
        said = passage(choices["quote"], said=day(choices["day"]), conversation=choices["conversation"])
        said = said if told is None else said_in(told)
        whole = turn(said, scope=scope, source=choices["source"], project=choices["project"], tags=choices["tags"])
        given = draft(
            choices["quote"], key=choices["key"], value=choices["value"], subject=choices["subject"],
            end=min(choices["end"], len(said.text)), said=said.said.at, confidence=choices["confidence"],
        )  # fmt: skip
        new = new_fact(given, scope_type=choices["scope_type"], scope_id="telegram:42:root", valid_from=said.said.at)
        rows = store.claim(["extract"], now=now, lease_s=60, limit=1) if choices["settles"] else ()
        decision = _decision(store, scope, new, choices)
        return store.commit(ruling(whole, decision, settles=rows), now=now)

    return play


def _decision(store: Store, scope: Scope, new: Any, choices: dict[str, Any]) -> Decision:
    olds = store.facts(scope, FactFilter(states=choices["old_states"], order="fact_id"))
    old = olds[choices["old"] % len(olds)] if olds else None
    reason = choices["reason"]
    match choices["decision"]:
        case "merge" if old is not None:
            return Merge(draft=new.draft, fact=old, confidence=choices["confidence"], reason=reason)
        case "supersede" if old is not None:
            return Supersede(new=new, olds=(old,), closed_at=day(choices["day"]), reason=reason)
        case "hold":
            return Hold(new=new, reason=reason)
        case "refuse":
            return Refuse(draft=new.draft, reason=reason)
        case _:
            return Admit(new=new, reason=reason)


def move(scope: Scope, place: int, to_state: FactState, reason: str) -> Play:
    """One fact to another state."""

    def play(store: Store, now: datetime) -> object:
        found = store.facts(scope, FactFilter(states=FACT_STATES, order="fact_id"))
        if not found:
            return None
        fact = found[place % len(found)]
        asked = Move(fact_id=fact.fact_id, version=fact.version, to_state=to_state, by="operator", reason=reason)
        return store.move_facts(scope, [asked], now=now)

    return play


def comparable(pool: FactPool) -> object:
    """What two stores have to agree on; vectors may be rounded."""
    return (
        [
            (each.fact, each.terms, None if each.similarity is None else round(each.similarity, 2), each.length)
            for each in pool.matches
        ],
        pool.fact_count,
        dict(pool.term_counts),
    )


def search(scope: Scope, asked: FactFilter, terms: list[str], vector: list[int] | None) -> Play:
    """A search and a listing with the same filter."""
    query = None if vector is None else np.array(vector, np.float32)
    ask = FactAsk(scope=scope, filters=asked, terms=tuple(terms), vector=query, model=MODEL)
    return lambda store, _: (comparable(store.match_facts(ask)), store.facts(scope, asked))


def put_vectors(given: dict[int, list[int]]) -> Play:
    """Vectors for facts."""
    arrays = {fact_id: np.array(vector, np.float32) for fact_id, vector in given.items()}
    return lambda store, _: store.put_fact_vectors(MODEL, arrays, texts=dict.fromkeys(given, "text"))


def push(scope: Scope, quote: str, conversation: str | None) -> Play:
    """A turn to the queue."""
    queued = QueuedTurn(kind="pre_compress", turn=turn(passage(quote, conversation=conversation), scope=scope))
    return lambda store, now: store.push(queued, capacity=3, now=now)


def extract(limit: int, outcome: str) -> Play:
    """Claim turns, and settle them, fail them or forget about them."""

    def play(store: Store, now: datetime) -> object:
        rows = store.claim(EXTRACTION_KINDS, now=now, lease_s=60, limit=limit)
        turns = store.turns(rows)
        if outcome == "settle":
            store.settle(rows)
        elif outcome != "leave":
            store.fail(rows, reason="x", retry_at=None if outcome == "park" else now + timedelta(seconds=90))
        return rows, turns

    return play


def keep_steps(scope: Scope, run_id: str, number: int, thought: str) -> Play:
    """A step, found by its first word."""
    kept = Step(run_id=run_id, number=number, thought=thought, observation="seen tea")

    def play(store: Store, now: datetime) -> object:
        store.put_steps(scope, [kept], now=now)
        return [(each.step, round(each.score, 9)) for each in store.search_steps(scope, ("tea", "milk"))]

    return play


vectors = st.lists(st.integers(-3, 3), min_size=2, max_size=2)
conversations = st.sampled_from((None, "telegram:42:root", "telegram:42:side"))
choices = st.fixed_dictionaries(
    {
        "message": st.integers(0, 5),
        "journal": st.booleans(),
        "quote": st.sampled_from(QUOTES),
        "end": st.integers(0, 9),
        "day": st.integers(1, 6),
        "conversation": conversations,
        "source": st.sampled_from(("turn", "explicit", "pre_compress")),
        "project": st.sampled_from((None, "p")),
        "tags": st.sampled_from(((), ("a",), ("a", "b%"))),
        "key": st.sampled_from(KEYS),
        "value": st.sampled_from(("", "tea", "Oslo")),
        "subject": st.sampled_from(SUBJECTS),
        "confidence": st.sampled_from((0.5, 0.8, 1.0)),
        "scope_type": st.sampled_from(("owner", "owner", "conversation")),
        "settles": st.booleans(),
        "decision": st.sampled_from(("admit", "admit", "admit", "merge", "supersede", "hold", "refuse")),
        "old": st.integers(0, 5),
        "old_states": st.sampled_from((RECALLABLE, RECALLABLE, FACT_STATES)),
        "reason": st.sampled_from(("new", "said again", "corrected: not Oslo", "not tea")),
    }
)
filters = st.builds(
    FactFilter,
    states=st.sampled_from((RECALLABLE, FACT_STATES, ("active", "superseded"), ("active",))),
    fact_ids=st.one_of(st.none(), st.none(), st.lists(st.sampled_from(FACT_IDS), max_size=4).map(tuple)),
    keys=st.sampled_from(((), (), (("user", "home"), ("Ed", "100%_")))),
    values=st.sampled_from(((), (), ("Oslo",))),
    as_of=st.one_of(st.none(), st.integers(1, 6).map(day)),
    project=st.sampled_from((None, None, "p")),
    tags=st.sampled_from(((), (), ("a",), ("b%", "a"))),
    order=st.sampled_from(("last_seen", "fact_id")),
    after_id=st.sampled_from((0, 0, 2)),
    limit=st.sampled_from((100, 2)),
)


def plays(scopes: st.SearchStrategy[Scope], terms: tuple[str, ...]) -> st.SearchStrategy[tuple[str, Play]]:
    """A call on facts, with words for the report of a failure; rulings most often."""
    rules = st.tuples(scopes, choices).map(lambda given: (f"rule{given}", rule(*given)))
    moves = st.tuples(
        scopes, st.integers(0, 7), st.sampled_from(FACT_STATES), st.sampled_from(("tidied", "no more tea"))
    )
    searches = st.tuples(scopes, filters, st.lists(st.sampled_from(terms), max_size=3), st.one_of(st.none(), vectors))
    puts = st.dictionaries(st.sampled_from(FACT_IDS), vectors, max_size=4)
    kept = st.tuples(scopes, st.sampled_from(("r1", "r2")), st.integers(1, 3), st.sampled_from(QUOTES))
    others = (
        moves.map(lambda given: (f"move{given}", move(*given))),
        moves.map(lambda given: (f"move{given}", move(*given))),
        searches.map(lambda given: (f"search{given}", search(*given))),
        puts.map(lambda given: (f"put_fact_vectors({given})", put_vectors(given))),
        st.tuples(scopes, st.sampled_from(QUOTES), conversations).map(lambda given: (f"push{given}", push(*given))),
        st.tuples(st.integers(0, 3), st.sampled_from(("settle", "retry", "park", "leave"))).map(
            lambda given: (f"extract{given}", extract(*given))
        ),
        kept.map(lambda given: (f"keep_steps{given}", keep_steps(*given))),
    )
    return st.sampled_from((rules, rules, rules, st.one_of(*others))).flatmap(lambda kind: kind)


def book(store: Store, scope: Scope) -> object:
    """Everything about facts that can be read in a scope."""
    facts = store.facts(scope, FactFilter(states=FACT_STATES, order="fact_id"))
    ids = [fact.fact_id for fact in facts]
    messages = store.messages(scope.whole)
    ask = FactAsk(
        scope=scope, filters=FactFilter(states=FACT_STATES), terms=("tea", "milk"), vector=np.array([1, 2], np.float32),
        model=MODEL,
    )  # fmt: skip
    return (
        facts,
        store.facts(scope, FactFilter()),
        [store.facts(scope, FactFilter(states=(*RECALLABLE, "superseded"), as_of=day(number))) for number in (2, 4)],
        comparable(store.match_facts(ask)),
        store.evidence(scope, fact_ids=ids),
        store.decisions(scope),
        store.changes(scope, ids),
        store.learning(scope, [message.message_id for message in messages]),
        [store.steps(scope, run_id) for run_id in ("r1", "r2")],
        store.facts_to_embed(ids),
    )


def check_invariants(store: Store, scope: Scope, before: dict[int, Fact]) -> dict[int, Fact]:
    """What holds whatever was done; the facts as they are, to be compared with after the next call."""
    facts = {fact.fact_id: fact for fact in store.facts(scope, FactFilter(states=FACT_STATES, limit=1000))}
    live = [fact for fact in facts.values() if fact.state in RECALLABLE]
    places = [(fact.scope_type, fact.scope_id, fact.content_hash) for fact in live]
    keyed = [(fact.scope_type, fact.scope_id, fact.subject, fact.key) for fact in live if fact.key]
    assert len(set(places)) == len(places), "two facts say the same"
    assert len(set(keyed)) == len(keyed), "two facts answer one question"
    evidence = {each.fact_id for each in store.evidence(scope, fact_ids=list(facts))}
    assert evidence == {fact.fact_id for fact in facts.values() if fact.state != "erased"}, "a fact rests on nothing"
    assert {fact.fact_id for fact in store.facts(scope, FactFilter(limit=1000))} == {fact.fact_id for fact in live}
    for fact in facts.values():
        _check_chain(fact, facts)
        if fact.state == "erased":
            assert (fact.text, fact.key, fact.value, fact.subject, fact.content_hash) == ("", "", "", "", "")
    for fact_id, old in before.items():
        new = facts[fact_id]
        assert (new.created_at, new.scope_type) == (old.created_at, old.scope_type)
        assert new.last_seen_at >= old.last_seen_at
        assert new.version >= old.version
        assert new.event == old.event or new.state == "erased"
    return facts


def _check_chain(fact: Fact, facts: dict[int, Fact]) -> None:
    children = [each for each in facts.values() if each.parent_id == fact.fact_id]
    assert len(children) <= 1, "a chain forks"
    assert fact.state not in RECALLABLE or fact.superseded_by is None
    seen = {fact.fact_id}
    while fact.superseded_by is not None:
        fact = facts[fact.superseded_by]
        assert fact.fact_id not in seen, "a chain runs in a circle"
        seen.add(fact.fact_id)
