"""What does the question ask for? Words, names, phrases and times."""

from datetime import datetime

from glossator.model import Query
from glossator.rules.names import proper_names, quoted_phrases
from glossator.rules.timex import asks_when, find_times, nostalgic
from glossator.rules.tokens import query_terms


def parse_question(text: str, *, now: datetime) -> Query:
    """The question as the later stages see it; `now` is aware and in the asker's zone."""
    return Query(
        text=text,
        terms=query_terms(text),
        names=proper_names(text),
        phrases=quoted_phrases(text),
        times=find_times(text, now=now),
        asks_when=asks_when(text),
        nostalgic=nostalgic(text),
        now=now,
    )
