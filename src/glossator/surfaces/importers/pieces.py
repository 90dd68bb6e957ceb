"""What can come out of an export: messages of one session, a page of text, or the reason why something did not."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from glossator.model import Role

EXCERPT_CHARACTERS = 80
"""Enough of a rejected item to recognise it in the file; one line of a terminal."""

ROLE_WORDS: Mapping[str, Role] = {
    "user": "user", "human": "user", "you": "user", "me": "user", "prompt": "user",
    "assistant": "assistant", "ai": "assistant", "bot": "assistant", "model": "assistant", "chatgpt": "assistant",
    "claude": "assistant", "gemini": "assistant", "gpt": "assistant", "gpt-4": "assistant",
    "system": "system", "developer": "system",
    "tool": "tool", "function": "tool",
}  # fmt: skip
"""What the two sides of a chat are called by the programs that write one down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """What a file does not say itself.

    With `stable_ids`, messages without an id get one from their words, so that a file can be read again; without,
    they are new each time, as talk that comes in live is.

    `name` is its path below the folder that was asked for, with slashes: it is the same on every machine. `zone` is
    the speaker's, for instants that come without an offset of their own; `at` is for messages without any time.
    `role`, `speaker` and `session` are for lines of our own JSON that have none.
    """

    name: str
    conversation: str | None = None
    zone: tzinfo = UTC
    at: str | None = None
    stable_ids: bool = True
    role: str | None = None
    speaker: str | None = None
    session: str | None = None

    @property
    def fallback_conversation(self) -> str:
        """The conversation of messages that name none: the one asked for, else the file's name without its ending."""
        folder, _, name = self.name.rpartition("/")
        stem = name.rsplit(".", 1)[0] or name
        return self.conversation or f"file:{folder}/{stem}".replace(":/", ":")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedMessage:
    """One message as its export tells it. `at` is ISO 8601, or None where the export has no time."""

    message_id: str | None
    role: Role
    content: str
    speaker: str | None = None
    at: str | None = None
    where: str = ""
    """Where in the file it stands, if that says more than its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """Messages of one session of one conversation, in order. `share` of the input was read when they were complete."""

    conversation: str
    session: str | None
    messages: tuple[ImportedMessage, ...]
    share: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A text that is nobody's turn: notes, an article."""

    document_id: str
    text: str
    at: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Something that should have been a message and could not be read; `where` finds it in the file."""

    where: str
    reason: str
    excerpt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that was read and is not kept on purpose."""

    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something about the file that its owner should know, such as bytes that had to be replaced."""

    text: str
    where: str = field(default="")


BLANK = "is blank"
OTHER_KINDS = "files of other kinds"
"""Reasons why nothing of a file was read at all."""

Piece = Transcript | Page | Rejected | LeftOut | Note


def excerpt(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text[: EXCERPT_CHARACTERS * 2].split())
    return line if len(line) <= EXCERPT_CHARACTERS else line[: EXCERPT_CHARACTERS - 1] + "…"
