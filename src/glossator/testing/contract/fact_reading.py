"""Which facts come back, in which order, and what does a search among them bring?"""

from datetime import timedelta
from typing import Any

import numpy as np

from glossator.model import FACT_STATES, RECALLABLE, FactFilter, FactPool, FactState, Sensitivity
from glossator.ports import Store
from glossator.rules.tokens import index_terms
from glossator.testing.contract.base import MODEL, Contract, commit, fact, texts
from glossator.testing.contract.facts import day, matched, replaced
from glossator.testing.contract.ledger import moved
from glossator.testing.drafts import SAID, SCOPE, admitted


class FactReadingContract(Contract):
    """Facts: filters, order, search."""

    def test_the_latest_seen_come_first(self, store: Store) -> None:
        for number, said in enumerate((3, 1, 3, 2)):
            commit(store, admitted(f"fact {number}", said=day(said)))
        assert texts(store) == ["fact 2", "fact 0", "fact 3", "fact 1"]
        assert texts(store, limit=2) == ["fact 2", "fact 0"]
        assert texts(store, limit=0) == []
        assert texts(store, order="fact_id", limit=2) == ["fact 0", "fact 1"]
        assert texts(store, order="fact_id", after_id=2) == ["fact 2", "fact 3"]

    def test_every_condition_has_to_hold(self, store: Store) -> None:
        commit(
            store,
            admitted("a", project="p", tags=("x", "y"), key="k", value="1"),
            admitted("b", project="p", tags=("x",), category="goal", key="l", value="1"),
            admitted("c", project="q", tags=("y",), category="goal", key="m", value="2"),
        )
        wanted: dict[str, dict[str, Any]] = {
            "ab": {"project": "p"},
            "a": {"tags": ("y", "x")},
            "cb": {"categories": ("goal",)},
            "b": {"categories": ("goal",), "project": "p"},
            "c": {"fact_ids": (3, 9)},
            "ca": {"keys": (("user", "k"), ("user", "m"), ("Bob", "l"))},
            "ba": {"values": ("1",)},
            "": {"fact_ids": ()},
        }
        for names, conditions in wanted.items():
            assert sorted(texts(store, **conditions)) == sorted(names), conditions
        assert texts(store, hashes=(fact(store, 2).content_hash, "x"), project="p") == ["b"]
        assert texts(store, hashes=(fact(store, 2).content_hash,), values=("2",)) == []

    def test_the_past_is_read_as_of_a_moment(self, store: Store) -> None:
        commit(store, admitted("Paris", key="home", valid_from=day(2)))
        replaced(store, fact(store, 1), "Oslo", at=day(5))
        states = (*RECALLABLE, "superseded")
        expected = {1: [], 2: ["Paris"], 4: ["Paris"], 5: ["Oslo"], 30: ["Oslo"]}
        for number, there in expected.items():
            assert texts(store, states=states, as_of=day(number)) == there
            pool = matched(store, "pari", "oslo", filters=FactFilter(states=states, as_of=day(number)))
            assert [match.fact.text for match in pool.matches] == there
        assert texts(store, as_of=day(4)) == []

    def test_only_what_holds_is_found_if_nothing_else_is_asked(self, store: Store) -> None:
        # proves: I6
        states: tuple[FactState, ...] = (
            "deprioritised", "archived", "invalidated", "expired", "quarantined", "erased",
        )  # fmt: skip
        for number, state in enumerate(states):
            commit(store, admitted(f"tea {number}"))
            store.put_fact_vectors(MODEL, {number + 1: np.ones(2, np.float32)}, texts={number + 1: "tea"})
            moved(store, number + 1, state)
        assert texts(store) == ["tea 0"]
        query = np.ones(2, np.float32)
        assert [match.fact.text for match in matched(store, "tea", vector=query).matches] == ["tea 0"]
        pool = matched(store, "tea", vector=query, filters=FactFilter(states=FACT_STATES))
        assert [match.fact.fact_id for match in pool.matches] == [1, 2, 3, 4, 5]
        # and what comes back is found again
        moved(store, 2, "active")
        assert [match.fact.fact_id for match in matched(store, "tea").matches] == [1, 2]

    def test_a_search_says_what_matched_and_how_near_it_is(self, store: Store) -> None:
        commit(store, admitted("tea with milk"), admitted("milk"), admitted("bread"), admitted("beer"))
        store.put_fact_vectors(
            MODEL, {3: np.array([3, 0], np.float32), 4: np.array([0, 1], np.float32)}, texts={3: "bread", 4: "beer"}
        )
        pool = matched(store, "milk", "tea", "wine", "milk", vector=np.array([1, 0], np.float32))
        assert (pool.fact_count, dict(pool.term_counts)) == (4, {"milk": 2, "tea": 1, "wine": 0})
        assert [(match.fact.text, match.terms) for match in pool.matches] == [
            ("tea with milk", ("milk", "tea")), ("milk", ("milk",)), ("bread", ()), ("beer", ()),
        ]  # fmt: skip
        assert [match.similarity for match in pool.matches] == [None, None, 1.0, 0.0]
        assert [match.length for match in pool.matches] == [len(each) for each in _terms(pool)]
        narrow = matched(store, "milk", "tea", vector=np.array([1, 0], np.float32), candidates_max=1)
        assert [match.fact.text for match in narrow.matches] == ["tea with milk", "bread"]
        assert matched(store, "milk", candidates_max=1).matches[0].fact.text == "milk"  # of equals, the later one
        assert matched(store, "milk", model="other", vector=np.array([1, 0], np.float32)).matches[0].similarity is None

    def test_facts_of_other_projects_do_not_starve_a_filtered_search(self, store: Store) -> None:
        # proves: O25, O24
        vectors = {}
        for number in range(300):
            commit(store, admitted(f"tea tea {number}", project="other", said=SAID + timedelta(days=1)))
            vectors[number + 1] = np.array([1, 0], np.float32)
        commit(store, admitted("a pot of tea", project="mine", tags=("kitchen",)))
        vectors[301] = np.array([0.1, 1], np.float32)
        store.put_fact_vectors(MODEL, vectors, texts=dict.fromkeys(vectors, "tea"))
        query = np.array([1, 0], np.float32)
        narrow: tuple[dict[str, Any], ...] = ({"project": "mine"}, {"tags": ("kitchen",)})
        for conditions in narrow:
            asked = FactFilter(**conditions)
            pool = matched(store, "tea", vector=query, candidates_max=5, filters=asked)
            assert [(match.fact.text, match.fact.project) for match in pool.matches] == [("a pot of tea", "mine")]
            assert (pool.fact_count, pool.term_counts["tea"]) == (1, 1)
            assert texts(store, limit=5, **conditions) == ["a pot of tea"]

    def test_facts_that_are_too_sensitive_do_not_starve_a_filtered_search(self, store: Store) -> None:
        # proves: O25
        many: tuple[Sensitivity, ...] = ("restricted",) * 60
        levels: tuple[Sensitivity, ...] = (*many, "public", "internal", "confidential", *many)
        vectors = {}
        for number, level in enumerate(levels):
            given = admitted(f"tea {number}", said=SAID + timedelta(minutes=number), sensitivity=level)
            vectors[number + 1] = np.array([1, 0] if level == "restricted" else [0.1, 1], np.float32)
            commit(store, given)
        store.put_fact_vectors(MODEL, vectors, texts=dict.fromkeys(vectors, "tea"))
        query = np.array([1, 0], np.float32)
        asked: tuple[tuple[Sensitivity, ...], ...] = (
            ("public",),
            ("internal",),
            ("public", "internal", "confidential"),
        )
        for allowed in asked:
            rising = [f"tea {number}" for number, level in enumerate(levels) if level in allowed]
            for conditions in ({}, {"states": FACT_STATES}, {"fact_ids": tuple(vectors)}):
                assert texts(store, sensitivities=allowed, limit=5, **conditions) == rising[::-1]
            assert texts(store, sensitivities=allowed, limit=5, order="fact_id") == rising
            pool = matched(store, "tea", vector=query, candidates_max=5, filters=FactFilter(sensitivities=allowed))
            assert [match.fact.text for match in pool.matches] == rising
            assert pool.fact_count == pool.term_counts["tea"] == len(rising)

    def test_a_search_sees_what_was_committed_before_it(self, store: Store) -> None:
        for number in range(4):
            commit(store, admitted(f"tea {number}"))
            assert len(matched(store, "tea").matches) == number + 1
        store.put_fact_vectors(MODEL, {1: np.array([1, 0], np.float32)}, texts={1: "x"})
        assert matched(store, vector=np.array([1, 0], np.float32)).matches[0].similarity == 1
        store.put_fact_vectors(MODEL, {1: np.array([0, 1], np.float32)}, texts={1: "x"})
        assert matched(store, vector=np.array([1, 0], np.float32)).matches[0].similarity == 0
        store.drop_vectors(keep_model="other")
        assert matched(store, vector=np.array([1, 0], np.float32)).matches == ()
        assert store.unembedded_facts(MODEL, limit=2) == (1, 2)
        assert SCOPE.covers(fact(store, 1).scope)


def _terms(pool: FactPool) -> list[tuple[str, ...]]:
    return [index_terms(f"[2026-01-01] {match.fact.text}") for match in pool.matches]
