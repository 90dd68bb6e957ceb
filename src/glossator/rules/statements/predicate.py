"""Who does what in a clause? Subject and verb group of an English clause, read from the left."""

from glossator.rules.statements.groups import read_group
from glossator.rules.statements.subjects import read_subject
from glossator.rules.statements.values import Clause, Subject
from glossator.rules.statements.wording import WORDS_MAX, words_in

GROUP_WORDS_MAX = 12
"""After "I" or an inherited subject the verb comes soon."""
_PURSUITS = (
    "hobby",
    "hobbies",
    "passion",
    "passions",
    "goal",
    "goals",
    "dream",
    "ambition",
    "pastime",
    "interests",
    "activity",
    "thing",
)
"""After "my hobby is", "restoring" is what it is, not what it does."""


def read_clause(
    written: str, low: str, *, start: int = 0, heir: Subject | None = None, is_informal: bool | None = None
) -> Clause | None:
    """The clause that begins at `start`; `heir` is the subject where the clause has none of its own."""
    is_short = heir is not None or low.startswith(("i ", "i'", "we ", "we'"), start)
    words = words_in(low, start=start, most=GROUP_WORDS_MAX if is_short else WORDS_MAX)
    if heir is not None:
        subject, place = heir, 0
    else:
        found = read_subject(written, words)
        if found is None:
            return None
        subject, place = found
    group = read_group(words, place, is_noun_after_be=subject.kind == "own" and subject.noun.endswith(_PURSUITS))
    if group is None:
        return None
    if is_informal is None:
        is_informal = written.islower()
    rest_begin = group.stop
    while rest_begin < len(low) and low[rest_begin].isspace():
        rest_begin += 1
    rest = low[rest_begin:].rstrip(" \t\n.!…")
    return Clause(
        subject=subject,
        group=group,
        rest=rest,
        rest_written=written[rest_begin : rest_begin + len(rest)],
        is_informal=is_informal,
    )
