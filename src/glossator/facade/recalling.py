"""The verbs that answer: recall, and the facts that go into a prompt."""

from collections.abc import Sequence

from glossator.context.durable import durable_block
from glossator.errors import ProviderError, UsageError
from glossator.facade.checks import reading_scope
from glossator.facade.core import Core
from glossator.model import (
    CATEGORIES,
    JOB_CHANNEL,
    NAMESPACES,
    Answer,
    Category,
    Degradation,
    Fact,
    FactAsk,
    FactFilter,
    FactList,
    Filters,
    Hit,
    Namespace,
    Scope,
    ScopeType,
)
from glossator.recall import corridor as recalling
from glossator.recall.factual import NO_JOB
from glossator.rules.injection import suspicion
from glossator.rules.labels import checked_project, checked_tags
from glossator.rules.trivial import is_trivial

LIMIT_MAX = 200
QUERY_CHARACTERS_MAX = 20_000
FACT_LIMIT_MAX = 50
SPARE_FACTS = 15
"""Read beside those to be shown: what reads like an instruction is left out afterwards."""


class RecallVerbs(Core):
    """Questions in plain words."""

    def recall(
        self,
        query: str,
        *,
        scope: Scope,
        limit: int = 10,
        now: object = None,
        per: recalling.Per = "turn",
        since: object = None,
        until: object = None,
        said_since: object = None,
        said_until: object = None,
        as_of: object = None,
        project: str | None = None,
        tags: Sequence[str] = (),
        namespaces: Sequence[Namespace] = NAMESPACES,
        history: bool = False,
        explain: bool = False,
    ) -> Answer:
        """The pieces that answer a question in plain words, best first, at most `limit` (1 to 200).

        `now` is the asker's time (ISO or datetime), against which "last March" is read; the clock's by default.
        `per="session"` gives each session's best piece, sessions best first. `since` and `until` bound when it
        happened, `said_since` and `said_until` when it was said, `as_of` shows what was known then; all are hard.
        Each hit carries the facts that rest on it; what has been superseded is marked and stands behind what replaced
        it. `history` also finds facts that hold no more.
        What was missing stands in `Answer.degraded`. Raises UsageError or StoreError.
        """
        _check_question(query, limit, per, namespaces)
        filters = Filters(
            project=checked_project(project),
            tags=checked_tags(tags),
            namespaces=tuple(name for name in NAMESPACES if name in namespaces),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            said_since=self._moment(said_since, "said_since"),
            said_until=self._moment(said_until, "said_until"),
            as_of=self._moment(as_of, "as_of"),
        )
        return recalling.recall(
            self._store,
            self._providers(),
            self._options,
            query,
            scope=reading_scope(scope),
            filters=filters,
            now=self._moment(now, "now") or self._clock.now().astimezone(self._zone),
            limit=limit,
            per=per,
            explain=explain,
            history=history,
        )

    def durable_facts(self, *, scope: Scope, limit: int = 5, categories: Sequence[Category] = ()) -> FactList:
        """Tier 1: the facts seen last, one indexed query and no model, with the block that goes into every prompt.

        `categories` narrows; notes and facts above `Options.prompt_sensitivity_max` are left out.
        """
        _check_limit(limit)
        unknown = [name for name in categories if name not in CATEGORIES]
        if unknown or isinstance(categories, str):
            raise UsageError("categories", f"{categories!r} is no choice of them", remedy=f"choose from {CATEGORIES}")
        seen = reading_scope(scope)
        asked = FactFilter(
            states=("active",), categories=tuple(categories) or CATEGORIES, scope_types=_prompted(seen),
            sensitivities=self._options.prompt_sensitivities, limit=limit + SPARE_FACTS,
        )  # fmt: skip
        return self._listed(self._store.facts(seen, asked), limit)

    def prefetch(self, query: str, *, scope: Scope, limit: int = 5) -> FactList:
        """Tier 2: the facts nearest to a request by meaning; one embedding, to be called once a run.

        Off unless `Options.turn_fact_vector_recall_enabled`; greetings and very short requests are not looked up. A
        missing embedder is said in `degraded`.
        """
        _check_limit(limit)
        if not self._options.turn_fact_vector_recall_enabled or is_trivial(query):
            return FactList()
        providers = self._providers()
        if providers.embedder is None:
            return FactList(degraded=(Degradation(part="embedder", reason=providers.embedder_missing),))
        try:
            vector = providers.embedder.embed([query[:QUERY_CHARACTERS_MAX]])[0]
        except ProviderError as error:
            return FactList(degraded=(Degradation(part="embedder", reason=str(error)),))
        seen = reading_scope(scope)
        asked = FactFilter(
            categories=CATEGORIES, scope_types=_prompted(seen), sensitivities=self._options.prompt_sensitivities
        )
        ask = FactAsk(
            scope=seen, filters=asked, vector=vector, model=providers.embedder.name,
            candidates_max=limit + SPARE_FACTS,
        )  # fmt: skip
        near = [(match.similarity, match.fact) for match in self._store.match_facts(ask).matches]
        ordered = sorted(
            ((similarity, fact) for similarity, fact in near if similarity is not None),
            key=lambda each: (-each[0], each[1].fact_id),
        )
        return self._listed([fact for _, fact in ordered], limit)

    def _listed(self, facts: Sequence[Fact], limit: int) -> FactList:
        suspect = {fact.fact_id: sign for fact in facts if (sign := suspicion(fact.text))}
        shown = tuple(fact for fact in facts if fact.fact_id not in suspect)[:limit]
        reasons = ", ".join(f"f{number} {sign}" for number, sign in suspect.items())
        degraded = (Degradation(part="facts", reason=f"left out: {reasons}"),) if suspect else ()
        return FactList(facts=shown, block=durable_block(shown), degraded=degraded)


