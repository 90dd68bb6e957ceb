"""What do others say, think or are they said to have done? It is kept under their name, and doubted."""

from dataclasses import replace

import regex

from glossator.retain.offline import english as table
from glossator.retain.offline.places import Place, Ranked, stated
from glossator.rules.statements import Clause, Subject, read_clause, read_statement
from glossator.rules.statements.values import SubjectKind


def hearsay(place: Place, begin: int, stop: int) -> tuple[Ranked, ...] | None:
    """The draft of a sentence that passes on the words of others; None where it does not.

    Nothing is taken of what others say about the speaker ("Tom says I love jazz").
    """
    low = place.low
    marker = table.MARKER.match(low, begin, stop)
    start = marker.end() if marker and marker.end() < stop else begin
    found = table.HEARSAY.match(low, start, stop)
    if found is None or not _is_somebody(place, start, found):
        return None
    if (
        not place.others_may_speak
        or table.SUPPOSED.search(low, start, stop)
        or table.DOUBT.search(low, found.end(), stop)
    ):
        return ()
    clause = read_clause(place.passage.text[found.end() : stop], low[found.end() : stop])
    if clause is None:
        return ()
    clause = _of_whom(place, clause, found)
    statement = read_statement(clause)
    if statement is None or (statement.subject is None and clause.subject.kind in ("self", "we", "own", "pronoun")):
        return ()
    return (stated(place, start, place.trimmed(start, stop), statement, is_heard=True),)


def _is_somebody(place: Place, start: int, found: "regex.Match[str]") -> bool:
    who = found["who"]
    if who is None:
        return True
    is_named = place.passage.text[start].isupper() or who.startswith(("my ", "our "))
    return is_named and who not in table.NOT_HEARD_FROM


def _of_whom(place: Place, clause: Clause, found: "regex.Match[str]") -> Clause:
    """ "Ana says she ..." is about Ana."""
    if found["who"] is None or clause.subject.kind != "pronoun" or clause.subject.words not in ("he", "she", "they"):
        return clause
    named = place.passage.text[found.start("who") : found.end("who")]
    kind: SubjectKind = "person" if found["who"].startswith(("my ", "our ")) else "name"
    return replace(clause, subject=Subject(kind=kind, words=named))
