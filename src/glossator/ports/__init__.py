"""What does the engine need from the outside? Protocols of at most six methods each.

Journal, Index, Work, Facts, Ledger, Queue, Steps and Upkeep together are a Store; one class implements them all. Every
method may raise StoreError; none raises a foreign error. Every read takes a Scope and never returns what it does not
cover.
"""

from typing import Protocol

from glossator.ports.facts import Facts, Ledger, Queue, Steps
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
)
from glossator.ports.talk import Index, Journal, Upkeep, Work

__all__ = [
    "Clock",
    "Embedder",
    "Extractor",
    "Facts",
    "Ids",
    "Index",
    "Journal",
    "LanguageModel",
    "Ledger",
    "PieceEmbedder",
    "Queue",
    "Ranker",
    "Redactor",
    "Reranker",
    "Steps",
    "Store",
    "Upkeep",
    "Work",
]


class Store(Journal, Index, Work, Facts, Ledger, Queue, Steps, Upkeep, Protocol):
    """One store: all of them."""
