"""What is handed to a prompt: the block to inject, and what stands in it."""

from dataclasses import dataclass

from glossator.model.fact import Fact
from glossator.model.recall import Degradation, Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBlock:
    """The fenced block for one request, at most `token_count` tokens long (UTF-8 bytes / 4, rounded up).

    `block` is "" where memory has nothing to say, and `skipped` is why. `facts` and `hits` are what the block shows,
    in its order; words said several times are shown once, so that a hit may stand for others. `degraded` names what was
    missing, left out or shown as a quotation only.
    """

    block: str = ""
    facts: tuple[Fact, ...] = ()
    hits: tuple[Hit, ...] = ()
    token_count: int = 0
    degraded: tuple[Degradation, ...] = ()
    skipped: str = ""
    """"" where there is a block, else one of "no request", "trivial", "nothing relevant", "no room", "stale",
    "failed"."""
    conversation: str | None = None
    """The key of the conversation that it was composed for, where that was said."""
    generation: int = 0
    """Which conversation of its run it was composed for: rises with every switch (AgentRun.switch)."""
