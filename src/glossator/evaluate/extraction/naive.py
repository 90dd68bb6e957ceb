"""What would the simplest extractor do? Every sentence of the user of four words or more becomes a fact."""

import re

from glossator.evaluate.extraction.values import StoredFact

__all__ = ["naive_facts"]

WORDS_MIN = 4
_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")


def naive_facts(text: str, *, role: str, session: str | None = None) -> tuple[StoredFact, ...]:
    """The sentences of a user's message as facts about the user; nothing of anybody else's."""
    if role != "user":
        return ()
    sentences = (sentence.strip() for sentence in _END.split(text))
    return tuple(StoredFact(text=each, session=session) for each in sentences if len(each.split()) >= WORDS_MIN)
