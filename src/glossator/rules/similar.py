"""Do two statements say the same, the opposite, or the same with another number?

Closeness of meaning alone never decides: statements are the same only if their negation, numbers, names and opposites
agree as well.
"""

from dataclasses import dataclass
from functools import cache

import regex

from glossator.rules.canonical import normalised
from glossator.rules.patterns import late
from glossator.rules.stopwords import ENGLISH
from glossator.rules.tokens import fold, index_terms

SHARED_MIN = 0.8
"""Share of the shorter statement's words that the longer one must have to be the same in other words."""
JACCARD_MIN = 0.6
"""And of the words of both together, so that a short statement is not swallowed by a long one that says more."""
ALIKE_MIN = 0.5
"""Of the words of both together, for two that may speak of one thing: "cut every Tuesday", "cut every Thursday"."""

NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor without cannot cant dont doesnt didnt isnt wasnt arent werent wont "
    "wouldnt shouldnt couldnt hasnt havent hadnt aint stopped quit hate hates dislike dislikes".split()
)
_FILLERS = frozenset("anymore longer still now nowadays currently actually really absolutely totally".split())
"""They say that it is so, or since when, not what is so."""
OPPOSITES = tuple(
    frozenset(pair.split("/"))
    for pair in (
        "before/after more/less above/below over/under up/down in/out on/off with/without to/from first/last "
        "minimum/maximum min/max least/most start/stop begin/end open/close increase/decrease buy/sell accept/reject "
        "allow/forbid always/never early/late hot/cold left/right internal/external public/private old/new win/lose "
        "morning/evening mornings/evenings day/night weekdays/weekends lend/borrow arrive/leave enable/disable"
    ).split()
)
_SIDES = frozenset[str]().union(*OPPOSITES)
_WORD = late(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}'’ʼ]*")
_NUMBER = late(
    r"[<>≤≥=~]?\s?-?[$€£¥₹]?\d+(?:[.,:/-]\d+)*\s?(?:%|[kKmM]\b)?"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand)\b",
    regex.IGNORECASE,
)
_NAME = late(r"\b\p{Lu}[\p{L}\p{M}\p{N}'’-]*")
_APOSTROPHES = late(r"['’ʼ]")


@cache
def _untelling() -> frozenset[str]:
    return ENGLISH | {term for word in NEGATIONS | _FILLERS for term in index_terms(word)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """What two statements are compared by."""

    terms: frozenset[str]
    words: tuple[str, ...]
    """Telling terms in order."""
    numbers: tuple[str, ...]
    names: frozenset[str]
    """Terms of capitalised words, the first of a sentence too: taking a word for a name keeps statements apart."""
    negated: bool
    sides: frozenset[str]
    """Words that have an opposite."""
    frame: str
    """The normalised text with a mark in place of each number."""


def likeness(text: str) -> Likeness:
    """The statement as it is compared."""
    bare = [_APOSTROPHES.sub("", word) for word in _WORD.findall(fold(text))]
    negation_count = sum(word in NEGATIONS for word in bare)
    untelling = _untelling()
    told = tuple(term for term in index_terms(text) if term not in untelling)
    told_terms = frozenset(told)
    sides = _SIDES.intersection(bare)
    return Likeness(
        terms=told_terms,
        words=told,
        numbers=tuple(" ".join(found.split()) for found in _NUMBER.findall(fold(text))),
        names=frozenset(term for name in _NAME.findall(text) for term in index_terms(name)) & told_terms,
        negated=negation_count % 2 == 1,
        sides=sides,
        frame=_NUMBER.sub(" # ", normalised(text)),
    )


def says_the_same(one: Likeness, other: Likeness, *, in_order: bool = False) -> bool:
    """True for the same statement in other words: names in the same order, with `in_order` all shared words."""
    if one.negated != other.negated or sorted(one.numbers) != sorted(other.numbers) or _opposed(one, other):
        return False
    if not (one.names <= other.terms and other.names <= one.terms) or not one.terms or not other.terms:
        return False
    shared = one.terms & other.terms
    if len(shared) < SHARED_MIN * min(len(one.terms), len(other.terms)):
        return False
    if len(shared) < JACCARD_MIN * len(one.terms | other.terms):
        return False
    ordered = shared if in_order else one.names & other.names
    orders = [tuple(word for word in dict.fromkeys(each.words) if word in ordered) for each in (one, other)]
    return orders[0] == orders[1]


def says_much_alike(one: Likeness, other: Likeness) -> bool:
    """True if half of the telling words of both together are shared: one may be what the other has become."""
    shared = one.terms & other.terms
    return len(shared) >= ALIKE_MIN * len(one.terms | other.terms) > 0


def says_the_opposite(one: Likeness, other: Likeness) -> bool:
    """True for a negated twin: the same telling words, one of the two negated."""
    if one.negated == other.negated or sorted(one.numbers) != sorted(other.numbers) or len(one.terms) < 1:
        return False
    return one.terms == other.terms


def says_another_number(one: Likeness, other: Likeness) -> bool:
    """True for the same sentence with other numbers: "the limit is 10", "the limit is 20"."""
    if not one.numbers or len(one.numbers) != len(other.numbers) or one.numbers == other.numbers:
        return False
    return one.frame == other.frame


def _opposed(one: Likeness, other: Likeness) -> bool:
    for pair in OPPOSITES:
        mine, theirs = one.sides & pair, other.sides & pair
        if mine and theirs and mine != theirs:
            return True
    return False
