"""Where does the subject begin behind what may stand before it: "before work Dana ...", "in 2023, my brother ..."?"""

from itertools import islice

import regex

from glossator.retain.offline import english as table
from glossator.rules.statements import read_clause
from glossator.rules.statements.english_verbs import is_known
from glossator.rules.statements.english_words import NAME_STOPPERS
from glossator.rules.statements.wording import words_in

OPENING_WORDS_MAX = 12
"""A person who says when and where before who says it in fewer words."""
CLAUSE_CHARACTERS_MAX = 120
_CLAUSE_OF_ITS_OWN = regex.compile(
    r"\b(?:he|she|it|they|you|who|which|that|is|are|was|were|be|isn't|has|had|can"
    r"|will|would|should|told|said|reminds?)\b|'s "
    r"(?:an?|the)\b"
)
"""An adverbial has no verb; "this picture is from a trip we took" begins no statement at "we"."""
_WORD = regex.compile(r"[\p{L}\p{N}][\w'’.:-]*")
_SPEAKERS = frozenset("i i'm i've i'd i'll im ive my our we we're we've we'd".split())
_CONDITION = regex.compile(r"(?:when|whenever|while|because(?! of\b)|although|though|once)\b")

_CLAUSE_AHEAD = regex.compile(r"(?:until|till|before|after) (?:i|i'm|i've|we|we're|we've)\b")
"""A clause of time is no adverbial: "until I have a car ..." states no car."""


def subject_at(text: str, low: str, start: int, stop: int) -> int:
    """The place of the subject in the clause `text[start:stop]`; `start` where nothing stands before it."""
    lead = table.LEAD.match(low, start, stop)
    if lead:
        return int(lead.end())
    if not table.BEFORE_SUBJECT.match(low, start, stop):
        return start
    needs_comma = (_CONDITION.match(low, start, stop) or _CLAUSE_AHEAD.match(low, start, stop)) is not None
    for word in islice(_WORD.finditer(low, start, stop), 1, OPENING_WORDS_MAX):
        at = word.start()
        if not _may_begin(text, word.group(), at) or (needs_comma and "," not in low[at - 2 : at]):
            continue
        if word.group() in ("the", "a", "an") and "," not in low[at - 2 : at]:
            continue
        if _is_clause(
            text[at : min(stop, at + CLAUSE_CHARACTERS_MAX)], low[at : min(stop, at + CLAUSE_CHARACTERS_MAX)]
        ):
            return int(at)
    return start


def _may_begin(text: str, word: str, at: int) -> bool:
    return word in _SPEAKERS or word == "the" or (text[at].isupper() and word not in NAME_STOPPERS)


def _is_clause(written: str, low: str) -> bool:
    clause = read_clause(written, low)
    if clause is None:
        return False
    if clause.subject.kind in ("self", "we"):
        return True
    return clause.subject.kind in ("own", "name", "person", "thing") and is_known(_verb(low, clause.group.stop))


def _verb(low: str, stop: int) -> str:
    words = words_in(low[:stop])
    return words[-1].low if words else ""
