"""Which choices does a user have, with what defaults? Units are in the names; nothing here reads the environment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, assert_never, get_args

from glossator.errors import UsageError
from glossator.model.fact import Sensitivity
from glossator.rules.trust import tier_of

CaptureMode = Literal["offline", "review", "per_turn", "both", "off"]
FactsJoin = Literal["off", "separate", "merge", "replace"]
PersonalData = Literal["none", "presidio"]

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

CHOICES: Mapping[str, tuple[str, ...]] = {
    "capture_mode": get_args(CaptureMode),
    "facts_join": get_args(FactsJoin),
    "redact_personal": get_args(PersonalData),
    "prompt_sensitivity_max": get_args(Sensitivity),
}
"""The options whose value is one of a few words."""

_SECONDS = ("busy_timeout_s", "work_lease_s", "turn_fact_cb_cooldown_s", "extraction_timeout_s")
_COUNTS = (
    "work_batch_count",
    "work_attempts_max",
    "message_bytes_max",
    "chunk_characters_max",
    "column_cache_scopes_max",
    "turn_fact_max_per_turn",
    "turn_fact_queue_maxsize",
    "turn_fact_cb_threshold",
)
_SHARES = ("turn_fact_extraction_sample_rate", "fact_weight")


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
    capture_mode: CaptureMode = "offline"
    """What takes facts out of turns: offline (rules, no model call), per_turn (a model), review (a later reading),
    both (per_turn and review), off."""
    turn_fact_extraction_enabled: bool = False
    """Whether a language model may be called behind a turn. It needs a `language_model`."""
    turn_fact_pre_compress_enabled: bool = True
    """Whether what a prompt is about to lose is queued for extraction first."""
    turn_fact_vector_recall_enabled: bool = False
    """Whether the prefetch at the beginning of a run may embed its question."""
    lancedb_cloud_enabled: bool = False
    """Whether a remote object store may be used; nothing of one is imported while this is off."""
    turn_fact_max_per_turn: int = 5
    """Facts kept of one turn at most, the first ones."""
    turn_fact_extraction_sample_rate: float = 1.0
    """The share of turns that a model is asked about, 0 to 1."""
    turn_fact_queue_maxsize: int = 100
    """Spans that wait for extraction at most; what comes on top is dropped and counted."""
    turn_fact_cb_threshold: int = 5
    """Failures in a row after which a model is left alone ..."""
    turn_fact_cb_cooldown_s: float = 120.0
    """... for so long."""
    language_model: str = "none"
    """"none" or "provider:model"; its key comes from the environment."""
    extraction_timeout_s: float = 2.0
    """Wall-clock time of one extraction by a model, retries included."""
    facts_join: FactsJoin = "separate"
    """How `recall` puts facts beside chunks: off, separate (own budgets), merge (one list), replace (facts only)."""
    fact_weight: float = 0.5
    """What a fact counts beside a verbatim chunk, 0 to 1: the words themselves come first."""
    poison_tripwire: bool = False
    """Hold what a source says that supersedes five facts or more within ten minutes."""
    prompt_sensitivity_max: Sensitivity = "confidential"
    """The most sensitive fact that may stand in a prompt: public, internal, confidential or restricted."""
    redact_secrets: bool = True
    """Replace API keys and passwords by a mark before anything is stored or sent."""
    redact_personal: PersonalData = "none"
    """"none", or "presidio": names, addresses and numbers of persons are replaced as well (an extra)."""
    tiers: Mapping[str, str] | None = field(default=None, hash=False)
    """The tier of each agent: STUDENT, INTERN, SUPERVISED or AUTONOMOUS. None holds no agent back; with a table, an
    agent that is not in it is a STUDENT."""

    def __post_init__(self) -> None:
        unknown = self.signals - SIGNALS
        if unknown:
            raise UsageError("options.signals", f"unknown: {sorted(unknown)}", remedy=f"choose from {sorted(SIGNALS)}")
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                problem = f"{getattr(self, name)!r} is unknown"
                raise UsageError(f"options.{name}", problem, remedy=f"choose from {', '.join(choices)}")
        self._check_numbers()
        for agent, tier in (self.tiers or {}).items():
            try:
                tier_of(tier)
            except UsageError as error:
                raise UsageError("options.tiers", f"{agent}: {error.problem}", remedy=error.remedy) from error
        if self.capture_mode in ("per_turn", "both") and not self.turn_fact_extraction_enabled:
            raise UsageError(
                "options.capture_mode",
                f"{self.capture_mode!r} calls a model, and turn_fact_extraction_enabled is False",
                remedy="set turn_fact_extraction_enabled=True with a language_model, or choose offline, review or off",
            )

    def _check_numbers(self) -> None:
        for name in _SECONDS:
            if not getattr(self, name) >= 0:  # so that NaN is refused too
                raise UsageError(f"options.{name}", "is negative or no number", remedy="pass seconds >= 0")
        for name in _COUNTS:
            if not getattr(self, name) >= 1:
                raise UsageError(f"options.{name}", "is below 1", remedy="pass a positive number")
        for name in _SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"options.{name}", "is not between 0 and 1", remedy="pass a number from 0 to 1")

    @property
    def extracts_by(self) -> Literal["none", "rules", "model"]:
        """Who takes facts out of a turn as it is recorded."""
        match self.capture_mode:
            case "off" | "review":
                return "none"
            case "offline":
                return "model" if self.turn_fact_extraction_enabled else "rules"
            case "per_turn" | "both":
                return "model"
            case _ as never:
                assert_never(never)

    def checked_model(self, *, given: bool) -> None:
        """Raises UsageError where a model is to extract and there is none; `given` says that one was handed in."""
        if self.extracts_by == "model" and self.language_model == "none" and not given:
            raise UsageError(
                "options.language_model",
                "is none, and turn_fact_extraction_enabled needs one",
                remedy='name one as "provider:model", or pass language_model to Memory.open',
            )
