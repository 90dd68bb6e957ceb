"""Which words of an event are kept? What the user or the agent said, without what the memory itself had put there."""

import re

from glossator.rules.secrets import redacted

_RECALLED = re.compile(r"<\s*memory-context\b[^<>]*>.*?(?:<\s*/\s*memory-context\s*>|\Z)", re.IGNORECASE | re.DOTALL)
LOOKED_AT_MAX = 64 * 1024
"""Of a tool's result so much is looked through for secrets."""
HEAD, TAIL = 1_000, 400
"""Characters of a tool's result that are kept: how it begins, and how it ended."""
INPUT_MAX = 400


def without_recalled(text: str) -> str:
    """The text without blocks of recalled memory: kept again, they would be recalled as if they had been said anew."""
    return _RECALLED.sub("", text).strip() if "memory-context" in text.casefold() else text


def shortened(text: str, *, head: int = HEAD, tail: int = TAIL) -> str:
    """The beginning and the end, secrets taken out before anything is cut, so that half of one is not left."""
    clean, _ = redacted(text[:LOOKED_AT_MAX])
    if len(text) > LOOKED_AT_MAX:
        tail = 0
    left_out = len(clean) - head - tail + max(0, len(text) - LOOKED_AT_MAX)
    if left_out <= 0:
        return clean
    return f"{clean[:head]}\n[{left_out:,} characters left out]\n{clean[len(clean) - tail :]}".rstrip()
