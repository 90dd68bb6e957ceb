"""Does a clause take something back? "She is Anja, not Ana", "I meant 15 March", "the port is 9090 instead of 8080"."""

from dataclasses import replace

import regex

from glossator.retain.offline.clauses import Piece
from glossator.retain.offline.places import Place, Ranked, stated
from glossator.rules.statements import Statement, read_clause, read_statement
from glossator.rules.statements.things import thing

OLD_WORDS_MAX, NEW_WORDS_MAX = 3, 5
"""A value that is taken back, or put in its place, is a name, a number or a date: no sentence."""
_NOT_OLD = regex.compile(
    r"^(?P<front>.+?),?\s+(?:and |but )?(?:not|instead of)\s+(?P<old>(?!only|just|sure|really|at all|yet|a fan|because"
    r"|to\b|in the|at\b|in\b|on\b|when\b|if\b|with\b|so\b|too\b|that\b|very|as\b"
    r"|for\b)[\w$€£#'’.:-]+(?: [\w$€£#'’.:-]+){0,4})$"
)
_CORRECTS = regex.compile(
    r"\b(?:no|nope|actually|correction|sorry|wait|i meant|that's wrong|not quite|oops|wrong|mistake|update)\b"
)
_NOT_BEFORE = regex.compile(r"\bnot (?P<old>[\w ]{2,20}?)\s*,")
_MEANT = regex.compile(
    r"^i meant (?:to say )?(?P<new>[\w$€£#'.: -]{1,40}?)"
    r"(?:,? (?:not|instead of) (?P<old>[\w$€£#'.: -]{1,40}))?(?=$|[,.;!])"
)
_IT_IS = regex.compile(
    r"^(?:it|she|he|that|they|his name|her name|the name|its name)(?:'s| is| are|'re)"
    r"(?: called| named| spelled| spelt)? (?P<new>[\w$€£#'.: -]{1,40}?)$"
)
_POINTS = regex.compile(r"\bones?$")
"""Which one is meant, only the talk around it tells."""
_SPELT = regex.compile(r"\b(?:spelled|spelt|called|named)\b")
_NAMED = regex.compile(r"[\d\p{Lu}]")
_NO_DENIAL = ("goal:", "habit:", "decision:", "must:", "directive:", "depends:", "blocks:")


def corrections(place: Place, piece: Piece, begin: int, stop: int) -> list[Ranked]:
    """The drafts of a clause that takes something back, empty where it does not.

    Where the words do not say what the new value answers ("it is 20, not 10"), the key is "".
    """
    text, low = place.passage.text[begin:stop].rstrip(" .!"), place.low[begin:stop].rstrip(" .!")
    is_signed = bool(_CORRECTS.search(piece.marker))
    meant = _MEANT.match(low)
    if meant and (is_signed or meant["old"]) and _is_value(text, meant):
        return [_corrected(place, begin, stop, thing(meant["new"]), thing(meant["old"] or ""))]
    found = _NOT_OLD.match(low)
    plain = _IT_IS.match(low) if found is None and _SPELT.search(low) else None
    if plain and _is_value(text, plain):
        return [_corrected(place, begin, stop, thing(plain["new"]), "")]
    if found is not None:
        return _denied_after(place, begin, stop, found, is_signed=is_signed)
    before = _NOT_BEFORE.search(piece.marker)
    statement = read_statement(piece.clause) if before and piece.clause else None
    if before is None or statement is None or statement.kind is None:
        return []
    return [stated(place, begin, stop, statement, denies=thing(before["old"]))]


def replaced(place: Place, piece: Piece, begin: int, stop: int) -> list[Ranked]:
    """ "Not Tuesday, Wednesday": the new value alone behind the old one."""
    before = _NOT_BEFORE.search(piece.marker)
    if before is None or not _NAMED.search(place.passage.text[begin:stop]):
        return []
    at = begin - len(piece.marker) + before.start()
    return [_corrected(place, at, stop, thing(place.low[begin:stop]), thing(before["old"]))]


def _is_value(text: str, meant: "regex.Match[str]") -> bool:
    new = text[meant.start("new") : meant.end("new")]
    return len(new.split()) <= NEW_WORDS_MAX and _NAMED.search(new) is not None


def _denied_after(place: Place, begin: int, stop: int, found: "regex.Match[str]", *, is_signed: bool) -> list[Ranked]:
    front, old = found["front"].removesuffix(" but"), thing(found["old"])
    front_written = place.passage.text[begin : begin + len(front)]
    written_old = place.passage.text[begin + found.start("old") : begin + found.end("old")]
    plain = _IT_IS.match(front)
    if plain and _POINTS.search(plain["new"]):
        return []
    if plain and (is_signed or (_is_value(front_written, plain) and written_old[:1].isupper())):
        return [_corrected(place, begin, stop, thing(plain["new"]), old)]
    if is_signed and len(front.split()) <= OLD_WORDS_MAX and _NAMED.search(front_written):
        return [_corrected(place, begin, stop, thing(front), old)]
    clause = read_clause(front_written, front)
    statement = read_statement(clause) if clause else None
    if clause is None or statement is None or not place.may_say(statement):
        return []
    if statement.key.startswith("taste:"):
        is_pair = statement.value == "likes" and clause.group.verb != "prefer"
        return _liked_and_not(place, begin, stop, statement, found) if is_pair else []
    if statement.key.startswith(_NO_DENIAL) or len(old.split()) > OLD_WORDS_MAX:
        return []
    return [stated(place, begin, stop, statement, denies=old)]


def _liked_and_not(
    place: Place, begin: int, stop: int, statement: Statement, found: "regex.Match[str]"
) -> list[Ranked]:
    """ "I like cats, not dogs" is two tastes and no correction."""
    cut = begin + found.start("old") - len("not ")
    if not place.low.startswith("not ", cut):
        return []
    other = replace(statement, key=f"taste:{thing(found['old'])}", value="dislikes", polarity="negative")
    front = found["front"].removesuffix(" but").rstrip(" ,")
    liked = stated(place, begin, begin + len(front), statement)
    return [liked, stated(place, cut, stop, other)]


def _corrected(place: Place, begin: int, stop: int, new: str, old: str) -> Ranked:
    statement = Statement(
        subject=None, key="", value=new, polarity="positive", category="context",
        kind="exact_value" if regex.search(r"\d", new) else None, rank=0,
    )  # fmt: skip
    return stated(place, begin, stop, statement, denies=old)
