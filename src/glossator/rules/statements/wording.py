"""What are the first words of a clause? Lower case, contractions taken apart, places kept."""

import regex

from glossator.rules.statements import english_words as words_of
from glossator.rules.statements.values import Word

_WORD = regex.compile(
    r"\p{L}+?(?=n't(?!\p{L}))|n't(?!\p{L})|'(?:m|s|re|ve|ll|d)(?!\p{L})"
    r"|[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*+(?:[-.@/+&][\p{L}\p{N}]++)*+|\S"
)
WORDS_MAX = 22
"""Subject and verb stand among the first words of a clause; what comes after is matched as text."""
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'", "‘": "'", "`": "'"})


def lowered(text: str) -> str:
    """Lower case with straight apostrophes, letter for letter, so that offsets stay."""
    low = text.lower().translate(_APOSTROPHES)
    if len(low) != len(text):
        low = "".join(one if len(one) == 1 else letter for letter in text for one in (letter.lower(),))
        low = low.translate(_APOSTROPHES)
    return low


def words_in(low: str, *, start: int = 0, most: int = WORDS_MAX) -> list[Word]:
    """The first words of a lower-case text, contractions and the informal "im", "dont" taken apart."""
    found: list[Word] = []
    for match in _WORD.finditer(low, start):
        begin, stop, text = match.start(), match.end(), match.group()
        pair = words_of.INFORMAL.get(text)
        if pair:
            cut = begin + len(pair[0]) if len(text) > len(pair[0]) else stop
            found += [Word(low=pair[0], begin=begin, stop=cut), Word(low=pair[1], begin=cut, stop=stop)]
        else:
            full = words_of.FULL.get(text, text) if low.startswith("n't", stop) else text
            found.append(Word(low=full, begin=begin, stop=stop))
        if len(found) >= most:
            break
    return found


def next_low(words: list[Word], place: int) -> str:
    """The word after this place, or ""."""
    return words[place + 1].low if place + 1 < len(words) else ""
