"""Of which kind is a question, and does it ask for the newest or the first state of things?"""

from typing import Literal

import regex

from glossator.rules.patterns import late

QuestionKind = Literal["when", "who", "where", "how_many", "what", "how", "yes_no", "other"]
KINDS: tuple[QuestionKind, ...] = ("when", "who", "where", "how_many", "what", "how", "yes_no", "other")

_PATTERNS: tuple[tuple[QuestionKind, str], ...] = (
    ("how_many", r"\bhow (?:many|much|often|long|old|far)\b|多少|几"),
    (
        "when",
        r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b|什么时候|时间|啥时候|いつ|\bwann\b|\bquand\b|когда",
    ),
    ("where", r"\bwhere\b|\b(?:what|which) (?:city|country|place|state)\b|哪里|哪儿|地点|どこ|\bwo\b|\boù\b|где"),
    ("who", r"\bwho(?:m|se)?\b|谁|誰|\bwer\b|\bqui\b|кто"),
    ("how", r"\b(?:why|how)\b|为什么|怎么|如何"),
    ("what", r"\b(?:what|which)\b|什么|啥|哪|何"),
    ("yes_no", r"^\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|would|will|should)\b"),
)
_COMPILED = tuple((kind, late(pattern, regex.IGNORECASE)) for kind, pattern in _PATTERNS)
_NEWEST = late(
    r"\b(?:current(?:ly)?|now|nowadays|these days|latest|most recent(?:ly)?|recent(?:ly)?|at the moment|today|still"
    r"|so far|last time|newest)\b|现在|目前|最近|最新|今",
    regex.IGNORECASE,
)
_FIRST = late(
    r"\b(?:first(?: time)?|original(?:ly)?|initial(?:ly)?|previous(?:ly)?|earlier|before|used to|former(?:ly)?)\b"
    r"|最初|以前|原来|之前",
    regex.IGNORECASE,
)

_ABOUT_ASKER = late(r"\b(?:i|my|me|mine|we|our|us)\b|我|私|僕|俺|我们", regex.IGNORECASE)
_OF_THE_PAST = late(
    r"\b(?:when did|how long|ago|passed|total|combined|order|between|after|since|past|last|months?|weeks?|days?|years?"
    r"|(?:19|20)\d\d)\b",
    regex.IGNORECASE,
)
_UP_TO_NOW = late(r"\b(?:have|has)\s+(?:i|we|my|our)\b|\b(?:i|we)(?:\s+have|['’]ve)\b", regex.IGNORECASE)
STATE_WORDS_MAX = 25
"""Longer questions tell a story of their own; what they ask is seldom how things stand."""


def question_kind(text: str) -> QuestionKind:
    """The kind by the first question word that fits, the more telling first."""
    return next((kind for kind, pattern in _COMPILED if pattern.search(text)), "other")


def asks_newest(text: str) -> bool:
    """True when the question's words ask how things are now."""
    return bool(_NEWEST.search(text)) and not _FIRST.search(text)


def asks_first(text: str) -> bool:
    """True when the question's words ask how things were before or at first."""
    return bool(_FIRST.search(text))


def asks_how_things_stand(text: str) -> bool:
    """True when the question asks for a state of the asker's own, of which the newest statement holds.

    "Where do I work?" and "How long have I had my cat?" do; "Where did I work before?", "When did I ..." and questions
    about others do not.
    """
    past = _FIRST.search(text) or (_OF_THE_PAST.search(text) and not _UP_TO_NOW.search(text))
    return bool(_ABOUT_ASKER.search(text)) and not past and len(text.split()) <= STATE_WORDS_MAX
