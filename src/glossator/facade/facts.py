"""The verbs of facts: facts, history, explain, learned, forget_facts, restore_fact."""

from collections.abc import Sequence
from hashlib import sha256

from glossator.errors import ConflictError, NotFoundError, UsageError
from glossator.facade.checks import checked_after, reading_scope
from glossator.facade.guarding import GuardedVerbs, checked_reason
from glossator.facade.remembering import RememberVerbs
from glossator.model import (
    FACT_STATES,
    RECALLABLE,
    Category,
    Conversation,
    Explanation,
    Fact,
    FactFilter,
    FactPreview,
    FactReceipt,
    FactState,
    Learned,
    Scope,
)
from glossator.rules.labels import checked_project, checked_tags
from glossator.rules.tokens import fold

CONTAINING_CHARACTERS_MIN = 4
"""Fewer letters stand in almost every fact."""
FORGET_MAX = 20
"""More facts at once than this are named one by one or erased with their conversation."""
FACTS_MAX = 1_000
CHAIN_MAX = 100


class FactVerbs(RememberVerbs, GuardedVerbs):
    """Dated statements, each with the sentence that it rests on."""

    def facts(
        self,
        *,
        scope: Scope,
        states: Sequence[FactState] = RECALLABLE,
        categories: Sequence[Category] = (),
        as_of: object = None,
        project: str | None = None,
        tags: Sequence[str] = (),
        limit: int = 100,
        after_id: int | None = None,
    ) -> tuple[Fact, ...]:
        """Facts, the latest seen first; with `after_id` (a fact's number, 0 at first) in order of number, to page.

        `as_of` gives what held then, whatever has replaced it since.
        """
        if not 1 <= limit <= FACTS_MAX:
            raise UsageError("limit", f"{limit!r} is not between 1 and {FACTS_MAX}", remedy="page with after_id")
        then = self._moment(as_of, "as_of")
        checked_after(after_id)
        asked = FactFilter(
            states=tuple(states) if then is None else (*RECALLABLE, "superseded"),
            categories=tuple(categories),
            as_of=then,
            project=checked_project(project),
            tags=checked_tags(tags),
            order="last_seen" if after_id is None else "fact_id",
            after_id=after_id or 0,
            limit=limit,
        )
        return self._store.facts(reading_scope(scope), asked)

    def history(self, fact_id: str | int, *, scope: Scope) -> tuple[Fact, ...]:
        """The line of versions that the fact belongs to, oldest first."""
        seen = reading_scope(scope)
        return self._chain(seen, self._fact(seen, fact_id))

    def explain(self, fact_id: str | int, *, scope: Scope) -> Explanation:
        """Why a fact is held: its sentences with speaker and date, every decision about it, and its versions."""
        seen = reading_scope(scope)
        fact = self._fact(seen, fact_id)
        return Explanation(
            fact=fact,
            evidence=self._store.evidence(seen, fact_ids=[fact.fact_id]),
            decided=self._store.decisions(seen, fact_ids=[fact.fact_id]),
            changes=self._store.changes(seen, [fact.fact_id]),
            chain=self._chain(seen, fact),
        )

    def learned(
        self, *, scope: Scope, message_ids: Sequence[str], conversation: str | None = None
    ) -> Learned:  # fmt: skip
        """What extraction made of these messages so far: what is pending, and each draft's decision with its reason."""
        seen = reading_scope(scope)
        key = None if conversation is None else Conversation.parse(conversation).key
        numbers: list[int] = []
        for external_id in message_ids:
            message = self._store.message(seen, external_id, conversation=key)
            if message is None:
                raise NotFoundError("message_ids", f"{external_id!r} is not in this scope", remedy="check id and scope")
            numbers.append(message.message_id)
        return Learned(
            messages=self._store.learning(seen, numbers),
            decided=self._store.decisions(seen, message_ids=numbers) if numbers else (),
        )

    def forget_facts(
        self,
        *,
        scope: Scope,
        fact_ids: Sequence[str | int] = (),
        containing: str = "",
        confirm: str | None = None,
        erase: bool = False,
        reason: str = "asked to forget",
    ) -> FactPreview | FactReceipt:
        """Invalidate facts: never recalled again, kept for the audit; with `erase` their words go for good.

        Without `confirm` nothing is touched: the preview's token is what `confirm` takes. Name `fact_ids`, or give the
        words that they contain, literally (at least 4 characters, at most 20 facts). What is said again later is a new
        fact. The messages stay; `forget` erases them together with what rests on them. A guest removes nothing, and
        a directive that an operator gave only an operator removes: PermissionDeniedError.
        """
        seen, why = reading_scope(scope), checked_reason(reason)
        found = self._named(seen, fact_ids, containing)
        if erase:
            found = self._with_earlier_versions(seen, found)
        self._permit("erase_facts" if erase else "forget_facts", seen, found)
        token = _token(found, erase=erase)
        if confirm is None:
            return FactPreview(token=token, facts=found)
        if confirm != token:
            raise ConflictError("confirm", "the facts have changed since the preview", remedy="preview again")
        to_state: FactState = "erased" if erase else "invalidated"
        moved = self._moved(seen, self._moves(found, to_state, scope=seen, reason=why))
        return self._fact_receipt(seen, moved)

    def _with_earlier_versions(self, scope: Scope, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
        """The facts, and what else holds the very same statement: a surer version replaces one with the same words."""
        states = tuple(state for state in FACT_STATES if state != "erased")
        hashes = tuple(fact.content_hash for fact in facts if fact.content_hash)
        same = self._store.facts(scope, FactFilter(states=states, hashes=hashes)) if hashes else ()
        return tuple({fact.fact_id: fact for fact in (*facts, *same)}.values())

    def restore_fact(
        self, fact_id: str | int, *, scope: Scope, reason: str = "restored", replace: bool = False
    ) -> Fact:
        """Bring an archived, expired, superseded, invalidated or held fact back, as it was.

        It counts as seen now: nothing that was said before closes it again, and it stands in the next prompt.
        What was forgotten on request or held back takes an operator (`Scope.trust`): PermissionDeniedError. Raises
        ConflictError naming what has its place now; with `replace` that is archived in the same transaction.
        """
        seen, why = reading_scope(scope), checked_reason(reason)
        fact = self._fact(seen, fact_id)
        self._permit("restore", seen, [fact])
        taken = self._in_place_of(seen, fact)
        if taken and not replace:
            names = ", ".join(f"{each.id} ({each.text!r})" for each in taken)
            problem = f"the place of {fact.id} is taken by {names}"
            raise ConflictError("fact_id", problem, remedy=f"pass replace=True to archive {taken[0].id}")
        if taken:
            self._permit("archive", seen, taken)
        moves = [
            *self._moves(taken, "archived", scope=seen, reason=f"made room for {fact.id}"),
            *self._moves([fact], "active", scope=seen, reason=why, argument="fact_id"),
        ]
        return self._moved(seen, moves)[-1]

    def _in_place_of(self, scope: Scope, fact: Fact) -> tuple[Fact, ...]:
        """The facts that are held where this one would be: the same words, the same question, or what replaced it."""
        if fact.state in (*RECALLABLE, "erased"):
            return ()
        asked = [FactFilter(hashes=(fact.content_hash,))]
        asked += [FactFilter(keys=((fact.subject, fact.key),))] if fact.key else []
        near = [other for each in asked for other in self._store.facts(scope, each)]
        place = (fact.scope_type, fact.scope_id)
        found = {other.fact_id: other for other in near if (other.scope_type, other.scope_id) == place}
        newer = None if fact.superseded_by is None else self._by_number(scope, fact.superseded_by)
        if newer is not None and newer.state in RECALLABLE:
            found[newer.fact_id] = newer
        return tuple(found.values())

    def _chain(self, scope: Scope, fact: Fact) -> tuple[Fact, ...]:
        """From the first version to the last; a version that the scope may not see ends it there."""
        chain = [fact]
        while chain[0].parent_id is not None and len(chain) < CHAIN_MAX:
            earlier = self._by_number(scope, chain[0].parent_id)
            if earlier is None:
                break
            chain.insert(0, earlier)
        while chain[-1].superseded_by is not None and len(chain) < 2 * CHAIN_MAX:
            later = self._by_number(scope, chain[-1].superseded_by)
            if later is None:
                break
            chain.append(later)
        return tuple(chain)

    def _by_number(self, scope: Scope, number: int) -> Fact | None:
        return next(iter(self._store.facts(scope, FactFilter(states=FACT_STATES, fact_ids=(number,)))), None)

    def _named(self, scope: Scope, fact_ids: Sequence[str | int], containing: str) -> tuple[Fact, ...]:
        """The facts that a caller names exactly. Raises UsageError unless one way is used, NotFoundError for none."""
        if bool(fact_ids) == bool(containing):
            raise UsageError("fact_ids", "or `containing` must name what to forget", remedy="pass exactly one of them")
        if fact_ids:
            return self._facts_named(scope, fact_ids)
        words = fold(containing).strip()
        if len(words) < CONTAINING_CHARACTERS_MIN:
            raise UsageError(
                "containing", f"has fewer than {CONTAINING_CHARACTERS_MIN} characters", remedy="give more of the words"
            )
        found = tuple(fact for fact in self._all_live(scope) if words in fold(fact.text))
        if not found:
            raise NotFoundError("containing", f"{containing!r} stands in no fact of this scope", remedy="`facts` lists")
        if len(found) > FORGET_MAX:
            raise UsageError(
                "containing",
                f"names {len(found)} facts, more than {FORGET_MAX}",
                remedy="give more of the words, or ids",
            )
        return found

    def _all_live(self, scope: Scope) -> list[Fact]:
        everything: list[Fact] = []
        while True:
            after_id = everything[-1].fact_id if everything else 0
            page = self._store.facts(scope, FactFilter(order="fact_id", after_id=after_id, limit=FACTS_MAX))
            everything.extend(page)
            if len(page) < FACTS_MAX:
                return everything


def _token(facts: Sequence[Fact], *, erase: bool) -> str:
    """The proof that a preview named exactly these versions."""
    named = ",".join(f"{fact.fact_id}.{fact.version}" for fact in facts)
    return sha256(f"{named}:{erase}".encode()).hexdigest()
