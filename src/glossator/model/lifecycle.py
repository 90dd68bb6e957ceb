"""What is known of facts that are no longer held, and of what was erased: spans, hints, receipts, copies."""

from dataclasses import dataclass
from datetime import datetime

from glossator.model.fact import Fact, FactState
from glossator.model.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedSpan:
    """Words of a message, `[start:stop]`, whose fact is not held any more, and must not come back from them.

    "erased" stands for all that was forgotten on request, invalidated or erased: a tombstone without words. For other
    states `content_hash` says which statement it was; what else the words say may still be learned.
    """

    message_id: int
    start: int
    stop: int
    state: FactState
    content_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hinted:
    """A deprioritised fact with the words that bring it back; any one of the hints is enough."""

    fact: Fact
    hints: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A copy of the whole store that was asked for: where and when."""

    path: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureRecord:
    """What a store keeps of one forgetting. `body` is the receipt as JSON, `signed` the same with its signature.

    The body is written in the transaction that forgets, so that no crash can lose it; it is signed afterwards.
    """

    number: int
    scope: Scope
    at: datetime
    body: str
    signed: str = ""

    @property
    def receipt_id(self) -> str:
        """For example "r12"."""
        return f"r{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedReceipt:
    """Proof of one forgetting. `text` is one line of JSON: what `verify_receipt` takes, to the last byte."""

    receipt_id: str
    at: datetime
    scope: Scope
    text: str
