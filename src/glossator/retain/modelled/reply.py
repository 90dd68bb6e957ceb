"""Which facts stand in a model's reply, whatever it has wrapped around them?

A ladder of readings, the strict first. "No facts" (an empty list) and "not readable" (None) are never confused, what is
saved from a broken reply says so, nothing in a reply is ever evaluated, and the time is bounded: each reading is one
pass, or a counted number of tries of the JSON parser.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from glossator.errors import ProviderError

RAW_CHARACTERS_MAX = 400
FACT_KEYS = ("fact", "text", "statement", "memory", "fact_text", "content", "sentence")
"""Under which key models put the statement; the first is the one they are asked for."""
LIST_KEYS = ("facts", "result", "data", "items", "memories", "results", "output", "response")
"""Keys under which an empty list means "no facts". A list of objects counts under any key."""
NESTED_MAX = 3
"""Wrappers inside wrappers that are looked through."""
TRIES_MAX = 64
"""Places of a reply at which the parser is started; a reply of 800 tokens has no more objects than that."""
REPAIRED_CHARACTERS_MAX = 20_000
"""The repairing parser is slow on long input; 800 tokens are some 4,000 characters."""

Rung = Literal["whole", "fence", "array", "commas", "objects", "repaired"]

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_TRAILING_COMMA = re.compile(r'"(?:[^"\\]|\\.)*+"|\\.|,(?=\s*[\]}])', re.DOTALL)
_ARRAY = re.compile(r"\[\s*+[{\]]")
_OBJECT = re.compile(r'\{\s*+"')
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The objects of a reply, in order; `salvaged` names the rung that read them.

    `partial` says that something after or between them could not be read, `not_objects` how many list items were no
    objects.
    """

    items: tuple[Mapping[str, object], ...]
    partial: bool = False
    salvaged: Rung = "whole"
    not_objects: int = 0


class ReplyUnreadableError(ProviderError):
    """The model answered, but not with facts and not with "no facts". `raw` is the reply's beginning.

    Trying again would cost another call for the same answer, so it is not retryable; it counts as a failure of the
    model all the same.
    """

    def __init__(self, model: str, text: str) -> None:
        self.raw = text[:RAW_CHARACTERS_MAX]
        super().__init__(f"{model} replied with nothing that can be read as facts", retryable=False)


def read_reply(text: str) -> Reply | None:
    """The facts of a reply; None when it cannot be read at all. Never raises."""
    text = text.strip().removeprefix("\ufeff")
    if not text:
        return None
    whole, is_json = _parsed(text)
    if is_json:
        return _items(whole)
    text = _without_thoughts(text)
    mended = _TRAILING_COMMA.sub(lambda found: "" if found.group() == "," else found.group(), text)
    rungs: tuple[tuple[Rung, Callable[[str], Reply | None], str], ...] = (
        ("whole", _whole, text),
        ("fence", _fenced, text),
        ("array", _array, text),
        ("commas", _whole, mended),
        ("commas", _fenced, mended),
        ("commas", _array, mended),
        ("objects", _objects, mended),
    )
    factless: list[Reply] = []
    for rung, read, given in rungs:
        found = read(given)
        if found is not None and any(fact_of(item) for item in found.items):
            return replace(found, salvaged=rung)
        if found is not None:
            factless.append(replace(found, salvaged=rung))
    # Objects without a statement are counted as lost one by one, which says more than "no facts".
    return max(factless, key=lambda reply: len(reply.items), default=None) or _repaired(text)


def fact_of(item: Mapping[str, object]) -> str:
    """The statement that an item holds, "" where it holds none."""
    for key in FACT_KEYS:
        value = item.get(key)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())
    return ""


def _parsed(text: str) -> tuple[Any, bool]:
    try:
        return json.loads(text), True
    except (ValueError, RecursionError):
        return None, False


def _decoded(text: str, place: int) -> tuple[Any, int] | None:
    """The JSON value that begins at `place` with its end, or None."""
    try:
        return _DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        return None


