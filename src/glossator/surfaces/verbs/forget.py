"""`glossator forget`: show what would go, then erase it and show the receipt."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.errors import UsageError
from glossator.model import ForgetPreview, ForgetReceipt
from glossator.surfaces.call import Call
from glossator.surfaces.verbs.receipt import check_new, written

if TYPE_CHECKING:
    from glossator import Memory


def run(
    call: Call, *, message_ids: tuple[str, ...], session: str | None, everything: bool, yes: bool, proof: Path | None
) -> None:
    """Preview first; erase with `yes`, or when a person says yes. The signed receipt goes to the file `proof`."""
    check_new(proof)
    _check_conversation(call, named=bool(message_ids or session), everything=everything)
    target: dict[str, Any] = {
        "scope": replace(call.scope, conversation=None),
        "message_ids": message_ids,
        "session": session,
    }
    target |= {"conversation": call.scope.conversation, "everything": everything}
    receipt = None
    with call.open(new=False, embeds=False) as memory:
        preview = previewed(memory, target)
        if not call.screen.as_json:
            from glossator.surfaces.show.upkeep import render_preview

            call.screen.show(render_preview(preview))
        if yes or _agreed(call):
            receipt = erased(memory, target, preview)
            written(proof, receipt.signed)
    if call.screen.as_json:
        call.screen.answer({"preview": preview, "receipt": receipt}, render=lambda: "")
    elif receipt is None:
        call.screen.note("nothing was erased; add --yes to do it")
    else:
        from glossator.surfaces.show.upkeep import render_forgotten

        call.screen.show(render_forgotten(receipt))


def _check_conversation(call: Call, *, named: bool, everything: bool) -> None:
    """A conversation of the environment may narrow what is named; it is no target by itself. Raises UsageError."""
    if call.scope.conversation is None or call.chosen_conversation is not None or named:
        return
    if everything:
        problem = f"is given while GLOSSATOR_CONVERSATION is {call.scope.conversation}"
        raise UsageError("everything", problem, remedy="unset it, or name the --conversation instead")
    problem = "is missing, and GLOSSATOR_CONVERSATION alone names nothing to erase"
    raise UsageError("message_ids", problem, remedy="name ids, a --conversation or --everything")


def previewed(memory: "Memory", target: Mapping[str, Any]) -> ForgetPreview:
    """What would go."""
    preview = memory.forget(**target)
    assert isinstance(preview, ForgetPreview)
    return preview


def erased(memory: "Memory", target: Mapping[str, Any], preview: ForgetPreview) -> ForgetReceipt:
    """Erase just what the preview showed."""
    receipt = memory.forget(**target, confirm=preview.token)
    assert isinstance(receipt, ForgetReceipt)
    return receipt


def _agreed(call: Call) -> bool:
    if not call.screen.asks():
        return False
    sys.stderr.write("Erase this for good? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")
