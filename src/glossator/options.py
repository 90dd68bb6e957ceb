"""Which choices does a user have, with what defaults? Units are in the names; nothing here reads the environment."""

from dataclasses import dataclass, field

from glossator.errors import UsageError

SIGNALS: frozenset[str] = frozenset(
    {
        "lexical",
        "vector",
        "late",
        "neighbours",
        "speaker",
        "second",
        "session",
        "names",
        "phrases",
        "time",
        "nostalgia",
        "newest",
        "ranker",
    }
)
"""Every recall signal has a switch: leave its name out of `Options.signals` to see what it is worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Choices of one Memory."""

    embedder: str = "minilm"
    """"minilm", "none", "hashing" or "provider:model"; see wiring.py."""
    reranker: str = "none"
    """"none", "cross-encoder:MODEL" or "flashrank:MODEL": a second opinion on the best 50 hits, slow."""
    zone: str = "UTC"
    """IANA zone assumed for times that come without an offset."""
    signals: frozenset[str] = field(default_factory=lambda: SIGNALS)
    worker: bool = True
    """Embed in a thread of this process; False leaves it to `glossator worker` or `Memory.drain`."""
    busy_timeout_s: float = 30.0
    """How long a write waits for another process before StoreLockedError."""
    work_batch_count: int = 32
    """Chunks embedded per step: large enough to fill both cores, small enough to settle often."""
    work_lease_s: float = 120.0
    work_attempts_max: int = 8
    message_bytes_max: int = 4_000_000
    """A larger text is refused: it is a file, not a message."""
    chunk_characters_max: int = 800
    """About 200 tokens: with the words before it, what the default embedder reads (256). Longer messages become
    several chunks."""
    embed_threads: int = 0
    """Threads of the local embedder; 0 takes all cores."""
    column_cache_scopes_max: int = 16
    """Scopes whose columns and vectors stay in memory; the least recently used goes first."""

    def __post_init__(self) -> None:
        unknown = self.signals - SIGNALS
        if unknown:
            raise UsageError("options.signals", f"unknown: {sorted(unknown)}", remedy=f"choose from {sorted(SIGNALS)}")
        for name in ("busy_timeout_s", "work_lease_s"):
            if getattr(self, name) < 0:
                raise UsageError(f"options.{name}", "is negative", remedy="pass seconds >= 0")
        for name in (
            "work_batch_count",
            "work_attempts_max",
            "message_bytes_max",
            "chunk_characters_max",
            "column_cache_scopes_max",
        ):
            if getattr(self, name) < 1:
                raise UsageError(f"options.{name}", "is below 1", remedy="pass a positive number")
