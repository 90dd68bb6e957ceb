"""`glossator recall`: ask, and see the hits with their evidence."""

from dataclasses import replace
from typing import Any

from glossator.surfaces.call import LOADING_S, Call
from glossator.surfaces.show.plain_json import Plain, plain_value
from glossator.surfaces.verbs.facts import fact_value


def run(call: Call, query: str, *, explain: bool, as_text: bool, tokens: int, **choices: Any) -> None:
    """Recall; print the hits, or with `as_text` the block for a prompt."""
    from glossator.errors import UsageError

    if tokens < 1:
        raise UsageError("tokens", f"{tokens} is below 1", remedy="pass a positive number")
    with call.open(new=False) as memory:
        memory.warm(LOADING_S)
        answer = memory.recall(query, scope=call.scope, explain=True, **choices)
    block = answer.text(tokens=tokens) if as_text else None
    if call.screen.as_json:
        call.screen.answer(answer_value(query, answer, explain=explain, text=block), render=lambda: "")
        return
    if block is not None:
        call.screen.verbatim(block + "\n")
        for each in answer.degraded:
            call.screen.note(f"without {each.part}: {each.reason}", style="yellow")
        return
    from glossator.surfaces.show.answers import render_answer

    call.screen.show(render_answer(answer, explain=explain, zone=call.options.zone))


def answer_value(query: str, answer: Any, *, explain: bool, text: str | None) -> dict[str, Plain]:
    """The answer with ranks; traces only where they were asked for."""
    hits = answer.hits if explain else tuple(replace(hit, trace=None) for hit in answer.hits)
    ranked: list[Plain] = [{"rank": rank, **as_hit(hit)} for rank, hit in enumerate(hits, start=1)]
    value: dict[str, Plain] = {"query": query, "hits": ranked}
    for part in ("degraded", "asked_time", "filters"):
        value[part] = plain_value(getattr(answer, part))
    return value if text is None else {**value, "text": text}


def as_hit(hit: Any) -> dict[str, Plain]:
    """A hit's fields; `link` names what a derived hit was taken from, and is null for verbatim words."""
    fields = plain_value(replace(hit, facts=()))
    more: dict[str, Plain] = {
        "said_at": plain_value(hit.said_at),
        "link": hit.source_id,
        "superseded": hit.superseded,
        "facts": [fact_value(fact) for fact in hit.facts],
    }
    return {**fields, **more} if isinstance(fields, dict) else {}
