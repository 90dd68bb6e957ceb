"""A pattern that is compiled when it is first asked behaves as one that was compiled before."""

import copy
import importlib
import pkgutil
import threading

import pytest
import regex

import glossator.retain
import glossator.rules
import glossator.upkeep.review
from glossator.rules.patterns import _Late, late


def test_a_late_pattern_answers_as_the_compiled_one() -> None:
    pattern = late(r"(?P<word>b\w+)", regex.IGNORECASE)

    assert [found["word"] for found in pattern.finditer("a Band, a boat")] == ["Band", "boat"]
    assert pattern.sub("x", "a Band") == "a x"
    assert pattern.pattern == r"(?P<word>b\w+)"


def test_a_form_that_is_wrong_is_told_when_it_is_first_asked() -> None:
    pattern = late(r"(")

    with pytest.raises(regex.error):
        pattern.search("a")


def test_a_late_pattern_that_was_never_asked_can_be_copied() -> None:
    assert copy.deepcopy(late("b+")).fullmatch("bbb")


def test_threads_that_ask_first_at_the_same_time_get_the_same_answer() -> None:
    pattern, found, together = late(r"\bb\w+"), [], threading.Barrier(8)

    def ask() -> None:
        together.wait()
        found.append(pattern.findall("boats and bands"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [["boats", "bands"]] * 8


def test_every_late_pattern_of_the_package_compiles() -> None:
    """Nothing else would tell of a wrong form before somebody's text needs it."""
    found = 0
    for package in (glossator.retain, glossator.rules, glossator.upkeep.review):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, _Late):
                    value._compiled()
                    found += 1
    assert found > 50
