"""What does a text look like, in bits that ranking can use without reading it again?

DATE: its words name a time. NUMBER: a digit or a number word. NAME: a capitalised word inside a sentence. ASKS: a
question mark. ENDS_ASKING: it ends with one. FIRST_PERSON: the speaker speaks of themself.
"""

import regex

from glossator.rules.patterns import late

DATE, NUMBER, NAME, ASKS, ENDS_ASKING, FIRST_PERSON = (1 << place for place in range(6))

_NUMBER = late(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|couple"
    r"|several|half)\b|[一二三四五六七八九十百千万两]",
    regex.IGNORECASE,
)
_NAME = late(r"(?<=[^.!?:\n]\s)\b(?!I\b|I['’])\p{Lu}[\p{L}\p{M}]{2,}")
_FIRST_PERSON = late(
    r"\b(?:i|i['’](?:m|ve|d|ll)|my|we|our|me|mine|us|ich|mein\w*|je|mon|ma|yo|mi|я|мой|моя|мне|меня)\b|我|私|僕|俺",
    regex.IGNORECASE,
)
_QUESTION_MARKS = ("?", "？", "؟")


def marks_of(text: str, *, names_a_time: bool) -> int:
    """The bits that hold for the text; `names_a_time` comes from rules/timex."""
    marks = DATE if names_a_time else 0
    if _NUMBER.search(text):
        marks |= NUMBER
    if _NAME.search(text):
        marks |= NAME
    if any(mark in text for mark in _QUESTION_MARKS):
        marks |= ASKS
    if text.rstrip().endswith(_QUESTION_MARKS):
        marks |= ENDS_ASKING
    if _FIRST_PERSON.search(text):
        marks |= FIRST_PERSON
    return marks
