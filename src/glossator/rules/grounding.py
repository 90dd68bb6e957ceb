"""Does a statement say what its evidence says: the same negation, the same person, and no question taken for an answer?

English first, by tables; where the tables know nothing of a language, they refuse nothing.
"""

import regex

from glossator.rules.patterns import late
from glossator.rules.tokens import index_terms

_CLAUSE = late(
    r"\s*[,;:!?。，；]\s*|\s+[-–—]\s+|\.\s+|\n+"
    r"|\s+(?=(?:but|because|although|though|so|while|whereas|except|aber|mais|pero|но)\s)"
    r"|\s+(?=and\s+(?:i|we|you|he|she|they|it|my|our|hate|love|like|dislike|prefer|do|don|can|never|not|am|is|have)\b)"
    r"|\s+(?=und\s+(?:ich|wir|er|sie|es|mag|liebe|hasse|esse|trinke|kann|will|habe|bin)\b)",
    regex.IGNORECASE,
)
_OWN_CLAUSE = late(
    r"\b(?:i|we|you|he|she|they|it|is|are|was|were|am|have|has|had|do|does|did|will|would|can|could|should|must|love\w*"
    r"|lik\w+|prefer\w*|want\w*|need\w*|live\w*|work\w*)\b",
    regex.IGNORECASE,
)
LIST_WORDS_MAX = 4
"""A shorter piece without a verb is an item of a list and shares the negation of what it belongs to."""
_NEGATION = late(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|cant|dont|doesnt|didnt|isnt|wasnt|arent|wont"
    r"|wouldnt|shouldnt|couldnt|mustnt|hasnt|havent|hardly|rarely|seldom"
    r"|nicht|kein(?:e[nmrs]?)?|nie|niemals|ohne|ne|n['’]|jamais|aucune?|sans|nunca|jamás|sin|tampoco"
    r"|не|нет|никогда|без)\b|n['’]t\b|[不没無别]|ない|ません",
    regex.IGNORECASE,
)
_AVERSION = late(
    r"\b(?:hat(?:e|es|ed|ing)|dislik(?:e|es|ed|ing)|detest\w*|loath\w*|despis\w*|avoid\w*|refus\w*|reject\w*|allerg\w*"
    r"|intoleran\w*|quit(?:s|ting)?|stop(?:s|ped|ping)?|ban(?:s|ned)?|forbid\w*|forbade|prohibit\w*|averse|aversion"
    r"|hass(?:e|t)|déteste|odio|odia|ненави\w+)\b|讨厌|嫌い",
    regex.IGNORECASE,
)
_NO_NEGATION = late(
    r"\bnot (?:only|just)\b|\bno (?:problem|doubt|wonder|worries)\b|\b(?:can|could)(?:['’]?t|not| not) wait\b"
    r"|\bwhy not\b|\b(?:don['’]?t|never) forget\b|\bnothing but\b|\bno\. ?\d|\bnon-\w+",
    regex.IGNORECASE,
)
_CONDITION = late(
    r"^\W*(?:if|suppose|supposing|imagine|hypothetically|let['’]?s say|what if|wenn|falls|si|если)\b", regex.IGNORECASE
)
_CONDITION_KEPT = late(r"\b(?:if|when|whenever|unless|in case|wenn|falls|si|если)\b", regex.IGNORECASE)
_RELATIVES = (
    "mother|mom|mum|father|dad|parents?|sisters?|brothers?|siblings?|sons?|daughters?|kids?|child|children|wife|husband"
    "|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|grandmother|grandma|grandfather|grandpa|aunt|uncle|cousins?|niece"
    "|nephew|friends?|roommates?|flatmates?|neighbou?rs?|boss|manager|colleagues?|co-?workers?|teammates?|clients?"
    "|teacher|therapist|doctor|landlord|dog|cat"
)
_OTHER = late(rf"^\W*(?:(?:my|our|his|her|their)\s+(?:\w+\s+)?(?P<who>{_RELATIVES})|he|she|they)\b", regex.I)
_NAMED = late(
    r"^\W*(?P<who>\p{Lu}[\p{L}\p{M}'’-]+)(?:\s+\p{Lu}[\p{L}'’-]+)?\s+(?:is|was|has|had|does|did|will|can|\p{Ll}+s)\b"
)
_POSSESSED = late(rf"^(?:the )?\w+['’]s (?:\w+ )?(?P<who>{_RELATIVES})\b", regex.IGNORECASE)
_ONESELF = late(r"\b(?:i|i['’](?:m|ve|d|ll)|im|me|my|mine|myself|we|us|our|ours)\b", regex.IGNORECASE)
_SPEAKS = late(r"\b(?:i|i['’](?:m|ve|d|ll)|im|we)\b", regex.IGNORECASE)
_NO_SUBJECTS = frozenset("this that it there here what who the a an these those".split())
_REPORT = late(
    r"^(?i:the )?(?:user|speaker|assistant|\p{Lu}[\p{L}'’-]+) (?:has )?(?:just )?"
    r"(?:said|says|mention(?:ed|s)|ask(?:ed|s)|told|tells|stated|states|wants to know|inquired|wonder(?:ed|s)"
    r"|thank(?:ed|s)|greet(?:ed|s)|request(?:ed|s) (?:help|information))\b"
)
_TRANSIENT = late(
    r"\bright now\b|\bat th(?:e|is) moment\b|\bat present\b"
    r"|\bcurrently (?:running|executing|waiting|typing|debugging|looking|checking|testing|building|compiling|processing"
    r"|reading|downloading|open)\b|\b(?:is|are) (?:now )?(?:running|compiling|being (?:processed|built|deployed))\b"
    r"|^step \d+ (?:is )?(?:done|finished|complete)",
    regex.IGNORECASE,
)


