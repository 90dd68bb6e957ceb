"""`glossator context`: what a request would get into its prompt."""

from typing import Any

from glossator.surfaces.call import LOADING_S, Call


def run(call: Call, request: str, **choices: Any) -> None:
    """The block to the letter on stdout; why there is none, and what was missing, on stderr."""
    with call.open(new=False) as memory:
        memory.warm(LOADING_S)
        found = memory.context(request, scope=call.scope, conversation=call.scope.conversation, **choices)
    if call.screen.as_json:
        call.screen.answer(found, render=lambda: "")
        return
    if found.block:
        call.screen.verbatim(found.block + "\n")
    for each in found.degraded:
        call.screen.note(f"without {each.part}: {each.reason}")
    call.screen.note(f"no block: {found.skipped}" if found.skipped else f"{found.token_count} tokens")
