"""The way from a turn to facts: gates - extract - admit - commit. With corridor.py the only room here that calls ports.

Nothing is dropped without a count: a turn ends in a ruling (also an empty one, which settles its work), or in an error
that brings the work back.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from glossator.errors import ConflictError, ProviderError, ProviderTimeoutError, StoreError
from glossator.meters import Meters
from glossator.model import (
    SELF,
    Category,
    Contradiction,
    Decided,
    Decision,
    Draft,
    Extraction,
    FactFilter,
    Merge,
    Move,
    Passage,
    Refuse,
    Ruling,
    Scope,
    Supersede,
    Turn,
    WorkRow,
)
from glossator.options import Options
from glossator.ports import Clock, Extractor, Store
from glossator.retain.breaker import STATE_NUMBERS
from glossator.retain.explicit import explicit_draft
from glossator.retain.forgotten import message_ids_of, without_forgotten
from glossator.retain.judging import Judge, Watch, decision_name, recent_key, source_of
from glossator.retain.modelled.reply import ReplyUnreadableError
from glossator.retain.placing import placed, trust_of
from glossator.retain.prefilter import skip_reason
from glossator.rules.blocks import own_words
from glossator.rules.hints import is_hinted
from glossator.rules.log_words import content_of, kind_of
from glossator.rules.roles import users_part
from glossator.rules.trust import TRUSTED, may_learn

logger = logging.getLogger("glossator.learning")

EXPLICIT_CONFIDENCE = 0.95
BY_HINT, HINTED = "hint", "a hint was said"
"""Who brings a deprioritised fact back, and why, in the audit."""
OWN: tuple[Category, ...] = ("identity", "preference", "interest", "goal")
"""Categories of which only the speaker is the subject: third persons are always "context"."""
OWN_MAX = 50
PIECES_MAX = 100
"""A text of 80,000 characters; what is longer is no talk."""
CONFLICTS_MAX = 5
"""Another process may admit the same statement between reading and writing; five times in a row it does not."""


class BreakerOpenError(ProviderError):
    """The model was not asked: it has failed too often just before."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is left alone for a while after failing several times in a row", retryable=True)


