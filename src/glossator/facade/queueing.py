"""The verbs around a run's ends: the span that a truncation drops, and the digest when a run is over."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from glossator.context.elide import elided_span
from glossator.errors import UsageError
from glossator.facade.checks import checked_scope
from glossator.facade.core import Core
from glossator.model import Conversation, Passage, QueuedTurn, QueueKind, SaidTime, Scope, Turn
from glossator.retain.digest import digest_passages, prompt_passages


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
        token of the window. False if it fits, if `turn_fact_pre_compress_enabled` is off, or if the queue is full; the
        last is counted and logged.
        """
        if isinstance(window_tokens, bool) or not isinstance(window_tokens, int) or window_tokens < 1:
            raise UsageError("window_tokens", f"{window_tokens!r} is no positive number", remedy="for example 128000")
        if not self._options.turn_fact_pre_compress_enabled or self._options.extracts_by == "none":
            return False
        said = self._said_now()
        passages = prompt_passages(prompt, said=said)
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

        Catches what only the final answer says. False if nothing extracts or the queue is full.
        """
        if self._options.extracts_by == "none":
            return False
        passages = digest_passages(request, steps, final_answer, said=self._said_now())
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
            scope=replace(checked_scope(scope), conversation=None),
            passages=tuple(replace(each, text=self._cleaned(each.text), conversation=key) for each in passages),
            source=kind,
            run_id=run_id,
        )
        if not turn.passages:
            return False
        if not self.queue.push(QueuedTurn(kind=kind, turn=turn)):
            return False
        self._wake_worker()
        return True

    def _said_now(self) -> SaidTime:
        local = self._clock.now().astimezone(self._zone)
        offset = local.utcoffset()
        minutes = round(offset.total_seconds() / 60) if offset else 0
        return SaidTime(at=self._clock.now(), offset_minutes=minutes, precision="second", given=True)


def _within(passages: Sequence[Passage], start: int, end: int) -> tuple[Passage, ...]:
    """The parts of the passages that lie in `[start, end)` of all of them joined."""
    kept: list[Passage] = []
    at = 0
    for passage in passages:
        first, last = max(start - at, 0), min(end - at, len(passage.text))
        if first < last:
            kept.append(replace(passage, text=passage.text[first:last]))
        at += len(passage.text)
    return tuple(kept)
