"""Does the offline extractor keep what was promised on the half of the labelled turns that nobody tuned on?"""

from pathlib import Path

import pytest

from glossator.evaluate.extraction import run_extract

LABELLED = Path(__file__).resolve().parents[2] / "bench" / "labelled"


@pytest.mark.parametrize(("half", "recall"), [("test", 0.6), ("dev", 0.85)])
def test_the_rules_are_right_when_they_speak_and_speak_often_enough(half: str, recall: float) -> None:
    # proves: A12, D42
    figures = run_extract(LABELLED, extractor="offline", half=half)["figures"]
    assert isinstance(figures, dict)
    assert figures["precision"]["share"] >= 0.95
    assert figures["recall"]["share"] >= recall
    assert figures["polarity_errors"] == 0
