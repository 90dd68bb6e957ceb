"""What is in a plain text: a transcript with lines such as "User: ..." and "Assistant: ...", or a page of prose?"""

from collections.abc import Iterator

from glossator.surfaces.importers.pieces import BLANK, Home, Page, Piece, Rejected
from glossator.surfaces.importers.speakers import read_turns, speaker_names


def read_plain(text: str, *, home: Home) -> Iterator[Piece]:
    """The turns where the text begins with one, else one Page."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        yield Rejected(where="the file", reason=BLANK)
        return
    names = speaker_names(text.split("\n"))
    if names:
        yield from read_turns(text, names=names, home=home)
    else:
        yield Page(document_id=home.name, text=text, at=home.at)
