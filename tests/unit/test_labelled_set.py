"""Is the labelled set what its README says? Valid, balanced, and without near-copies across its halves."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from glossator import UsageError
from glossator.evaluate.extraction.judging import judge
from glossator.evaluate.extraction.labelled import load_labelled
from glossator.evaluate.extraction.match import words_of
from glossator.evaluate.extraction.values import LabelledTurn, StoredFact
from glossator.model.fact import CATEGORIES, KINDS

FOLDER = Path(__file__).resolve().parents[2] / "bench" / "labelled"
FILES = {half: FOLDER / f"turns_{half}.jsonl" for half in ("dev", "test")}
NEGATIVES = (
    "question hypothesis request small_talk transient quoted code email recall_block assistant system tool "
    "others_taste sarcasm double_negation used_to whenever name_in_question role_play other_language"
).split()
POSITIVES = (
    "identity preference dislike allergy interest goal context directive exact_value hard_constraint decision_reason "
    "cross_task_dep implicit_pref dated_event change_of_mind no_longer correction third_person hearsay several"
).split()


@pytest.fixture(scope="module")
def halves() -> dict[str, tuple[LabelledTurn, ...]]:
    return {half: load_labelled([file]) for half, file in FILES.items()}


Halves = dict[str, tuple[LabelledTurn, ...]]


def test_both_halves_are_read_and_large_enough(halves: Halves) -> None:
    assert {turn.half for turn in halves["test"]} == {"test"}
    for turns in halves.values():
        negative = sum(turn.negative for turn in turns)

        assert len(turns) >= 160
        assert 0.35 <= negative / len(turns) <= 0.45


def test_every_sort_is_in_both_halves(halves: Halves) -> None:
    for turns in halves.values():
        sorts = Counter(turn.sort for turn in turns)

        assert [sort for sort in POSITIVES if sorts[sort] < 3] == []
        assert [sort for sort in NEGATIVES if sorts[f"negative:{sort}"] < 3] == []


def test_every_category_and_kind_is_wanted_somewhere_in_both_halves(halves: Halves) -> None:
    for turns in halves.values():
        labels = [label for turn in turns for label in turn.facts if not label.optional]

        assert {category for label in labels for category in label.categories} == set(CATEGORIES)
        assert {kind for label in labels for kind in label.kinds if kind} == set(KINDS)
        assert {label.polarity for label in labels} == {"positive", "negative", "any"}
        assert sum(label.event is not None for label in labels) >= 8


def test_the_ids_are_unique_over_both_halves() -> None:
    assert len(load_labelled(list(FILES.values()))) == sum(len(load_labelled([file])) for file in FILES.values())


def test_what_a_label_quotes_would_count_as_right(halves: Halves) -> None:
    """A label that its own words do not meet can be found by nobody; a bare reply gets its sense from before."""
    unmet = [
        turn.id
        for turns in halves.values()
        for turn in turns
        for label in turn.facts
        if turn.before is None
        and judge(
            turn, [StoredFact(text=label.quote, polarity=label.polarity, subject=label.subject)]
        ).count("right") != 1
    ]  # fmt: skip

    assert unmet == []


def test_no_turn_of_one_half_is_a_near_copy_of_one_in_the_other(halves: Halves) -> None:
    dev = [(turn.id, words_of(turn.text).content) for turn in halves["dev"]]
    copies = [
        (turn.id, name)
        for turn in halves["test"]
        for name, words in dev
        if min(len(words), len(content := words_of(turn.text).content)) >= 3
        and len(words & content) / len(words | content) > 0.5
    ]

    assert copies == []


def broken(change: Callable[[dict[str, object]], object], folder: Path) -> Path:
    row = json.loads(FILES["dev"].read_text(encoding="utf-8").splitlines()[0])
    change(row)
    path = folder / "turns.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda row: row.update(role="narrator"), "role"),
        (lambda row: row.update(said="2026-01-01T10:00:00"), "offset"),
        (lambda row: row.update(text="other words"), "quote"),
        (lambda row: row.update(sort="negative:question"), "not optional"),
        (lambda row: row.update(colour="red"), "unknown"),
        (lambda row: row["facts"][0].update(category="note"), "category"),
        (lambda row: row["facts"][0].update(kind="guess"), "kind"),
        (lambda row: row["facts"][0].update(must=[]), "must"),
        (lambda row: row.pop("facts"), "facts"),
    ],
)
def test_a_mistake_in_a_label_is_told_with_its_line(
    change: Callable[[dict[str, object]], object], told: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        load_labelled([broken(change, tmp_path)])

    assert caught.value.argument == "data"
    assert "turns.jsonl:1" in str(caught.value)
    assert told in str(caught.value)


def test_an_id_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    line = FILES["dev"].read_text(encoding="utf-8").splitlines()[0]
    path = tmp_path / "turns.jsonl"
    path.write_text(f"{line}\n{line}\n", encoding="utf-8")

    with pytest.raises(UsageError, match="twice"):
        load_labelled([path])
