"""Does a question ask for a time, or look back on earlier life?"""

from __future__ import annotations

import re

from glossator.rules.patterns import late_re
from glossator.rules.timex.engine import LANGUAGES

_REACH = 4_000
_WHEN = late_re("|".join(language.when for language in LANGUAGES if language.when), re.IGNORECASE)
_NOSTALGIA = late_re("|".join(language.nostalgia for language in LANGUAGES if language.nostalgia), re.IGNORECASE)


def asks_when(text: str) -> bool:
    """Whether a date or a time would answer: "When did ...", "what year ...", "how long ago ...", "since when"."""
    return bool(_WHEN.search(text[:_REACH]))


def nostalgic(text: str) -> bool:
    """Whether the words look back on earlier life: "used to", "when I was a kid", "years ago" (O28)."""
    return bool(_NOSTALGIA.search(text[:_REACH]))
