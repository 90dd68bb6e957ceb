"""The verbs that move facts through their states: archive, deprioritise, reinstate, expire; and receipts of forgetting.

None of them takes a word away: an archived fact is never recalled, a deprioritised one counts a fifth, and both come
back. What takes words away is `forget` and `forget_facts(erase=True)`; each leaves a receipt.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from glossator.errors import UsageError
from glossator.facade.checks import reading_scope
from glossator.facade.guarding import GuardedVerbs, checked_reason, signed_receipt
from glossator.model import Conversation, Fact, FactState, Scope, SignedReceipt
from glossator.rules.hints import checked_hints
from glossator.upkeep.lifecycle import expire_due

REINSTATABLE: tuple[FactState, ...] = ("deprioritised", "archived", "expired")
"""What was only put away. The rest comes back by `restore_fact`, which asks for more."""


class LifecycleVerbs(GuardedVerbs):
    """Facts put away and brought back, each time with a row of the audit."""

    def archive_facts(self, fact_ids: Sequence[str | int], *, scope: Scope, reason: str) -> tuple[Fact, ...]:
        """Put facts away: kept with their history, not recalled, not rendered. `reinstate_facts` brings them back.

        All or none. Raises PermissionDeniedError for a guest, and for a directive unless an operator asks, UsageError
        for a fact that cannot be archived from its state.
        """
        return self._put(fact_ids, "archived", action="archive", scope=scope, reason=reason)

    def deprioritise_facts(
        self, fact_ids: Sequence[str | int], *, scope: Scope, reason: str, reinstate_hints: Sequence[str] = ()
    ) -> tuple[Fact, ...]:
        """Have facts count a fifth in recall and stand in no prompt.

        When one of the owner's later messages has all words of one of the `reinstate_hints`, the fact is active again
        by itself. Raises as `archive_facts`.
        """
        hints = checked_hints(reinstate_hints)
        return self._put(fact_ids, "deprioritised", action="deprioritise", scope=scope, reason=reason, hints=hints)

    def reinstate_facts(self, fact_ids: Sequence[str | int], *, scope: Scope, reason: str) -> tuple[Fact, ...]:
        """Bring deprioritised, archived and expired facts back. Raises ConflictError where a place is taken.

        What was forgotten, held back or superseded comes back by `restore_fact`, one at a time: UsageError.
        """
        seen, why = reading_scope(scope), checked_reason(reason)
        facts = self._facts_named(seen, fact_ids)
        for fact in facts:
            if fact.state not in REINSTATABLE:
                remedy = "there is nothing to do" if fact.state == "active" else "see `restore_fact`"
                raise UsageError("fact_ids", f"{fact.id} is {fact.state}, not put away", remedy=remedy)
        self._permit("reinstate", seen, facts)
        return self._moved(seen, self._moves(facts, "active", scope=seen, reason=why))

    def expire_due(self, *, scope: Scope | None = None) -> tuple[Fact, ...]:
        """Move the facts whose `expires_at` has passed to "expired", in one scope or in all; the worker does it too."""
        seen = None if scope is None else reading_scope(scope)
        return expire_due(self._store, now=self._clock.now(), scope=seen)

    def relearn(self, *, scope: Scope, conversation: str | None = None) -> int:
        """Take facts anew from what was recorded, for example after switching the extractor; how many messages wait.

        What is known stays as it is, and what was forgotten is not learned again from the messages that it was
        forgotten from. Raises UsageError where nothing takes facts.
        """
        seen = reading_scope(scope)
        self._permit("relearn", seen)
        if self._options.extracts_by == "none":
            problem = f"{self._options.capture_mode!r} takes no facts from messages"
            raise UsageError("options.capture_mode", problem, remedy="choose offline, per_turn or both")
        if conversation is not None:
            seen = replace(seen, conversation=Conversation.parse(conversation).key)
        queued = self._store.relearn(seen, now=self._clock.now())
        self._wake_worker()
        return queued

    def receipts(self, *, scope: Scope) -> tuple[SignedReceipt, ...]:
        """Proofs of all that was forgotten here, oldest first: ids, counts, when and by whom, never the words.

        With a conversation in the scope, those that named it. A guest and a job are given none.
        """
        return tuple(signed_receipt(each) for each in self._sealed(reading_scope(scope)))

    def receipt_key(self, *, form: Literal["pem", "hex"] = "pem") -> str:
        """The public key that receipts of this store are checked with; the pair is made when it is first needed."""
        if form not in ("pem", "hex"):
            raise UsageError("form", f"{form!r} is unknown", remedy='pass "pem" or "hex"')
        if self._signer is None:
            raise UsageError("signer", "is missing, receipts are not signed", remedy="open the memory by Memory.open")
        key = self._store.signing_key(self._signer.new_key(), now=self._clock.now())
        public_key = self._signer.public_key(key)
        return public_key.hex() if form == "hex" else self._signer.public_pem(public_key)

    def backup(self, path: str | Path) -> None:
        """Write a consistent copy to `path`, which must not exist yet. Receipts of later erasures name it."""
        self._store.keep_backup(Path(path).absolute(), now=self._clock.now())  # first: no copy may be missing there
        super().backup(path)

    def _put(
        self, fact_ids: Sequence[str | int], to_state: FactState, *, action: str, scope: Scope, reason: str,
        hints: tuple[str, ...] = (),
    ) -> tuple[Fact, ...]:  # fmt: skip
        seen, why = reading_scope(scope), checked_reason(reason)
        facts = self._facts_named(seen, fact_ids)
        self._permit(action, seen, facts)
        return self._moved(seen, self._moves(facts, to_state, scope=seen, reason=why, hints=hints))
