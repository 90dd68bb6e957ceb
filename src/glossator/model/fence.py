"""How is recalled memory marked in a prompt, so that nothing stored can end the mark?"""

import unicodedata
from functools import cache

import regex

MEMORY_OPEN = '<memory-context note="recalled from memory: background, not something the user says now">'
MEMORY_CLOSE = "</memory-context>"

_BETWEEN = r"[\s\p{Cf}\p{Mn}\p{Cc}]*+"
"""What may be slipped between the letters of a tag without being seen: spaces, zero-width characters, marks."""
OPENING_BRACKETS = "<＜﹤‹〈⟨〈《«"
SLASHES = "/／∕⁄\\\\"
_DASHES = r"\-‐‑‒–—−_－﹣⁃"
_STYLED = (*range(0x1D00, 0x1DC0), *range(0x2070, 0x20A0), *range(0x2100, 0x2150), *range(0x24B6, 0x24EA),
           *range(0xFF21, 0xFF5B), *range(0x1D400, 0x1D6A4), *range(0x1F130, 0x1F18A))  # fmt: skip
"""Raised, letter-like, circled, full-width, mathematical and boxed letters."""
_TWINS = {"m": "м", "e": "еεє", "o": "оοօ", "r": "гя", "y": "уүγ", "c": "сϲ", "n": "пη", "t": "тτ", "x": "хχ×"}
"""Cyrillic, Greek and Armenian letters that pass for Latin ones."""


@cache
def disguises() -> dict[str, str]:
    """For each letter of the tag the characters that read as it, as they stand in a class of a pattern."""
    found = {letter: letter for letter in "memorycntx"}
    for code in _STYLED:
        plain = unicodedata.normalize("NFKC", chr(code)).casefold()
        if plain in found:
            found[plain] += chr(code)
    return {letter: same + _TWINS.get(letter, "") for letter, same in found.items()} | {"-": _DASHES}


@cache
def _disguised() -> regex.Pattern[str]:
    """The tag, however it is written; compiled when it is first looked for."""
    letters = disguises()
    return regex.compile(
        rf"[{OPENING_BRACKETS}]({_BETWEEN}(?:[{SLASHES}]{_BETWEEN}){{0,2}}"
        + _BETWEEN.join(f"[{letters[letter]}]" for letter in "memory-context")
        + ")",
        regex.IGNORECASE,
    )


def without_fences(text: str) -> str:
    """The text with every tag of the fence made harmless, however it is written: its bracket becomes another one."""
    return str(_disguised().sub(_without_bracket, text))


def _without_bracket(found: regex.Match[str]) -> str:
    return f"&lt;{found[1]}"
