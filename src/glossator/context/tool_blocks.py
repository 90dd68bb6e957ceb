"""Does each `tool_use` block have its `tool_result` at the beginning of the next user message, and each result its use?

Ids are used once in a whole conversation and have only letters, digits, dashes and underscores in them. The first
message is a user's.
"""

import re
from collections.abc import Sequence
from itertools import dropwhile

from glossator.context.tool_pairing import STUB_NAME, STUB_OPENING, STUB_RESULT, Pairing, Wire, paired

_FOREIGN = re.compile("[^a-zA-Z0-9_-]")
"""No such character may stand in an id; ids that another provider gave have colons and dots."""
_BEFORE_THE_TALK = ("system", "developer")
_SAY_NOTHING_ALONE = ("thinking", "redacted_thinking")
"""Without the call that it led to, thinking may not end a message."""


def repaired_blocks(messages: Sequence[Wire], *, stub_orphans: bool) -> list[Wire]:
    """The messages with uses and results in pairs; those that have none of them pass untouched."""
    used: set[str] = set()
    taken = {str(block.get(key)) for message in messages for block in _blocks(message) for key in ("id", "tool_use_id")}
    repaired: list[Wire] = []
    at = 0
    while at < len(messages):
        calling = messages[at] if _uses(messages[at]) else None
        start = at if calling is None else at + 1
        end = start
        while end < len(messages) and _results(messages[end]):
            end += 1
        if calling is not None and start == end < len(messages) and messages[end].get("role") == "user":
            end += 1  # what the user says next takes the stub results in
        if calling is None and start == end:
            repaired.append(messages[at])
            end += 1
        else:
            users, last = messages[start:end], end == len(messages)
            results = [block for user in users for block in _results(user)]
            calls = _uses(calling) if calling else []
            pairs = paired(calls, results, key="tool_use_id", used=used, taken=taken, spelled=_spelled)
            if not stub_orphans:
                used.difference_update(str(orphan["tool_use_id"]) for orphan in pairs.orphans)
            repaired += _group(calling, users, pairs, stub_orphans=stub_orphans, last=last, first=not _begun(repaired))
        at = end
    if _speaker(messages) == "user" and _speaker(repaired) == "assistant":  # all that the user first said was left out
        repaired.insert(len(repaired) - len(_talk(repaired)), {"role": "user", "content": STUB_OPENING})
    return repaired


def _group(
    calling: Wire | None, users: Sequence[Wire], pairs: Pairing, *, stub_orphans: bool, last: bool, first: bool
) -> list[Wire]:
    stubbed = pairs.orphans if stub_orphans else ()
    rests = [_rest(user) for user in users]
    group: list[Wire] = []
    answers: list[Wire] = []
    if calling is not None:
        if last and not pairs.answered and not stubbed and not any(rests):
            return _without_uses(calling)
        group.append(_with_uses(calling, pairs.calls))
        answers = [*pairs.answered, *(_stub_result(name) for name in pairs.unanswered)]
    if stubbed:
        if answers:
            group.append({"role": "user", "content": answers})
        elif first and calling is None:
            group.append({"role": "user", "content": STUB_OPENING})
        group.append({"role": "assistant", "content": [_stub_use(str(each["tool_use_id"])) for each in stubbed]})
        answers = list(stubbed)
    return group + _answering(users, rests, answers)


def _answering(users: Sequence[Wire], rests: Sequence[list[Wire]], answers: list[Wire]) -> list[Wire]:
    """The user messages, with all answers at the beginning of the first and whatever else they said behind."""
    if not users:
        return [{"role": "user", "content": answers}]
    contents = [[*answers, *rests[0]], *rests[1:]]
    return [_with_content(user, content) for user, content in zip(users, contents, strict=True) if content]


def _with_content(user: Wire, content: list[Wire]) -> Wire:
    given = user.get("content")
    same = isinstance(given, list) and len(given) == len(content)
    if same and all(one is other for one, other in zip(_list(given), content, strict=True)):
        return user
    return {**user, "content": content}


def _with_uses(calling: Wire, calls: Sequence[Wire]) -> Wire:
    left = iter(calls)
    content = [next(left) if _is(block, "tool_use") else block for block in _list(calling.get("content"))]
    if all(one is other for one, other in zip(content, _list(calling.get("content")), strict=True)):
        return calling
    return {**calling, "content": content}


def _without_uses(calling: Wire) -> list[Wire]:
    content = [block for block in _list(calling.get("content")) if not _is(block, "tool_use")]
    said = [block for block in content if not any(_is(block, kind) for kind in _SAY_NOTHING_ALONE)]
    return [{**calling, "content": content}] if said else []


def _rest(user: Wire) -> list[Wire]:
    """What the message says besides results."""
    content = user.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content.strip() else []
    return [block for block in _list(content) if not _is(block, "tool_result")]  # type: ignore[misc]


def _spelled(name: str) -> str:
    return _FOREIGN.sub("_", name)


def _stub_result(name: str) -> Wire:
    return {"type": "tool_result", "tool_use_id": name, "content": STUB_RESULT}


def _stub_use(name: str) -> Wire:
    return {"type": "tool_use", "id": name, "name": STUB_NAME, "input": {}}


def _uses(message: Wire) -> list[Wire]:
    return [block for block in _blocks(message) if _is(block, "tool_use")] if message.get("role") == "assistant" else []


def _results(message: Wire) -> list[Wire]:
    return [block for block in _blocks(message) if _is(block, "tool_result")] if message.get("role") == "user" else []


def _blocks(message: Wire) -> list[Wire]:
    return [block for block in _list(message.get("content")) if isinstance(block, dict)]


def _list(content: object) -> list[object]:
    return content if isinstance(content, list) else []


def _is(block: object, kind: str) -> bool:
    return isinstance(block, dict) and block.get("type") == kind


def _begun(messages: Sequence[Wire]) -> bool:
    return any(message.get("role") not in _BEFORE_THE_TALK for message in messages)


def _speaker(messages: Sequence[Wire]) -> object:
    return next((message.get("role") for message in _talk(messages)), None)


def _talk(messages: Sequence[Wire]) -> list[Wire]:
    """The messages from the first one on that is no system message."""
    return list(dropwhile(lambda message: message.get("role") in _BEFORE_THE_TALK, messages))
