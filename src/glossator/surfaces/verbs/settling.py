"""How long is there something to embed or to take facts from, and does anybody see it?"""

from typing import TYPE_CHECKING

from glossator.errors import ProviderError
from glossator.surfaces.call import Call, Interrupted
from glossator.surfaces.show.wording import plural

if TYPE_CHECKING:
    from glossator import Memory

LOOK_S = 0.5
"""How often the progress bar looks at the backlog."""


def settle(memory: "Memory", call: Call) -> int:
    """Do what is open, with a progress bar; returns how much is left: 0 unless a model is missing or failed.

    Ctrl-C stops it: everything is stored and found by keyword already.
    """
    total = memory.status().pending_count
    embeds = call.options.embedder != "none"
    try:
        with call.screen.progress("embedding" if embeds else "taking facts", total=float(total)) as advance:
            while True:
                try:
                    memory.drain(timeout_s=LOOK_S)
                except TimeoutError:
                    left = memory.status().pending_count
                    advance(float(max(0, total - left)), f"{left:,} to go")
                else:
                    return 0 if embeds else memory.status().pending_count
    except ProviderError as exc:
        left = memory.status().pending_count
        words = f"{plural(left, 'piece')} of work left undone ({exc}); all is found by keyword meanwhile"
        call.screen.warn(words)
        return left
    except KeyboardInterrupt:
        left = memory.status().pending_count
        kept = f"everything is stored and found by keyword; `glossator worker --once` does the last {left:,}"
        raise Interrupted(kept) from None
