"""Which texts stand in an agent's prompt, and what did each of them say before?"""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Literal, get_args

from glossator.errors import UsageError
from glossator.model.scope import Scope

ResourceKind = Literal["rules", "soul", "user_md", "memory_md", "checkpoint"]
RESOURCE_KINDS: tuple[ResourceKind, ...] = get_args(ResourceKind)
RevisionSource = Literal[
    "seed", "imported", "manual_edit", "extraction_rebuild", "scheduler_rebuild", "compaction", "rollback"
]
REVISION_SOURCES: tuple[RevisionSource, ...] = get_args(RevisionSource)
NO_TEXT = ""
"""As `expected_sha256`: there is no text yet."""


def text_sha256(content: str) -> str:
    """The SHA-256 of a text in UTF-8, as 64 hex digits: what a revision carries and a writer expects."""
    return sha256(content.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionDraft:
    """A text that is to become the newest revision of a resource, with where it came from.

    A checkpoint belongs to one conversation (its key), every other kind to none. `trigger` says in a few words what
    caused it; `memory_ids` are the facts that it was rendered from, `message_ids` what a checkpoint covers. A rollback
    names the revision whose text returns (`target`) and the one that it leaves (`origin`), by number.

    `expected_sha256` is the SHA-256 of the text that the writer has read and means to replace; NO_TEXT expects that
    there is none yet, and None expects nothing.
    """

    kind: ResourceKind
    content: str
    source: RevisionSource
    trigger: str
    memory_ids: tuple[int, ...] = ()
    message_ids: tuple[int, ...] = ()
    conversation: str | None = None
    expected_sha256: str | None = None
    target: int | None = None
    origin: int | None = None
    by: str = ""

    def __post_init__(self) -> None:
        if (self.kind == "checkpoint") != bool(self.conversation):
            problem = "is missing" if self.kind == "checkpoint" else f"is given, and {self.kind} belongs to none"
            raise UsageError("conversation", problem, remedy="a checkpoint, and only that, belongs to a conversation")
        numbers = self.target is not None and self.origin is not None
        if (self.source == "rollback") != numbers or (self.target is None) != (self.origin is None):
            raise UsageError("target", "and `origin` go with a rollback, both", remedy="give both or neither")


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One text that a resource has had. `number` counts from 1 for each resource; `parent` is the number before it.

    `scope` is all of its owner's with its agent. Once erased, `content`, `sha256` and `trigger` are "" and
    `erased_at` says since when; the number stays.
    """

    revision_id: int
    scope: Scope
    kind: ResourceKind
    conversation: str | None
    number: int
    parent: int | None
    sha256: str
    byte_count: int
    content: str
    source: RevisionSource
    trigger: str
    memory_ids: tuple[int, ...]
    message_ids: tuple[int, ...]
    target: int | None
    origin: int | None
    by: str
    created_at: datetime
    erased_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """The newest revision of a resource after a write; not `changed` where it said just that already.

    `warning` is what somebody who wrote it by hand should know, "" where there is nothing to warn of.
    """

    revision: Revision
    changed: bool
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled:
    """What a rollback did, and what its user should know; `warning` is "" where there is nothing to warn of."""

    committed: Committed
    warning: str
