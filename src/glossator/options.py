"""Which choices does a user have, with what defaults? Units are in the names; nothing here reads the environment."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal, assert_never

from glossator.errors import UsageError
from glossator.model.fact import SENSITIVITIES, Sensitivity
from glossator.model.language import Effort
from glossator.rules.given import check_given
from glossator.rules.promotion import ConversationContext
from glossator.rules.trust import tier_of

CaptureMode = Literal["offline", "review", "per_turn", "both", "off"]
FactsJoin = Literal["off", "separate", "merge", "replace"]
PersonalData = Literal["none", "presidio"]
Tracing = Literal["none", "opentelemetry"]

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


_SECONDS = (
    "busy_timeout_s",
    "work_lease_s",
    "turn_fact_cb_cooldown_s",
    "extraction_timeout_s",
    "review_timeout_s",
    "record_retry_delay_s",
)
_COUNTS = (
    "work_batch_count",
    "work_attempts_max",
    "message_bytes_max",
    "chunk_characters_max",
    "column_cache_scopes_max",
    "turn_fact_max_per_turn",
    "turn_fact_queue_maxsize",
    "turn_fact_cb_threshold",
    "review_max_messages",
    "review_input_token_budget",
    "compaction_hourly_max",
)
_COUNTS_OR_NONE = ("review_interval_hours", "review_failure_backoff_ms", "max_conversation_history")
REVIEW_TOKENS_MIN = 100
"""Name and date of a message alone may take 80."""
_SHARES = ("turn_fact_extraction_sample_rate", "fact_weight")
_RANGES = {"compaction_threshold": (0.1, 1.0), "compaction_budget": (0.1, 0.9)}


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
    language_model_fallback: str = "none"
    """"none", or the model that is asked where `language_model` fails, named the same way."""
    extraction_timeout_s: float = 2.0
    """Wall-clock time of one extraction by a model, retries included."""
    record_retry_delay_s: float = 0.05
    """How long a turn's hook waits before it tries again to record, after the store failed; it tries three times."""
    max_conversation_history: int = 0
    """The newest messages of a conversation that `Memory.conversation` gives; 0 gives all that are in its window."""
    facts_join: FactsJoin = "separate"
    """How `recall` puts facts beside chunks: off, separate (own budgets), merge (one list), replace (facts only)."""
    fact_weight: float = 0.5
    """What a fact counts beside a verbatim chunk, 0 to 1: the words themselves come first."""
    review_interval_hours: int = 24
    """Whole hours between two reviews of a conversation; 0 switches the background reviewer off."""
    review_failure_backoff_ms: int = 300_000
    """How long a conversation whose review failed is left alone."""
    review_max_messages: int = 40
    """A user's messages that one review reads at most."""
    review_input_token_budget: int = 4_000
    """Tokens of those messages that one review reads at most."""
    review_timeout_s: float = 90.0
    """Wall-clock time of one review's call of a model, retries included: nobody waits for it."""
    compaction_enabled: bool = True
    """Whether a long conversation may be compacted by itself; it needs a `language_model`."""
    compaction_threshold: float = 0.85
    """The share of the model's window that the largest prompt of a turn must reach, 0.1 to 1 ..."""
    compaction_budget: float = 0.5
    """... and the share that the conversation has at most when it was compacted, 0.1 to 0.9."""
    compaction_reasoning_effort: Effort = "medium"
    """How long a model may think about a checkpoint: minimal, low, medium or high. Never the agent's own setting."""
    compaction_failure_backoff_s: float = 60.0
    """How long a conversation whose compaction failed is left alone."""
    compaction_hourly_max: int = 4
    """Compactions of one conversation within an hour at most, those that saved too little among them."""
    compaction_timeout_s: float = 90.0
    """Wall-clock time of one call for a checkpoint, retries included."""
    ageing: bool = True
    """Whether facts that were last said long ago count less in recall: after 90 days 0.05 less for each 30."""
    poison_tripwire: bool = False
    """Hold what a source says that supersedes five facts or more within ten minutes."""
    prompt_sensitivity_max: Sensitivity = "confidential"
    """The most sensitive fact that may stand in a prompt: public, internal, confidential or restricted."""
    prompt_folder: str = ""
    """The folder in which USER.md and MEMORY.md of each owner are kept up to date; "" is the one that was named last
    for this store, if any."""
    render_conversation_context: ConversationContext = "operator"
    """Where what an operator or the owner said for one conversation stands in MEMORY.md: operator (in all conversations
    of the owner), same_conversation (in its own only), never. What a guest said stays in its conversation."""
    persist_transcripts: bool = False
    """Keep what is spoken (`Memory.record_voice`); off, nothing of it is."""
    redact_secrets: bool = True
    """Replace API keys and passwords by a mark before anything is stored or sent."""
    redact_personal: PersonalData = "none"
    """"none", or "presidio": names, addresses and numbers of persons are replaced as well (an extra)."""
    tracing: Tracing = "none"
    """"none", or "opentelemetry": a span for each verb, step of the worker and call of a model (an extra)."""
    tiers: Mapping[str, str] | None = field(default=None, hash=False)
    """The tier of each agent: STUDENT, INTERN, SUPERVISED or AUTONOMOUS. None holds no agent back; with a table, an
    agent that is not in it is a STUDENT."""

    def __post_init__(self) -> None:
        check_given(type(self), {each.name: getattr(self, each.name) for each in fields(self)}, within="options.")
        unknown = self.signals - SIGNALS
        if unknown:
            raise UsageError("options.signals", f"unknown: {sorted(unknown)}", remedy=f"choose from {sorted(SIGNALS)}")
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
        self._check_compaction()
        for name in _SECONDS:
            if getattr(self, name) < 0:
                raise UsageError(f"options.{name}", "is negative or no number", remedy="pass seconds >= 0")
        for name in _COUNTS:
            if not getattr(self, name) >= 1:
                raise UsageError(f"options.{name}", "is below 1", remedy="pass a positive number")
        for name in _COUNTS_OR_NONE:
            if getattr(self, name) < 0:
                raise UsageError(f"options.{name}", "is no whole number from 0 up", remedy="pass 0, 1, 2 ...")
        if self.review_input_token_budget < REVIEW_TOKENS_MIN:
            problem = f"is below {REVIEW_TOKENS_MIN}"
            raise UsageError("options.review_input_token_budget", problem, remedy="give a review more room")
        for name in _SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"options.{name}", "is not between 0 and 1", remedy="pass a number from 0 to 1")

    def _check_compaction(self) -> None:
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            if not least <= value <= most:
                remedy = f"pass a number from {least} to {most}"
                raise UsageError(f"options.{name}", f"is not between {least} and {most}", remedy=remedy)
        for name in ("compaction_failure_backoff_s", "compaction_timeout_s"):
            if getattr(self, name) < 0:
                raise UsageError(f"options.{name}", "is negative or no number", remedy="pass seconds >= 0")

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

    @property
    def prompt_sensitivities(self) -> tuple[Sensitivity, ...]:
        """How sensitive the facts are that may stand in a prompt: up to `prompt_sensitivity_max`."""
        return SENSITIVITIES[: SENSITIVITIES.index(self.prompt_sensitivity_max) + 1]

    @property
    def reviews(self) -> bool:
        """Whether the worker takes up reviews; their interval may still switch them off."""
        return self.capture_mode in ("review", "both")

    def checked_model(self, *, given: bool) -> None:
        """Raises UsageError where a model is to extract and there is none; `given` says that one was handed in."""
        if self.extracts_by == "model" and self.language_model == "none" and not given:
            raise UsageError(
                "options.language_model",
                "is none, and turn_fact_extraction_enabled needs one",
                remedy='name one as "provider:model", or pass language_model to Memory.open',
            )
