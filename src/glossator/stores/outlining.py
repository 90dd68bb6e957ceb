"""How does a line of a list read, and where does the next page begin? What all stores have to agree on."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import regex

from glossator.errors import UsageError
from glossator.model.outline import LAST_WORDS_CHARACTERS_MAX

READ_CHARACTERS = 1_000
"""Read of a message for its first words: enough for a line, also behind blank lines; a document is not read whole."""
UNKNOWN_ERROR = "failed"
"""Of a row that failed before the error's class was kept with its words."""
INT_DIGITS_MAX = 19

_grapheme = regex.compile(r"\X")
_error = re.compile(r"([A-Za-z]+Error): ")
_page = re.compile(rf"([0-9]{{1,{INT_DIGITS_MAX}}})\.(-?[0-9]{{1,{INT_DIGITS_MAX}}})\.([0-9]{{1,{INT_DIGITS_MAX}}})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Behind which conversation a page begins, and which message was the newest when the first page was read."""

    as_of: int
    newest: int
    """When the last thing was said there up to that message, in microseconds since 1970."""
    number: int
    """The conversation's place in order of first messages."""

    @property
    def text(self) -> str:
        """As it is given out."""
        return f"{self.as_of}.{self.newest}.{self.number}"


def microseconds(at: datetime) -> int:
    """Since 1970, as pages have it."""
    return (at - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)


def page_of(after: str) -> Page:
    """Reads what `Page.text` wrote. Raises UsageError for anything else."""
    found = _page.fullmatch(after)
    numbers = [int(each) for each in found.groups()] if found else []
    if not numbers or max(map(abs, numbers)) >= 2**63:
        raise UsageError("after", "is no page of conversations", remedy="pass `page` of the last one that came")
    return Page(as_of=numbers[0], newest=numbers[1], number=numbers[2])


def first_words(content: str) -> str:
    """The beginning of a text on one line, cut between what are shown as characters."""
    line = " ".join(content[:READ_CHARACTERS].split())
    if len(line) <= LAST_WORDS_CHARACTERS_MAX:
        return line
    end = 0
    for found in _grapheme.finditer(line):
        if found.end() > LAST_WORDS_CHARACTERS_MAX - 1:
            break
        end = found.end()
    return line[:end].rstrip() + "…"


def without_content(reason: str) -> str:
    """The class of the error that a row of work failed with: its words may repeat what was said."""
    found = _error.match(reason)
    return found[1] if found else UNKNOWN_ERROR if reason else ""
