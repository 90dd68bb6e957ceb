"""Would a strict provider take these messages? Validators of both wire formats, from their public descriptions.

Each gives what a server would refuse, as sentences that name the place; an empty list means that it takes the messages.
They are stricter than some servers: what passes here passes everywhere. Only the form is looked at, no model is known.
"""

from collections.abc import Iterator, Mapping, Sequence

import regex

Wire = Mapping[str, object]

_OPENAI_PARTS: Mapping[str, frozenset[str]] = {
    "system": frozenset({"text"}),
    "developer": frozenset({"text"}),
    "user": frozenset({"text", "image_url", "input_audio", "file"}),
    "assistant": frozenset({"text", "refusal"}),
    "tool": frozenset({"text"}),
}
_ANTHROPIC_BLOCKS: Mapping[str, frozenset[str]] = {
    "user": frozenset({"text", "image", "document", "search_result", "tool_result"}),
    "assistant": frozenset({"text", "thinking", "redacted_thinking", "tool_use"}),
}
_TOOL_USE_ID = regex.compile(r"[a-zA-Z0-9_-]+")


def openai_refusals(messages: Sequence[Wire]) -> list[str]:
    """What is wrong with the `messages` of a chat completion.

    An assistant message with `tool_calls` is followed at once by tool messages that answer each of its ids once, in any
    order; no tool message stands elsewhere. Ids are unique within their group. An assistant message without calls says
    something. `tool_calls` is left out or null, or has at least one call.
    """
    refused: list[str] = []
    waiting: dict[str, str] = {}
    for place, message in enumerate(messages):
        at = f"messages[{place}]"
        if message.get("role") == "tool":
            name = message.get("tool_call_id")
            if not isinstance(name, str) or waiting.pop(name, None) is None:
                refused.append(f"{at}: the tool message {name!r} answers no open call of the message before it")
            refused += _openai_content(message, at)
            continue
        refused += [f"{at}: comes before an answer to the call {name!r} of {where}" for name, where in waiting.items()]
        waiting = {}
        refused += _openai_message(message, at)
        for call in _calls(message):
            name = call.get("id")
            if isinstance(name, str) and name:
                if name in waiting:
                    refused.append(f"{at}: the call id {name!r} comes twice")
                waiting[name] = at
    return [*refused, *(f"the call {name!r} of {where} is never answered" for name, where in waiting.items())]


def anthropic_refusals(messages: Sequence[Wire]) -> list[str]:
    """What is wrong with the `messages` of a Messages request.

    Only user and assistant speak, a user first. Every `tool_use` of a message has one `tool_result` in the very next
    one, where results stand before all else; no result stands elsewhere. Ids are letters, digits, "_" and "-", each
    used once in the conversation. No text is blank and no content empty, but for the last message if it is the
    assistant's. Thinking never stands alone in a message.
    """
    refused: list[str] = []
    if messages and messages[0].get("role") != "user":
        refused.append("messages[0]: the first message is not a user's")
    waiting: set[str] = set()
    used: set[str] = set()
    for place, message in enumerate(messages):
        at, last = f"messages[{place}]", place == len(messages) - 1
        refused += _anthropic_message(message, at, last=last)
        blocks = _blocks(message)
        answers = [str(block.get("tool_use_id")) for block in blocks if block.get("type") == "tool_result"]
        refused += _anthropic_answers(answers, waiting, at)
        if any(block.get("type") == "tool_result" for block in blocks[len(answers) :]):
            refused.append(f"{at}: a tool_result stands behind other blocks")
        uses = [block.get("id") for block in blocks if block.get("type") == "tool_use"]
        for name in uses:
            if not isinstance(name, str) or not _TOOL_USE_ID.fullmatch(name):
                refused.append(f"{at}: {name!r} is no id of a tool_use")
            elif name in used:
                refused.append(f"{at}: the tool_use id {name!r} comes twice")
            used.add(str(name))
        waiting = {str(name) for name in uses}
    return [*refused, *(f"the tool_use {name!r} of the last message has no result" for name in sorted(waiting))]


