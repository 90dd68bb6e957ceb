"""`glossator explain`: why is a fact held?"""

from typing import TYPE_CHECKING

from glossator.surfaces.call import Call
from glossator.surfaces.verbs.facts import fact_value

if TYPE_CHECKING:
    from rich.console import RenderableType


def run(call: Call, fact_id: str) -> None:
    """The sentences, the decisions, what was changed by hand, and the versions."""
    with call.open(new=False, embeds=False) as memory:
        why = memory.explain(fact_id, scope=call.scope)

    def render() -> "RenderableType":
        from glossator.surfaces.show.facts import render_explanation

        return render_explanation(why, zone=call.options.zone)

    value = {
        "fact": fact_value(why.fact),
        "evidence": why.evidence,
        "decided": why.decided,
        "changes": why.changes,
        "chain": [fact_value(fact) for fact in why.chain],
    }
    call.screen.answer(value, render=render)
