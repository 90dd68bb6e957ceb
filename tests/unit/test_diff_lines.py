"""A unified diff as lines with their numbers: what was put in, what was taken out."""

import difflib

from hypothesis import given
from hypothesis import strategies as st

from glossator.surfaces.web.diffs import DiffLine, diff_lines

TEXTS = st.lists(st.sampled_from(["a", "b", "-c", "+d", " e", "@@ -1 +1 @@", "\\ no", "é\u2028f", ""]), max_size=12)


def unified(first: list[str], second: list[str]) -> str:
    one, other = [f"{line}\n" for line in first], [f"{line}\n" for line in second]
    return "".join(difflib.unified_diff(one, other, fromfile="one", tofile="other"))


def test_lines_have_their_signs_and_their_numbers_in_both_texts() -> None:
    assert diff_lines(unified(["a", "b"], ["a", "c", "d"])) == (
        DiffLine(kind="place", sign="", words="from line 1"),
        DiffLine(kind="same", sign="", words="a", before=1, after=1),
        DiffLine(kind="removed", sign="-", words="b", before=2),
        DiffLine(kind="added", sign="+", words="c", after=2),
        DiffLine(kind="added", sign="+", words="d", after=3),
    )


def test_two_texts_that_say_the_same_have_none() -> None:
    assert diff_lines("") == ()


def test_a_text_without_an_end_of_line_is_noted() -> None:
    lines = diff_lines("--- one\n+++ other\n@@ -1 +1 @@\n-a\n\\ no end of line\n+a\n")
    assert [(each.kind, each.words) for each in lines[1:]] == [
        ("removed", "a"), ("note", "no end of line"), ("added", "a"),
    ]  # fmt: skip


@given(TEXTS, TEXTS)
def test_what_is_added_and_removed_is_what_the_texts_say_there(first: list[str], second: list[str]) -> None:
    for line in diff_lines(unified(first, second)):
        if line.before is not None:
            assert line.words == first[line.before - 1]
        if line.after is not None:
            assert line.words == second[line.after - 1]
