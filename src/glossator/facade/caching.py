"""The verbs that are answered from memory where nothing has changed: conversation, fact. And how a turn is kept."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from glossator.errors import StoreError, UsageError
from glossator.facade.checks import fact_number, reading_scope
from glossator.facade.facts import FactVerbs
from glossator.model import Conversation, Fact, Message, Scope
from glossator.rules.log_words import content_of, kind_of
from glossator.upkeep.read_through import ReadThrough

logger = logging.getLogger("glossator.run")
T = TypeVar("T")
Given = Sequence[Mapping[str, object]]

CONVERSATIONS_MAX = 256
"""Windows of conversations in memory: more than one process talks in at a time."""
FACTS_MAX = 4_096
RECORD_ATTEMPTS = 3
"""What fails three times within a tenth of a second fails for longer than a turn may wait (F3)."""


class CacheVerbs(FactVerbs):
    """The verbs that are answered from memory."""

    def conversation(
        self, *, scope: Scope, conversation: str, limit: int | None = None
    ) -> tuple[Message, ...]:  # fmt: skip
        """The messages of a conversation that are still sent to the model, oldest first, at most the newest `limit`.

        `Options.max_conversation_history` bounds them too. They are kept in memory and read again when anything of the
        owner's has changed, by whichever process: what was recorded, compacted or forgotten before the call is seen.
        A job is given none.
        """
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
            raise UsageError("limit", f"{limit!r} is no number from 1 up", remedy="leave it out for all")
        seen, key = reading_scope(scope), Conversation.parse(conversation).key
        newest = self._windows.get(
            (seen, key), mark=lambda: self._store.scope_mark(seen), load=lambda: self._live(seen, key)
        )  # fmt: skip
        return newest if limit is None else newest[-limit:]

    def fact(self, fact_id: str | int, *, scope: Scope) -> Fact:
        """The fact in whatever state, from memory where nothing of its owner's has changed since it was read.

        Raises NotFoundError for one that the scope may not see.
        """
        seen, number = reading_scope(scope), fact_number(fact_id)
        return self._rows.get(
            (seen, number), mark=lambda: self._store.scope_mark(seen), load=lambda: self._fact(seen, number)
        )  # fmt: skip

    @cached_property
    def kept_surely(self) -> "KeptSurely":
        """How the hook of a turn records."""
        return KeptSurely(
            new_id=self._ids.new,
            pause=lambda: self._stop.wait(self._options.record_retry_delay_s),
            again=lambda: self._meters.counted("glossator_record_retry_total"),
        )

    @cached_property
    def _windows(self) -> ReadThrough[tuple[Scope, str], tuple[Message, ...]]:
        return ReadThrough(count_max=CONVERSATIONS_MAX)

    @cached_property
    def _rows(self) -> ReadThrough[tuple[Scope, int], Fact]:
        return ReadThrough(count_max=FACTS_MAX)

    def _live(self, scope: Scope, key: str) -> tuple[Message, ...]:
        messages = self._store.window(scope, key).messages
        count = self._options.max_conversation_history
        return messages[-count:] if count else messages


class KeptSurely:
    """Records, and tries again where the store fails for a moment. A message is kept once, however often it is tried.

    `pause` waits between two attempts, `again` counts each further one, `new_id` names messages that have no id.
    """

    def __init__(self, *, new_id: Callable[[], str], pause: Callable[[], object], again: Callable[[], None]) -> None:
        self._new_id = new_id
        self._pause = pause
        self._again = again

    def __call__(self, record: Callable[[Given], T], messages: Given) -> T:
        """What `record` returns. The third StoreError is raised, any other error at once."""
        named = self._named(messages)
        for attempt in range(1, RECORD_ATTEMPTS):
            try:
                return record(named)
            except StoreError as error:
                told = kind_of(error)
                logger.warning("recording failed %d times, trying again: %s", attempt, told, extra=content_of(error))
                self._again()
                self._pause()
        return record(named)

    def _named(self, messages: Given) -> Given:
        """Under the same id an attempt that was stored after all is not stored twice. Others than lists are refused."""
        if not isinstance(messages, list | tuple):
            return messages
        return [
            {**each, "id": self._new_id()}
            if isinstance(each, Mapping) and each.get("id") in (None, "") and each.get("at") is None
            else each
            for each in messages
        ]
