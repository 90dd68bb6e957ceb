"""When do two wordings name the same thing? The normal form of caught words for keys and values."""

import regex

_SPACE = regex.compile(r"\s+")
_EDGE = " \t\n.,;:!?\"'“”‘’()[]*_…-–—"
_HEAD = regex.compile(
    r"^(?:(?:a|an|the|some|any|to|all|doing|eating|drinking|listening to|listen to|eat|drink|having"
    r"|watching|playing|reading)\s+(?!(?:and|or|for|with|to|in|at|on|then|by|along|around|outside)\b))+(?=\S)"
)
_TAIL = regex.compile(
    r"(?:\s+(?:now|any ?more|any longer|a lot|so much|very much|too|as well|these days|nowadays|at all"
    r"|the most|the best|best"
    r"|most|most of all|more than anything|really|instead|though|lately|more|again|much|a bit|a little"
    r"|btw|lol|by the way"
    r"|in general|generally|either|honestly|actually|when i can|of course|like crazy|to death|haha|already|currently"
    r"|best of all|in particular|especially|personally))+$"
)
_LIST = regex.compile(r"\s*(?:,?\s+(?:especially|particularly|such as|including|like)\b).*$")
THING_CHARACTERS_MAX = 80


def thing(text: str) -> str:
    """Lower case, without article, idle adverbs, punctuation and doubled space, at most 80 characters."""
    short: str = _SPACE.sub(" ", text.lower().replace("’", "'")).strip(_EDGE)
    short = _LIST.sub("", short)
    short = _TAIL.sub("", short).strip(_EDGE)
    return _HEAD.sub("", short)[:THING_CHARACTERS_MAX].strip(_EDGE) or short[:THING_CHARACTERS_MAX]


def pair(one: str, other: str) -> str:
    """A name for the choice between two things, whichever was named first."""
    return "/".join(sorted((thing(one), thing(other))))
