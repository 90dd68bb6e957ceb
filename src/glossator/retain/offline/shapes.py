"""Which sentences lay something down in a shape of their own: "no phones at table", "only admins may", "call me"?"""

from collections.abc import Callable

import regex

from glossator.model import Kind
from glossator.retain.offline.orders import Order
from glossator.rules.statements.things import pair, thing

_CALL = regex.compile(
    r"(?:around here,? |at (?:work|home|school|uni),? |in \w+,? |i'd like (?:you|everyone) to "
    r"|i'd like to be |i(?: would|'d) prefer to be )?"
    r"(?:please |just |you can |you may |everyone |everybody "
    r"|people |friends |my friends |feel free "
    r"to )*calls? me (?!back\b|later\b|when|if\b|tomorrow|at\b|crazy"
    r"|old|a\b|an\b|the\b|on\b|out\b"
    r"|up\b|by\b|in\b|it\b|and\b|to\b|for\b|names?\b|now\b|asap)(?P<who>(?:(?:dr"
    r"|mr|mrs|ms|prof)\.? )?\p{L}[\p{L}'-]{1,24}(?: "
    r"\p{L}[\p{L}'-]+)?)(?=$|[.,;!(]| (?:please|instead|because"
    r"|from))"
)
_NO_RULE = regex.compile(
    r"no (?!time\b|questions?\b|adjustments?|further|other\b|specific|room|sign|access|hope|additional"
    r"|direct\b|parts?\b|progress|word\b|news|comment|plans?\b|changes? to\b|change\b|information|info\b|idea"
    r"|mention|response|answer|love\b|fun\b|use\b|good\b|search|such\b|exactly|really|actually|just\b"
    r"|need|problem|idea|worries|thanks?\b|one\b|way\b|matter|doubt|longer|rush|luck|hard\b|pressure"
    r"|reason|point|more\b|i\b|it\b|but\b|that|this|wonder|thank|offen[cs]e|clue|big deal|joke|kidding"
    r"|not\b|wait|we\b|my\b|you\b|he\b|she\b|they\b)(?P<what>[\w'/-]+(?: [\w'/-]+){0,3}?) "
    r"(?P<how>to(?= (?:the |any |our |third)?\p{L})|before|after|without|on|at|during|over"
    r"|above)\b(?P<more>[^,:;]{2,60})"
)
_NO_INSIDE = regex.compile(
    r"no (?P<what>[\w-]+(?: [\w-]+)?) in (?:the|our|my) (?:house|office|kitchen|lab|car|building"
    r"|bedroom|flat|classroom|library|studio|garden|server room)\b.*$"
)
_FORBIDS = regex.compile(
    r"it(?:'s| is) (?:strictly |absolutely )?(?P<how>forbidden|prohibited|not allowed|mandatory|not "
    r"permitted) to (?P<what>.{3,80})$"
)
_THE_REASON = regex.compile(r"the reason (?:we|i) (?P<what>.{3,60}?) (?:is|was) (?:that )?(?P<why>.{3,80})$")
_NONE_FOR_ME = regex.compile(
    r"no (?!problem|idea|need|doubt|hope|time|way)(?P<what>[\w-]+(?: [\w-]+)?) for me(?:,? (?:please"
    r"|thanks))?$"
)
_ONCE = regex.compile(
    r"(?:before (?:we|i) can (?P<late>[^,]{3,60}), (?P<early>(?!i\b|you\b).{3,60}? (?:has|have"
    r"|needs?) to .{3,60})|(?:once|as soon as|only after) (?P<first>(?!i\b|you\b|that\b|those\b|this\b"
    r"|these\b|it\b|everything|all\b)[^,]{3,60}?),? (?:we"
    r"|i) can (?P<then>(?!see\b|say\b|talk\b).{3,60}))$"
)
_ONLY = regex.compile(
    r"only (?P<who>(?!if\b|when\b|you\b|i\b|the best|one\b)[\w -]{3,40}?) (?:may|can|should|must) "
    r"(?P<what>[a-z]{3,} .{3,80})$"
)
_GIVE_ME = regex.compile(
    r"give me (?P<thing>[\w' -]{2,30}?) (?:over|instead of"
    r"|rather than) (?P<other>[\w' -]{2,30}?)(?: any (?:day|time)(?: of the week)?"
    r"|,? always|,? every time)$"
)
_CLEFT = regex.compile(
    r"(?:the (?:one )?(?:thing|part|activity|sport|food|hobby)|what|something"
    r"|one thing) (?:that )?(?:i (?:really |always |absolutely "
    r"|truly |most |still )*(?P<verb>love|enjoy|like"
    r"|adore|hate|dislike|can't stand|detest)(?: doing)?(?: (?:the )?(?:most|best))?"
    r"(?: (?:these days|lately|in life|at the weekend|on weekends|after work))?|(?:got|gets|has) me (?:hooked"
    r"|excited|going)(?: (?:lately"
    r"|recently|these days))?) (?:is|are) (?!that\b|when you|how you|this\b"
    r"|the (?:way|fact|idea) you|your\b|you\b)(?P<thing>[\w].{2,70})$"
)
_REACHED = regex.compile(
    r"(?:you can |please |just )?(?P<how>reach|call|text|phone|email|mail|write to|find|ring) me (?:on|at|under|via) "
    r"(?P<where>\+?[\d][\d ()/-]{5,20}\d|[\w.+-]+@[\w-]+\.[\w.]+|@[\w.]{3,30})"
)
_TELLS = regex.compile(r"\b(?:is|are|was|were|has|have|had|will|seems?|changed|made|came)\b")


