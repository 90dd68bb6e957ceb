"""Which span of an over-long prompt would a cut drop?

One ratio serves the trigger and the cut, so that nothing is queued where nothing is dropped (C-16, D10), and the room
for the cut's marker is reckoned here, so that nothing is dropped that is not queued (D8).
"""

from dataclasses import dataclass

CHARACTERS_PER_TOKEN = 3
"""A prompt is over-long when it has more than three characters for each token of the window (A26)."""
HEAD_SHARE = 0.4
"""The beginning keeps 40 % of the room, the end 60 % (A69)."""
MARKER = "\n[{count} characters removed]\n"
SHORT_MARKER = "…"
"""Where the marker would leave no room for anything else: windows of ten tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elided:
    """The dropped span `[start, end)` of a prompt, in characters."""

    start: int
    end: int


def elided_span(length: int, *, window_tokens: int) -> Elided | None:
    """What a prompt of this length loses when it is cut to the window; None if it fits."""
    room = CHARACTERS_PER_TOKEN * max(0, window_tokens)
    if length <= room:
        return None
    kept = max(0, room - len(marker(length, room=room)))
    head = int(kept * HEAD_SHARE)
    return Elided(start=head, end=length - (kept - head))


def marker(count: int, *, room: int) -> str:
    """What stands where `count` characters were; longer for a larger count only."""
    full = MARKER.format(count=count)
    return full if room >= 2 * len(full) else SHORT_MARKER[:room]