def _openai_message(message: Wire, at: str) -> Iterator[str]:
    role, calls = message.get("role"), message.get("tool_calls")
    if role not in _OPENAI_PARTS:
        yield f"{at}: the role {role!r} is unknown"
        return
    if calls is not None and role != "assistant":
        yield f"{at}: a message of role {role!r} has tool_calls"
    if calls is not None and (not isinstance(calls, list) or not calls):
        yield f"{at}: tool_calls is no list with a call in it"
    for call in _calls(message):
        yield from _openai_call(call, at)
    says = bool(message.get("content") or message.get("refusal"))
    if role != "assistant" or (not says and not calls):
        yield from _openai_content(message, at)
    elif isinstance(message.get("content"), list):
        yield from _openai_parts(message, at)


def _openai_call(call: Wire, at: str) -> Iterator[str]:
    name, function = call.get("id"), call.get("function")
    if not isinstance(name, str) or not name:
        yield f"{at}: a call has no id"
    if call.get("type") != "function" or not isinstance(function, Mapping):
        yield f"{at}: the call {name!r} is no call of a function"
        return
    if not isinstance(function.get("name"), str) or not function["name"]:
        yield f"{at}: the call {name!r} names no function"
    if not isinstance(function.get("arguments"), str):
        yield f"{at}: the arguments of the call {name!r} are no text"


def _openai_content(message: Wire, at: str) -> Iterator[str]:
    content = message.get("content")
    if isinstance(content, list) and content:
        yield from _openai_parts(message, at)
    elif not isinstance(content, str) or (message.get("role") == "assistant" and not content):
        yield f"{at}: has no content"


def _openai_parts(message: Wire, at: str) -> Iterator[str]:
    known = _OPENAI_PARTS.get(str(message.get("role")), frozenset())
    for part in _blocks(message):
        if part.get("type") not in known:
            yield f"{at}: a part of type {part.get('type')!r} cannot stand here"
        elif part["type"] == "text" and not isinstance(part.get("text"), str):
            yield f"{at}: a text part has no text"


def _anthropic_message(message: Wire, at: str, *, last: bool) -> Iterator[str]:
    role, content = message.get("role"), message.get("content")
    known = _ANTHROPIC_BLOCKS.get(str(role))
    if known is None:
        yield f"{at}: the role {role!r} is unknown"
        return
    may_be_empty = last and role == "assistant"
    if isinstance(content, str):
        if not content.strip() and not (may_be_empty and not content):
            yield f"{at}: the text is blank"
        return
    if not isinstance(content, list) or not (content or may_be_empty):
        yield f"{at}: has no content"
        return
    for block in content:
        if not isinstance(block, Mapping) or block.get("type") not in known:
            yield f"{at}: {block!r} cannot stand here"
        elif block["type"] == "text" and not (isinstance(block.get("text"), str) and block["text"].strip()):
            yield f"{at}: a text block is blank"
        elif block["type"] == "tool_use" and not (block.get("name") and isinstance(block.get("input"), Mapping)):
            yield f"{at}: a tool_use names no tool or has no input"
    kinds = {block.get("type") for block in _blocks(message)}
    if kinds and kinds <= {"thinking", "redacted_thinking"}:
        yield f"{at}: thinking stands alone"


def _anthropic_answers(answers: Sequence[str], waiting: set[str], at: str) -> Iterator[str]:
    for name in sorted(waiting - set(answers)):
        yield f"{at}: the tool_use {name!r} of the message before has no result here"
    for name in sorted(set(answers) - waiting):
        yield f"{at}: the result for {name!r} belongs to no tool_use of the message before"
    for name in sorted({name for name in answers if answers.count(name) > 1}):
        yield f"{at}: there are two results for {name!r}"


def _calls(message: Wire) -> list[Wire]:
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, Mapping)] if isinstance(calls, list) else []


def _blocks(message: Wire) -> list[Wire]:
    content = message.get("content")
    return [block for block in content if isinstance(block, Mapping)] if isinstance(content, list) else []
