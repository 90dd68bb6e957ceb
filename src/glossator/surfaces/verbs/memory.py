"""`glossator memory`: review, restore."""

from typing import TYPE_CHECKING

from glossator.surfaces.call import Call
from glossator.surfaces.registry import FAILED
from glossator.surfaces.verbs.facts import as_operator, fact_value, in_words_of

if TYPE_CHECKING:
    from rich.console import RenderableType


def review(call: Call, *, now: bool) -> int:
    """Review the conversation, or all of the scope that have something new; exit code 1 where one failed."""
    with call.open(new=False, embeds=False) as memory, call.screen.progress("reviewing"):
        results = memory.review(scope=call.scope, now=now)

    def render() -> "RenderableType":
        from glossator.surfaces.show.reviews import render_reviews

        return render_reviews(results, forced=now)

    call.screen.answer({"reviews": results}, render=render)
    return FAILED if any(each.status == "failed" for each in results) else 0


def restore(call: Call, fact_id: str, *, replaces: bool) -> None:
    """The fact is current again, and what is made of facts has it. Whoever types this is the file's operator."""
    with call.open(new=False, embeds=False) as memory, in_words_of("fact_id"):
        fact = memory.restore_fact(fact_id, scope=as_operator(call), replace=replaces)

    def render() -> "RenderableType":
        from glossator.surfaces.show.reviews import render_back

        return render_back(fact, zone=call.options.zone)

    call.screen.answer({"fact": fact_value(fact)}, render=render)
