"""Are the figures right? Scorers against values worked out by hand."""

import math

import numpy as np
import pytest

from glossator.errors import UsageError
from glossator.evaluate import scorers

RANKING = ("a", "b", "c", "d", "e")


def test_turn_recall_is_the_share_of_evidence_among_the_first_k() -> None:
    assert scorers.recall_at(RANKING, ("b", "d", "z"), 2) == pytest.approx(1 / 3)
    assert scorers.recall_at(RANKING, ("b", "d", "z"), 4) == pytest.approx(2 / 3)


def test_a_hit_that_shows_a_turn_pair_counts_as_two_turns() -> None:
    turns = scorers.laid_out([("q1", "a1"), ("q2",), ("q3", "a3")])

    assert turns == ("q1", "a1", "q2", "q3", "a3")
    assert scorers.recall_at(turns, ("q3",), 3) == 0.0
    assert scorers.recall_at(turns, ("q3",), 4) == 1.0


def test_a_turn_found_twice_takes_one_place_only() -> None:
    repeated = ("a", "a", "a", "b")

    assert scorers.laid_out([("a",), ("a", "b"), ("b",)]) == ("a", "b")
    assert scorers.recall_at(repeated, ("b",), 2) == 1.0
    assert scorers.reciprocal_rank(repeated, ("b",)) == 0.5
    assert scorers.ndcg_at(repeated, ("b",), 10) == pytest.approx(1 / math.log2(3))


def test_gold_given_twice_counts_once() -> None:
    assert scorers.recall_at(RANKING, ("a", "a", "z"), 5) == 0.5


def test_k_may_be_larger_than_the_ranking() -> None:
    assert scorers.recall_at(RANKING, ("e", "z"), 50) == 0.5
    assert scorers.recall_all_at(RANKING, ("a", "e"), 50) == 1.0
    assert scorers.ndcg_at((), ("a",), 10) == 0.0


def test_any_and_all_differ_where_a_part_of_the_evidence_is_missing() -> None:
    # proves: D49
    gold = ("a", "e")

    assert (scorers.recall_any_at(RANKING, gold, 3), scorers.recall_all_at(RANKING, gold, 3)) == (1.0, 0.0)
    assert (scorers.recall_any_at(RANKING, gold, 5), scorers.recall_all_at(RANKING, gold, 5)) == (1.0, 1.0)
    assert (scorers.recall_any_at(RANKING, ("z",), 5), scorers.recall_all_at(RANKING, ("z",), 5)) == (0.0, 0.0)


def test_all_cannot_be_reached_with_more_evidence_than_k() -> None:
    assert scorers.recall_all_at(RANKING, ("a", "b", "c"), 2) == 0.0


def test_reciprocal_rank_is_of_the_first_evidence_and_zero_without() -> None:
    assert scorers.reciprocal_rank(RANKING, ("c", "e")) == pytest.approx(1 / 3)
    assert scorers.reciprocal_rank(RANKING, ("z",)) == 0.0


def test_ndcg_discounts_by_rank_and_is_one_for_the_best_order() -> None:
    found = scorers.ndcg_at(("x", "a", "y", "b"), ("a", "b"), 10)

    assert found == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3)))
    assert scorers.ndcg_at(("a", "b", "x"), ("a", "b"), 10) == 1.0
    assert scorers.ndcg_at(("x", "y", "a"), ("a",), 2) == 0.0


def test_ndcg_with_more_evidence_than_places_can_still_be_one() -> None:
    assert scorers.ndcg_at(("a", "b"), ("a", "b", "c"), 2) == 1.0


def test_the_published_ndcg_does_not_discount_the_second_rank() -> None:
    assert scorers.ndcg_any_at(("x", "a"), ("a",), 10) == 1.0
    assert scorers.ndcg_any_at(("x", "y", "a"), ("a",), 10) == pytest.approx(1 / math.log2(3))
    assert scorers.ndcg_any_at(("a",), ("a",), 1) == 1.0


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        (("new", "old"), 1.0),
        (("x", "new", "old"), 1.0),
        (("old", "new"), 0.0),
        (("new",), 1.0),
        (("old",), 0.0),
        (("x",), 0.0),
        ((), 0.0),
    ],
)
def test_newest_first_looks_at_the_evidence_sessions_only_and_missing_is_a_miss(
    ranking: tuple[str, ...], expected: float
) -> None:
    assert scorers.newest_first(ranking, ("old", "new"), "new") == expected


@pytest.mark.parametrize(
    "scorer", [scorers.recall_at, scorers.hit_at, scorers.recall_all_at, scorers.ndcg_at, scorers.ndcg_any_at]
)
def test_a_question_without_evidence_is_refused_not_scored(scorer) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError, match="gold"):
        scorer(RANKING, (), 5)
    with pytest.raises(UsageError, match="k"):
        scorer(RANKING, ("a",), 0)


def test_a_turn_is_shown_where_the_block_holds_its_text_whatever_the_line_ends() -> None:
    block = "[2023-05-20]\nAnn:  I moved\n to Leith.\n"

    assert scorers.shown_share("I moved to\nLeith.", block, ["I moved to Leith."]) == 1.0
    assert scorers.shown_share("I moved out.", block, []) == 0.0
    assert scorers.shown_share("   ", block, []) == 0.0


def test_a_turn_that_was_cut_is_shown_as_far_as_it_goes() -> None:
    turn = "0123456789 abcdefghi"

    assert scorers.shown_share(turn, "Ann: 0123456789 abcdef…", [turn]) == pytest.approx(17 / 20)
    assert scorers.shown_share(turn, "Ann: 0123456789 ab…", [turn]) == pytest.approx(13 / 20)
    assert scorers.shown_share(turn, "Ann: 0123…", [turn]) == 0.0


def test_the_pieces_of_a_long_turn_add_up() -> None:
    turn = "first half of it and the second half of it"
    pieces = ["first half of it", "and the second half of it"]

    assert scorers.shown_share(turn, "B: and the second half of it", pieces) == pytest.approx(25 / 42)
    assert scorers.shown_share(turn, "first half of it … and the second half of it", pieces) == 1.0


def test_the_interval_holds_the_mean_and_is_the_same_for_the_same_seed() -> None:
    values = np.array([[1.0, 0.5], [0.0, 0.5], [1.0, 0.5], [1.0, 0.5]])

    mean, low, high = scorers.mean_interval(values, seed=3)
    again = scorers.mean_interval(values, seed=3)

    assert mean.tolist() == [0.75, 0.5]
    assert (low[0], high[0]) == (0.25, 1.0)
    assert (low[1], high[1]) == (0.5, 0.5)
    assert all(np.array_equal(one, two) for one, two in zip((mean, low, high), again, strict=True))


def test_the_interval_of_a_fair_coin_over_400_questions_is_about_ten_points_wide() -> None:
    values = np.array([[0.0], [1.0]] * 200)

    _, low, high = scorers.mean_interval(values, seed=0)

    assert high[0] - low[0] == pytest.approx(2 * 1.96 * 0.5 / 20, abs=0.012)


def test_no_interval_without_a_question() -> None:
    with pytest.raises(UsageError, match="values"):
        scorers.mean_interval(np.zeros((0, 1)), seed=0)
