"""Does a search bring all that it should, in the order that a Pool promises, and nothing else?"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from glossator.errors import UsageError
from glossator.model import NAMESPACES, ROLES
from glossator.ports import Store
from glossator.testing.contract.base import MODEL, Contract, embed, found, record, survey
from glossator.testing.drafts import SCOPE, chunk, entry


def day(number: int) -> datetime:
    """A day of January 2026."""
    return datetime(2026, 1, number, tzinfo=UTC)


class IndexContract(Contract):
    """Index."""

    def test_a_pool_lies_by_session_position_and_index(self, store: Store) -> None:
        # given two sessions that took turns, and a message of two chunks given in the wrong order
        two = (chunk("tea", index=1, start=5), chunk("milk", index=0))
        record(store, entry("a1", "milk tea", chunks=two), entry("b1", "tea", session="s2", speaker="Bob"))
        record(store, entry("a2", "no tea", role="assistant", marks=5, weight=0.25))
        # when everything is surveyed
        pool = survey(store, "tea", "milk", "wine")
        # then rows lie by session in order of first message, then position, then index
        chunks = store.chunks(SCOPE, pool.chunk_id.tolist())
        assert [(each.external_id, each.index) for each in chunks] == [("a1", 0), ("a1", 1), ("a2", 0), ("b1", 0)]
        assert pool.session.tolist() == [0, 0, 0, 1]
        assert pool.position.tolist() == [0, 0, 1, 0]
        assert [pool.speakers[code] for code in pool.speaker] == ["ann", "ann", "ann", "bob"]
        assert [ROLES[code] for code in pool.role] == ["user", "user", "assistant", "user"]
        assert pool.marks.tolist() == [0, 0, 5, 0]
        assert pool.weight.tolist() == [1, 1, 0.25, 1]
        assert pool.length.tolist() == [1, 1, 2, 1]
        assert {term: rows.tolist() for term, rows in pool.postings.items()} == {
            "tea": [1, 2, 3], "milk": [0], "wine": [],
        }  # fmt: skip
        assert (pool.chunk_count, pool.term_counts, pool.length_mean) == (4, {"tea": 3, "milk": 1, "wine": 0}, 1.25)
        assert pool.similarity is None
        assert pool.vectors is None

    def test_times_are_epoch_seconds_and_open_ends_are_nan(self, store: Store) -> None:
        said = datetime(1969, 12, 31, 23, 59, 59, 250_001, tzinfo=UTC)
        record(store, entry("m1", "x", said=said, event=(None, day(2)), source="own"))
        pool = survey(store)
        assert pool.said_at.tolist() == [said.timestamp()]
        assert np.isnan(pool.event_start[0])
        assert (pool.event_end.tolist(), pool.own_date.tolist()) == ([day(2).timestamp()], [True])

    def test_a_search_sees_what_was_acknowledged_before_it(self, store: Store) -> None:
        for number in range(4):
            record(store, entry(f"m{number}", "tea", session=f"s{number % 2}"))
            assert len(found(store, "tea")) == number + 1

    def test_words_that_only_the_speaker_has_are_not_the_texts(self, store: Store) -> None:
        record(store, entry("m1", "tea", speaker="Melanie"))
        assert found(store, "melani") == []

    @pytest.mark.parametrize(
        ("filters", "kept"),
        [
            ({}, ["m1", "m2", "m3", "m4"]),
            ({"project": "atlas"}, ["m2"]),
            ({"project": "nowhere"}, []),
            ({"tags": ("a",)}, ["m2", "m3"]),
            ({"tags": ("a", "b")}, ["m3"]),
            ({"tags": ("a", "zz")}, []),
            ({"namespaces": ("knowledge",)}, ["m4"]),
            ({"namespaces": ()}, []),
            ({"since": day(3)}, ["m3", "m4"]),
            ({"until": day(3)}, ["m1", "m2", "m4"]),
            ({"since": day(2), "until": day(3)}, ["m2", "m4"]),
            ({"since": day(3), "until": day(3)}, ["m4"]),
            ({"said_since": day(12)}, ["m2", "m3", "m4"]),
            ({"said_until": day(12)}, ["m1"]),
            ({"as_of": day(12)}, ["m1", "m2"]),
            ({"said_since": day(12), "project": "atlas", "tags": ("a",)}, ["m2"]),
        ],
        ids=str,
    )
    def test_what_fails_a_filter_is_not_brought(self, store: Store, filters: dict[str, Any], kept: list[str]) -> None:
        # proves: O24, O25
        def event(number: int) -> tuple[datetime, datetime]:
            return day(number), day(number + 1)

        record(
            store,
            entry("m1", "tea", said=day(11), event=event(1)),
            entry("m2", "tea", said=day(12), event=event(2), project="atlas", tags=("a",), speaker="Bob"),
            entry("m3", "tea", said=day(13), event=event(3), project="other", tags=("b", "a"), session="s2"),
            entry("m4", "tea", said=day(14), event=(None, None), namespace="knowledge", session="s2"),
        )
        assert found(store, "tea", **filters) == kept
        pool = survey(store, "tea", **filters)
        assert (len(pool), pool.chunk_count, pool.term_counts) == (len(kept), len(kept), {"tea": len(kept)})
        assert pool.session.tolist() == sorted(pool.session.tolist())
        assert set(pool.speakers) == {("bob" if each == "m2" else "ann") for each in kept}

    def test_an_instant_is_inside_the_window_that_begins_with_it(self, store: Store) -> None:
        record(store, entry("m1", "tea", event=(day(3), day(3))))
        assert found(store, "tea", since=day(3), until=day(4)) == ["m1"]
        assert found(store, "tea", since=day(2), until=day(3)) == []

    def test_a_rare_tag_is_found_whole_among_many_rows(self, store: Store) -> None:
        # proves: K24
        record(store, *(entry(f"m{n}", "tea", tags=("rare",) if n % 4 == 0 else ()) for n in range(200)))
        assert len(found(store, "tea", tags=("rare",))) == 50

    def test_a_thousand_hits_of_another_project_starve_nobody(self, store: Store) -> None:
        # proves: O25
        record(store, *(entry(f"m{n}", "tea tea tea", project="other") for n in range(1000)))
        record(store, entry("mine", "some tea", project="atlas"))
        assert found(store, "tea", project="atlas") == ["mine"]

    def test_each_namespace_is_brought_whole(self, store: Store) -> None:
        # proves: O3
        record(store, *(entry(f"f{n}", "leather strap", namespace="knowledge") for n in range(30)))
        record(store, entry("v1", "the leather strap it is", namespace="episodic"))
        pool = survey(store, "leather")
        rows = pool.postings["leather"]
        assert sorted({NAMESPACES[code] for code in pool.namespace[rows]}) == ["episodic", "knowledge"]
        assert found(store, "leather", namespaces=("episodic",)) == ["v1"]

    def test_similarity_is_the_cosine_and_nan_without_a_vector(self, store: Store) -> None:
        recorded = record(store, *(entry(f"m{n}", "x") for n in range(3)))
        ids = [each.chunk_ids[0] for each in recorded]
        assert embed(store, {ids[0]: [3, 4], ids[2]: [0, -2], 999: [1, 1]}) == 2
        pool = survey(store, vector=np.array([0, 9], np.float32))
        assert pool.similarity is not None
        assert pool.vectors is not None
        assert pool.similarity[[0, 2]].tolist() == pytest.approx([0.8, -1], abs=1e-3)
        assert np.isnan(pool.similarity[1])
        assert pool.vectors.tolist() == [pytest.approx([0.6, 0.8], abs=1e-3), [0, 0], [0, -1]]

    def test_a_vector_put_again_replaces_the_first(self, store: Store) -> None:
        (recorded,) = record(store, entry("m1", "x"))
        (chunk_id,) = recorded.chunk_ids
        for vector in ([1.0, 0.0], [0.0, 1.0]):
            embed(store, {chunk_id: vector})
            pool = survey(store, vector=np.array(vector, np.float32))
            assert pool.similarity is not None
            assert pool.similarity.tolist() == pytest.approx([1])
        assert store.status().vector_count == 1

    def test_vectors_arrive_after_searches_and_are_seen_by_the_next(self, store: Store) -> None:
        query = np.array([1, 0], np.float32)
        for number in range(4):
            (recorded,) = record(store, entry(f"m{number}", "x", session=f"s{number % 2}"))
            before = survey(store, vector=query).similarity
            embed(store, {recorded.chunk_ids[0]: [1, 0]})
            after = survey(store, vector=query).similarity
            assert before is not None
            assert after is not None
            assert (np.isnan(before).sum(), np.isnan(after).sum()) == (1, 0)

    def test_models_are_never_mixed_also_at_equal_width(self, store: Store) -> None:
        (recorded,) = record(store, entry("m1", "x"))
        embed(store, {recorded.chunk_ids[0]: [1, 0]}, "old")
        for model, known in (("old", True), ("new", False), ("old", True)):
            pool = survey(store, vector=np.array([1, 0], np.float32), model=model)
            assert pool.similarity is not None
            assert bool(np.isnan(pool.similarity[0])) is not known
        assert store.unembedded("new", limit=9) == recorded.chunk_ids
        assert store.unembedded("old", limit=9) == ()

    def test_a_query_of_another_width_finds_no_vector(self, store: Store) -> None:
        (recorded,) = record(store, entry("m1", "x"))
        embed(store, {recorded.chunk_ids[0]: [1, 0]})
        pool = survey(store, vector=np.array([1, 0, 0], np.float32))
        assert pool.similarity is not None
        assert pool.vectors is not None
        assert np.isnan(pool.similarity[0])
        assert pool.vectors.tolist() == [[0, 0, 0]]

    def test_signs_lie_beside_the_vectors_of_their_model_and_only_the_scope_sees_them(self, store: Store) -> None:
        # given two chunks with vectors of which one has signs
        recorded = record(store, entry("m1", "tea"), entry("m2", "jam"))
        first, second = (each.chunk_ids[0] for each in recorded)
        rows = np.array([[1, 2], [3, 4], [5, 6]], np.uint8)
        vector = np.ones(16, np.float32)
        texts = {first: "tea", second: "jam"}
        store.put_vectors(MODEL, {first: vector, second: vector}, texts=texts, signs={first: rows})
        # then they come back as given, for this model and this scope alone
        assert {key: value.tolist() for key, value in store.signs(SCOPE, MODEL, [first, second, 99]).items()} == {
            first: rows.tolist()
        }
        assert store.signs(SCOPE, "another", [first]) == {}
        assert store.signs(replace(SCOPE, owner="somebody else"), MODEL, [first]) == {}
        # and go when their vector is put anew without them
        store.put_vectors(MODEL, {first: vector}, texts=texts)
        assert store.signs(SCOPE, MODEL, [first]) == {}

    def test_the_vectors_of_other_models_are_dropped_on_request(self, store: Store) -> None:
        (recorded,) = record(store, entry("m1", "x"))
        embed(store, {recorded.chunk_ids[0]: [1, 0]}, "old")
        embed(store, {recorded.chunk_ids[0]: [1, 0]}, "new")
        survey(store, vector=np.array([1, 0], np.float32), model="old")
        assert store.drop_vectors(keep_model="new") == 1
        pool = survey(store, vector=np.array([1, 0], np.float32), model="old")
        assert pool.similarity is not None
        assert np.isnan(pool.similarity[0])
        assert store.unembedded("new", limit=9) == ()

    @pytest.mark.parametrize("vector", [[float("nan"), 1], [float("inf"), 1], []], ids=str)
    def test_a_broken_vector_is_refused_and_nothing_is_kept(self, store: Store, vector: list[float]) -> None:
        first, second = (each.chunk_ids[0] for each in record(store, entry("m1", "x"), entry("m2", "x")))
        with pytest.raises(UsageError, match="vectors"):
            embed(store, {first: [1, 0], second: vector})
        assert store.unembedded(MODEL, limit=9) == (first, second)

    def test_the_oldest_chunks_without_a_vector_come_first(self, store: Store) -> None:
        ids = [each.chunk_ids[0] for each in record(store, *(entry(f"m{n}", "x") for n in range(4)))]
        embed(store, {ids[1]: [1, 0]})
        assert store.unembedded(MODEL, limit=2) == (ids[0], ids[2])

    def test_chunks_come_in_the_order_asked(self, store: Store) -> None:
        ids = [each.chunk_ids[0] for each in record(store, *(entry(f"m{n}", f"t{n}") for n in range(3)))]
        asked = [ids[2], 10**9, ids[0], ids[2]]
        assert [each.text for each in store.chunks(SCOPE, asked)] == ["t2", "t0", "t2"]

    def test_a_pool_stays_as_it_is_when_more_is_written(self, store: Store) -> None:
        record(store, entry("m1", "tea"), entry("m2", "tea", session="s2"))
        pool = survey(store, "tea")
        before = (pool.chunk_id.tolist(), pool.said_at.tolist(), pool.postings["tea"].tolist())
        record(store, *(entry(f"n{n}", "tea", said=day(1) + timedelta(hours=n)) for n in range(50)))
        survey(store, "tea")
        assert before == (pool.chunk_id.tolist(), pool.said_at.tolist(), pool.postings["tea"].tolist())
