"""`glossator remember`: one statement becomes a fact, and the decision is shown."""

from typing import TYPE_CHECKING, Any

from glossator.surfaces.call import Call
from glossator.surfaces.verbs.facts import fact_value

if TYPE_CHECKING:
    from rich.console import RenderableType


def run(call: Call, text: str, **choices: Any) -> None:
    """Keep the statement, said by whoever holds the file; what it replaces is closed."""
    with call.open(embeds=False) as memory:
        kept = memory.remember(text, scope=call.scope, conversation=call.scope.conversation, **choices)

    def render() -> "RenderableType":
        from glossator.surfaces.show.facts import render_remembered

        return render_remembered(kept, zone=call.options.zone)

    value = {"decided": kept.decided, "fact": None if kept.fact is None else fact_value(kept.fact)}
    call.screen.answer(value, render=render)
