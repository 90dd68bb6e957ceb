"""What is a tool, how is it told to a model, and how is it called without ever raising?"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from glossator.errors import GlossatorError, UsageError
from glossator.rules.log_words import content_of, kind_of
from glossator.rules.trust import COMPLEXITY, DESTROY, READ, refusal
from glossator.surfaces.show.plain_json import plain_value
from glossator.surfaces.tools.arguments import Argument, checked, schema_of
from glossator.surfaces.tools.desk import Desk

logger = logging.getLogger("glossator.tools")

LAST_WORD = "It was refused three times in this run. Do not try it again: answer the user now, and say it is not kept."
"""What a writing tool says in place of a remedy when trying has to end."""

Work = Callable[..., Mapping[str, object]]
"""What a tool does: `(desk, **arguments)` to the fields of its answer."""


Effect = Literal["reads", "adds", "replaces", "removes"]
"""What a tool does to what is kept: nothing; it adds; it puts in place of; it takes away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool: its JSON schema for a model, and the callable that takes what the model gave.

    `call` takes the arguments by name and answers with a dict that JSON can hold. It never raises: "success" is false
    and "error" says which argument is wrong, why, and what to pass instead, or that the store failed.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    call: Callable[..., dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A tool as it is written: `names` are those of `Memory`'s arguments where the tool calls them otherwise."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    work: Work
    names: Mapping[str, str]
    title: str = ""
    """What a person reads in place of the name."""
    action: str = ""
    """What it is called where permission is asked (rules/trust.py); its own name where that is not said."""
    effect: Effect = "reads"
    again: bool = False
    """True if the same call once more changes nothing more."""
    answer: Mapping[str, Any] | None = None
    """The JSON schema of its answer, without "success", where a surface has to promise one."""


def tool_of(declared: Declared, desk: Desk) -> Tool:
    """The tool for this desk."""

    def call(**given: object) -> dict[str, Any]:
        return _answered(declared, desk, given)

    return Tool(
        name=declared.name,
        description=declared.description,
        parameters=schema_of(declared.arguments),
        call=call,
    )


def _answered(declared: Declared, desk: Desk, given: Mapping[str, object]) -> dict[str, Any]:
    answer = tried(declared, desk, given)
    if answer["success"] or COMPLEXITY.get(declared.action or declared.name, DESTROY) <= READ:
        return answer
    error = answer["error"]
    if not desk.patience.is_over(f"{declared.name}:{error['argument']}"):
        return answer
    return {**answer, "terminal": True, "message": LAST_WORD, "error": {**error, "remedy": LAST_WORD}}


def tried(declared: Declared, desk: Desk, given: Mapping[str, object]) -> dict[str, Any]:
    """What the tool answers to these arguments, once: "success" and its fields, or "error". It never raises."""
    refused = refusal(declared.action or declared.name, tier=desk.tier, trust=desk.scope.trust)
    if refused is not None:
        return failure("tier" if "of tier" in refused else "trust", refused, "ask somebody who may, or leave it")
    try:
        answer = plain_value({"success": True, **declared.work(desk, **checked(declared.arguments, given))})
    except UsageError as error:
        return failure(declared.names.get(error.argument, error.argument), error.problem, error.remedy)
    except (GlossatorError, OSError) as error:
        reason = f"{type(error).__name__}: {error}"
        logger.warning("the tool %s gave no answer: %s", declared.name, kind_of(error), extra=content_of(error))
        desk.memory.hook_failed(declared.name)
        retryable = bool(getattr(error, "retryable", False))
        remedy = "try once more" if retryable else "go on without memory and tell the operator"
        return failure("", reason, remedy, retryable=retryable)
    assert isinstance(answer, dict)
    return answer


def failure(argument: str, problem: str, remedy: str, **more: object) -> dict[str, Any]:
    """The answer of a tool that did nothing."""
    error = {"argument": argument, "problem": problem, "remedy": remedy, **more}
    return {"success": False, "error": plain_value(error)}


def as_openai(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """The tools as OpenAI's function calling takes them, and every server that speaks it."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
        }
        for tool in tools
    ]


def as_anthropic(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """The tools as Anthropic's messages take them."""
    return [
        {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)} for tool in tools
    ]


def call_tool(tools: Sequence[Tool], name: str, arguments: object) -> dict[str, Any]:
    """What the named tool answers to the arguments as they came from a model: an object, or its JSON text."""
    tool = next((each for each in tools if each.name == name), None)
    if tool is None:
        return failure("name", f"{name!r} is no tool", f"choose from {', '.join(each.name for each in tools)}")
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError) as error:
            return failure("arguments", f"are no JSON: {error}", "pass one JSON object")
    if not isinstance(arguments, Mapping) or not all(isinstance(each, str) for each in arguments):
        return failure("arguments", "are no JSON object", "pass one JSON object")
    return tool.call(**arguments)
