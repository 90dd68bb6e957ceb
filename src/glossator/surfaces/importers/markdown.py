"""What is in a Markdown file: a page with headings, or a chat that someone saved? Its front matter may date it."""

import re
from collections.abc import Iterator, Mapping

from glossator.surfaces.importers.pieces import BLANK, Home, Page, Piece, Rejected
from glossator.surfaces.importers.reading import moment
from glossator.surfaces.importers.speakers import read_turns, speaker_names

_FRONT = re.compile(r"\s*---[ \t]*\n(?P<fields>.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_FIELD = re.compile(r"(?P<name>[A-Za-z][\w -]*?)[ \t]*:[ \t]*(?P<value>.*)$")
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<value>.+)$")

DATE_FIELDS = ("date", "created", "created_at", "date created", "updated", "modified")
"""The first of these that a front matter has; notes programs disagree on the name."""


def read_markdown(text: str, *, home: Home) -> Iterator[Piece]:
    """The turns where the body begins with one, else one Page, dated and tagged by the front matter."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    front = _FRONT.match(text)
    fields = _fields(front["fields"] or "") if front else {}
    body = text[front.end() :] if front else text
    if not body.strip():
        yield Rejected(where="the file", reason=BLANK)
        return
    at = next((moment(fields[name][0], home.zone) for name in DATE_FIELDS if fields.get(name)), None)
    names = speaker_names(body.split("\n"))
    if names:
        yield from read_turns(body, names=names, home=home, at=at)
    else:
        yield Page(document_id=home.name, text=body, at=at or home.at, tags=fields.get("tags", ()))


def _fields(text: str) -> Mapping[str, tuple[str, ...]]:
    """Front matter as far as dates and tags need it: `name: value`, `name: [a, b]` and lists of `- item` lines."""
    found: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in text.split("\n"):
        item = _ITEM.match(line)
        field = _FIELD.match(line)
        if item and name:
            found[name] = (*found[name], _bare(item["value"]))
        elif field:
            name = field["name"].casefold()
            found[name] = _values(field["value"], listed=name == "tags")
    return found


def _values(text: str, *, listed: bool) -> tuple[str, ...]:
    text = text.strip()
    if listed or (text.startswith("[") and text.endswith("]")):
        return tuple(each for part in text.strip("[]").split(",") if (each := _bare(part)))
    return (_bare(text),) if _bare(text) else ()


def _bare(text: str) -> str:
    return text.strip().strip("\"'").lstrip("#").strip()
