"""What does a text hide from the eye, and how does it read once nothing is hidden?

The character classes are searched by `re`, which finds a single one of a class many times as fast as `regex` does, and
as fast as itself finds a run.
"""

import unicodedata

from glossator.rules.patterns import late_re

_TAGS = late_re("[\U000e0000-\U000e007f]")
_FLAGS = late_re("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{3,6}\U000e007f")
"""England, Scotland and Wales, whose flags are written with tag letters."""
_TURNED = late_re("[\u202b\u202d\u202e\u2067][^\n\u202c\u2069a-zA-Z]{0,4}[a-zA-Z]{2}")
"""An override or a right-to-left embedding of Latin words, which then read otherwise than they are written. Around a
telephone number it is what address books copy."""
_BLANK = "[\u115f\u1160\u180b-\u180e\u200b-\u200d\u2060-\u2064\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0100-\U000e01ef]"
_BLANKS = late_re(_BLANK)
_SMUGGLED = late_re(_BLANK + "{12}")
"""So many invisible characters in a row carry a message in their choice."""

_UNSEEN = late_re(
    "[\u00ad\u0300-\u036f\u061c\u115f\u1160\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u20d0-\u20ff\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef]"
)
"""Invisible characters, and the accents and strokes that can be laid over a letter."""
_STYLED = late_re(
    "[\u1d00-\u1dbf\u2070-\u209f\u2100-\u214f\u2460-\u24ff\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]"
)
"""Raised, letter-like, circled, full-width and mathematical letters: the same letters to a model."""
_MIXED = late_re("[\u0370-\u04ff](?:(?=[a-z])|(?<=[a-z].))")
"""A Greek or Cyrillic letter beside a Latin one."""
_TWINS = tuple(zip("аеорсухіјѕһԁԛԝοαενρτικ", "aeopcyxijshdqwoaevptik", strict=True))
"""Cyrillic and Greek letters that look like Latin ones."""


def hides_characters(text: str) -> bool:
    """True if the text holds characters that hide words from whoever looks at it."""
    if text.isascii():
        return False
    if _TURNED.search(text) or any(_SMUGGLED.match(text, blank.start()) for blank in _BLANKS.finditer(text)):
        return True
    return bool(_TAGS.search(text)) and bool(_TAGS.search(_FLAGS.sub("", text)))


def plain_views(text: str) -> tuple[str, ...]:
    """The text as a model may read it: lower case, unseen characters gone, styled letters plain.

    A second view has foreign twins replaced by Latin letters, where a text mixes scripts within a word. The work grows
    with the length and not faster: only styled letters are normalised, since normal forms sort runs of marks slowly.
    """
    if text.isascii():
        return (text.lower(),)
    plain = _STYLED.sub(lambda found: unicodedata.normalize("NFKC", found[0]), _UNSEEN.sub("", text))
    plain = plain.lower().replace("’", "'").replace("‘", "'")
    if not _MIXED.search(plain):
        return (plain,)
    twinned = plain
    for foreign, latin in _TWINS:
        twinned = twinned.replace(foreign, latin)
    return plain, twinned
