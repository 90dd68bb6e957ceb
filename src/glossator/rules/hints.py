"""Do these words bring a put-away fact back? Yes, if all words of one of its hints stand in them, in any order."""

from collections.abc import Iterable, Sequence

from glossator.errors import UsageError
from glossator.rules.tokens import index_terms, query_terms

HINTS_MAX = 20
HINT_CHARACTERS_MAX = 200


def is_hinted(hints: Iterable[str], said: Iterable[str]) -> bool:
    """True if one of the texts has all the telling words of one hint."""
    spoken = [frozenset(index_terms(text)) for text in said]
    wanted = [frozenset(query_terms(hint)) for hint in hints]
    return any(words and words <= heard for words in wanted for heard in spoken)


def checked_hints(hints: Sequence[str]) -> tuple[str, ...]:
    """The hints without repeats. Raises UsageError for what has no word, is too long, or is no list."""
    if isinstance(hints, str):
        raise UsageError("reinstate_hints", "is a str, not a list of hints", remedy='pass ["new job"]')
    if len(hints) > HINTS_MAX:
        raise UsageError("reinstate_hints", f"are {len(hints)}, more than {HINTS_MAX}", remedy="leave the best")
    for hint in hints:
        if not isinstance(hint, str) or len(hint) > HINT_CHARACTERS_MAX or not query_terms(hint):
            problem = f"{hint!r} is no text of words, at most {HINT_CHARACTERS_MAX} characters"
            raise UsageError("reinstate_hints", problem, remedy='for example "new job"')
    return tuple(dict.fromkeys(hint.strip() for hint in hints))
