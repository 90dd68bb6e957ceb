"""Where does a draft belong once it is a fact: its scope, its hash, its date and the words that index it?"""

from datetime import timedelta, timezone

from glossator.model import SELF, Category, Draft, NewFact, Passage, ScopeType, Trust, Turn
from glossator.rules.canonical import statement_hash
from glossator.rules.tokens import index_terms

SCOPE_TYPES: dict[Category, ScopeType] = {
    "identity": "owner",
    "preference": "owner",
    "interest": "owner",
    "goal": "owner",
    "context": "agent",
    "directive": "agent",
    "note": "conversation",
    "summary": "job",
}
"""Profile facts belong to the owner, working knowledge to the agent (C3)."""
TRUST_OF_ROLE: dict[str, Trust] = {"user": "owner", "tool": "tool", "assistant": "unknown", "system": "unknown"}
FACT_WEIGHT = 1.0


def placed(draft: Draft, turn: Turn) -> NewFact:
    """The draft with all that a store writes of it."""
    passage = turn.passages[draft.passage]
    scope_type: ScopeType = "job" if turn.scope.job else turn.within or SCOPE_TYPES[draft.category]
    text = indexed_text(draft, passage)
    return NewFact(
        draft=draft,
        scope_type=scope_type,
        scope_id=_scope_id(scope_type, turn, passage),
        content_hash=statement_hash(turn.scope.workspace, draft.text, subject=_whose(draft)),
        source_trust=trust_of(passage),
        valid_from=passage.said.at,
        weight=FACT_WEIGHT,
        indexed_text=text,
        terms=index_terms(text),
    )


def trust_of(passage: Passage) -> Trust:
    """How far the speaker is believed: as the caller said, by the role where nobody did."""
    return passage.trust or TRUST_OF_ROLE[passage.role]


def indexed_text(draft: Draft, passage: Passage) -> str:
    """What is searched and embedded: the date it was said, whose fact it is, the bare text (C-7).

    The bare text is what is stored and hashed, so the same statement of two days is one fact.
    """
    local = passage.said.at.astimezone(timezone(timedelta(minutes=passage.said.offset_minutes)))
    whose = _other(draft.subject)
    named = not whose or whose.casefold() in draft.text.casefold()
    words = draft.text if named else f"{whose}: {draft.text}"
    return f"[{local:%Y-%m-%d}] {words}"


def _whose(draft: Draft) -> str:
    """What is hashed with the words: somebody else's name, or the key of a note: two keys may hold the same value."""
    return draft.key if draft.category == "note" else _other(draft.subject)


def _other(subject: str) -> str:
    """The subject where it is somebody else than the nameless user."""
    return "" if subject == SELF else subject


def _scope_id(scope_type: ScopeType, turn: Turn, passage: Passage) -> str:
    match scope_type:
        case "owner":
            return turn.scope.owner
        case "agent":
            return turn.scope.agent
        case "workspace":
            return turn.scope.workspace
        case "conversation":
            return passage.conversation or turn.scope.conversation or ""
        case "job":
            return turn.scope.job_source or ""
