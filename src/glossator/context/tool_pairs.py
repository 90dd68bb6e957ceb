"""Does each tool call of a message array have its result, and each result its call, so that no provider refuses it?

A group is an assistant message with calls and the results that follow it. Two wire formats are known: `tool_calls` with
messages of role `tool`, here, and blocks `tool_use` and `tool_result` in contents, in context/tool_blocks.py.
"""

from collections.abc import Sequence
from typing import Literal

from glossator.context.tool_blocks import repaired_blocks
from glossator.context.tool_pairing import STUB_NAME, STUB_RESULT, Wire, paired
from glossator.errors import UsageError

Orphans = Literal["stub", "drop"]


def sanitize_tool_pairs(messages: Sequence[Wire], *, orphans: Orphans = "stub") -> list[Wire]:
    """The messages with every call answered right behind it and every answer called for; valid ones as they are.

    A call without a result gets a stub result; calls that nothing follows are removed, and their text is kept. A result
    without its call gets a stub call before it, or is left out with `orphans="drop"`. What is not changed is the very
    object that was given; nothing that was given is changed. Applied again it changes nothing more.
    """
    if orphans not in ("stub", "drop"):
        raise UsageError("orphans", f"{orphans!r} is unknown", remedy="pass 'stub' or 'drop'")
    return repaired_blocks(_repaired_calls(messages, orphans), stub_orphans=orphans == "stub")


def _repaired_calls(messages: Sequence[Wire], orphans: Orphans) -> list[Wire]:
    repaired: list[Wire] = []
    at = 0
    while at < len(messages):
        calling = messages[at] if _has_calls(messages[at]) else None
        start = at if calling is None else at + 1
        end = start
        while end < len(messages) and messages[end].get("role") == "tool":
            end += 1
        if calling is None and start == end:
            repaired.append(messages[at])
            end += 1
        else:
            repaired += _group(calling, messages[start:end], orphans, last=end == len(messages))
        at = end
    return repaired


def _has_calls(message: Wire) -> bool:
    return message.get("role") == "assistant" and isinstance(message.get("tool_calls"), list)


def _group(calling: Wire | None, results: Sequence[Wire], orphans: Orphans, *, last: bool) -> list[Wire]:
    given = calling.get("tool_calls") if calling else None
    calls: list[Wire] = [call for call in given if isinstance(call, dict)] if isinstance(given, list) else []
    ids = {str(each.get("id")) for each in calls} | {str(each.get("tool_call_id")) for each in results}
    # An id may come again in a later group: providers look at one group at a time, and some models always count from 1.
    pairs = paired(calls, results, key="tool_call_id", used=set(), taken=ids)
    stubbed = pairs.orphans if orphans == "stub" else ()
    group: list[Wire] = []
    if calling is not None:
        if not calls or (last and not pairs.answered and not stubbed):
            group += _without_calls(calling)
        else:
            same = isinstance(given, list) and _same(pairs.calls, given)
            group.append(calling if same else {**calling, "tool_calls": list(pairs.calls)})
            group += pairs.answered
            group += ({"role": "tool", "tool_call_id": name, "content": STUB_RESULT} for name in pairs.unanswered)
    if stubbed:
        group += [_stub_call([str(result["tool_call_id"]) for result in stubbed]), *stubbed]
    return group


def _same(first: Sequence[object], second: Sequence[object]) -> bool:
    return len(first) == len(second) and all(one is other for one, other in zip(first, second, strict=True))


def _without_calls(calling: Wire) -> list[Wire]:
    content = calling.get("content")
    if not (content.strip() if isinstance(content, str) else content or calling.get("refusal")):
        return []
    return [{key: value for key, value in calling.items() if key != "tool_calls"}]


def _stub_call(ids: Sequence[str]) -> Wire:
    calls = [{"id": name, "type": "function", "function": {"name": STUB_NAME, "arguments": "{}"}} for name in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}
