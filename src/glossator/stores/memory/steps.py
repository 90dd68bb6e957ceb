"""Where does the reference store keep the steps of runs, and how does it find them?"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from glossator.model import Scope, Step, StepMatch
from glossator.rules.tokens import index_terms
from glossator.stores.matching import bm25
from glossator.stores.memory.rows import KeptStep
from glossator.stores.memory.upkeep import MemoryUpkeep


class MemorySteps(MemoryUpkeep):
    """The port Steps in memory."""

    def put_steps(self, scope: Scope, steps: Sequence[Step], *, now: datetime) -> int:  # noqa: ARG002
        """Keep steps by run and number, replacing."""
        owner = scope.whole
        for step in steps:
            self._state.steps[owner, step.run_id, step.number] = KeptStep(scope=scope, step=step)
        return len(steps)

    def _steps(self, scope: Scope, run_id: str | None) -> list[Step]:
        found = [kept.step for kept in self._state.steps.values() if scope.covers(kept.scope)]
        return sorted((step for step in found if run_id in (None, step.run_id)), key=lambda s: (s.run_id, s.number))

    def steps(self, scope: Scope, run_id: str) -> tuple[Step, ...]:
        """The steps of a run, in order."""
        return tuple(self._steps(scope, run_id))

    def search_steps(
        self, scope: Scope, terms: Sequence[str], *, run_id: str | None = None, limit: int = 10
    ) -> tuple[StepMatch, ...]:
        """Steps that have any of the terms, best first."""
        steps = self._steps(scope, run_id)
        counts = [Counter(index_terms(step.thought) + index_terms(step.observation)) for step in steps]
        lengths = [sum(count.values()) for count in counts]
        asked = list(dict.fromkeys(terms))
        holders = {term: sum(term in count for count in counts) for term in asked}
        matches: list[StepMatch] = []
        for step, count, length in zip(steps, counts, lengths, strict=True):
            mean = sum(lengths) / len(steps)
            having = {term: count[term] for term in asked}
            score = bm25(having, length, total=len(steps), length_mean=mean, holders=holders)
            if any(having.values()):
                matches.append(StepMatch(step=step, score=score))
        matches.sort(key=lambda match: -match.score)
        return tuple(matches[: max(limit, 0)])

    def drop_steps(self, scope: Scope, run_id: str, numbers: Sequence[int] | None = None) -> int:
        """Delete steps of a run."""
        gone = [
            key
            for key, kept in self._state.steps.items()
            if scope.covers(kept.scope) and key[1] == run_id and (numbers is None or key[2] in numbers)
        ]
        for key in gone:
            del self._state.steps[key]
        return len(gone)
