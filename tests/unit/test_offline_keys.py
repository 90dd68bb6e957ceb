"""Statements that a model wrote meet those that the offline extractor took, under the same key."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.rules.statements import statement_key

ROWS = """
The user lives in Paris.                     -> + user | home = paris
Ana lives in Paris                           -> + Ana | home = paris
User prefers window seats                    -> + user | taste:window seats = likes
The user's favourite colour is blue.         -> + user | favourite colour = blue
The user is allergic to peanuts.             -> + user | allergy:peanuts = yes
The user's sister is Ana.                    -> + user | sister = ana
The user no longer works at Acme.            -> - user | employer = not acme
The user dislikes cilantro.                  -> - user | taste:cilantro = dislikes
The user doesn't like jazz anymore.          -> - user | taste:jazz = no longer likes
The user does not like horror films.         -> - user | taste:horror films = dislikes
Ed plays cello.                              -> + Ed | plays:cello = yes
The rate limit is 20 requests per second.    -> + user | rate limit = 20 requests per second
User’s budget is $500.                       -> + user | budget = $500
"""


@pytest.mark.parametrize("row", ROWS.strip().splitlines())
def test_a_third_person_sentence_has_the_key_of_the_first_person(row: str) -> None:
    said, wanted = (part.strip() for part in row.split("->"))
    found = statement_key(said, subject="user")
    assert found is not None
    sign = "+" if found.polarity == "positive" else "-"
    assert f"{sign} {found.subject} | {found.key} = {found.value}" == wanted


def test_a_named_speaker_stands_for_themself() -> None:
    found = statement_key("Mara lives in Paris.", subject="Mara")
    assert found is not None
    assert (found.subject, found.key, found.category) == ("Mara", "home", "identity")


@pytest.mark.parametrize(
    "said", ["Where does the user live?", "The user might move to Oslo.", "", "The user", "Hello."]
)
def test_what_cannot_be_read_has_no_key(said: str) -> None:
    assert statement_key(said, subject="user") is None


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.text(max_size=10))
def test_no_text_raises(text: str, subject: str) -> None:
    statement_key(text, subject=subject)