def is_report(fact: str) -> bool:
    """True for a sentence that only reports that somebody said or asked something."""
    return _REPORT.search(fact) is not None


def is_transient(fact: str) -> bool:
    """True for a sentence about what is running or open now."""
    return _TRANSIENT.search(fact) is not None


def is_negative(fact: str) -> bool:
    """True where a clause of the statement denies or turns away from something; two negations cancel out."""
    return any(_denies(clause) for clause in clauses(fact))


def flips_polarity(fact: str, evidence: str) -> bool:
    """True where one of the two denies and the other does not.

    Of the evidence only those clauses count that share words with the statement: "I'm no doctor, but I love jazz" says
    nothing against loving jazz.
    """
    return is_negative(fact) != any(_denies(clause) for clause in _relevant(fact, evidence))


def asks_only(fact: str, evidence: str) -> bool:
    """True where the words that the statement rests on are a question."""
    last = evidence.rstrip("\"'”’) ")
    if not last.endswith(("?", "？", "؟")):
        return False
    parts = clauses(evidence)
    return bool(parts) and all(clause == parts[-1] for clause in _relevant(fact, evidence))


def supposes_only(fact: str, evidence: str) -> bool:
    """True where the evidence is a supposition that the statement tells as a truth."""
    return _CONDITION.search(evidence) is not None and _CONDITION_KEPT.search(fact) is None


def relative_of(fact: str) -> str:
    """Who of the user's people a statement is about: "my sister" for "The user's sister is ...", else ""."""
    found = _POSSESSED.search(fact)
    return f"my {found.group('who').lower()}" if found else ""


def tells_of_another(fact: str, evidence: str, *, speaking: frozenset[str]) -> bool:
    """True where a statement about the speaker rests on words about somebody else ("my sister hates ...")."""
    parts = _relevant(fact, evidence)
    return bool(parts) and all(_is_of_another(part, fact, speaking) for part in parts)


def _is_of_another(clause: str, fact: str, speaking: frozenset[str]) -> bool:
    terms = set(index_terms(fact))
    found = _OTHER.search(clause)
    if found is not None:
        who = found.group("who")
        return _SPEAKS.search(clause) is None and not (who and terms & set(index_terms(who)))
    found = _NAMED.search(clause)
    if found is None or _ONESELF.search(clause):
        return False
    who = set(index_terms(found.group("who")))
    return not who & terms and not who & speaking and not who & _NO_SUBJECTS


def clauses(text: str) -> list[str]:
    """The parts of a text that may each be denied on their own; what belongs to a list stays with its verb."""
    found: list[str] = []
    for piece in (piece.strip() for piece in _CLAUSE.split(text) if piece and piece.strip()):
        if found and _is_list_item(piece):
            found[-1] += f", {piece}"
        else:
            found.append(piece)
    return found


def _is_list_item(piece: str) -> bool:
    if len(piece.split()) > LIST_WORDS_MAX or _OWN_CLAUSE.search(piece):
        return False
    return _NEGATION.search(piece) is None and _AVERSION.search(piece) is None


def _relevant(fact: str, evidence: str) -> list[str]:
    """The clauses of the evidence that share a telling word with the statement; all of them where none does."""
    told = set(index_terms(fact)) - _COMMON
    parts = clauses(evidence)
    return [part for part in parts if told & set(index_terms(part))] or parts


def _denies(clause: str) -> bool:
    plain = _NO_NEGATION.sub(" ", clause)
    return (len(_NEGATION.findall(plain)) + (_AVERSION.search(plain) is not None)) % 2 == 1


_COMMON = frozenset(
    index_terms(
        "the a an is are was were be been am do does did has have had of to in on at for with and or but not no never "
        "user i my me we our he she his her they their it its that this who which by from as will would can could "
        "should must like likes"
    )
)
"""Shared words that tie no clause to a statement."""
