"""The verbs around a run's ends: the span that a truncation drops, and the digest when a run is over."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from glossator.context.elide import elided_span
from glossator.errors import UsageError
from glossator.facade.checks import writing_scope
from glossator.facade.core import Core
from glossator.model import Conversation, Passage, QueuedTurn, QueueKind, SaidTime, Scope, Trust, Turn
from glossator.retain.digest import digest_passages, prompt_passages
from glossator.retain.placing import trust_of
from glossator.rules.blocks import own_words
from glossator.rules.instants import said_at_moment
from glossator.rules.trust import less_believed, may_learn

WIDENED_MAX = 300
"""A sentence of talk is shorter; where none ends within this, the next space does."""
_BREAK = re.compile(r"\n|(?<=[.!?])\s")
_SPACE = re.compile(r"\s")


class QueueVerbs(Core):
    """Turns that are not in the journal wait on disk until facts have been taken from them."""

    def before_truncation(
        self,
        prompt: str | Sequence[Mapping[str, object]],
        *,
        scope: Scope,
        window_tokens: int,
        conversation: str | None = None,
        run_id: str | None = None,
    ) -> bool:
        """Queue what a truncation to the window would drop, so that facts are taken from it; never waits for a model.

        True if something was queued: the prompt (a text, or chat messages) has more than three characters for each
        token of the window. False if it fits, if `turn_fact_pre_compress_enabled` is off, if the scope's tier lets no
        facts be taken, or if the queue is full; the last two are counted.
        """
        if isinstance(window_tokens, bool) or not isinstance(window_tokens, int) or window_tokens < 1:
            raise UsageError("window_tokens", f"{window_tokens!r} is no positive number", remedy="for example 128000")
        if not self._options.turn_fact_pre_compress_enabled or self._options.extracts_by == "none":
            return False
        passages = [replace(each, text=own_words(each.text)) for each in prompt_passages(prompt, said=self._came_in())]
        span = elided_span(sum(len(each.text) for each in passages), window_tokens=window_tokens)
        if span is None:
            return False
        dropped = _within(passages, span.start, span.end)
        return self._queued("pre_compress", dropped, scope, conversation, run_id)

    def end_session(
        self,
        *,
        scope: Scope,
        request: str,
        steps: Sequence[Mapping[str, object]] = (),
        final_answer: str = "",
        conversation: str | None = None,
        run_id: str | None = None,
    ) -> bool:
        """Queue one last extraction over a digest of the run: the request, its last six steps, the final answer.

        Catches what only the final answer says. False if nothing extracts, the scope's tier lets no facts be taken, or
        the queue is full.
        """
        if self._options.extracts_by == "none":
            return False
        passages = digest_passages(request, steps, final_answer, said=self._came_in())
        return self._queued("session_end", passages, scope, conversation, run_id)

    def _queued(
        self,
        kind: QueueKind,
        passages: Sequence[Passage],
        scope: Scope,
        conversation: str | None,
        run_id: str | None,
    ) -> bool:
        key = None if conversation is None else Conversation.parse(conversation).key
        turn = Turn(
            scope=writing_scope(scope),
            passages=tuple(
                replace(each, text=self._cleaned(each.text), conversation=key, trust=_believed(scope, each))
                for each in passages
            ),
            source=kind,
            run_id=run_id,
        )
        if not turn.passages:
            return False
        if not may_learn(None, scope.agent, at_most=scope.tier):
            self._meters.counted("glossator_turn_fact_skipped_total", reason="tier")
            return False
        if not self.queue.push(QueuedTurn(kind=kind, turn=turn)):
            return False
        self._wake_worker()
        return True

    def _came_in(self) -> SaidTime:
        """Now: nobody has said when the words of a prompt or a digest were said."""
        return said_at_moment(self._clock.now().astimezone(self._zone), given=False)


def _believed(scope: Scope, passage: Passage) -> Trust:
    """As its role is, and no more than the caller: nobody lends a prompt more trust than they have."""
    return less_believed(trust_of(passage), scope.believed)


def _within(passages: Sequence[Passage], start: int, end: int) -> tuple[Passage, ...]:
    """The parts of the passages that lie in `[start, end)` of all of them joined, widened to whole sentences.

    So no statement is read by half, and no key is cut before it is recognised.
    """
    kept: list[Passage] = []
    at = 0
    for passage in passages:
        first, last = max(start - at, 0), min(end - at, len(passage.text))
        if first < last:
            kept.append(replace(passage, text=_widened(passage.text, first, last)))
        at += len(passage.text)
    return tuple(kept)


def _widened(text: str, first: int, last: int) -> str:
    before, after = text[max(0, first - WIDENED_MAX) : first], text[last : last + WIDENED_MAX]
    begins = [found.end() for found in _BREAK.finditer(before)] or [found.end() for found in _SPACE.finditer(before)]
    ends = _BREAK.search(after) or _SPACE.search(after)
    start = first - (len(before) - begins[-1]) if begins else first - len(before) if first <= WIDENED_MAX else first
    stop = last + ends.start() if ends else last + len(after) if len(after) < WIDENED_MAX else last
    return text[start:stop]
