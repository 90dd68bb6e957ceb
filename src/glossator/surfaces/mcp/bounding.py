"""How long may an answer be, whatever memory holds? Long texts are cut and long lists end, and the answer says so.

A client may give its model the structured content, the text or both: each has a bound of its own.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from glossator.model.rendering import estimated_tokens

BYTES_MAX = 48_000
"""Of structured content: about 12,000 tokens. Clients cut answers of 25,000, or refuse them."""
LINES_TOKENS_MAX = 8_000
"""Of all lines within one fence."""
ROWS_MAX = 200
CHARACTERS = (4_000, 1_500, 600, 250, 100)
"""Tried one after the other until the answer fits; the first is as long as a piece that is indexed."""
WORDS = frozenset(
    {"text", "sentence", "value", "stored", "reason", "why", "samples", "description", "message", "words"}
)
"""Fields with words of somebody. Ids, names and marks to go on with are never cut: half of one is worth nothing."""


def bounded(answer: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The answer within BYTES_MAX, and what was left out; "" for nothing. The `block` of context has its own budget."""
    kept = {name: value[:ROWS_MAX] if isinstance(value, list) else value for name, value in answer.items()}
    if _size(kept) <= BYTES_MAX and _rows(kept) == _rows(answer):
        return kept, ""
    left_out = []
    for characters in CHARACTERS:
        if _size(kept) <= BYTES_MAX:
            break
        kept = {name: _cut(name, value, characters) for name, value in kept.items()}
        left_out = [f"texts are cut at {characters:,} characters"]
    while _size(kept) > BYTES_MAX and (longest := max(_lists(kept), key=lambda name: len(kept[name]), default=None)):
        kept[longest] = kept[longest][: len(kept[longest]) * 3 // 4]
    left_out += [
        f"{len(answer[name]) - len(kept[name]):,} more of {name}"
        for name in _lists(answer)
        if len(kept[name]) < len(answer[name])
    ]
    return kept, ", ".join(left_out)


def within(lines: Sequence[str]) -> list[str]:
    """The first lines that fit, with one more that counts the rest."""
    left, kept = LINES_TOKENS_MAX, list[str]()
    for line in lines:
        left -= estimated_tokens(line)
        if left < 0 and kept:
            return [*kept, f"[{len(lines) - len(kept):,} more lines are left out: ask for less at once]"]
        kept.append(line)
    return kept


def _size(answer: Mapping[str, Any]) -> int:
    counted = {name: value for name, value in answer.items() if name != "block"}
    return len(json.dumps(counted, ensure_ascii=False).encode("utf-8", "replace"))


def _lists(answer: Mapping[str, Any]) -> list[str]:
    return [name for name, value in answer.items() if isinstance(value, list) and value]


def _rows(answer: Mapping[str, Any]) -> int:
    return sum(len(answer[name]) for name in _lists(answer))


def _cut(name: str, value: Any, characters: int) -> Any:
    match value:
        case str() if name in WORDS and len(value) > characters:
            return f"{value[:characters]}…"
        case list():
            return [_cut(name, each, characters) for each in value]
        case dict():
            return {inner: _cut(inner, each, characters) for inner, each in value.items()}
        case _:
            return value
