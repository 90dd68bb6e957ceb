"""The verbs of a conversation's window: window, measured, preflight, after_delivery, compact, clear_window, command."""

import re
from typing import Literal

from glossator.context.compaction import NOTICE, Compactor
from glossator.context.sent import sent
from glossator.errors import ConflictError, UsageError
from glossator.facade.checks import reading_scope
from glossator.facade.guarding import GuardedVerbs
from glossator.model import (
    WINDOW_TOKENS_UNKNOWN,
    CommandReply,
    CompactionReason,
    CompactionResult,
    Conversation,
    Measure,
    PromptWindow,
    Scope,
    WindowChange,
)

CLEAR_ATTEMPTS_MAX = 5
"""Others may write meanwhile; five times in a row they do not."""
_COMMAND = re.compile(r"/(compact|new|clear)(?:@\w+)?", re.IGNORECASE)
"""Some chats add the name of the one who is spoken to."""
_WHY: dict[CompactionReason, str] = {
    "disabled": "compaction is switched off",
    "no_model": "no language model is configured",
    "nothing_to_compact": "there is nothing old enough to sum up",
    "does_not_fit": "the newest message alone leaves no room for a summary",
    "stale": "the conversation changed meanwhile; try again",
    "weak": "a summary would have saved too little",
    "failed": "the summary failed, and everything is as it was",
}
_CLEARED: dict[Literal["new", "clear"], str] = {
    "new": "A new conversation. What was said before stays in memory.",
    "clear": "The conversation is cleared. What was said stays in memory.",
}


class WindowVerbs(GuardedVerbs):
    """What of a conversation is still sent to the model. What leaves the window stays in the journal, with its id."""

    def window(self, *, scope: Scope, conversation: str) -> PromptWindow:
        """What to send of a conversation, as chat messages: a checkpoint if there is one, and all that is newer.

        Tool calls and results are in pairs. Empty for a conversation that the scope does not cover, and for a job.
        """
        place, key = self._window_place(scope, conversation)
        return sent(self._store.window(place, key))

    def measured(
        self, *, scope: Scope, conversation: str, prompt_tokens: int, window_tokens: int | None = None
    ) -> None:
        """Keep the largest prompt of a turn, as the provider counted it, and the model's window (100,000 if unknown).

        Once a turn: it replaces the measure of the turn before, and is what `preflight` and `after_delivery` go by.
        """
        place, key = self._window_place(scope, conversation)
        measure = Measure(
            peak_tokens=_whole(prompt_tokens, "prompt_tokens", least=0),
            window_tokens=_window_size(window_tokens) or WINDOW_TOKENS_UNKNOWN,
            measured_at=self._clock.now(),
        )
        self._store.measure_window(place, key, measure)

    def preflight(self, *, scope: Scope, conversation: str) -> CompactionResult:
        """Before a turn: compact the conversation if the last turn's prompt came near the model's window.

        Asks the language model, so it may take as long as `Options.compaction_timeout_s`. Where it compacted, `notice`
        is the one line to show in the chat. Never asks twice for one measure that was dealt with; without a measure,
        as in a first turn, it does nothing. A model that fails is told in the result, and the conversation stays.
        """
        place, key = self._window_place(scope, conversation)
        return self._compactor.compact_if_due(place, key, trigger="preflight", notice=NOTICE)

    def after_delivery(
        self, *, scope: Scope, conversation: str, prompt_tokens: int | None = None, window_tokens: int | None = None
    ) -> CompactionResult:
        """After a reply: as `preflight`, without a notice, so that the next turn need not wait for it.

        With `prompt_tokens` it first keeps the measure, as `measured` does.
        """
        place, key = self._window_place(scope, conversation)
        _window_size(window_tokens)
        if prompt_tokens is not None:
            self.measured(
                scope=scope, conversation=conversation, prompt_tokens=prompt_tokens, window_tokens=window_tokens
            )
        return self._compactor.compact_if_due(place, key, trigger="after delivery")

    def compact(self, *, scope: Scope, conversation: str, window_tokens: int | None = None) -> CompactionResult:
        """Compact now, whatever was measured: what /compact does. For `Scope(trust="operator")` only.

        `window_tokens` is the model's window, the last measured one if left out. Switches, back-off and hourly limit
        do not count. Raises PermissionDeniedError for anybody else, and UsageError for a job.
        """
        place, key = self._window_place(scope, conversation)
        self._permit_in_window("compact", place)
        return self._compactor.compact(place, key, trigger="/compact", window_tokens=_window_size(window_tokens))

    def clear_window(self, *, scope: Scope, conversation: str) -> int:
        """Begin anew: what /new and /clear do. Returns how many messages are no longer sent.

        Nothing else changes: the messages stay in the journal and are found, reviewed and learned from as before, and
        so do facts, revisions and jobs. Raises PermissionDeniedError for guests and tools, and UsageError for a job.
        """
        place, key = self._window_place(scope, conversation)
        self._permit_in_window("clear_window", place)
        for attempt in range(1, CLEAR_ATTEMPTS_MAX + 1):
            seen = self._store.window(place, key)
            gone = [each.message_id for each in seen.messages]
            gone += [seen.checkpoint.message_id] if seen.checkpoint else []
            if not gone:
                break
            change = WindowChange(conversation=key, last_id=seen.last_id, cleared=tuple(gone))
            try:
                self._store.replace_window(place, change, now=self._clock.now())
            except ConflictError:
                if attempt == CLEAR_ATTEMPTS_MAX:
                    raise
                continue
            return len(seen.messages)
        return 0

    def command(self, text: str, *, scope: Scope, conversation: str) -> CommandReply | None:
        """Do what a chat message asks for that is "/compact", "/new" or "/clear" and nothing else.

        None for any other text, also one that begins with a slash: that is for the model. Raises
        PermissionDeniedError where the caller may not ask for it.
        """
        found = _COMMAND.fullmatch(text.strip()) if isinstance(text, str) else None
        if found is None:
            return None
        if found[1].lower() == "compact":
            result = self.compact(scope=scope, conversation=conversation)
            return CommandReply(command="compact", text=_told(result), result=result)
        self.clear_window(scope=scope, conversation=conversation)
        asked: Literal["new", "clear"] = "new" if found[1].lower() == "new" else "clear"
        return CommandReply(command=asked, text=_CLEARED[asked])

    @property
    def _compactor(self) -> Compactor:
        return Compactor(
            self._store, self._language_model, self._options, self._meters, clock=self._clock, ids=self._ids,
            zone=self._zone, clean=self._cleaned,
        )  # fmt: skip

    def _permit_in_window(self, action: str, scope: Scope) -> None:
        if scope.job is not None:
            raise UsageError("scope.job", "is given, and a job has no conversation", remedy="leave it out")
        self._permit(action, scope)

    def _window_place(self, scope: Scope, conversation: str) -> tuple[Scope, str]:
        """The scope and the conversation's key."""
        place, key = reading_scope(scope), Conversation.parse(conversation).key
        if place.conversation not in (None, key):
            raise UsageError("conversation", f"{key!r} is not the scope's", remedy="leave scope.conversation out")
        return place, key


def _window_size(window_tokens: object) -> int | None:
    return None if window_tokens is None else _whole(window_tokens, "window_tokens", least=1)


def _whole(value: object, argument: str, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UsageError(argument, f"{value!r} is no whole number from {least} up", remedy="for example 128000")
    return value


def _told(result: CompactionResult) -> str:
    if result.compacted:
        return f"Compacted: {result.before_tokens:,} to {result.after_tokens:,} tokens."
    return f"Not compacted: {_WHY.get(result.reason, result.reason)}."
