"""Which drafts does a sentence give? Guards first, then orders, corrections, hearsay and plain statements."""

from collections.abc import Iterator
from dataclasses import replace

import regex

from glossator.retain.offline import english as table
from glossator.retain.offline.asides import in_passing
from glossator.retain.offline.clauses import Piece, pieces
from glossator.retain.offline.corrections import corrections, replaced
from glossator.retain.offline.directives import read_order
from glossator.retain.offline.frames import IDIOM, MOCKING, QUOTING, TAKEN_BACK, UNDONE
from glossator.retain.offline.hearsay import hearsay
from glossator.retain.offline.places import Place, Ranked, ordered, stated
from glossator.retain.offline.telling import dated, introduction
from glossator.rules.statements import Statement, read_statement

PART_CHARACTERS_MIN = 4
_ASKED_FOR_GOOD = regex.compile(
    r"(?:could|can|would|will) you (?:please )?(?:remember to |make sure to )?(?:always|never|from now on)\b"
)
_NO_QUESTIONS = ("when ", "whenever ", "do not ", "what i ", "what we ", "what got me ", "what gets me ")
_SUBJECTS = ("self", "we", "person", "name", "own", "pronoun")
_TASTING = frozenset("like love enjoy adore prefer hate dislike detest loathe despise stand bear avoid".split())
_POINTER = regex.compile(r"(?:it|them|those|that)\b")


def drafts_of(place: Place, begin: int, stop: int) -> Iterator[Ranked]:
    """The drafts of the sentence `text[begin:stop]` of the passage, in its order."""
    whole = place.low[begin:stop]
    stop = _declared(place, begin, stop)
    low = place.low[begin:stop]
    marker = table.MARKER.match(low)
    if not low or table.YOU_SAID.search(low, marker.end() if marker else 0) or QUOTING.search(low):
        return
    if table.SARCASM.search(low) or MOCKING.search(whole) or TAKEN_BACK.match(place.low, begin + len(whole)):
        return
    heard = hearsay(place, begin, stop)
    if heard is not None:
        yield from heard
        return
    is_first, liked = True, ""
    is_doubted = table.DOUBT_AFTER.search(low) is not None
    for piece in pieces(place.passage.text, place.low, begin, stop):
        is_doubted = is_doubted or table.SUPPOSED.search(place.low, piece.begin, piece.stop) is not None
        for found in _of_piece(place, _with_antecedent(piece, liked), is_doubted=is_doubted, is_first=is_first):
            liked = found.draft.key.removeprefix("taste:") if found.draft.key.startswith("taste:") else liked
            yield found
        is_first = is_first and (piece.clause is None or piece.clause.subject.kind not in _SUBJECTS)


def _with_antecedent(piece: Piece, liked: str) -> Piece:
    """ "I used to love jazz but I hate it now": within one sentence "it" is the thing whose taste was told before."""
    clause = piece.clause
    if not liked or clause is None or clause.group.verb not in _TASTING:
        return piece
    found = _POINTER.match(clause.rest)
    if found is None:
        return piece
    rest = liked + clause.rest[found.end() :]
    return replace(piece, clause=replace(clause, rest=rest, rest_written=rest))


def _declared(place: Place, begin: int, stop: int) -> int:
    """Where the statement in it ends: before a question that follows it, at once where it is all question."""
    low = place.low
    core = low[begin:stop].rstrip(" \"'”’)]*_")
    found = table.MARKER.match(low, begin, stop)
    head = found.end() if found and found.end() < stop else begin
    if _ASKED_FOR_GOOD.match(low, head, stop):
        return stop
    if not (core.endswith(("?", "？")) or "?!" in core[-4:]):
        is_question = table.ASKS.match(low, head, stop) and not low.startswith(_NO_QUESTIONS, head)
        return begin if is_question else stop
    tail = table.QUESTION_TAIL.search(low, head, stop)
    if tail is None or table.ASKS.match(low, head, stop):
        return begin
    return int(tail.start())


def _of_piece(place: Place, piece: Piece, *, is_doubted: bool, is_first: bool) -> Iterator[Ranked]:
    begin, stop = piece.begin, place.trimmed(piece.begin, piece.stop)
    part = place.low[begin:stop]
    if len(part) < PART_CHARACTERS_MIN or IDIOM.search(part) or UNDONE.search(part):
        return
    if " " not in part:
        yield from replaced(place, piece, begin, stop)
        return
    if piece.is_aside:
        if not is_doubted and not table.DOUBT.search(part):
            yield from _beside(place, piece, begin, stop)
        return
    order = read_order(place.passage.text[begin:stop], part, is_first=is_first)
    if order is not None:
        if not (is_doubted or table.DOUBT.search(part)) or part.startswith(("never", "always", "please", "if you ")):
            yield ordered(place, begin, stop, order)
    elif not is_doubted and not table.DOUBT.search(part):
        yield from corrections(place, piece, begin, stop) or _plain(place, piece, begin, stop)


def _plain(place: Place, piece: Piece, begin: int, stop: int) -> Iterator[Ranked]:
    statement = read_statement(piece.clause) if piece.clause else None
    statement = statement or introduction(place, piece)
    if statement is None:
        event = dated(place, piece, begin, stop)
        statement = None if event else _named_in_passing(place, begin, stop)
        if event is not None:
            yield event
        elif statement is not None:
            yield stated(place, begin, stop, statement)
    elif place.may_say(statement) and not _is_passing(place, piece, begin, stop):
        yield stated(place, begin, stop, statement)


def _beside(place: Place, piece: Piece, begin: int, stop: int) -> Iterator[Ranked]:
    """What a clause says beside its main statement."""
    statement = read_statement(piece.clause) if piece.clause else None
    if statement is not None and place.may_say(statement):
        yield stated(place, begin, stop, statement)


def _named_in_passing(place: Place, begin: int, stop: int) -> Statement | None:
    clause = in_passing(place.passage.text[begin:stop], place.low[begin:stop])
    return read_statement(clause) if clause else None


def _is_passing(place: Place, piece: Piece, begin: int, stop: int) -> bool:
    """A state of this hour is nothing to keep; what happened today may be."""
    is_told = piece.clause is not None and piece.clause.group.tense in ("past", "perfect")
    return not is_told and table.TRANSIENT.search(place.low, begin, stop) is not None
