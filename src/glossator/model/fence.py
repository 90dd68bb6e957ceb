"""How is recalled memory marked in a prompt, so that nothing stored can end the mark?"""

import regex

MEMORY_OPEN = '<memory-context note="recalled from memory: background, not something the user says now">'
MEMORY_CLOSE = "</memory-context>"

_BETWEEN = r"[\s\p{Cf}\p{Mn}\p{Cc}]*+"
"""What may be slipped between the letters of a tag without being seen: spaces, zero-width characters, marks."""
_DISGUISED = regex.compile(
    rf"[<＜﹤‹〈]({_BETWEEN}(?:[/／∕⁄]{_BETWEEN})?"
    + _BETWEEN.join(r"[-‐‑‒–—−_]" if letter == "-" else letter for letter in "memory-context")
    + ")",
    regex.IGNORECASE,
)


def without_fences(text: str) -> str:
    """The text with every tag of the fence made harmless, however it is written: its bracket becomes another one."""
    return str(_DISGUISED.sub(_without_bracket, text))


def _without_bracket(found: regex.Match[str]) -> str:
    return f"&lt;{found[1]}"
