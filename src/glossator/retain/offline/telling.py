"""Which clauses tell what happened at a time that they name, and which only say a name?"""

import regex

from glossator.retain.drafts import event_of
from glossator.retain.offline.clauses import Piece
from glossator.retain.offline.places import EVENT_RANK, Place, Ranked, stated
from glossator.rules.statements import Clause, Statement
from glossator.rules.statements import english_words as words
from glossator.rules.statements.english_decisions import DATED_VERBS
from glossator.rules.statements.things import thing

REST_CHARACTERS_MIN = 4
_SUFFERED = regex.compile(
    r"(?:born|bapti[sz]ed|hired|promoted|accepted|admitted|elected|hospitali[sz]ed|married|robbed"
    r"|awarded|invited|selected|discharged|operated)\b"
)
_POINTS = regex.compile(
    r"(?:one|ones|some|two|three|four|five|\d+) (?:in|on|at|last|recently|from|for|today|yesterday|this)\b"
    r"|(?:a|the) (?:\w+ )?ones?\b|something\b|someone\b|out\b"
    r"|(?:the|all|your) (?:\w+ )?(?:tests?|code|script|build|query|command|program|app|numbers|update"
    r"|report|file|email|message)\b"
    r"|(?:\w+ )?(?:it|that|this|them|him|her|you|over|through|up on|it's)\b|.*\b(?:it|them)\b|around to\b"
)
"""What points at words that are not in the sentence tells nothing by itself."""
_GOING_ON = regex.compile(r"\b(?:had to|(?:was|were) (?:\w+ly |just )?\w+ing)\b")
_ASIDE = regex.compile(r",? (?:by the way|btw|here|from \w+)$", regex.IGNORECASE)
_NO_NAMES = (
    words.NATIONALITIES
    | words.NAME_STOPPERS
    | frozenset(
        """
        vegan vegetarian christian muslim jewish catholic hindu buddhist atheist gay bi trans aries taurus gemini
        cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces glad happy fine tired busy mr mrs ms dr
        """.split()
    )
)


def dated(place: Place, piece: Piece, begin: int, stop: int) -> Ranked | None:
    """What the speaker, or somebody named, did at a time that the words name."""
    clause = piece.clause
    if clause is None or not _tells(clause) or _GOING_ON.search(place.low, begin, stop):
        return None
    about = None if clause.subject.kind in ("self", "we") else clause.subject.words
    if about is not None and not place.others_may_speak:
        return None
    event = event_of(place.passage.text[begin:stop], place.passage.said, is_document=False)
    if event.source != "own" or event.interval.precision in ("hour", "minute", "second"):
        return None
    if event.interval.precision == "year" and f"the {event.words}" in place.low[begin:stop]:
        return None
    told = clause.rest.removesuffix(event.words.lower()).strip(" ,")
    if len(told) < REST_CHARACTERS_MIN:
        return None
    statement = Statement(
        subject=about, key="", value=thing(f"{clause.group.verb} {clause.rest}"), polarity="positive",
        category="context", kind=None, rank=EVENT_RANK, is_event=True,
    )  # fmt: skip
    return stated(place, begin, stop, statement)


def _tells(clause: Clause) -> bool:
    group = clause.group
    if group.tense not in ("past", "perfect") or group.negation_count or group.ended:
        return False
    if clause.subject.kind not in ("self", "we", "person", "name"):
        return False
    if group.verb not in DATED_VERBS and not (group.verb == "be" and _SUFFERED.match(clause.rest)):
        return False
    return len(clause.rest) >= REST_CHARACTERS_MIN and not _POINTS.match(clause.rest)


def introduction(place: Place, piece: Piece) -> Statement | None:
    """ "I'm Ines": a capitalised word or two and nothing else; in lower case only the speaker's known name."""
    clause = piece.clause
    if clause is None or clause.subject.kind != "self" or clause.group.verb != "be" or clause.group.tense != "present":
        return None
    names = _ASIDE.sub("", clause.rest_written).rstrip(" ,").split()
    if not 1 <= len(names) <= 2 or clause.group.negation_count or clause.group.adverbs - {"also"}:
        return None
    known = place.me.casefold().split()
    if not all(_is_name(name) or name.casefold() in known for name in names):
        return None
    return Statement(
        subject=None, key="name", value=" ".join(names).lower(), polarity="positive",
        category="identity", kind=None, rank=0,
    )  # fmt: skip


def _is_name(word: str) -> bool:
    return word[0].isupper() and word.isalpha() and not word.isupper() and word.lower() not in _NO_NAMES
