"""How does a statement that was given to be kept become a draft? Its own words are its evidence."""

from dataclasses import replace
from datetime import datetime

from glossator.model import SELF, Category, Draft, Kind, Passage, Scope, ScopeType, Sensitivity, Trust, Turn
from glossator.retain.drafts import event_of
from glossator.rules.instants import said_at_moment


def explicit_turn(
    text: str,
    *,
    scope: Scope,
    conversation: str | None,
    at: datetime | None,
    now: datetime,
    project: str | None,
    tags: tuple[str, ...],
    speaker: str = SELF,
    trust: Trust | None = None,
    within: ScopeType | None = None,
) -> Turn:
    """A turn of one passage, said `at` or, failing that, now; both are in the speaker's zone."""
    said = said_at_moment(at or now, given=at is not None)
    passage = Passage(text=text, role="user", speaker=speaker, said=said, conversation=conversation, trust=trust)
    return Turn(scope=scope, passages=(passage,), source="explicit", project=project, tags=tags, within=within)


def explicit_draft(
    turn: Turn,
    *,
    category: Category,
    kind: Kind | None,
    confidence: float,
    domain: str = "general",
    sensitivity: Sensitivity = "internal",
    expires_at: datetime | None = None,
) -> Draft:
    """The whole passage as one draft, with the key and the polarity that its words tell."""
    passage = turn.passages[0]
    draft = Draft(
        text=passage.text,
        category=category,
        kind=kind,
        subject=passage.speaker,
        key="",
        value="",
        passage=0,
        start=0,
        end=len(passage.text),
        event=event_of(passage.text, passage.said, is_document=False),
        confidence=confidence,
        domain=domain,
        sensitivity=sensitivity,
        expires_at=expires_at,
    )
    return keyed(draft)


def keyed(draft: Draft) -> Draft:
    """The draft with the key, value and polarity that its words tell, where it has no key yet."""
    if draft.key:
        return draft
    from glossator.rules.statements import statement_key  # tables that not every process needs

    found = statement_key(draft.text, subject=draft.subject)
    if found is None:
        return draft
    return replace(draft, subject=found.subject, key=found.key, value=found.value, polarity=found.polarity)


def note_draft(turn: Turn, key: str) -> Draft:
    """A working note under a key: the next value under the same key replaces it."""
    passage = turn.passages[0]
    return Draft(
        text=passage.text,
        category="note",
        kind=None,
        subject=SELF,
        key=f"note:{key}",
        value=passage.text,
        passage=0,
        start=0,
        end=len(passage.text),
        event=event_of(passage.text, passage.said, is_document=False),
        confidence=1.0,
    )