def read_shape(text: str, low: str) -> Order | None:
    """What the sentence lays down, None where it has none of these shapes."""
    for shape in _SHAPES:
        order = shape(text, low)
        if order is not None:
            return order
    return None


def _called(text: str, low: str) -> Order | None:
    found = _CALL.match(low)
    if found is None:
        return None
    written = text[found.start("who") : found.end("who")]
    if not written[:1].isupper() and not text.islower():
        return None
    return Order(key="name", value=thing(found["who"]), polarity="positive", category="identity", kind=None)


def _banned(text: str, low: str) -> Order | None:
    found = _NO_RULE.match(low)
    if found and not _is_idle(text, found):
        return _forbidden(f"no:{thing(low.removeprefix('no '))}")
    return _forbidden(f"no:{thing(low.removeprefix('no '))}") if _NO_INSIDE.match(low) else None


def _is_idle(text: str, found: "regex.Match[str]") -> bool:
    """ "No way to know", "no changes were made": no rule. After "to" must stand whom it is about."""
    if _TELLS.search(found.group()):
        return True
    after = text[found.end("how") :].lstrip()
    return found["how"] == "to" and not (after[:1].isupper() or after.startswith(("the ", "any ", "our ", "third")))


def _forbidden(key: str) -> Order:
    return Order(key=key, value="not allowed", polarity="negative", category="context", kind="hard_constraint")


def _ruled(_: str, low: str) -> Order | None:
    found = _FORBIDS.match(low)
    if found is None:
        return None
    key = f"rule:{thing(found['what'])}"
    return _laid_down(key, "mandatory", "hard_constraint") if found["how"] == "mandatory" else _forbidden(key)


def _laid_down(key: str, value: str, kind: Kind) -> Order:
    return Order(key=key, value=value, polarity="positive", category="context", kind=kind)


def _reasoned(_: str, low: str) -> Order | None:
    found = _THE_REASON.match(low)
    return _laid_down(f"decision:{thing(found['what'])}", thing(found["why"]), "decision_reason") if found else None


def _spurned(_: str, low: str) -> Order | None:
    found = _NONE_FOR_ME.match(low)
    if found is None:
        return None
    key = f"taste:{thing(found['what'])}"
    return Order(key=key, value="dislikes", polarity="negative", category="preference", kind="implicit_pref")


def _reached(_: str, low: str) -> Order | None:
    found = _REACHED.match(low)
    if found is None:
        return None
    return Order(
        key="contact", value=thing(found["where"]), polarity="positive", category="identity", kind="exact_value"
    )


def _preferred(_: str, low: str) -> Order | None:
    found = _GIVE_ME.match(low)
    if found is None:
        return None
    key = f"prefers:{pair(found['thing'], found['other'])}"
    value = thing(found["thing"])
    return Order(key=key, value=value, polarity="positive", category="preference", kind="implicit_pref")


def _singled_out(_: str, low: str) -> Order | None:
    found = _CLEFT.match(low)
    if found is None:
        return None
    is_hated = found["verb"] in ("hate", "dislike", "can't stand", "detest")
    return Order(
        key=f"taste:{thing(found['thing'])}", value="dislikes" if is_hated else "likes",
        polarity="negative" if is_hated else "positive", category="preference", kind="implicit_pref",
    )  # fmt: skip


def _put_first(_: str, low: str) -> Order | None:
    found = _ONCE.match(low)
    if found is None:
        return None
    first, then = found["early"] or found["first"], found["late"] or found["then"]
    return _laid_down(f"depends:{thing(then)}", thing(first), "cross_task_dep")


def _reserved(_: str, low: str) -> Order | None:
    found = _ONLY.match(low)
    return _laid_down(f"only:{thing(found['who'] + ' ' + found['what'])}", "must", "hard_constraint") if found else None


_SHAPES: tuple[Callable[[str, str], Order | None], ...] = (
    _called, _banned, _ruled, _reasoned, _spurned, _preferred, _singled_out, _reached, _put_first,
    _reserved,
)  # fmt: skip
