"""What does a sentence say beside its main statement: "my wife, who teaches chemistry, ...", "as a nurse I ..."?"""

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from glossator.rules.statements import Clause, lowered, read_clause, read_statement
from glossator.rules.statements import english_words as words

_KIN = "|".join(sorted(words.PEOPLE, key=len, reverse=True))
_TITLES = r"boss|manager|wife|husband|partner|landlord|landlady|supervisor|therapist|mentor|girlfriend|boyfriend"
_ONE_OF_MANY = regex.compile(
    r"^(?!.*\b(?:best|oldest|biggest|main|only|first|new)\b).*\b(?:neighbou?r|friend"
    r"|colleague|co-?worker|client|customer|student|teacher|teammate|flatmate|roommate)$"
)
"""One may have several: who it is answers no question."""
_RELATIVE = regex.compile(
    r"(?P<who>(?:my|our) [\w'-]+(?: [\w'-]+){0,2}|\p{L}[\w'-]+(?: \p{L}[\w'-]+)?),"
    r" who(?P<told>(?:'s|'ve)? [^,;]{3,80}),\s*"
)
_TRAILING = regex.compile(
    rf"\b(?P<who>(?:my|our) (?:[\w-]+ )?(?:{_KIN})(?: \p{{L}}[\w'-]+)?),? who(?P<told>(?:'s"
    rf"|'ve)? [^,;]{{3,100}})(?=$|[,;])"
)
_NAMED_FIRST = regex.compile(r"(?P<name>\p{L}[\w'-]+)(?:, | \()(?P<role>(?:my|our) [\w -]{2,30}?)(?:,|\))\s*")
_ROLE_FIRST = regex.compile(
    r"(?P<role>(?:my|our) [\w -]{2,30}?)(?:, | \()(?P<name>\p{L}[\w'-]+(?:"
    r" \p{L}[\w'-]+)?)(?:,|\))\s*"
)
_AS = regex.compile(
    r"(?:(?:being|as) (?P<what>an? [^,]{3,50}?),?|being (?P<state>[^,]{3,40}),) (?=(?:i|i'm|i've|my|we)\b)"
)
_IN_PASSING = regex.compile(
    rf"\b(?:my|our) (?P<role>{'|'.join(sorted(words.FAMILY, key=len, reverse=True))}|{_TITLES}) "
    r"(?P<name>\p{L}[\p{L}'-]+)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Untangled:
    """The main clause without what was put between, and the clauses that say it by themselves."""

    main: str
    besides: tuple[str, ...]


def untangled(written: str, low: str) -> Untangled | None:
    """A sentence with a relative clause, an apposition or "as a ..." taken apart; None where it has none of them."""
    for pattern in (_NAMED_FIRST, _ROLE_FIRST):
        found = pattern.match(low)
        if found and _is_name(written, found.start("name"), found["name"]):
            name = written[found.start("name") : found.end("name")]
            role = written[found.start("role") : found.end("role")].lower()
            is_one = _ONE_OF_MANY.search(role) is None
            return Untangled(main=f"{name} {written[found.end() :]}", besides=(f"{role} is {name}",) if is_one else ())
    found = _RELATIVE.match(low)
    if found and (found["who"].startswith(("my ", "our ")) or _is_name(written, 0, found["who"])):
        who = written[: found.end("who")]
        told = written[found.start("told") : found.end("told")]
        return Untangled(main=f"{who} {written[found.end() :]}", besides=(f"{who}{told}",))
    return None


def held_until(text: str, low: str, start: int, stop: int) -> int:
    """Where an apposition at the head of a clause ends, so that its commas part nothing; `start` without one."""
    for pattern in (_NAMED_FIRST, _ROLE_FIRST):
        found = pattern.match(low, start, stop)
        if found and _is_name(text, found.start("name"), found["name"]):
            return int(found.end())
    found = _AS.match(low, start, stop)
    return int(found.end()) if found else start


def besides(written: str, low: str) -> Iterator[Clause]:
    """The clauses that stand beside the main one without being put between its parts."""
    found = _AS.match(low)
    main = read_clause(written[found.end() :], low[found.end() :]) if found else None
    if found and main and main.group.tense not in ("past", "ended", "modal"):
        what = (
            written[found.start("what") : found.end("what")]
            if found["what"]
            else written[found.start("state") : found.end("state")]
        )
        yield from _read(f"I am {what}")
    if " who" in low:
        for trailing in _TRAILING.finditer(low):
            told = written[trailing.start("told") : trailing.end("told")]
            yield from _read(f"{written[trailing.start('who') : trailing.end('who')]}{told}")


def in_passing(written: str, low: str) -> Clause | None:
    """ "That's my sister Ana": a relation that is only named in passing."""
    if "my " not in low and "our " not in low:
        return None
    for found in _IN_PASSING.finditer(low):
        if _is_name(written, found.start("name"), found["name"]) and not found["name"].endswith("'s"):
            return next(_read(f"my {found['role']} is {written[found.start('name') : found.end('name')]}"), None)
    return None


def _read(sentence: str) -> Iterator[Clause]:
    clause = read_clause(sentence, lowered(sentence))
    if clause is not None and read_statement(clause) is not None:
        yield clause


def _is_name(written: str, at: int, low: str) -> bool:
    return written[at].isupper() and low.split()[0] not in words.NAME_STOPPERS and low not in words.NATIONALITIES
