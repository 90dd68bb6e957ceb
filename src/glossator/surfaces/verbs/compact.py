"""`glossator compact`: sum up the older part of a conversation, and tell both sizes."""

from dataclasses import replace
from typing import TYPE_CHECKING

from glossator.errors import NotFoundError, UsageError
from glossator.model import CompactionReason, Conversation
from glossator.surfaces.call import Call
from glossator.surfaces.registry import FAILED, OK

if TYPE_CHECKING:
    from rich.console import RenderableType

FAILURES: tuple[CompactionReason, ...] = ("failed", "weak", "stale", "no_model")
"""What ends with exit code 1: it was asked for, there was something to do, and it was not done."""


def run(call: Call, *, window_tokens: int | None) -> int:
    """Compact as an operator: whoever has the file may."""
    if call.scope.conversation is None:
        raise UsageError("--conversation", "is missing", remedy="name one, for example telegram:42")
    key = Conversation.parse(call.scope.conversation).key
    scope = replace(call.scope, conversation=key)
    with call.open(new=False, embeds=False) as memory, call.screen.progress("summing up"):
        if not memory.messages(scope=scope, limit=1):
            raise NotFoundError("conversation", f"{key!r} is not in this scope", remedy="check its name")
        result = memory.compact(scope=scope, conversation=key, window_tokens=window_tokens)

    def render() -> "RenderableType":
        from glossator.surfaces.show.compaction import render_compaction

        return render_compaction(result)

    value = {
        "compacted": result.compacted,
        "reason": result.reason,
        "before_tokens": result.before_tokens,
        "after_tokens": result.after_tokens,
        "detail": result.detail,
    }
    call.screen.answer(value, render=render)
    return FAILED if result.reason in FAILURES else OK
