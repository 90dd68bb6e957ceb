"""What does the engine need from the outside? Protocols of at most six methods each.

Those that Store names together are a store; one class implements them all. Every method may raise StoreError; none
raises a foreign error. Every read takes a Scope and never returns what it does not cover.
"""

from typing import Protocol

from glossator.ports.access import Keys, Replies, Secrets
from glossator.ports.erasures import Erasures, Receipts, Signer
from glossator.ports.facts import Facts, Ledger, Queue, Steps
from glossator.ports.files import Files
from glossator.ports.jobs import Jobs
from glossator.ports.marks import Marks
from glossator.ports.monitor import Monitor
from glossator.ports.outline import Outline
from glossator.ports.providers import (
    Clock,
    Embedder,
    Extractor,
    Ids,
    LanguageModel,
    PieceEmbedder,
    Ranker,
    Redactor,
    Reranker,
    Span,
    SpanValue,
    Tracer,
)
from glossator.ports.resources import Resources
from glossator.ports.reviews import Reviews
from glossator.ports.talk import Index, Journal, Upkeep, Work
from glossator.ports.windows import Windows

__all__ = [
    "Clock",
    "Embedder",
    "Erasures",
    "Extractor",
    "Facts",
    "Files",
    "Ids",
    "Index",
    "Jobs",
    "Journal",
    "Keys",
    "LanguageModel",
    "Ledger",
    "Marks",
    "Monitor",
    "Outline",
    "PieceEmbedder",
    "Queue",
    "Ranker",
    "Receipts",
    "Redactor",
    "Replies",
    "Reranker",
    "Resources",
    "Reviews",
    "Secrets",
    "Signer",
    "Span",
    "SpanValue",
    "Steps",
    "Store",
    "Tracer",
    "Upkeep",
    "Windows",
    "Work",
]


class Store(
    Journal,
    Index,
    Work,
    Facts,
    Ledger,
    Queue,
    Steps,
    Reviews,
    Windows,
    Marks,
    Resources,
    Jobs,
    Erasures,
    Receipts,
    Outline,
    Keys,
    Replies,
    Upkeep,
    Monitor,
    Protocol,
):
    """One store: all of them."""
