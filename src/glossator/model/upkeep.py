"""Work that is still to do, erasure with its receipt, and the health of a store."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from glossator.model.lifecycle import Backup
from glossator.model.scope import Scope

WorkKind = Literal["embed", "extract", "pre_compress", "session_end", "embed_fact"]
WORK_KINDS: tuple[WorkKind, ...] = ("embed", "extract", "pre_compress", "session_end", "embed_fact")
EXTRACTION_KINDS: tuple[WorkKind, ...] = ("extract", "pre_compress", "session_end")
EMBEDDING_KINDS: tuple[WorkKind, ...] = ("embed", "embed_fact")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkRow:
    """Something that must still be done, claimed under a lease by `attempt`.

    "embed" is about the chunks `chunk_ids`, "extract" about the message whose first chunk is named, "embed_fact" about
    `fact_id`; the others carry a turn of their own (Queue.turns gives it).
    """

    work_id: int
    kind: WorkKind
    chunk_ids: tuple[int, ...]
    attempt: int
    created_at: datetime
    fact_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetTarget:
    """What to erase, within one scope. Exactly one of the ways of naming it is given; `everything` is explicit.

    `message_ids` are external ids; they need `conversation` unless they are unique in the scope.
    """

    scope: Scope
    message_ids: tuple[str, ...] = ()
    conversation: str | None = None
    session: str | None = None
    everything: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPreview:
    """What `forget` would erase. Pass `token` as `confirm=` to do it; it holds only while nothing has changed."""

    token: str
    message_count: int
    chunk_count: int
    conversations: tuple[str, ...]
    samples: tuple[str, ...]
    """First words of at most five of the messages."""
    fact_count: int = 0
    """Facts that rest on nothing else and go with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReceipt:
    """What was erased, by kind, from rows, keyword index and vectors. Verified by reading back after the erasure.

    `message_ids` also name the checkpoints that summed up an erased message. `signed` is the receipt as one line of
    JSON with its signature (`verify_receipt` takes it), "" where the memory has nothing to sign with.
    """

    erased_at: datetime
    message_ids: tuple[str, ...]
    message_count: int
    chunk_count: int
    lexical_row_count: int
    vector_count: int
    work_count: int
    fact_count: int
    """Facts that lost their last evidence and were erased with it."""
    evidence_count: int
    remaining_count: int
    """Rows of the target still found by the read-back; always 0, or StoreError is raised instead."""
    not_covered: tuple[str, ...] = ("copies made earlier with `glossator backup` and backups of the disk",)
    revision_count: int = 0
    """Revisions of prompt files and checkpoints whose words went."""
    backups: tuple[Backup, ...] = ()
    """Copies that were made before, and may still hold what is erased here."""
    receipt_id: str = ""
    scope: Scope | None = None
    by: str = ""
    signed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Counts of a store, over all scopes it holds unless one was given."""

    schema_version: int
    message_count: int
    chunk_count: int
    vector_count: int
    conversation_count: int
    session_count: int
    pending_count: int
    failed_count: int
    file_bytes: int
    model: str
    oldest_said_at: datetime | None
    newest_said_at: datetime | None
    fact_count: int = 0
    """Active facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that the doctor looked at. `remedy` is empty when nothing is wrong."""

    check: str
    ok: bool
    detail: str
    remedy: str = ""
    repaired: bool = False
