"""Whose part of a text is it? Lines that begin with "User:" or "Assistant:" say so."""

import re
from collections.abc import Iterator, Mapping

from glossator.model import Role

ROLE_OF: Mapping[str, Role] = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "system": "system", "tool": "tool",
}  # fmt: skip
_LABEL = re.compile(rf"^[ \t]*({'|'.join(ROLE_OF)})[ \t]*:", re.IGNORECASE | re.MULTILINE)
_NOT_A_LINE_END = re.compile(r"[^\r\n]")


def role_labels(text: str) -> Iterator[tuple[int, int, Role]]:
    """Where each label begins and ends, and whose part follows, in order."""
    for found in _LABEL.finditer(text):
        yield found.start(), found.end(), ROLE_OF[found.group(1).lower()]


def users_part(text: str) -> str:
    """The text with the labels, and all that stands under another label than a user's, blanked: offsets stay.

    A text without labels is returned as it is.
    """
    labels = list(role_labels(text))
    stops = [start for start, _, _ in labels[1:]] + [len(text)]
    parts: list[str] = []
    at = 0
    for (start, end, role), stop in zip(labels, stops, strict=True) if labels else ():
        last = end if role == "user" else stop
        parts += (text[at:start], _NOT_A_LINE_END.sub(" ", text[start:last]))
        at = last
    return "".join(parts) + text[at:]
