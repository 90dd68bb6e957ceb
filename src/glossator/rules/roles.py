"""Whose part of a text is it? Lines that begin with "User:" or "Assistant:" say so."""

import re
from collections.abc import Iterator, Mapping

from glossator.model import Role

ROLE_OF: Mapping[str, Role] = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "system": "system", "tool": "tool",
}  # fmt: skip
_LABEL = re.compile(rf"^[ \t]*({'|'.join(ROLE_OF)})[ \t]*:", re.IGNORECASE | re.MULTILINE)


def role_labels(text: str) -> Iterator[tuple[int, int, Role]]:
    """Where each label begins and ends, and whose part follows, in order."""
    for found in _LABEL.finditer(text):
        yield found.start(), found.end(), ROLE_OF[found.group(1).lower()]