def _items(value: object, depth: int = 0) -> Reply | None:
    """What a JSON value holds: a list of objects, a wrapper around one, a single fact, or JSON written as a string."""
    if depth > NESTED_MAX:
        return None
    if isinstance(value, str):
        inner, is_json = _parsed(value)
        return _items(inner, depth + 1) if is_json and not isinstance(inner, str) else None
    if isinstance(value, list):
        found = tuple(each for each in value if isinstance(each, dict))
        if value and not found:
            return None
        return Reply(items=found, not_objects=len(value) - len(found))
    return _unwrapped(value, depth) if isinstance(value, dict) else None


def _unwrapped(value: dict[str, Any], depth: int) -> Reply | None:
    keys = sorted(value, key=lambda key: LIST_KEYS.index(key) if key in LIST_KEYS else len(LIST_KEYS))
    for key in keys:
        inner = value[key]
        if isinstance(inner, list) and any(isinstance(each, dict) for each in inner):
            return _items(inner, depth + 1)
    if fact_of(value):
        return Reply(items=(value,))
    for key in keys:
        inner = value[key]
        if inner == [] and (key in LIST_KEYS or len(value) == 1):
            return Reply(items=())
        if isinstance(inner, dict) and (found := _items(inner, depth + 1)) is not None:
            numbered = tuple(each for each in value.values() if isinstance(each, dict) and fact_of(each))
            return Reply(items=numbered) if len(numbered) > 1 else found
    return None


def _whole(text: str) -> Reply | None:
    return _items(_parsed(text)[0])


def _without_thoughts(text: str) -> str:
    """The reply without what the model thought aloud; some servers swallow the opening mark."""
    text = _THOUGHT.sub("", text)
    ends = [found.end() for found in _THOUGHT_END.finditer(text)]
    return (text[ends[-1] :] if ends else text).strip()


def _fenced(text: str) -> Reply | None:
    """The first fenced block that holds facts, else the first that holds an empty list."""
    empty: Reply | None = None
    for block in text.split("```")[1 : 2 * TRIES_MAX : 2]:
        body = block.partition("\n")[2] if not block.lstrip().startswith(("[", "{")) else block
        found = _items(_parsed(body.strip())[0])
        if found is not None and found.items:
            return found
        empty = empty or found
    return empty


def _array(text: str) -> Reply | None:
    """The first array of objects in a text, those with facts before others; else an empty array that stands in it."""
    empty: Reply | None = None
    others: Reply | None = None
    for value in _values(text, _ARRAY):
        if not isinstance(value, list):
            continue
        found = _items(value)
        if found is not None and any(fact_of(item) for item in found.items):
            return found
        if found is not None and found.items:
            others = others or found
        elif found is not None:
            empty = empty or found
    return others or empty


def _values(text: str, start: re.Pattern[str]) -> Iterator[object]:
    """The JSON values that begin where `start` matches, none inside another; None for each that cannot be read."""
    place = 0
    for _ in range(TRIES_MAX):
        found = start.search(text, place)
        if found is None:
            return
        decoded = _decoded(text, found.start())
        place = decoded[1] if decoded is not None else found.start() + 1
        yield decoded[0] if decoded is not None else None


def _objects(text: str) -> Reply | None:
    """Every whole object that holds a fact: one per line, one alone in prose, or those of an array that broke off."""
    items: list[Mapping[str, object]] = []
    broken_count = 0
    for value in _values(text, _OBJECT):
        if isinstance(value, dict) and fact_of(value):
            items.append(value)
        elif value is None:
            broken_count += 1
    if not items:
        return None
    begins = _OBJECT.search(text)
    in_array = begins is not None and text[: begins.start()].rstrip().endswith("[")
    return Reply(items=tuple(items), partial=in_array or broken_count > 0)


def _repaired(text: str) -> Reply | None:
    """What a lenient parser makes of it, if that gives facts; a guess, so it always counts as partial."""
    if not ("{" in text and len(text) <= REPAIRED_CHARACTERS_MAX):
        return None
    from json_repair import repair_json

    try:
        value = repair_json(text[text.index("{") :] if "[" not in text else text, return_objects=True)
    except (ValueError, RecursionError, IndexError, TypeError):
        return None
    found = _items(value)
    if found is None or not any(fact_of(item) for item in found.items):
        return None
    return replace(found, partial=True, salvaged="repaired")
