"""Which speakers, names and quoted phrases does a question hold?

An apostrophe inside a word is no quotation mark ("What's ... Rachel's"); a name may be lower case, accented, short,
hold an apostrophe, or stand first in the sentence. Matching is by whole folded words, never by substring.
"""

import regex

from glossator.rules.stopwords import ENGLISH
from glossator.rules.tokens import fold

_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[-'’ʼ][\p{L}\p{M}]+)*")
_POSSESSIVE = regex.compile(r"['’ʼ]s?$")
_QUOTED = regex.compile(
    r'"([^"\n]{2,80})"|“([^”\n]{2,80})”|„([^“”\n]{2,80})[“”]|«\s?([^»\n]{2,80}?)\s?»|「([^」\n]{1,80})」|『([^』\n]{1,80})』'
    r"|(?<![\p{L}\p{N}])['‘]([^'‘’\n]{2,80})['’](?![\p{L}\p{N}])"
)
_CAPITALISED = regex.compile(r"\p{Lu}[\p{L}\p{M}'’ʼ-]*")
_NO_NAMES = frozenset(
    """
    explain remind tell show list give find describe compare name recall summarize summarise please hey hi hello thanks
    according considering regarding based since before after during while until given because although
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow
    would should could can will may might must is are was were did does do has have had
    """.split()
)
NICKNAME_LETTERS_MIN = 3


def quoted_phrases(text: str) -> tuple[str, ...]:
    """Phrases in quotation marks of any common kind, as written, without the marks."""
    found = (next(group for group in match.groups() if group) for match in _QUOTED.finditer(text))
    return tuple(dict.fromkeys(phrase.strip() for phrase in found if phrase.strip()))


def proper_names(text: str) -> tuple[str, ...]:
    """Folded words that are written as names: capitalised, and no word of grammar, date or command.

    The first word of a sentence counts unless it is such a word, so "Explain Rachel's plan" gives only "rachel".
    """
    names: dict[str, None] = {}
    for match in _WORD.finditer(text):
        word = _POSSESSIVE.sub("", match.group())
        folded = fold(word)
        if (
            _CAPITALISED.fullmatch(word)
            and len(folded) > 1
            and folded not in _NO_NAMES
            and _plain(folded) not in ENGLISH
        ):
            names[folded] = None
    return tuple(names)


def named_speakers(text: str, speakers: tuple[str, ...]) -> tuple[int, ...]:
    """Places in `speakers` of those that the text names, by any part of the name or its first letters ("Mel").

    "user", "assistant" and the like are roles, not names.
    """
    words = {fold(_POSSESSIVE.sub("", match.group())) for match in _WORD.finditer(text)}
    words -= {word for word in words if _plain(word) in ENGLISH}
    return tuple(place for place, speaker in enumerate(speakers) if _is_named(speaker, words))


def _is_named(speaker: str, words: set[str]) -> bool:
    parts = [part for part in fold(speaker).split() if part not in {"user", "assistant", "system", "tool"}]
    if any(part in words for part in parts):
        return True
    first = parts[0] if parts else ""
    return any(len(word) >= NICKNAME_LETTERS_MIN and first.startswith(word) for word in words)


def _plain(word: str) -> str:
    return word.replace("'", "").replace("’", "").replace("ʼ", "")
