"""`glossator facts`: list, search, show, history, archive, deprioritise, reinstate, restore, forget."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from glossator.errors import UsageError
from glossator.model import Fact, FactPreview, FactReceipt
from glossator.surfaces.call import LOADING_S, Call
from glossator.surfaces.show.plain_json import Plain, plain_value
from glossator.surfaces.verbs.receipt import check_new, written

if TYPE_CHECKING:
    from rich.console import RenderableType

    from glossator import Memory

Move = Literal["archive", "deprioritise", "reinstate"]

FACTS_MAX = 1_000
"""As many as one call of `Memory.facts` gives."""


def list_facts(call: Call, *, limit: int, **choices: Any) -> None:
    """The facts, and whether there are more of them."""
    if not 1 <= limit <= FACTS_MAX:
        raise UsageError("limit", f"{limit} is not between 1 and {FACTS_MAX}", remedy="for example 20")
    with call.open(new=False, embeds=False) as memory:
        found = memory.facts(scope=call.scope, limit=min(limit + 1, FACTS_MAX), **choices)
        waiting = 0 if found else memory.status(call.scope).pending_count
    shown, more = found[:limit], len(found) > limit
    narrowed = any(choices.values())

    def render() -> "RenderableType":
        from glossator.surfaces.show.facts import render_listed, render_none

        if not shown:
            return render_none(narrowed=narrowed, waiting=waiting)
        return render_listed(shown, zone=call.options.zone, as_of=choices["as_of"], more=more)

    call.screen.answer({"facts": [fact_value(fact) for fact in shown], "more": more}, render=render)


def search_facts(call: Call, query: str, **choices: Any) -> None:
    """The facts that fit the words."""
    with call.open(new=False) as memory:
        memory.warm(LOADING_S)
        found = memory.search_facts(query, scope=call.scope, **choices)

    def render() -> "RenderableType":
        from glossator.surfaces.show.facts import render_facts, render_none

        return render_facts(found, zone=call.options.zone) if found else render_none(narrowed=True, waiting=0)

    call.screen.answer({"facts": [fact_value(fact) for fact in found]}, render=render)


def show_fact(call: Call, fact_id: str) -> None:
    """One fact and its evidence."""
    with call.open(new=False, embeds=False) as memory:
        why = memory.explain(fact_id, scope=call.scope)

    def render() -> "RenderableType":
        from glossator.surfaces.show.facts import render_fact

        return render_fact(why.fact, why.evidence, zone=call.options.zone)

    call.screen.answer({"fact": fact_value(why.fact), "evidence": why.evidence}, render=render)


def show_history(call: Call, fact_id: str) -> None:
    """The versions, oldest first."""
    with call.open(new=False, embeds=False) as memory:
        chain = memory.history(fact_id, scope=call.scope)

    def render() -> "RenderableType":
        from glossator.surfaces.show.facts import render_facts

        return render_facts(chain, zone=call.options.zone)

    call.screen.answer({"versions": [fact_value(fact) for fact in chain]}, render=render)


def restore_fact(call: Call, fact_id: str, *, replaces: bool = False) -> None:
    """The fact is current again."""
    with call.open(new=False, embeds=False) as memory, in_words_of("fact_id"):
        fact = memory.restore_fact(fact_id, scope=call.scope, replace=replaces)

    def render() -> "RenderableType":
        from glossator.surfaces.show.facts import render_restored

        return render_restored(fact, zone=call.options.zone)

    call.screen.answer({"fact": fact_value(fact)}, render=render)


def move_facts(call: Call, move: Move, fact_ids: Sequence[str], *, reason: str, **choices: Any) -> None:
    """Archive, deprioritise or reinstate facts, all or none."""
    with call.open(new=False, embeds=False) as memory, in_words_of("fact_ids"):
        moved = getattr(memory, f"{move}_facts")(list(fact_ids), scope=call.scope, reason=reason, **choices)

    def render() -> "RenderableType":
        from glossator.surfaces.show.facts import render_facts

        return render_facts(moved, zone=call.options.zone)

    call.screen.answer({"facts": [fact_value(fact) for fact in moved]}, render=render)


def forget_facts(
    call: Call, fact_ids: Sequence[str], *, containing: str, erase: bool, yes: bool, proof: Path | None = None
) -> None:
    """Preview first; forget with `yes`, or when a person says yes. The signed receipt goes to the file `proof`."""
    check_new(proof)
    if bool(fact_ids) == bool(containing):
        problem = "is given together with --containing" if fact_ids else "is missing, and so is --containing"
        raise UsageError("fact_ids", problem, remedy="name ids, or --containing with words that stand in the facts")
    target: dict[str, Any] = {"fact_ids": fact_ids, "containing": containing, "erase": erase, "scope": call.scope}
    receipt = None
    with call.open(new=False, embeds=False) as memory, in_words_of("fact_ids"):
        preview = memory.forget_facts(**target)
        assert isinstance(preview, FactPreview)
        if not call.screen.as_json:
            from glossator.surfaces.show.facts import render_fact_preview

            call.screen.show(render_fact_preview(preview, erase=erase, zone=call.options.zone))
        if yes or _agreed(call, erase=erase):
            receipt = _forgotten(memory, target, preview)
            written(proof, receipt.signed)
    if call.screen.as_json:
        value = {"preview": _facts_value(preview), "receipt": None if receipt is None else _facts_value(receipt)}
        call.screen.answer(value, render=lambda: "")
    elif receipt is None:
        call.screen.note("nothing was forgotten; add --yes to do it")
    else:
        from glossator.surfaces.show.facts import render_fact_receipt

        call.screen.show(render_fact_receipt(receipt, erased=erase))


def _forgotten(memory: "Memory", target: Mapping[str, Any], preview: FactPreview) -> FactReceipt:
    """Forget just what the preview showed."""
    receipt = memory.forget_facts(**target, confirm=preview.token, reason="asked on the command line")
    assert isinstance(receipt, FactReceipt)
    return receipt


def _agreed(call: Call, *, erase: bool) -> bool:
    if not call.screen.asks():
        return False
    sys.stderr.write("Erase these words for good? [y/N] " if erase else "Forget this? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


@contextmanager
def in_words_of(argument: str) -> Iterator[None]:
    """What is wrong with a move or a fact is wrong with the id that was typed."""
    try:
        yield
    except UsageError as exc:
        if exc.argument.partition("[")[0] not in ("fact_ids", "fact_id"):
            raise
        remedy = exc.remedy.replace("replace=True", "--replace")
        raise type(exc)(argument, exc.problem, remedy=remedy) from exc


def fact_value(fact: Fact) -> dict[str, Plain]:
    """A fact's fields, with its public id."""
    fields = plain_value(fact)
    return {"id": fact.id, **fields} if isinstance(fields, dict) else {}


def _facts_value(value: FactPreview | FactReceipt) -> dict[str, Plain]:
    fields = plain_value(value)
    listed: list[Plain] = [fact_value(fact) for fact in value.facts]
    return {**fields, "facts": listed} if isinstance(fields, dict) else {}
