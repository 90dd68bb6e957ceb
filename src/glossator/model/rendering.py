"""How do hits read inside a prompt? Laid out by session and time, dates and speakers shown, within a token budget."""

from datetime import timedelta, timezone
from typing import TYPE_CHECKING

import regex

from glossator.errors import UsageError
from glossator.model.fence import without_fences

if TYPE_CHECKING:
    from glossator.model.recall import Hit

_GRAPHEME = regex.compile(r"\X")
CUT_TOKENS_MIN = 24
"""A hit cut to fewer tokens than this says too little; it is left out instead."""


def estimated_tokens(text: str) -> int:
    """UTF-8 bytes / 4, rounded up: the estimate that all budgets use (F19)."""
    return (len(text.encode()) + 3) // 4


def cut_to_tokens(text: str, tokens: int) -> str:
    """The longest beginning of whole graphemes that fits, with an ellipsis when something was cut."""
    if estimated_tokens(text) <= tokens:
        return text
    room = tokens * 4 - len("…".encode())
    kept, used = [], 0
    for found in _GRAPHEME.finditer(text):
        used += len(found.group().encode())
        if used > room:
            break
        kept.append(found.group())
    return "".join(kept).rstrip() + "…" if kept else ""


def render_hits(hits: "tuple[Hit, ...]", *, tokens: int) -> str:
    """The block; "" for no hits or no room. Raises UsageError for a negative budget."""
    if tokens < 0:
        raise UsageError("tokens", "is negative", remedy="pass how many tokens the block may take")
    chosen: dict[int, str] = {}
    heads: set[tuple[str, str, str]] = set()
    left_bytes = tokens * 4
    for place, hit in enumerate(hits):
        head = _head_of(hit)
        cost = len(_head_line(head).encode()) + 1 if head not in heads else 0
        line = _line(hit, without_fences(hit.text + _mark(hit)))
        room = (left_bytes - cost - 1) // 4
        shown = cut_to_tokens(line, room) if room >= CUT_TOKENS_MIN else line if estimated_tokens(line) <= room else ""
        if not shown:
            continue
        chosen[place] = shown
        heads.add(head)
        left_bytes -= cost + len(shown.encode()) + 1
        if shown != line:
            break
    return _laid_out(hits, chosen)


def _laid_out(hits: "tuple[Hit, ...]", chosen: dict[int, str]) -> str:
    groups: dict[tuple[str, str, str], list[int]] = {}
    for place in sorted(chosen, key=lambda at: (hits[at].said.at, hits[at].chunk_id)):
        groups.setdefault(_head_of(hits[place]), []).append(place)
    lines: list[str] = []
    for head, places in groups.items():
        lines.append(_head_line(head))
        lines.extend(chosen[place] for place in places)
    return "\n".join(lines)


def _head_of(hit: "Hit") -> tuple[str, str, str]:
    local = hit.said.at.astimezone(timezone(timedelta(minutes=hit.said.offset_minutes)))
    return local.strftime("%Y-%m-%d (%a)"), local.strftime("%z"), f"{hit.conversation} {hit.session}"


def _head_line(head: tuple[str, str, str]) -> str:
    return f"[{head[0]} {head[1][:3]}:{head[1][3:]}]"


def _mark(hit: "Hit") -> str:
    """What has changed since, so that a model does not take the old statement for the present one."""
    closed = [fact for fact in hit.facts if fact.state == "superseded" and fact.valid_to is not None]
    if hit.superseded and closed:
        return f" (no longer so since {max(fact.valid_to for fact in closed if fact.valid_to):%Y-%m-%d})"
    return "".join(f" (no longer so since {fact.valid_to:%Y-%m-%d}: “{fact.text}”)" for fact in closed)


def _line(hit: "Hit", text: str) -> str:
    return f"{hit.speaker}: {text}"
