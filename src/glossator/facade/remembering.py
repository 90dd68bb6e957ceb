"""The verbs of one statement: remember it, or ask what it would collide with."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, get_args

from glossator.errors import UsageError
from glossator.facade.checks import reading_scope, writing_scope
from glossator.facade.guarding import GuardedVerbs
from glossator.model import (
    CATEGORIES,
    KINDS,
    SENSITIVITIES,
    Category,
    Contradiction,
    Conversation,
    Epistemic,
    FactFilter,
    Kind,
    Remembered,
    Scope,
    Sensitivity,
)
from glossator.retain.explicit import ASSISTANT, explicit_draft, explicit_turn
from glossator.retain.learning import EXPLICIT_CONFIDENCE
from glossator.rules.canonical import checked_text
from glossator.rules.labels import checked_project, checked_tags

FACT_CHARACTERS_MAX = 2_000
"""A statement, not a text: longer ones belong in `record` or `remember_document`."""
Within = Literal["owner", "agent", "conversation"]
WITHIN = get_args(Within)
CHOICES: Mapping[str, Sequence[object]] = {
    "category": CATEGORIES,
    "kind": (None, *KINDS),
    "sensitivity": SENSITIVITIES,
    "within": (None, *WITHIN),
    "epistemic": get_args(Epistemic),
}


class RememberVerbs(GuardedVerbs):
    """A statement that is given to be kept."""

    def remember(
        self,
        text: str,
        *,
        scope: Scope,
        category: Category = "context",
        kind: Kind | None = None,
        confidence: float = EXPLICIT_CONFIDENCE,
        epistemic: Epistemic = "stated",
        at: object = None,
        expires_at: object = None,
        speaker: str | None = None,
        domain: str = "general",
        sensitivity: Sensitivity = "internal",
        within: Within | None = None,
        conversation: str | None = None,
        project: str | None = None,
        tags: Sequence[str] = (),
    ) -> Remembered:
        """Keep one statement as a fact, now: decided like every other, found on return.

        It is the owner's own statement; `speaker` names another one. What is said with less trust than "owner"
        (`Scope.trust`) never closes what the owner said, and a directive takes an operator. A `sensitivity` above
        `Options.prompt_sensitivity_max` keeps it out of prompts. It holds for the owner or the agent, as its category
        says, or `within` what is named here ("conversation" needs a `conversation`); until `expires_at` where that is
        given. What an assistant concludes is `epistemic` "inferred": it is nobody's word, so that it is context alone,
        is at most 0.6 sure, stands in no USER.md, and neither closes nor weakens what was stated.

        Raises UsageError for a blank text, an unknown category, kind, sensitivity, epistemic or `within`, another
        category than context for what is inferred, a confidence outside 0 to 1, an `expires_at` that has passed;
        PermissionDeniedError where the agent's tier does not allow it.
        """
        self._permit_tier("memory_remember", scope)
        content, _ = checked_text(text, argument="text", bytes_max=4 * FACT_CHARACTERS_MAX)
        _check_choices(category=category, kind=kind, sensitivity=sensitivity, within=within, epistemic=epistemic)
        if within == "conversation" and conversation is None:
            raise UsageError("conversation", "is missing, and within asks for it", remedy='for example "telegram:42"')
        until = self._moment_to_come(expires_at)
        content = self._cleaned(content)
        whole = writing_scope(scope)
        owner = self._learner.usual_speaker(whole)
        turn = explicit_turn(
            content,
            scope=whole,
            speaker=speaker or (ASSISTANT if epistemic == "inferred" else owner),
            trust=scope.believed,
            conversation=None if conversation is None else Conversation.parse(conversation).key,
            at=self._moment(at, "at"),
            now=self._clock.now().astimezone(self._zone),
            project=checked_project(project),
            tags=checked_tags(tags),
            within=within,
            epistemic=epistemic,
        )
        draft = explicit_draft(
            turn, category=category, kind=kind, confidence=_checked_confidence(confidence), domain=domain,
            sensitivity=sensitivity, expires_at=until, epistemic=epistemic, owner=owner,
        )  # fmt: skip
        return self._remembered(whole, self._learner.admitted(turn, [draft], by="explicit", explicit=True)[0])

    def _moment_to_come(self, expires_at: object) -> datetime | None:
        until = self._moment(expires_at, "expires_at")
        if until is not None and until <= self._clock.now():
            raise UsageError("expires_at", "has passed", remedy="give a time to come, or leave it out")
        return until

    def check_contradictions(self, text: str, *, scope: Scope, at: object = None) -> tuple[Contradiction, ...]:
        """Stored facts that a statement would collide with; facts are looked at before chunks. Nothing is written."""
        content, _ = checked_text(text, argument="text", bytes_max=4 * FACT_CHARACTERS_MAX)
        seen = reading_scope(scope)
        whole = writing_scope(scope)
        turn = explicit_turn(
            content,
            scope=whole,
            speaker=self._learner.usual_speaker(whole),
            trust=scope.believed,
            conversation=None,
            at=self._moment(at, "at"),
            now=self._clock.now().astimezone(self._zone),
            project=None,
            tags=(),
        )
        found = self._learner.contradictions(turn)
        ids = tuple(each.fact.fact_id for each in found)
        shown = {fact.fact_id for fact in self._store.facts(seen, FactFilter(fact_ids=ids))} if ids else set()
        return tuple(each for each in found if each.fact.fact_id in shown)  # decided on more than the caller may see


def _checked_confidence(given: object) -> float:
    if not isinstance(given, int | float) or not 0 <= given <= 1:
        raise UsageError("confidence", f"{given!r} is not between 0 and 1", remedy="for example 0.9")
    return float(given)


def _check_choices(**given: object) -> None:
    for argument, value in given.items():
        _check_choice(argument, value, CHOICES[argument])
    if given["epistemic"] == "inferred" and given["category"] != "context":
        problem = f"is {given['category']}, and what is only inferred is nothing that the user said"
        raise UsageError("category", problem, remedy='pass "context", or ask the user, and then it is stated')


def _check_choice(argument: str, given: object, choices: Sequence[object]) -> None:
    if given not in choices:
        names = ", ".join(str(name) for name in choices if name is not None)
        raise UsageError(argument, f"{given!r} is unknown", remedy=f"choose from {names}")
