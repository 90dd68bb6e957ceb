"""What does the question ask for? Words, names, phrases and times."""

from dataclasses import replace
from datetime import datetime

from glossator.model import Query
from glossator.rules.names import named_speakers, proper_names, quoted_phrases
from glossator.rules.timex import asks_when, find_times, nostalgic
from glossator.rules.tokens import index_terms, query_terms


def addressed(query: Query, speakers: tuple[str, ...]) -> Query:
    """The question with the speakers that it names, whose names are no longer searched for as words.

    In "What did Ana buy?" the name says whose words to prefer; as a word it would only find where Ana is greeted.
    A question of nothing but names keeps them.
    """
    named = named_speakers(query.text, speakers)
    if not named:
        return query
    names = {term for place in named for term in index_terms(speakers[place])}
    rest = tuple(term for term in query.terms if term not in names)
    return replace(query, named=named, terms=rest or query.terms)


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
