"""How does a statement that was given to be kept become a draft? Its own words are its evidence."""

import re
from dataclasses import replace
from datetime import datetime

from glossator.model import SELF, Category, Draft, Epistemic, Kind, Passage, Scope, ScopeType, Sensitivity, Trust, Turn
from glossator.retain.drafts import event_of
from glossator.rules.instants import said_at_moment
from glossator.rules.trust import less_believed

ASSISTANT = "assistant"
INFERRED_CONFIDENCE_MAX = 0.6
"""How sure a conclusion counts at most: nobody has said it."""
_OF_ITSELF = re.compile(r"\b(?:I|[Mm][ey]|[Mm]ine|[Ww]e|[Oo]urs?|[Uu]s)\b")
"""How an assistant writes about itself; all else that it concludes is about the user or the work."""


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
    epistemic: Epistemic = "stated",
) -> Turn:
    """A turn of one passage, said `at` or, failing that, now; both are in the speaker's zone.

    A conclusion is an assistant's words, however far its caller is believed.
    """
    said = said_at_moment(at or now, given=at is not None)
    inferred = epistemic == "inferred"
    passage = Passage(
        text=text,
        role="assistant" if inferred else "user",
        speaker=speaker,
        said=said,
        conversation=conversation,
        trust=less_believed("unknown", trust or "unknown") if inferred else trust,
    )
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
    epistemic: Epistemic = "stated",
    owner: str = SELF,
) -> Draft:
    """The whole passage as one draft, with the key and the polarity that its words tell.

    `owner` is the name by which the owner speaks: a conclusion is about them or their work, except in the first person.
    """
    passage = turn.passages[0]
    draft = Draft(
        text=passage.text,
        category=category,
        kind=kind,
        subject=passage.speaker if epistemic == "stated" or _OF_ITSELF.search(passage.text) else owner,
        key="",
        value="",
        passage=0,
        start=0,
        end=len(passage.text),
        event=event_of(passage.text, passage.said, is_document=False),
        epistemic=epistemic,
        confidence=min(confidence, INFERRED_CONFIDENCE_MAX) if epistemic == "inferred" else confidence,
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
