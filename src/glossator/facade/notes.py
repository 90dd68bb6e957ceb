"""The verbs of notes and of looking facts up: note, search_facts; and was anything kept at all?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from glossator.errors import ProviderError, UsageError
from glossator.facade.checks import reading_scope, writing_scope
from glossator.facade.guarding import GuardedVerbs
from glossator.facade.recalling import QUERY_CHARACTERS_MAX
from glossator.model import (
    CATEGORIES,
    FACT_STATES,
    RECALLABLE,
    Category,
    Conversation,
    Fact,
    FactAsk,
    FactFilter,
    FactState,
    Remembered,
    Scope,
)
from glossator.recall.factual import NO_JOB, matched, ranked_facts
from glossator.retain.explicit import explicit_turn, note_draft
from glossator.rules.canonical import checked_text
from glossator.rules.claims import claims_without_receipt
from glossator.rules.tokens import query_terms

NOTE_KEY_CHARACTERS_MAX = 200
NOTE_CHARACTERS_MAX = 4_000
SEARCH_LIMIT_MAX = 100
JOB_SHARE = 10
"""One place in ten, in each lane, for what scheduled jobs have kept."""


class NoteVerbs(GuardedVerbs):
    """Working notes of a conversation, and a search among facts alone."""

    def note(self, key: str, value: str, *, scope: Scope, conversation: str) -> Remembered:
        """Keep a note under a key in one conversation; another value under the key replaces it, with its history.

        Notes are never rendered into prompts. What a guest or a tool says never replaces what the owner noted: it is
        held. A job's notes are the job's own. Raises UsageError for a blank key or value, PermissionDeniedError where
        the agent's tier does not allow it.
        """
        self._permit_tier("memory_store", scope)
        name, _ = checked_text(key, argument="key", bytes_max=4 * NOTE_KEY_CHARACTERS_MAX)
        content, _ = checked_text(value, argument="value", bytes_max=4 * NOTE_CHARACTERS_MAX)
        content = self._cleaned(content)
        whole = writing_scope(scope)
        turn = explicit_turn(
            content,
            scope=whole,
            trust=whole.believed,
            conversation=Conversation.parse(conversation).key,
            at=None,
            now=self._clock.now().astimezone(self._zone),
            project=None,
            tags=(),
        )
        decided = self._learner.admitted(turn, [note_draft(turn, name)], by="explicit", explicit=True)[0]
        return self._remembered(whole, decided)

    def search_facts(
        self,
        query: str,
        *,
        scope: Scope,
        limit: int = 10,
        states: Sequence[FactState] = RECALLABLE,
        categories: Sequence[Category] = (),
        project: str | None = None,
        tags: Sequence[str] = (),
        job: str | None = None,
        jobs: bool = True,
    ) -> tuple[Fact, ...]:
        """Facts alone that fit the words, or their meaning where the embedder is ready; best first.

        What scheduled jobs have kept counts a fifth and has a tenth of the places, however much there is of it; with
        `job` what this one has kept is searched alone, with `jobs=False` none of it.
        """
        if not isinstance(query, str) or not query.strip():
            raise UsageError("query", "is empty", remedy="give some words")
        if len(query) > QUERY_CHARACTERS_MAX:
            raise UsageError("query", f"is longer than {QUERY_CHARACTERS_MAX:,} characters", remedy="ask for less")
        if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= SEARCH_LIMIT_MAX:
            raise UsageError("limit", f"{limit!r} is not between 1 and {SEARCH_LIMIT_MAX}", remedy="for example 10")
        unknown = [*(set(categories) - {*CATEGORIES, "note", "summary"}), *(set(states) - set(FACT_STATES))]
        if unknown:
            raise UsageError("categories", f"or states: {unknown} unknown", remedy=f"choose from {CATEGORIES}")
        seen = reading_scope(scope)
        filters = FactFilter(
            states=tuple(states), categories=tuple(categories), project=project, tags=tuple(tags),
            scope_types=("job",) if job is not None else () if jobs or seen.job else NO_JOB,
            scope_ids=() if job is None else (f"job:{job}",),
        )  # fmt: skip
        ask = FactAsk(scope=seen, filters=filters, terms=query_terms(query), candidates_max=limit * 5)
        pool = matched(self._store, self._with_vector(ask, query), jobs_max=max(1, limit // JOB_SHARE))
        return ranked_facts(pool, limit=limit, now=self._clock.now() if self._options.ageing else None)

    def claims_without_receipt(self, final_text: str, receipts: Sequence[Mapping[str, object]]) -> bool:
        """True if an answer claims to have kept something, in English, and no receipt proves that anything was.

        `receipts` are what the writing tools' answers carry under "receipt". It is counted, so that a model that only
        says so is noticed.
        """
        if not isinstance(final_text, str):
            raise UsageError("final_text", f"is {type(final_text).__name__}, not text", remedy="pass the answer")
        unproven = claims_without_receipt(final_text, receipts)
        if unproven:
            self._meters.counted("glossator_claims_without_receipt_total")
        return unproven

    def _with_vector(self, ask: FactAsk, query: str) -> FactAsk:
        """The search with the query's vector, where there is an embedder that answers; words alone otherwise."""
        embedder = self._providers().embedder
        if embedder is None:
            return ask
        try:
            return replace(ask, vector=embedder.embed([query])[0], model=embedder.name)
        except ProviderError:
            return ask
