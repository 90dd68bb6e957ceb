"""How do facts and hits read for a model: short, dated in the speaker's zone, with the words that they rest on?"""

from collections.abc import Sequence
from datetime import timedelta, timezone

from glossator.facade.sources import source_of, source_of_place
from glossator.model import Decided, EventTime, Evidence, Fact, Hit, SaidTime, StateChange
from glossator.surfaces.tools.desk import Names


def spoken_at(said: SaidTime) -> str:
    """When it was said, on the speaker's own clock, with its offset."""
    return said.at.astimezone(timezone(timedelta(minutes=said.offset_minutes))).isoformat()


def fact_shape(fact: Fact, names: Names) -> dict[str, object]:
    """A fact as an agent needs it. `current` is false for what has been replaced, forgotten, archived or held.

    `inferred` is true for a conclusion, which nobody has said.
    """
    return {
        "fact_id": fact.id,
        "text": fact.text,
        "category": fact.category,
        "kind": fact.kind,
        "about": fact.subject,
        "state": fact.state,
        "current": fact.state in ("active", "deprioritised"),
        "inferred": fact.epistemic == "inferred",
        "confidence": fact.confidence,
        "since": fact.valid_from,
        "until": fact.valid_to,
        "times_said": fact.seen_count,
        "conversation": fact.scope.conversation,
        "source": names.shape(source_of(fact)),
        "replaced_by": None if fact.superseded_by is None else f"f{fact.superseded_by}",
    }


def note_shape(fact: Fact, names: Names) -> dict[str, object]:
    """A working note under its key."""
    return {
        "key": fact.key.removeprefix("note:"),
        "value": fact.text,
        "fact_id": fact.id,
        "stored_at": fact.last_seen_at,
        "conversation": fact.scope.conversation,
        "source": names.shape(source_of(fact)),
    }


def memory_shape(fact: Fact, names: Names) -> dict[str, object]:
    """A note as a note, everything else as a fact."""
    return note_shape(fact, names) if fact.category == "note" else fact_shape(fact, names)


def receipt_shape(fact: Fact, *, shown: bool) -> dict[str, object]:
    """The proof that something is kept: its id, what it is and, if that may be `shown`, in what words it stands."""
    kind = "note" if fact.category == "note" else "fact"
    return {"id": fact.id, "kind": kind, "stored": fact.text if shown else None}


def hit_shape(hit: Hit, facts: Sequence[Fact], names: Names) -> dict[str, object]:
    """A hit with the facts that rest on it. `link` names what a derived hit was taken from; null for verbatim text."""
    source = source_of_place(hit.conversation)
    if hit.fact_id is not None and facts:
        source = source_of(facts[0])
    return {
        "text": hit.text,
        "speaker": hit.speaker,
        "said_at": spoken_at(hit.said),
        "event": event_shape(hit.event),
        "conversation": hit.conversation,
        "source": names.shape(source),
        "message_ids": hit.message_ids,
        "link": hit.source_id,
        "no_longer_so": hit.superseded,
        "facts": [fact_shape(fact, names) for fact in facts],
    }


def event_shape(event: EventTime) -> dict[str, object] | None:
    """When it happened, where the words or the source say so; None where only the time of saying is known."""
    if event.source not in ("own", "source"):
        return None
    return {"start": event.interval.start, "end": event.interval.end, "words": event.words}


def evidence_shape(evidence: Evidence) -> dict[str, object]:
    """The sentence, who said it, when and where."""
    return {
        "sentence": evidence.quote,
        "speaker": evidence.speaker,
        "role": evidence.role,
        "said_at": spoken_at(evidence.said),
        "conversation": evidence.conversation,
        "message_id": evidence.external_id,
    }


def decision_shape(decided: Decided) -> dict[str, object]:
    """What was decided, by whom and why."""
    return {"at": decided.at, "by": decided.by, "decision": decided.decision, "reason": decided.reason}


def change_shape(change: StateChange) -> dict[str, object]:
    """Who moved it from one state to another."""
    return {"at": change.at, "by": change.by, "from": change.from_state, "to": change.to_state, "why": change.reason}
