"""What does a row of the statement tables hold?"""

from dataclasses import dataclass
from typing import Literal

import regex

from glossator.model import Category, Kind
from glossator.rules.statements.values import SubjectKind, Tense

NOW: frozenset[Tense] = frozenset({"present", "progressive", "perfect", "perfect_progressive", "ended"})
PRESENT: frozenset[Tense] = frozenset({"present", "ended"})
PAST: frozenset[Tense] = frozenset({"past", "perfect"})
ANYBODY: frozenset[SubjectKind] = frozenset({"self", "we", "person", "name"})
SPEAKER: frozenset[SubjectKind] = frozenset({"self", "we"})
THINGS: frozenset[SubjectKind] = frozenset({"own", "thing", "name"})
Negation = Literal["turns", "refused"]
SIMPLE: frozenset[Tense] = frozenset({"present"})
STANDING: frozenset[Tense] = frozenset({"present", "perfect", "ended"})
ONGOING: frozenset[Tense] = frozenset({"progressive", "perfect_progressive"})
TOLD: frozenset[Tense] = frozenset({"past"})
CAN: frozenset[Tense] = frozenset({"can"})
MUST: frozenset[Tense] = frozenset({"must"})
SELF_ONLY: frozenset[SubjectKind] = frozenset({"self"})
WE: frozenset[SubjectKind] = frozenset({"we"})
OWN: frozenset[SubjectKind] = frozenset({"own"})
PERSON: frozenset[SubjectKind] = frozenset({"person"})
THING: frozenset[SubjectKind] = frozenset({"thing"})
GROUPS: frozenset[SubjectKind] = frozenset({"own", "thing"})
NOUNS: frozenset[SubjectKind] = frozenset({"thing", "name"})
ANY_NOUN = r"(?P<noun>.+)"
NOT = frozenset({"n't", "not"})
NO_WAY = NOT | {"never"}
NOT_OR_ONLY = NO_WAY | {"only"}
RANKS = {"identity": 0, "directive": 1, "preference": 2, "goal": 3, "interest": 3, "context": 4}


class Pattern:
    """A pattern that is compiled when it is first asked.

    All rows together take a second to compile, and a turn asks those of its own verbs only.
    """

    __slots__ = ("_compiled", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._compiled: regex.Pattern[str] | None = None

    def match(self, text: str) -> regex.Match[str] | None:
        """As regex.Pattern.match."""
        return self._pattern().match(text)

    def search(self, text: str) -> regex.Match[str] | None:
        """As regex.Pattern.search."""
        return self._pattern().search(text)

    def _pattern(self) -> regex.Pattern[str]:
        if self._compiled is None:
            self._compiled = regex.compile(self._text)
        return self._compiled


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One row: which clauses it reads and what they state.

    `verbs` are the verbs it takes (none: any); `rest` must match what follows the verb group from its beginning, and
    `noun` the noun of an owned or common subject. "{thing}" in `key` and `value` is what `rest` or `noun` caught under
    that name. A caught "place", "org" or "who" must be written as a name. `opposite` is the value that a negation
    gives ("" for "not <value>"); with `refuses_negation` a negated clause states nothing. `is_negative` says that the
    words deny or dislike by themselves. `absorbs` says that a
    negation belongs to the phrase and denies nothing ("can't live without"). `rank` is 0 for the most durable.
    """

    verbs: frozenset[str]
    rest: Pattern
    key: str
    value: str
    category: Category
    kind: Kind | None
    subjects: frozenset[SubjectKind]
    tenses: frozenset[Tense]
    noun: Pattern | None
    opposite: str
    refuses_negation: bool
    is_negative: bool
    needs: frozenset[str]
    spares: frozenset[str]
    is_event: bool
    absorbs: bool
    rank: int


def rule(
    verbs: str,
    rest: str,
    key: str,
    value: str,
    category: Category,
    *,
    kind: Kind | None = None,
    subjects: frozenset[SubjectKind] = ANYBODY,
    tenses: frozenset[Tense] = NOW,
    noun: str = "",
    opposite: str = "",
    negation: Negation = "turns",
    is_negative: bool = False,
    needs: frozenset[str] = frozenset(),
    spares: frozenset[str] = frozenset(),
    is_event: bool = False,
    absorbs: bool = False,
    rank: int | None = None,
) -> Rule:
    """A row from its texts. `needs` are adverbs of which the verb group must have one, `spares` verbs
    that a row for any verb leaves alone."""
    return Rule(
        verbs=frozenset(verbs.split()),
        rest=Pattern(rest),
        key=key,
        value=value,
        category=category,
        kind=kind,
        subjects=subjects,
        tenses=tenses,
        noun=Pattern(noun) if noun else None,
        opposite=opposite,
        refuses_negation=negation == "refused",
        is_negative=is_negative,
        needs=needs,
        spares=spares,
        is_event=is_event,
        absorbs=absorbs,
        rank=RANKS.get(category, 4) if rank is None else rank,
    )


_TIME = (
    r"now|these days|nowadays|at the moment|right now|currently|today|yesterday|last|next|this (?:year"
    r"|month|week|summer"
    r"|spring|fall|autumn|winter)|in (?:19|20)\d\d|ago|(?:a|an|one|two|three|four|five|six"
    r"|seven|eight"
    r"|nine|ten|\d+|a few|few|several|a couple of|about a|about \w+) (?:years?|months?|weeks?"
    r"|days?) "
    r"(?:ago|back|earlier)|in the (?:spring|summer|autumn|fall|winter|end|meantime)|originally|since"
    r"|until|till|back in|in (?:january|february|march|april|may"
    r"|june|july|august|september|october|november"
    r"|december)|on (?:\d|monday|tuesday|wednesday|thursday|friday|saturday"
    r"|sunday)|any ?more|any longer|again|permanently|recently|full[- ]time|part[- ]time|for (?:\w+ "
    r"){1,3}?(?:years?|months?"
    r"|weeks?|decades?)|for now|for good|too|as well|btw|lol|though|instead|already"
    r"|soon|together|alone|actually"
)
_JOIN = (
    r"because|cause|when|while|which|who|where|so|but|although|after|before|if|that|and (?:i|we|my|need|want|would like"
    r"|could use)"
)
STOP = rf"(?=\s*(?:[,;:()!?…—]|\.(?:\s|$)|\s[-–]\s)|(?<!\b(?:the|my|our|their))\s(?:{_TIME}|{_JOIN})\b|\s*$)"
PLACE_STOP = (
    rf"(?=\s*(?:[,;:()!?…—]|\.(?:\s|$)|\s[-–]\s)|\s(?:{_TIME}|{_JOIN}|with|for|as|and|near|to|from|at|by)\b|\s*$)"
)


def upto(name: str, *, stop: str = STOP, longest: int = 80) -> str:
    """A pattern that catches under `name` what stands before the end of the thought."""
    return rf"(?P<{name}>[^\s,;:.].{{0,{longest}}}?){stop}"
