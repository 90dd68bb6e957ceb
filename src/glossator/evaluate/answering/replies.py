"""What did a model reply? One verdict or one choice, or nothing that can be read: no reply is guessed at."""

import json
import re
from collections.abc import Iterator, Mapping

from glossator.evaluate.answering.prompts import NONE
from glossator.evaluate.answering.values import Verdict

__all__ = ["read_choice", "read_verdict", "without_thoughts"]

VERDICT_WORDS: Mapping[str, Verdict] = {"right": "right", "correct": "right", "wrong": "wrong", "incorrect": "wrong"}
"""The words asked for, and those that a model without a schema says in their place."""
_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
"""What some servers leave before the reply. Thoughts without an end were cut: no reply follows them."""
_OBJECT = re.compile(r"\{[^{}]*\}")
_WORD = re.compile(r"\W*(?:(?:verdict|choice|answer)\W+)?(\w+)\W*", re.IGNORECASE)
_LETTER_AND_TEXT = re.compile(r"\W*(\w+)\s*[.:)]\s*(.+)", re.DOTALL)


def without_thoughts(text: str) -> str:
    """The reply alone."""
    return _THOUGHTS.sub("", text).strip()


def read_verdict(text: str) -> Verdict | None:
    """The verdict, or None where there is none, or more than one."""
    plain = without_thoughts(text)
    given = {VERDICT_WORDS.get(each.strip().casefold()) for each in _given(plain, "verdict")}
    if not given and (word := _WORD.fullmatch(plain)):
        given = {VERDICT_WORDS.get(word[1].casefold())}
    return given.pop() if len(given) == 1 else None


def read_choice(text: str, choices: Mapping[str, str]) -> str | None:
    """The letter of the choice, NONE where the reader says that nothing tells; None where it cannot be read.

    A letter counts, the exact text of one choice, or both where they agree.
    """
    plain = without_thoughts(text)
    given = {_letter(each, choices) for each in _given(plain, "choice")}
    if not given:
        word = _WORD.fullmatch(plain)
        given = {_letter(plain, choices) or (_letter(word[1], choices) if word else None)}
    return given.pop() if len(given) == 1 else None


def _letter(words: str, choices: Mapping[str, str]) -> str | None:
    named = {letter.casefold(): letter for letter in (*choices, NONE)}
    if words.strip().casefold() in named:
        return named[words.strip().casefold()]
    said = [letter for letter, text in choices.items() if _plain(text) == _plain(words)]
    if len(said) == 1:
        return said[0]
    both = _LETTER_AND_TEXT.fullmatch(words)
    letter = named.get(both[1].casefold()) if both else None
    return letter if both and letter and _plain(choices.get(letter, "")) == _plain(both[2]) else None


def _given(plain: str, name: str) -> Iterator[str]:
    """What the objects of a reply say under a name."""
    for found in _OBJECT.findall(plain):
        try:
            value = json.loads(found)
        except ValueError:
            continue
        if isinstance(value, dict) and isinstance(value.get(name), str):
            yield value[name]


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()