def _prompted(scope: Scope) -> tuple[ScopeType, ...]:
    """Where the facts of a prompt lie: what a job has kept stands in its own prompts and in nobody else's."""
    return NO_JOB if scope.job is None else ()


def prompted(scope: Scope, hits: Sequence[Hit]) -> Sequence[Hit]:
    """Those of the hits that may stand in a prompt: what a job has kept or said is for itself, and for who asks."""
    if scope.job is not None:
        return hits
    aside = f"{JOB_CHANNEL}:"
    return [
        hit
        for hit in hits
        if not hit.conversation.startswith(aside)
        and (hit.fact_id is None or all(fact.scope_type != "job" for fact in hit.facts))
    ]


def _check_limit(limit: object) -> None:
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= FACT_LIMIT_MAX:
        raise UsageError("limit", f"{limit!r} is not between 1 and {FACT_LIMIT_MAX}", remedy="for example 5")


def _check_question(query: object, limit: object, per: object, namespaces: object) -> None:
    """Raises UsageError for the first argument of `recall` that is wrong."""
    if not isinstance(query, str) or not query.strip():
        raise UsageError("query", "is empty", remedy="ask something")
    if len(query) > QUERY_CHARACTERS_MAX:
        raise UsageError("query", f"is longer than {QUERY_CHARACTERS_MAX} characters", remedy="ask in fewer words")
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= LIMIT_MAX:
        raise UsageError("limit", f"{limit!r} is not between 1 and {LIMIT_MAX}", remedy="for example 10")
    if per not in ("turn", "session"):
        raise UsageError("per", f"{per!r} is unknown", remedy='pass "turn" or "session"')
    if (
        isinstance(namespaces, str)
        or not isinstance(namespaces, Sequence)
        or not namespaces
        or (set(namespaces) - set(NAMESPACES))
    ):
        raise UsageError("namespaces", f"{namespaces!r} is no choice of them", remedy=f"choose from {NAMESPACES}")
