"""Who may change a fact, what is written when it changes, and how is forgetting proved? What the moving verbs share."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NoReturn

from glossator.errors import NotFoundError, PermissionDeniedError, StoreError, UsageError
from glossator.facade.checks import fact_number
from glossator.facade.core import Core
from glossator.model import (
    FACT_STATES,
    Backup,
    ErasureRecord,
    Fact,
    FactFilter,
    FactReceipt,
    FactState,
    Move,
    Scope,
    SignedReceipt,
)
from glossator.rules.canonical import storable
from glossator.rules.log_words import content_of, kind_of
from glossator.rules.states import TRANSITIONS, may_move
from glossator.rules.trust import BY_OPERATORS, effective_tier, moving_refusal, refusal
from glossator.upkeep.receipts import fields_of, signed_text

logger = logging.getLogger("glossator.erasure")

REASON_CHARACTERS_MAX = 500
NEWEST = 20
"""Receipts read to find the one of a forgetting that has just been done: no more others forget at that moment."""


class GuardedVerbs(Core):
    """Permission, moves with their audit, signed receipts."""

    def _permit(self, action: str, scope: Scope, facts: Iterable[Fact] = ()) -> None:
        """Raises PermissionDeniedError, counted, unless both the agent's tier and the caller's trust allow it."""
        self._permit_tier(action, scope)
        refused = refusal(action, tier="AUTONOMOUS", trust=scope.believed)
        if refused is not None:
            who = "an operator" if action in BY_OPERATORS else "the owner or an operator"
            self._deny(action, "scope.trust", refused, f"let {who} ask for it")
        for fact in facts:
            refused = moving_refusal(action, fact, trust=scope.believed)
            if refused is not None:
                self._deny(action, "scope.trust", refused, 'pass a Scope with trust="operator"')

    def _permit_tier(self, action: str, scope: Scope) -> None:
        """Raises PermissionDeniedError, counted, unless the agent's tier allows it, whoever asks."""
        tier = effective_tier(self._options.tiers, scope.agent, at_most=scope.tier)
        refused = refusal(action, tier=tier, trust="operator")
        if refused is None:
            return
        if refusal(action, tier=effective_tier(self._options.tiers, scope.agent), trust="operator") is None:
            self._deny(action, "scope.tier", refused, "ask with a Scope, or a key, of a higher tier")
        self._deny(action, "options.tiers", refused, "raise the agent's tier in Options.tiers")

    def _deny(self, action: str, argument: str, problem: str, remedy: str) -> NoReturn:
        self._meters.counted("glossator_permission_denied_total", action=action)
        raise PermissionDeniedError(argument, problem, remedy=remedy)

    def _fact(self, scope: Scope, fact_id: str | int) -> Fact:
        number = fact_number(fact_id)
        found = self._store.facts(scope, FactFilter(states=FACT_STATES, fact_ids=(number,)))
        if not found:
            raise NotFoundError("fact_id", f"f{number} is not in this scope", remedy="`facts` lists what there is")
        return found[0]

    def _facts_named(self, scope: Scope, fact_ids: Sequence[str | int]) -> tuple[Fact, ...]:
        """Each fact once. Raises UsageError for none at all, NotFoundError for one that is not in the scope."""
        if not fact_ids:
            raise UsageError("fact_ids", "is empty", remedy='pass ["f42"]')
        placed = enumerate(fact_ids)
        numbers = dict.fromkeys(fact_number(each, argument=f"fact_ids[{place}]") for place, each in placed)
        return tuple(self._fact(scope, number) for number in numbers)

    def _moves(
        self, facts: Sequence[Fact], to_state: FactState, *, scope: Scope, reason: str, hints: tuple[str, ...] = (),
        argument: str = "fact_ids",
    ) -> list[Move]:  # fmt: skip
        """The moves of all facts. Raises UsageError for one that cannot come to that state from its own."""
        for fact in facts:
            if not may_move(fact.state, to_state):
                problem = f"{fact.id} is {fact.state}, it cannot become {to_state}"
                ways = ", ".join(sorted(TRANSITIONS[fact.state] - {"superseded"})) or "nothing: its words are gone"
                raise UsageError(argument, problem, remedy=f"it can become {ways}")
        return [
            Move(
                fact_id=fact.fact_id, version=fact.version, to_state=to_state, by=mover(scope), reason=reason,
                hints=hints,
            )
            for fact in facts
        ]  # fmt: skip

    def _moved(self, scope: Scope, moves: Sequence[Move]) -> tuple[Fact, ...]:
        """Make the moves in one transaction."""
        return self._store.move_facts(scope, moves, now=self._clock.now())

    # Receipts

    def _sealed(self, scope: Scope, *, newest: int | None = None) -> tuple[ErasureRecord, ...]:
        """The receipts of the scope, all signed where there is something to sign with."""
        records = self._store.receipts(scope, newest=newest)
        signer = self._signer
        if signer is None or all(each.signed for each in records):
            return records
        key = self._store.signing_key(signer.new_key(), now=self._clock.now())
        public_key = signer.public_key(key)
        sealed: list[ErasureRecord] = []
        for each in records:
            text = each.signed or signed_text(
                each.body, receipt_id=each.receipt_id, public_key=public_key,
                sign=lambda message: signer.signature(key, message),
            )  # fmt: skip
            if not each.signed:
                self._store.seal_receipt(scope, each.number, text)
            sealed.append(replace(each, signed=text))
        return tuple(sealed)

    def _proofs(self, scope: Scope) -> tuple[ErasureRecord, ...]:
        """The latest receipts of the owner, signed; none while the store fails: what was forgotten is forgotten, and
        `receipts` signs it later.
        """
        try:
            return self._sealed(scope.whole, newest=NEWEST)
        except StoreError as error:
            logger.warning("a receipt is still to be signed: %s", kind_of(error), extra=content_of(error))
            return ()

    def _fact_receipt(self, scope: Scope, facts: tuple[Fact, ...]) -> FactReceipt:
        """The receipt of the forgetting that has just brought these facts into their state."""
        named = [fact.id for fact in facts]
        receipt = FactReceipt(facts=facts, at=facts[0].updated_at, scope=scope, by=mover(scope))
        for record in reversed(self._proofs(scope)):
            fields = fields_of(record.body)
            if fields["fact_ids"] == named and record.at == receipt.at:
                return replace(
                    receipt, receipt_id=record.receipt_id, signed=record.signed,
                    not_covered=tuple(fields["not_covered"]), backups=backups_in(fields),
                )  # fmt: skip
        return receipt


def backups_in(fields: Mapping[str, Any]) -> tuple[Backup, ...]:
    """The copies that a receipt names."""
    return tuple(Backup(path=each["path"], at=datetime.fromisoformat(each["at"])) for each in fields["backups"])


def signed_receipt(record: ErasureRecord) -> SignedReceipt:
    """The record as it is given out."""
    return SignedReceipt(
        receipt_id=record.receipt_id, at=record.at, scope=record.scope, text=record.signed or record.body
    )


def mover(scope: Scope) -> str:
    """Who moves a fact, as the audit names them."""
    return scope.job_source or scope.believed


def checked_reason(reason: object) -> str:
    """The reason on one line. Raises UsageError for a blank one or a text."""
    if not isinstance(reason, str) or not reason.strip() or len(reason) > REASON_CHARACTERS_MAX:
        raise UsageError("reason", f"is no text of 1 to {REASON_CHARACTERS_MAX} characters", remedy="say why")
    return storable(" ".join(reason.split()))
