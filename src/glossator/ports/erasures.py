"""What is kept of what was forgotten: closed spans, receipts, the list of copies, and what comes back by itself?"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from glossator.model import ClosedSpan, ErasureRecord, Fact, Hinted, Scope


class Erasures(Protocol):
    """What keeps the forgotten away, and what moves facts without being asked each time."""

    def closed_spans(self, scope: Scope, message_ids: Sequence[int]) -> tuple[ClosedSpan, ...]:
        """The words of these messages whose facts are not held any more, in order of message and offsets."""
        ...

    def relearn(self, scope: Scope, *, now: datetime) -> int:
        """Queue the extraction of every live message that the scope covers and that facts are taken from.

        Those are the messages that were due for it, and every user's message of the talk. In journal order; what has a
        row open already is left out, a row that failed is replaced. Returns how many were queued.
        """
        ...

    def hinted(self, scope: Scope) -> tuple[Hinted, ...]:
        """The deprioritised facts of the scope that have hints, in order of fact_id."""
        ...

    def due_to_expire(self, *, now: datetime, scope: Scope | None = None, limit: int = 100) -> tuple[Fact, ...]:
        """Active and deprioritised facts whose time has passed, oldest first.

        Without a scope of all scopes: for the worker only.
        """
        ...

    def keep_backup(self, path: Path, *, now: datetime) -> None:
        """Note that a copy was asked for, so that receipts can name it."""
        ...


class Receipts(Protocol):
    """Proofs of what was forgotten. Each is written by the forgetting itself, in its transaction."""

    def receipts(self, scope: Scope, *, newest: int | None = None) -> tuple[ErasureRecord, ...]:
        """The receipts of this owner, oldest first, at most so many of the `newest`; with a conversation those that
        name it. None for a job and for whoever is not trusted.
        """
        ...

    def seal_receipt(self, scope: Scope, number: int, text: str) -> None:
        """Keep the signed text of a receipt, once; a second one is ignored."""
        ...

    def signing_key(self, made: bytes, *, now: datetime) -> bytes:
        """The store's key for signing: `made` is kept if there is none yet."""
        ...


class Signer(Protocol):
    """Signs with a key pair. A wrong signature is False, never an error."""

    def new_key(self) -> bytes:
        """A new private key."""
        ...

    def public_key(self, key: bytes) -> bytes:
        """The public key that belongs to a private key."""
        ...

    def public_pem(self, public_key: bytes) -> str:
        """The public key as other programs read it."""
        ...

    def signature(self, key: bytes, message: bytes) -> bytes:
        """The signature of the message."""
        ...
