"""Which sentences instruct the assistant for good, not for this once?"""

import regex

from glossator.model import Kind
from glossator.retain.offline.orders import Order
from glossator.retain.offline.shapes import read_shape
from glossator.rules.statements.things import thing

_VERBS = (
    r"answer|respond|reply|write|speak|talk|use|keep|call|address|avoid|stop|give|start|end|include"
    r"|format|ask|book|ping|notify|tell|let me know|explain|translate"
    r"|send|alert|remind|show|cite|check|refer to|be|make|put|provide|begin|treat|assume|stick to|skip"
    r"|leave out|limit|convert|quote|say|mention|share|store|log"
    r"|leave|touch|open|buy|order|wake|feed|add|list|prefer|return|output|wrap|sign|greet|round|read"
    r"|warn|confirm|suggest|recommend|phrase"
    r"|schedule|follow|do|delete|run|commit|push|deploy|spend|accept"
)
_VERB_WORDS = frozenset(_VERBS.split("|"))
_STANDING = regex.compile(
    r"\b(?:from now on|going forward|moving forward|from here on|from this point on|in (?:the )?future"
    r"|every time|by default|in all (?:your|future)|for all (?:your|future)|in your (?:answers|replies"
    r"|responses|messages)|all your (?:answers"
    r"|replies|responses)|when(?:ever)? you (?:talk|write|speak|reply|answer|respond)(?: to me)?|at "
    r"all times|for good|permanently|(?:in )?every (?:answer|reply|response"
    r"|message))\b"
)
_LEAD = (
    r"(?:(?:(?:could|can|would|will) you(?: please)?|please|just|kindly|and|so|also|ok|okay|from now "
    r"on|going forward|moving forward|in (?:the )?future|by default|for future reference|you (?:should"
    r"|must|can|need to|have to)|i want you to|i'd like you to|i would like you to|i need you to|make "
    r"sure to|make sure you|remember to|remember that you should|remember|be sure to|when you (?:write"
    r"|answer|reply|respond)[^,]{0,30},|in your (?:answers|replies|responses))\b[,:]?\s+)*"
)
_NO_IDIOM = (
    r"(?:mind|ever mind|say never|been|heard|knew|thought|better|happy|glad|good|nice|a\b|the\b|wanted"
    r"|loved|had|have i|again\b|wrong|forget)"
)
_STANDING_ORDER = regex.compile(
    rf"{_LEAD}(?P<how>(?:always|never|don't ever|do not ever|don't|do not|only|no longer"
    rf"|ever)\s+)?(?P<verb>{_VERBS})\b(?P<rest>.*)$"
)
_ALWAYS = regex.compile(
    rf"{_LEAD}(?P<how>always|never|don't ever|do not ever|don't you ever|you (?:must|should|may) never"
    rf"|you (?:must|should) always) (?!{_NO_IDIOM})(?P<verb>[a-z]+)\b(?P<rest>.{{2,}})$"
)
_MANNER = regex.compile(
    rf"{_LEAD}(?:keep (?:your|all|all your|the)? ?(?:answers|replies|responses|messages"
    rf"|explanations"
    rf"|summaries)\b.{{2,60}}|please keep it (?:short|brief|concise)|i (?:want|need) "
    rf"(?:short|brief|concise|detailed|simple|direct) (?:answers|replies|responses|explanations)"
    rf"|(?P<no>don't|do not|no|stop|avoid)(?: use| using)? (?:any )?(?:emojis?|emoticons|slang|small talk|filler"
    rf"|bullet points"
    rf"|markdown|jargon|exclamation marks|em[- ]dashes|tables|headings)\b.{{0,60}})$"
)
_CONDITIONED = regex.compile(
    rf"(?:when(?:ever)?|every time|each time) (?:you|i) [^,]{{2,80}}, (?:please |just "
    rf")?(?P<how>always |never |don't |do not |only )?(?P<verb>{_VERBS}|leave)\b.{{2,}}$"
)
_IF_YOU = regex.compile(
    rf"if you (?!can\b|could|want|like|don't|need|have|know|think|are|were"
    rf"|would)[^,]{{2,60}}, (?:please )?(?P<how>always |never |don't "
    rf"|do not |only )(?:{_VERBS})\b.{{2,}}$"
)
_FORBIDDEN = regex.compile(
    rf"(?:please )?(?:don't|do not) (?:ever )?(?:{_VERBS}|disturb) .{{0,80}}\b(?:before (?:\d|nine"
    rf"|eight|ten|noon|work)|after (?:\d|six|seven|eight|nine|ten|work)|without (?:asking|approval"
    rf"|permission|checking|telling|my)|on (?:weekends|mondays|sundays|saturdays|fridays)|at "
    rf"night)\b.*$"
)
_IN_TONGUE = regex.compile(
    r"\b(?:answer|reply|respond|speak|talk|write)(?: to)?(?: me)?(?: only)? in (?:british |american |plain )?"
    r"(?P<tongue>english|german|french|spanish|italian|portuguese|dutch|swedish|polish|turkish|russian|japanese|chinese)"
    r"(?:,? please)?$"
)
"""The agent answers in one language: the next one that is named takes its place."""
_TONGUE = regex.compile(
    r"(?:please (?:always )?(?=.* in)|(?=.*(?:\bme\b|, please$)))(?:answer|reply|respond|speak|talk"
    r"|write)(?: to)?(?: me)?(?: only)? in (?:british english"
    r"|american english|plain english|english|german|french|spanish|italian|portuguese|dutch|swedish"
    r"|polish|turkish|russian|japanese|chinese)(?:,? please)?$"
)
_UNITS = regex.compile(
    r"(?:please )?(?:use|give me|stick to|prefer) (?:the )?(?:metric|imperial|celsius|fahrenheit|24[- "
    r"]hour|12[- ]hour|british spelling|american spelling|iso dates|kilomet(?:er|re)s|miles)\b.{0,40}$"
)
_WISHED = regex.compile(
    r"i (?:want|need|expect|prefer|would like|'d like) .{3,80}\b(?:from now on|going forward|in "
    r"(?:the )?future)$"
)
_FORMATTED = regex.compile(
    r"i (?:need|want|like|prefer) (?:all |all the |the |my |your )?(?:dates?|times?|units?"
    r"|numbers?|prices?|amounts|temperatures?|answers?"
    r"|replies|responses|code|summaries|measurements|distances"
    r"|recipes|explanations|quotes|citations|sources) (?:to be |written |given "
    r"|shown )?(?:in|as|with|without|under) (?!this\b|that\b|the (?:table|text|document|above))\S.{1,50}$"
)
_WITH_ME = regex.compile(
    r"(?:please )?(?P<no>don't |do not |never )?(?:use|be|speak|talk|sugar-?coat|joke|argue"
    r"|stop)\b.{2,60} with me(?:,? please)?$"
)
_STOP_IT = regex.compile(
    r"please stop (?:calling|using|saying|adding|asking|sending|apologi[sz]ing|repeating|suggesting"
    r"|ending|starting|giving)\b.{3,60}$"
)
_POINTER = regex.compile(r"\s*(?:it|them|that|this|those|these|him|her|so)\b(?! \w+ing\b)(?!'s)")
_MADE = regex.compile(
    r"\b(?:short|brief|concise|simple|formal|informal|casual|professional|polite|light|factual"
    r"|under|below|in)\b"
)
_KEPT_OUT = regex.compile(
    r"(?:please )?(?:don't|do not|never) (?:use (?=my\b)|share (?=my\b)|send me|give me"
    r"|show me|call me|mention|bring up|suggest|recommend|talk about"
    r"|include) (?:my |the |any )?(?!that\b"
    r"|this\b|it\b|them\b"
    r"|those\b|these\b|here\b|anything (?:else|more)"
    r"|more\b)[\w' -]{2,50}$"
)
_ALWAYS_LAST = regex.compile(
    rf"(?:please )?(?:{_VERBS})\b(?!.*\b(?:this|that|it)\b).{{3,60}},? (?:always"
    rf"|every time|each time|at all times)$"
)
_BAN = regex.compile(r"(?:under no circumstances|on no account|at no point)\b.{5,}$")
_WHENEVER = regex.compile(
    r"(?:please )?(?:ping|notify|remind|tell|alert|warn|let me know|email|text|message|ask) (?:me "
    r")?(?:whenever|every time|each time|any time|anytime) (?!you (?:like|want|can|feel|wish"
    r"|need))(?P<what>.{3,})$"
)
_ADDRESS = regex.compile(rf"{_LEAD}(?:address|refer to) (?:me|my [\w -]{{2,30}}|us) as (?P<who>.{{2,40}})$")
_POLITE = regex.compile(
    r"^(?:(?:(?:could|can|would|will) you(?: please)?|please|just|kindly|and|so|also|ok|okay|from now "
    r"on|going forward|in (?:the )?future|by default|always|never|you (?:should|must|can)|i want you "
    r"to|i'd like you to|make sure to|make sure you|remember to|remember that you should|remember|ever"
    r"|don't|do not)\b[,:]?\s*)+"
)
_ROWS: tuple[tuple["regex.Pattern[str]", bool, Kind | None], ...] = (
    (_ADDRESS, False, None),
    (_STOP_IT, True, None),
    (_WISHED, False, None),
    (_FORMATTED, False, None),
    (_WITH_ME, False, None),
    (_TONGUE, False, None),
    (_UNITS, False, None),
    (_FORBIDDEN, True, "hard_constraint"),
    (_BAN, True, "hard_constraint"),
    (_KEPT_OUT, True, None),
    (_ALWAYS_LAST, False, None),
    (_CONDITIONED, False, None),
    (_IF_YOU, False, None),
    (_MANNER, False, None),
    (_WHENEVER, False, None),
)
"""Shapes of standing instructions, in order, and whether they forbid; a group "no" or "how" that denies forbids too."""


