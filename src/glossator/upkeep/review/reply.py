"""Which operations stand in a reviewer's reply, whatever it has wrapped around them?

"Nothing to save" and "not readable" are never confused: a reply without any operations changes nothing and the review
goes on behind it, a reply that is empty, broken or a server's error page fails. Nothing in a reply is ever evaluated.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import regex

from glossator.errors import ProviderError
from glossator.model import (
    CATEGORIES,
    SENTINEL,
    AddOperation,
    ArchiveOperation,
    Category,
    ReplaceOperation,
    ReviewOperation,
    ReviewReply,
    ReviewTarget,
)
from glossator.rules.patterns import late
from glossator.upkeep.review.prompt import OPERATIONS_MAX
from glossator.upkeep.review.rows import BUCKETS_OF, TARGETS

RAW_CHARACTERS_MAX = 400
CHARACTERS_MAX = 60_000
"""A reply of 1,600 tokens has some 8,000; what is far longer is a loop, and its end is not looked at."""
TRIES_MAX = 64
"""Places at which the JSON parser is started."""
NARRATION_CHARACTERS_MAX = 4_000
"""Whoever has nothing to save says so in the first paragraphs."""
NESTED_MAX = 2
"""Wrappers inside wrappers that are looked through."""
REASON_CHARACTERS_MAX = 200

_NAMES: Mapping[str, str] = {
    "add": "add", "create": "add", "insert": "add", "replace": "replace", "update": "replace", "edit": "replace",
    "archive": "archive", "remove": "archive", "delete": "archive",
}  # fmt: skip
_TARGETS: Mapping[str, ReviewTarget] = {
    "user": "user", "user_md": "user", "user.md": "user",
    "memory": "memory", "memory_md": "memory", "memory.md": "memory",
}  # fmt: skip
_NAME_KEYS = ("op", "operation", "action", "type")
_ID_KEYS = ("id", "fact_id", "row_id", "row")
_THOUGHT = late(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", regex.DOTALL | regex.IGNORECASE)
_EDGES = " \t\r\n\"'“”‘’`*_.!:"
_NOTHING = late(
    r"(?:\b(?:nothing|none of|no (?:\w+ ){0,3}?\w+|not (?:see|find|have) any\w*)|n['’]t (?:\w+ )?any\w*)\b[^.\n]{0,80}?"
    r"\b(?:sav\w+|stor\w+|add\w*|remember\w*|chang\w+|updat\w+|keep\w*|kept|record\w*|need\w*|required|warrant\w*)\b",
    regex.IGNORECASE,
)
_MARKUP = late(r"\s*<(?:!doctype|html|\?xml|head|body)\b", regex.IGNORECASE)
_BEGINS = late(r"[\[{]")
_HALF_AN_OPERATION = late(r"[{,]\s*[\"'](?:op|operation|action)[\"']\s*:", regex.IGNORECASE)
_NUMBER = late(r"\s*f?#?(\d{1,18})\s*", regex.IGNORECASE)
_CONTROLS = late(r"[\p{Cc}\p{Cs}]")
"""A model that writes them has mistaken an escape; no line of a prompt file may hold them."""
_DECODER = json.JSONDecoder()


class ReviewUnreadableError(ProviderError):
    """The reviewer answered with neither operations nor the word that there is nothing to save.

    `raw` is the reply's beginning. It is not retryable: the next review is due after the back-off.
    """

    def __init__(self, model: str, text: str) -> None:
        self.raw = text[:RAW_CHARACTERS_MAX]
        super().__init__(f"{model} gave a review that cannot be read", retryable=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Skip:
    reason: str


def read_review(text: str, *, model: str, cut: bool = False) -> ReviewReply:
    """The operations of a reply, at most OPERATIONS_MAX, and why each further one is left out.

    Takes plain or fenced JSON, with words around it or not, one object or one on each line, and what is whole of a
    reply that broke off. Prose without operations is "nothing to save", unless it was `cut` before it came to any.
    Raises ReviewUnreadableError, naming the `model`, for a reply that is empty, an error page, or JSON with no
    operation in it.
    """
    said = _THOUGHT.sub("", text[:CHARACTERS_MAX]).strip().removeprefix("\ufeff")
    if said.strip(_EDGES).casefold() == SENTINEL.strip(_EDGES).casefold():
        return _nothing()
    if not said or _MARKUP.match(said):
        raise ReviewUnreadableError(model, text)
    found = _items(said)
    if found:
        return _reply(found, broken=_is_broken(said))
    return _without_operations(said, text, model, cut=cut or len(text) > CHARACTERS_MAX)


def _without_operations(said: str, text: str, model: str, *, cut: bool) -> ReviewReply:
    """No operation stands in it: nothing to save if the words say so, or if it is prose at all."""
    if _HALF_AN_OPERATION.search(said):
        raise ReviewUnreadableError(model, text)
    if any(_is_empty(value) for value in _values(said)) or _NOTHING.search(said, 0, NARRATION_CHARACTERS_MAX):
        return _nothing()
    if cut or said.removeprefix("```json").lstrip("` \r\n").startswith(("{", "[")):
        raise ReviewUnreadableError(model, text)
    return ReviewReply(operations=(), skipped=("told_in_prose",), nothing_to_save=True)


def _nothing() -> ReviewReply:
    return ReviewReply(operations=(), nothing_to_save=True)


def _reply(items: list[Mapping[str, object]], *, broken: bool) -> ReviewReply:
    operations: list[ReviewOperation] = []
    skipped = ["broken_off"] if broken else []
    for item in items:
        read = _operation(item)
        if isinstance(read, _Skip):
            skipped.append(read.reason)
        elif len(operations) == OPERATIONS_MAX:
            skipped.append("over_limit")
        else:
            operations.append(read)
    return ReviewReply(operations=tuple(operations), skipped=tuple(skipped))


def _items(said: str) -> list[Mapping[str, object]]:
    """The objects that name an operation, in order, from all JSON values that stand in the reply."""
    return [item for value in _values(said) for item in _operations_in(value)]


def _values(said: str) -> Iterator[object]:
    """The JSON values of a text, none inside another."""
    place = 0
    for _ in range(TRIES_MAX):
        begins = _BEGINS.search(said, place)
        if begins is None:
            return
        try:
            value, place = _DECODER.raw_decode(said, begins.start())
        except (ValueError, RecursionError):
            place = begins.end()
            continue
        yield value


def _operations_in(value: object, depth: int = 0) -> Iterator[Mapping[str, object]]:
    """A list of operations, one alone, {"operations": [...]}, or {"add": {...}}."""
    if isinstance(value, list):
        for each in value:
            yield from _operations_in(each, depth) if isinstance(each, dict) else ()
    elif isinstance(value, dict) and _name(value):
        yield value
    elif isinstance(value, dict) and depth < NESTED_MAX:
        for key, inner in value.items():
            if key in _NAMES:
                yield from ({**each, "op": key} for each in _listed(inner) if isinstance(each, dict))
            else:
                yield from _operations_in(inner, depth + 1)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _name(item: Mapping[str, object]) -> str:
    """The operation that an object names, as it was written; "" where it names none."""
    return next((name for key in _NAME_KEYS if isinstance(name := item.get(key), str) and name.strip()), "")


def _is_empty(value: object) -> bool:
    """True for [] and for {"operations": []}."""
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    return value in ([], {})


def _is_broken(said: str) -> bool:
    """Does something that looks like an operation stand where no whole value is?"""
    written = len(_HALF_AN_OPERATION.findall(said))
    return written > sum(1 for item in _items(said) if any(isinstance(item.get(key), str) for key in _NAME_KEYS[:3]))


def _operation(item: Mapping[str, object]) -> ReviewOperation | _Skip:
    match _NAMES.get(_name(item).strip().casefold()):
        case "add":
            return _add(item)
        case "replace":
            fact_id, value = _id(item), _words(item.get("value"))
            if fact_id is None:
                return _Skip(reason="no_row_named")
            if not value:
                return _Skip(reason="blank")
            return ReplaceOperation(fact_id=fact_id, value=value, message_id=_number(item.get("message")))
        case "archive":
            fact_id = _id(item)
            if fact_id is None:
                return _Skip(reason="no_row_named")
            return ArchiveOperation(fact_id=fact_id, reason=_words(item.get("reason"))[:REASON_CHARACTERS_MAX])
        case _:
            return _Skip(reason="unknown_operation")


def _add(item: Mapping[str, object]) -> AddOperation | _Skip:
    category = _category(item.get("category"))
    if category is None:
        return _Skip(reason="unknown_category")
    value = _words(item.get("value"))
    if not value:
        return _Skip(reason="blank")
    named = item.get("target")
    target = TARGETS[BUCKETS_OF[category]] if named is None else _TARGETS.get(str(named).strip().casefold())
    if target is None:
        return _Skip(reason="unknown_target")
    return AddOperation(target=target, category=category, value=value, message_id=_number(item.get("message")))


def _category(named: object) -> Category | None:
    wanted = named.strip().casefold() if isinstance(named, str) else ""
    return next((category for category in CATEGORIES if category == wanted), None)


def _words(value: object) -> str:
    return " ".join(_CONTROLS.sub(" ", value).split()) if isinstance(value, str) else ""


def _id(item: Mapping[str, object]) -> int | None:
    return next((number for key in _ID_KEYS if (number := _number(item.get(key))) is not None), None)


def _number(value: object) -> int | None:
    """7, "7" or "f7"; a flag is no number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 < value < 10**18 else None
    found = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    return int(found[1]) if found else None
