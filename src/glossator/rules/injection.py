"""Does a stored text read like an instruction to the model instead of a statement?

The whole text is read, however long: one that is half read is one that hides its attack in the other half. Each sign
has marks, a few letters that every instance of it holds; only around these is its pattern tried, so that a megabyte
takes some hundredths of a second. What is found is a reason to mark a text or to leave it out, not to lose it.
"""

from collections.abc import Iterator
from functools import cache

import regex

from glossator.model.fence import OPENING_BRACKETS, SLASHES, disguises, without_fences
from glossator.rules.injection_signs import (
    ASKS_FOR_SECRETS,
    CLOSES_THE_FENCE,
    GIVES_A_NEW_ROLE,
    HIDES_CHARACTERS,
    HIDES_FROM_THE_USER,
    IGNORES_THE_RULES,
    LOOKS_LIKE_A_TOOL_CALL,
    NO_COMMAND,
    SENDS_THINGS_OUT,
    SIGNS,
    SPEAKS_AS_THE_SYSTEM,
    Sign,
)
from glossator.rules.invisible import hides_characters, plain_views

REASONS = (
    *(CLOSES_THE_FENCE, HIDES_CHARACTERS, SPEAKS_AS_THE_SYSTEM, LOOKS_LIKE_A_TOOL_CALL, IGNORES_THE_RULES),
    *(GIVES_A_NEW_ROLE, ASKS_FOR_SECRETS, SENDS_THINGS_OUT, HIDES_FROM_THE_USER),
)
"""In the order in which they are looked for; the first one found is given."""

LOOK_BACK = 48
"""So many characters before an instruction tell whether it is one: "never", "she told me to", "I always"."""


@cache
def _may_be_a_tag() -> regex.Pattern[str]:
    """As far as a tag can reach: no more than that is copied and searched. model/fence.py says whether it is one."""
    letters = "".join(disguises().values())
    return regex.compile(
        rf"[{OPENING_BRACKETS}][{SLASHES}{letters}\s\p{{Cf}}\p{{Mn}}\p{{Cc}}]{{14,}}+", regex.IGNORECASE
    )


def suspicion(text: str) -> str:
    """One of REASONS if the text reads like an instruction to the model, "" if it reads like a statement."""
    if _closes_the_fence(text):
        return CLOSES_THE_FENCE
    if hides_characters(text):
        return HIDES_CHARACTERS
    views = plain_views(text)
    return next((sign.reason for sign in SIGNS for view in views if _shows(view, sign)), "")


def _closes_the_fence(text: str) -> bool:
    for bracket in OPENING_BRACKETS:
        for at in _places(text, bracket):
            if (tag := _may_be_a_tag().match(text, at)) and without_fences(tag[0]) != tag[0]:
                return True
    return False


def _shows(view: str, sign: Sign) -> bool:
    for start, end in _regions(view, sign):
        for found in sign.pattern.finditer(view, start, end):
            before = view[max(0, found.start() - LOOK_BACK) : found.start()]
            if not (sign.commands and NO_COMMAND.search(before)):
                return True
    return False


def _regions(view: str, sign: Sign) -> Iterator[tuple[int, int]]:
    """The stretches around the marks. Those of one mark that overlap become one, so that none is read many times."""
    for mark in sign.marks:
        start, end = 0, -1
        for at in _places(view, mark):
            if at - sign.before > end:
                if end >= 0:
                    yield start, end
                start = max(0, at - sign.before)
            end = min(len(view), at + len(mark) + sign.after)
        if end >= 0:
            yield start, end


def _places(text: str, mark: str) -> Iterator[int]:
    at = text.find(mark)
    while at >= 0:
        yield at
        at = text.find(mark, at + 1)