class Learner:
    """Takes facts out of turns. One per Memory; safe to share between threads.

    Without an extractor it still admits what is remembered explicitly. `draw` gives a number from 0 up to 1 for
    sampling, `monotonic_s` the time for breaker and recent hashes.
    """

    def __init__(
        self,
        store: Store,
        extractor: Extractor | None,
        clock: Clock,
        options: Options,
        meters: Meters,
        watch: Watch,
        *,
        uses_model: bool,
        draw: Callable[[], float],
        monotonic_s: Callable[[], float],
    ) -> None:
        self._store = store
        self._extractor = extractor
        self._clock = clock
        self._options = options
        self._meters = meters
        self._watch = watch
        self._judge = Judge(store, options, watch, monotonic_s=monotonic_s)
        self._uses_model = uses_model
        self._draw = draw
        self._monotonic_s = monotonic_s

    def learn(self, turn: Turn, row: WorkRow | None = None) -> tuple[Decided, ...]:
        """Take facts out of the turn and commit what was decided, together with the work row that it settles.

        Raises ProviderError when the model fails or is left alone, StoreError when the store does.
        """
        assert self._extractor is not None, "the worker claims extraction only where there is an extractor"
        first = row is None or row.attempt == 1
        extraction = self._extracted(self._extractor, _owned(turn), first=first)
        settles = (row,) if row is not None else ()
        drafts = [_dated(draft, turn) for draft in extraction.drafts]
        return self.admitted(turn, drafts, by=self._extractor.name, settles=settles)

    def admitted(
        self, turn: Turn, drafts: Sequence[Draft], *, by: str, settles: tuple[WorkRow, ...] = (), explicit: bool = False
    ) -> tuple[Decided, ...]:
        """Decide about each draft and commit; decides anew when the facts changed meanwhile."""
        for attempt in range(1, CONFLICTS_MAX + 1):
            decisions = self._decided(turn, drafts, explicit=explicit)
            ruling = Ruling(turn=turn, by=by, decisions=decisions, settles=settles)
            try:
                decided = self._store.commit(ruling, now=self._clock.now())
            except ConflictError:
                if attempt == CONFLICTS_MAX:
                    raise
                continue
            self._remember(turn, decisions)
            self._reinstate(turn)
            return decided
        raise AssertionError("unreachable")

    def _decided(self, turn: Turn, drafts: Sequence[Draft], *, explicit: bool) -> tuple[Decision, ...]:
        decisions = self._judge.decided(turn, drafts, explicit=explicit)
        message_ids = message_ids_of(turn)
        if not decisions or not message_ids:
            return decisions
        return without_forgotten(turn, decisions, self._store.closed_spans(turn.scope.whole, message_ids))

    def _reinstate(self, turn: Turn) -> None:
        """Bring back what a hint waits for. What was committed stands, also where this fails."""
        said = [each.text for each in turn.passages if each.role == "user" and trust_of(each) in TRUSTED]
        if not said:
            return
        try:
            hinted = [each.fact for each in self._store.hinted(turn.scope.whole) if is_hinted(each.hints, said)]
            moves = [
                Move(fact_id=fact.fact_id, version=fact.version, to_state="active", by=BY_HINT, reason=HINTED)
                for fact in hinted
            ]
            if moves:
                self._store.move_facts(turn.scope.whole, moves, now=self._clock.now())
        except (ConflictError, StoreError) as error:
            logger.warning("a fact that a hint waits for stays away: %s", kind_of(error), extra=content_of(error))

    def usual_speaker(self, scope: Scope) -> str:
        """The name by which the owner speaks, where there is one; SELF where there is none or more than one."""
        own = FactFilter(categories=OWN, limit=OWN_MAX)
        names = {fact.subject for fact in self._store.facts(scope, own)} - {SELF}
        return names.pop() if len(names) == 1 else SELF

    def contradictions(self, turn: Turn) -> tuple[Contradiction, ...]:
        """What admitting the statements of the turn would close or collide with; nothing is written."""
        return self._judge.contradictions(turn, self._statements(turn))

    def _statements(self, turn: Turn) -> tuple[Draft, ...]:
        """The drafts that the extractor reads in a statement; the statement as it stands where it reads none."""
        whole = explicit_draft(turn, category="context", kind=None, confidence=EXPLICIT_CONFIDENCE)
        drafts = () if self._uses_model or self._extractor is None else self._extractor.extract(turn, limit=20).drafts
        return drafts or (whole,)

    def _extracted(self, extractor: Extractor, turn: Turn, *, first: bool) -> Extraction:
        """The drafts of a turn, none where a gate says so; what a gate or the extractor leaves out is counted."""
        reason = self._gate(turn, first=first)
        if reason:
            self._meters.counted("glossator_turn_fact_skipped_total", reason=reason)
            return Extraction(drafts=())
        extraction = self._asked(extractor, turn)
        for lost, count in extraction.lost.items():
            self._meters.counted("glossator_turn_fact_lost_total", by=count, reason=lost)
        if extraction.tokens_in or extraction.tokens_out:
            self._meters.counted("glossator_tokens_total", by=extraction.tokens_in, direction="in")
            self._meters.counted("glossator_tokens_total", by=extraction.tokens_out, direction="out")
        return extraction

    def _gate(self, turn: Turn, *, first: bool) -> str:
        """Why the turn is skipped, the cheapest reasons first; "" where it is not."""
        if not may_learn(self._options.tiers, turn.scope.agent):
            return "tier"
        said = "\n".join(passage.text for passage in turn.passages if passage.role == "user" or turn.source != "turn")
        found = skip_reason(said)
        if found is not None:
            return found
        rate = self._options.turn_fact_extraction_sample_rate
        return "sampled_out" if first and rate < 1 and self._draw() >= rate else ""

    def _asked(self, extractor: Extractor, turn: Turn) -> Extraction:
        limit = self._limit(turn)
        breaker = self._watch.breaker
        if self._uses_model and not breaker.may_call(self._monotonic_s()):
            self._meters.counted("glossator_turn_fact_skipped_total", reason="breaker_open")
            raise BreakerOpenError(extractor.name)
        try:
            extraction = extractor.extract(turn, limit=limit)
        except ProviderError as error:
            self._failed(extractor, error)
            raise
        except Exception as error:  # the seam to an extractor of the caller's own
            failure = ProviderError(f"{extractor.name} failed: {type(error).__name__}: {error}", retryable=True)
            self._failed(extractor, failure)
            raise failure from error
        breaker.succeeded()
        self._show_breaker(extractor)
        return extraction

    def _limit(self, turn: Turn) -> int:
        """How many facts are kept: so many of a turn, and of a document or a dropped span so many of each piece."""
        per_turn = self._options.turn_fact_max_per_turn
        if turn.source not in ("document", "pre_compress"):
            return per_turn
        length = sum(len(passage.text) for passage in turn.passages)
        pieces = max(len(turn.passages), -(-length // self._options.chunk_characters_max))
        return per_turn * min(max(pieces, 1), PIECES_MAX)

    def _failed(self, extractor: Extractor, error: ProviderError) -> None:
        kind = "llm_error"
        if isinstance(error, ProviderTimeoutError):
            kind = "timeout"
        elif isinstance(error, ReplyUnreadableError):
            kind = "parse_error"
        self._meters.counted("glossator_turn_fact_extraction_failure_total", kind=kind)
        if error.retryable or kind == "parse_error":  # a client's own error says nothing about the model's health
            self._watch.breaker.failed(self._monotonic_s())
        else:
            self._watch.breaker.succeeded()  # it answered
        self._show_breaker(extractor)

    def _show_breaker(self, extractor: Extractor) -> None:
        state = self._watch.breaker.snapshot().state
        self._meters.shows("glossator_breaker_state", STATE_NUMBERS[state], model=extractor.name)

    def _remember(self, turn: Turn, decisions: Sequence[Decision]) -> None:
        now_s = self._monotonic_s()
        for decision in decisions:
            name = decision_name(decision)
            self._meters.counted("glossator_turn_fact_decisions_total", decision=name)
            if isinstance(decision, Refuse):
                reason = decision.reason.partition(" (")[0].partition(":")[0]
                self._meters.counted("glossator_turn_fact_refused_total", reason=reason)
                continue
            if isinstance(decision, Merge) and decision.reason == "said again within minutes":
                self._meters.counted("glossator_turn_fact_thrash_skip_total")
            if isinstance(decision, Supersede):
                self._watch.tripwire.superseded(source_of(turn), now_s)
            new = placed(decision.draft, turn) if isinstance(decision, Merge) else decision.new
            self._watch.recent.add(recent_key(turn, new.content_hash), now_s)


def _dated(draft: Draft, turn: Turn) -> Draft:
    """What a document says without a date of its own happened at the document's date (O12)."""
    if turn.source != "document" or draft.event.source != "session":
        return draft
    return replace(draft, event=replace(draft.event, source="source"))


def _owned(turn: Turn) -> Turn:
    """The turn with everything blanked that is not its speakers' own words: recalled blocks, quotations, code.

    Offsets stay. In a document with "User:" and "Assistant:" lines only the user's parts are left.
    """
    passages = tuple(replace(each, text=own_words(each.text)) for each in turn.passages)
    if turn.source == "document":
        passages = tuple(_users_part(each) for each in passages)
    return replace(turn, passages=passages)


def _users_part(passage: Passage) -> Passage:
    text = users_part(passage.text)
    return passage if text == passage.text else replace(passage, text=text, speaker=passage.role)
