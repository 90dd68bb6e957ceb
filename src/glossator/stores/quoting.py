"""Which words outside the journal must go with a forgotten message?

A decision's reason may repeat what was said ("corrected: not Ana"), a queued turn may hold the message's text, and a
fact may rest on a quote that only the caller had. Better a reason too many blanked than one that tells.
"""

import re
from collections.abc import Iterable

from glossator.model import QueuedTurn
from glossator.rules.tokens import index_terms, query_terms

GLANCE = 16
"""Characters compared before all of them are: a long text has many words to begin at."""
EDGE_CHARACTERS_MIN = 4
"""A shorter end of a text ("ok.") may begin any other."""
_WORD = re.compile(r"(?<!\S)\S")


def repeats(reason: str, texts: Iterable[str]) -> bool:
    """True if the reason shares a word with one of the texts, but for those that any sentence has."""
    asked = set(query_terms(reason)) if reason else set()
    return bool(asked) and any(not asked.isdisjoint(index_terms(text)) for text in texts)


def names(reason: str, values: Iterable[str]) -> bool:
    """True if one of the values stands in the reason, as whole words."""
    said = reason.casefold()
    return any(_stands_in(value.casefold().strip(), said) for value in values)


def _stands_in(value: str, said: str) -> bool:
    at = said.find(value) if value else -1
    while at >= 0:
        before, after = said[at - 1 : at], said[at + len(value) : at + len(value) + 1]
        if not (before.isalnum() and value[0].isascii()) and not (after.isalnum() and value[-1].isascii()):
            return True
        at = said.find(value, at + 1)
    return False


def overlaps(text: str, content: str) -> bool:
    """True if one of the two stands in the other, whole or cut at an edge: the text is a span that may begin or end
    inside the content.
    """
    text, content = text.strip(), content.strip()
    if not text or not content:
        return False
    return text in content or content in text or _runs_on(content, text) or _runs_on(text, content)


def _runs_on(first: str, second: str) -> bool:
    """True if the end of the first is the beginning of the second, in whole words."""
    return any(
        second.startswith(first[found.start() : found.start() + GLANCE]) and second.startswith(first[found.start() :])
        for found in _WORD.finditer(first, max(len(first) - len(second), 0))
        if len(first) - found.start() >= EDGE_CHARACTERS_MIN
    )


def holds_any(queued: QueuedTurn, contents: Iterable[str], message_ids: Iterable[int]) -> bool:
    """True if the queued turn holds one of these messages, whole or in part."""
    turn = queued.turn
    passages = [*turn.passages, *([] if turn.before is None else [turn.before])]
    gone, ids = tuple(contents), set(message_ids)
    return any(
        passage.message_id in ids or any(overlaps(passage.text, content) for content in gone) for passage in passages
    )


def without_quotes(text: str, quotes: Iterable[str]) -> str:
    """The text with each of the quotes blanked, so that offsets stay; lines end where they did."""
    for quote in sorted({each for each in quotes if each.strip()}, key=len, reverse=True):
        blank = "".join(each if each in "\n\r" else " " for each in quote)
        text = text.replace(quote, blank)
    return text


def is_said_in(queued: QueuedTurn, conversation: str) -> bool:
    """True if the queued turn belongs to the conversation."""
    turn = queued.turn
    return conversation in {turn.scope.conversation, *(passage.conversation for passage in turn.passages)}
