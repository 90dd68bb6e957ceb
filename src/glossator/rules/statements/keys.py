"""Which question does a third-person sentence answer? For facts that a model wrote."""

import regex

from glossator.model import SELF
from glossator.rules.statements.predicate import read_clause
from glossator.rules.statements.reading import read_statement
from glossator.rules.statements.values import StatementKey, Subject
from glossator.rules.statements.wording import lowered, words_in

_USER = regex.compile(r"^(?:the |this )?(?:user|speaker)(?=\s|'s|’s)", regex.IGNORECASE)
_POSSESSIVE = regex.compile(r"^(?:'s|’s)\s+(?=\p{L})")
_DOUBTED = regex.compile(r"\?|\b(?:if|might|may|maybe|perhaps|possibly|would|could)\b", regex.IGNORECASE)


def statement_key(text: str, *, subject: str) -> StatementKey | None:
    """What a sentence such as "The user lives in Paris." states; None where the tables cannot say.

    `subject` is the name that the speaker's own facts go by; "the user", that name and its possessive stand for it.
    Anybody else is named in the answer's `subject` as written.
    """
    sentence = text.strip()
    if len(sentence) > 400 or _DOUBTED.search(sentence):
        return None
    rewritten, about_self = _as_own(sentence, subject)
    low = lowered(rewritten)
    heir = Subject(kind="self", words="I") if about_self else None
    clause = read_clause(rewritten, low, heir=heir)
    statement = read_statement(clause) if clause else None
    if statement is None:
        return None
    return StatementKey(
        subject=subject if statement.subject is None else statement.subject,
        key=statement.key,
        value=statement.value,
        polarity=statement.polarity,
        category=statement.category,
        kind=statement.kind,
    )


def _as_own(sentence: str, subject: str) -> tuple[str, bool]:
    """The sentence without its leading name, or with "my" for its possessive; and whether the first was done."""
    found = _USER.match(sentence)
    stop = found.end() if found else 0
    if not stop and subject and subject != SELF and sentence.casefold().startswith(subject.casefold()):
        stop = len(subject)
    if not stop or stop >= len(sentence):
        return sentence, False
    possessive = _POSSESSIVE.match(sentence[stop:])
    if possessive and not _is_verb(sentence[stop:]):
        return "my " + sentence[stop + possessive.end() :], False
    if sentence[stop].isspace() or possessive:
        return sentence[stop:].lstrip(), True
    return sentence, False


def _is_verb(rest: str) -> bool:
    words = words_in(lowered(rest))
    following = words[1].low if len(words) > 1 else ""
    return following in ("a", "an", "the", "not", "allergic", "called", "from", "in") or following.endswith("ing")