_OWN_TALK = ("i ", "i'", "my ", "we ", "we'", "our ")
_WISHING = regex.compile(r"i(?:'d| would)? (?:\w+ly )?(?:need|want|expect|prefer|would|like|rather)\b")
"""Whoever tells of themselves orders nothing, but for what they wish: the tables need not be asked."""


def read_order(text: str, low: str, *, is_first: bool) -> Order | None:
    """The standing instruction or the rule that a clause gives, None where it asks for one thing once or nothing.

    `is_first` says that no subject stands before it in its sentence: "I walk and never eat meat" orders nothing.
    """
    low = low.rstrip(" .!…")
    if low.startswith(_OWN_TALK) and not _WISHING.match(low):
        return None
    return read_shape(text, low) or (_standing(low) if is_first else None)


def _standing(low: str) -> Order | None:
    always = _ALWAYS.match(low)
    if always and _points(always):
        return None
    if always and _is_verb(always["verb"]):
        is_negative = "never" in always["how"] or "ever" in always["how"].split()
        return _order(low, is_negative=is_negative, kind="hard_constraint" if is_negative else None)
    given = _STANDING_ORDER.match(low) if _STANDING.search(low) else None
    if given:
        return _order(low, is_negative=_forbids(given), kind=None)
    for pattern, is_negative, kind in _ROWS:
        found = pattern.match(low)
        if found:
            return _order(low, is_negative=is_negative or _forbids(found), kind=kind)
    return None


def _forbids(found: "regex.Match[str]") -> bool:
    groups = found.groupdict()
    how = (groups.get("how") or groups.get("no") or "").split()
    return bool(how) and how[0] in ("never", "don't", "do", "no", "stop", "avoid")


def _points(always: "regex.Match[str]") -> bool:
    """ "Never put it in again" speaks of something that is not in the sentence; "always keep it short" does not."""
    found = _POINTER.match(always["rest"])
    return found is not None and not (always["verb"] in ("keep", "make") and _MADE.search(always["rest"]))


def _is_verb(word: str) -> bool:
    return word not in ("be", "give", "stop", "say") and word in _VERB_WORDS


def _order(low: str, *, is_negative: bool, kind: Kind | None) -> Order:
    spoken = None if is_negative else _IN_TONGUE.search(low)
    if spoken:
        return Order(key="reply language", value=spoken["tongue"], polarity="positive", category="directive", kind=kind)
    what = thing(_POLITE.sub("", low)) or thing(low)
    return Order(
        key=f"directive:{what}",
        value="never" if is_negative else "always",
        polarity="negative" if is_negative else "positive",
        category="directive",
        kind=kind,
    )
