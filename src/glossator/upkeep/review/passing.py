"""Does a value tell of something that is over as soon as it is told, or point at what only its own talk can show?

A prompt file is read months later, in another conversation. What somebody did once ("went to the museum yesterday") is
found in the journal by recall; what changed their life ("moved", "got a puppy", "finished my degree") stays. The tables
are English and prefer to let a value pass.
"""

from typing import TYPE_CHECKING

import regex

from glossator.model import SELF
from glossator.rules.patterns import late
from glossator.upkeep.review.rivals import statement_in

if TYPE_CHECKING:
    from glossator.rules.statements import Clause

_TIME = (
    r"(?:time|day|morning|afternoon|evening|night|week|weekend|month|year|season|summer|winter|spring|autumn|fall"
    r"|term|semester|quarter|decade|century|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april"
    r"|may|june|july|august|september|october|november|december|christmas|easter|age)s?"
)
_POINTS = late(
    rf"\b(?:this|these|those)\b(?! (?:[\w-]+ )?{_TIME}\b)(?! (?:one|two|three|few|last|past) )"
    r"|\bthe (?:above|following)\b|\bas (?:we|you) (?:discussed|talked|said|agreed)\b",
    regex.IGNORECASE,
)
"""What it points at stands elsewhere."""
_OPENING = late(
    r"(?:(?:(?:and|but|so|then|also|even|just|only|recently|finally|already|lately|earlier|officially|actually|yesterday"
    r"|today|tonight|yeah|yes|oh|well|wow|the user|user"
    r"|(?:earlier |over )?(?:last|this|the other|the past) (?:[\w-]+)"
    r"|(?:a|an|one|two|three|four|five|six|a few|a couple of|several|\d+) \w+ ago"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in \d{4})\b[,:]?|i\b(?!['’]))\s+)+",
    regex.IGNORECASE,
)
_DONE_ONCE = frozenset(
    """
    attend visit travel host celebrate donate climb hike compete meet fly ride run go take see give read present exhibit
    perform record paint sing act film shoot referee judge land arrive return swim cycle bike bake cook make find spend
    play watch book order repair plant catch tear earn participate redeem help organize organise try talk speak chat eat
    drink do send call discuss check set pick upload download test fix write win get show tell hear bring come put draw
    explore enjoy hang grab stop drop attempt volunteer follow notice score shop browse stumble check submit secure
    complete finish wrap receive pass use share snap capture teach say have
    """.split()
)
"""What one does and has done: without a habit, a length of time or a change of life it is over."""
_FINISHES = frozenset("finish complete submit send set book order secure wrap do pick upload download fix".split())
"""In the perfect ("I've been to Japan") only these are steps; the others tell what somebody knows."""
_JUST_NOW = frozenset("just recently finally already now lately officially".split())
_LASTS = late(
    r"\b(?:always|never|every|each|usually|often|regularly|since|used to|grew up|years now|twice"
    r"|(?:three|four|five|\d+) times|(?:for|over) (?:\w+ ){1,3}(?:years|months|decades)|instead of"
    r"|rather than|because|so that"
    r"|(?:my|a|the|his|her|their|our)(?: \w+)? (?:degree|phd|doctorate|master['’]?s|bachelor['’]?s|mba|diploma"
    r"|residency|apprenticeship|job|position|role|promotion|raise|scholarship|visa|licen[cs]e|citizenship|pet|dog|cat"
    r"|puppy|kitten"
    r"|baby|house|home|apartment|flat|car|tattoo|child|son|daughter|divorce|diagnosis|offer|internship|business|company"
    r"|shop|store)(?! \w+ing\b| (?:search|hunt|board|post|ad|listing|application)\b)"
    r"|asylum|birth|married|engaged|divorced|pregnant|promoted|hired|fired|accepted|diagnosed|adopted|laid off"
    r"|(?:go(?:ne)?|went|turned) (?:vegan|vegetarian)|freelance|part-time|full-time|bankrupt|blind|deaf|sober"
    r"|award|prize|medal|novel|partner|surgery|operation|stroke|heart attack|army|navy|military|chosen"
    r"|my (?:wife|husband|partner|girlfriend|boyfriend|fianc\w+)|university|college"
    r"|(?:high|middle|primary|secondary|law|medical|business|art|night) school"
    r"|to (?:school|university|college) (?:in|at|with))\b",
    regex.IGNORECASE,
)
"""What changes a life, what is done again and again, and what gives a reason."""
_PAST = "past:"
"""The key of what has only been done; all other keys ask what holds."""
_LASTING_REST = late(
    r"(?:up|over|off|on|rid|used|into|by|through|without|involved|started|to know|better|worse|hurt|sick|ill"
    r"|(?:surgery|operations?|(?:an?|two|three|\d+) (?:brothers?|sisters?|kids|children|sons?|daughters?)))\b"
    r"(?! (?:a|an|the|some|my|our)\b)",
)
"""Behind "take", "give" or "get" these make another verb: "took up chess", "got over it"."""
_FOR_NOW = late(
    r"\W*(?:\w+\W+){0,2}?(?:for now|for the moment|for the time being|right now|at the moment|this time)\b",
    regex.IGNORECASE,
)
_PUT_OFF = late(r"\b(?:postponed|rescheduled|delayed|moved (?:up|back)) (?:until|till|to|by)\b", regex.IGNORECASE)


def points_elsewhere(value: str) -> bool:
    """True for words that only the talk around them explains: "a paper on this topic"."""
    return _POINTS.search(value) is not None


def is_for_now(sentence: str) -> bool:
    """True for a sentence that says of itself that it holds for the moment only."""
    return _FOR_NOW.match(sentence) is not None


def is_over(value: str) -> bool:
    """True for what somebody did once and that leaves nothing behind, and for a change of a date."""
    if _PUT_OFF.search(value):
        return True
    key = statement_in(value, own=frozenset({SELF})).key
    if _LASTS.search(value) or (key and not key.startswith(_PAST)):
        return False
    clause = _clause(value)
    return clause is not None and _is_done_once(clause)


def _clause(value: str) -> "Clause | None":
    """The clause behind the words that say when; where nobody is named, the user is meant."""
    from glossator.rules.statements import lowered, read_clause  # tables that not every process needs

    found = _OPENING.match(value)
    told = f"I {value[found.end() :]}" if found is not None else value
    for text in (told, f"I {value[:1].lower()}{value[1:]}"):
        clause = read_clause(text, lowered(text))
        if clause is not None and clause.group.tense in ("past", "perfect"):
            return clause
    return None


def _is_done_once(clause: "Clause") -> bool:
    group = clause.group
    if group.negation_count or group.ended or group.verb not in _DONE_ONCE or _LASTING_REST.match(clause.rest):
        return False
    return group.tense == "past" or group.verb in _FINISHES or not _JUST_NOW.isdisjoint(group.adverbs)
