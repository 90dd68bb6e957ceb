"""The verbs of reasoning steps: keep what an agent thought and saw, and find the exact words again."""

from collections.abc import Mapping, Sequence

from glossator.errors import UsageError
from glossator.facade.checks import reading_scope
from glossator.facade.guarding import GuardedVerbs
from glossator.model import Scope, Step, StepMatch
from glossator.rules.canonical import checked_text
from glossator.rules.outcomes import read_outcome
from glossator.rules.tokens import query_terms
from glossator.rules.trivial import is_trivial

STEP_LIMIT_MAX = 100
_PARTS = ("thought", "action", "observation", "evidence")


class StepVerbs(GuardedVerbs):
    """Runs of agents, step by step, for exact strings where vectors miss: errors, ids, names of functions."""

    def record_steps(self, run_id: str, steps: Sequence[Mapping[str, object]], *, scope: Scope) -> int:
        """Keep steps of a run; a step with the same number replaces the old one. Returns how many were kept.

        A step has "thought", "action", "observation" (texts) and may have "number" (its place from 1 by default),
        "verified" and "evidence", or the tool's whole "result", from which they are read: nothing is verified without
        evidence. Raises UsageError naming the first wrong part; nothing was written then.
        """
        name, _ = checked_text(run_id, argument="run_id", bytes_max=500)
        kept = [self._step(name, place, each) for place, each in enumerate(steps)]
        return self._store.put_steps(reading_scope(scope), kept, now=self._clock.now())

    def steps(self, run_id: str, *, scope: Scope) -> tuple[Step, ...]:
        """The steps of a run, in order."""
        return self._store.steps(reading_scope(scope), run_id)

    def search_reasoning_steps_lexical(
        self, query: str, *, scope: Scope, run_id: str | None = None, limit: int = 10
    ) -> tuple[StepMatch, ...]:
        """Steps whose thought or observation has the words, best first; nothing for a trivial query.

        No text is syntax.
        """
        if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= STEP_LIMIT_MAX:
            raise UsageError("limit", f"{limit!r} is not between 1 and {STEP_LIMIT_MAX}", remedy="for example 10")
        if not isinstance(query, str):
            raise UsageError("query", f"is {type(query).__name__}, not text", remedy="pass a str")
        terms = () if is_trivial(query) else query_terms(query)
        if not terms:
            return ()
        return self._store.search_steps(reading_scope(scope), terms, run_id=run_id, limit=limit)

    def drop_steps(self, run_id: str, *, scope: Scope, numbers: Sequence[int] | None = None) -> int:
        """Delete steps of a run, all of them without `numbers`; returns how many went.

        Raises PermissionDeniedError for a guest and for an agent that may not remove anything.
        """
        self._permit("drop_steps", reading_scope(scope))
        return self._store.drop_steps(reading_scope(scope), run_id, numbers)

    def _step(self, run_id: str, place: int, step: object) -> Step:
        argument = f"steps[{place}]"
        if not isinstance(step, Mapping):
            raise UsageError(argument, "is no mapping", remedy='pass {"thought": "...", "observation": "..."}')
        number = step.get("number", place + 1)
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**31:
            raise UsageError(f"{argument}.number", f"{number!r} is no number from 0 up", remedy="leave it out")
        texts = {part: self._text(step.get(part), f"{argument}.{part}") for part in _PARTS}
        outcome = read_outcome(step.get("result"))
        verified = (step.get("verified") is True and bool(texts["evidence"])) or outcome.kind == "verified"
        texts["evidence"] = texts["evidence"] or self._cleaned(outcome.evidence)
        return Step(run_id=run_id, number=number, verified=verified, at=self._clock.now(), **texts)

    def _text(self, value: object, argument: str) -> str:
        if value is None or (isinstance(value, str) and not value.strip()):
            return ""
        text, _ = checked_text(value, argument=argument, bytes_max=self._options.message_bytes_max)
        return self._cleaned(text)
