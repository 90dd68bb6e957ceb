"""The verbs of notes and of looking facts up: note, search_facts."""

from collections.abc import Sequence
from dataclasses import replace

from glossator.errors import ProviderError, UsageError
from glossator.facade.checks import reading_scope, writing_scope
from glossator.facade.core import Core
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
from glossator.recall.factual import ranked_facts
from glossator.retain.explicit import explicit_turn, note_draft
from glossator.rules.canonical import checked_text
from glossator.rules.tokens import query_terms

NOTE_KEY_CHARACTERS_MAX = 200
NOTE_CHARACTERS_MAX = 4_000
SEARCH_LIMIT_MAX = 100


class NoteVerbs(Core):
    """Working notes of a conversation, and a search among facts alone."""

    def note(self, key: str, value: str, *, scope: Scope, conversation: str) -> Remembered:
        """Keep a note under a key in one conversation; another value under the key replaces it, with its history.

        Notes are never rendered into prompts. Raises UsageError for a blank key or value.
        """
        name, _ = checked_text(key, argument="key", bytes_max=4 * NOTE_KEY_CHARACTERS_MAX)
        content, _ = checked_text(value, argument="value", bytes_max=4 * NOTE_CHARACTERS_MAX)
        content = self._cleaned(content)
        whole = writing_scope(scope)
        turn = explicit_turn(
            content,
            scope=whole,
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
    ) -> tuple[Fact, ...]:
        """Facts alone that fit the words, or their meaning where the embedder is ready; best first."""
        if not isinstance(query, str) or not query.strip():
            raise UsageError("query", "is empty", remedy="give some words")
        if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= SEARCH_LIMIT_MAX:
            raise UsageError("limit", f"{limit!r} is not between 1 and {SEARCH_LIMIT_MAX}", remedy="for example 10")
        unknown = [*(set(categories) - {*CATEGORIES, "note", "summary"}), *(set(states) - set(FACT_STATES))]
        if unknown:
            raise UsageError("categories", f"or states: {unknown} unknown", remedy=f"choose from {CATEGORIES}")
        filters = FactFilter(states=tuple(states), categories=tuple(categories), project=project, tags=tuple(tags))
        ask = FactAsk(scope=reading_scope(scope), filters=filters, terms=query_terms(query), candidates_max=limit * 5)
        return ranked_facts(self._store.match_facts(self._with_vector(ask, query)), limit=limit)

    def _with_vector(self, ask: FactAsk, query: str) -> FactAsk:
        """The search with the query's vector, where there is an embedder that answers; words alone otherwise."""
        embedder = self._providers().embedder
        if embedder is None:
            return ask
        try:
            return replace(ask, vector=embedder.embed([query])[0], model=embedder.name)
        except ProviderError:
            return ask
