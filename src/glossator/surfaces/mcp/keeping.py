"""The tools that keep something and are not an agent's already: remember, record, note."""

from collections.abc import Mapping
from dataclasses import replace

from glossator.errors import UsageError
from glossator.model import CATEGORIES, KINDS, Fact, Kind, Remembered
from glossator.rules.similar import likeness, says_much_alike
from glossator.surfaces.tools.answers import NOTE_ANSWER, RECORD_ANSWER, REMEMBER_ANSWER
from glossator.surfaces.tools.arguments import Argument
from glossator.surfaces.tools.desk import Desk
from glossator.surfaces.tools.pages import all_facts
from glossator.surfaces.tools.remembering import CATEGORY_OF_KIND, decision_told
from glossator.surfaces.tools.shapes import fact_shape, note_shape, receipt_shape
from glossator.surfaces.tools.tool import Declared

USER, ASSISTANT = "user", "assistant"
STATED_CONFIDENCE = 0.95
NOTES_SHOWN_MAX = 100
BESIDE_LOOKED_AT, BESIDE_MAX = 5, 3
QUERY_CHARACTERS = 500
"""A statement is a sentence; the beginning of a longer one finds its like."""


def _remember(
    desk: Desk, *, text: str, said_by: str, category: str | None, kind: Kind | None, confidence: float | None,
    at: str | None, expires_at: str | None, project: str | None, tags: tuple[str, ...], preview: bool,
) -> Mapping[str, object]:  # fmt: skip
    if preview:
        return _preview(desk, text, at)
    own = said_by.strip().casefold() in (ASSISTANT, "agent", "ai", "model")
    named = next((each for each in KINDS if each == category), kind)
    place = next((each for each in CATEGORIES if each == category), None)
    chosen = place or (CATEGORY_OF_KIND.get(named, "context") if named else "context")
    kept = desk.memory.remember(
        text,
        scope=desk.scope,
        category=chosen,
        kind=named,
        confidence=STATED_CONFIDENCE if confidence is None else confidence,
        epistemic="inferred" if own else "stated",
        at=at,
        expires_at=expires_at,
        speaker=ASSISTANT if own else None if said_by.strip().casefold() == USER else said_by,
        conversation=desk.conversation,
        project=project,
        tags=tags,
    )
    return _kept(desk, kept)


def _kept(desk: Desk, kept: Remembered) -> Mapping[str, object]:
    if kept.fact is None:
        raise UsageError("text", f"is not kept: {kept.decided.reason}", remedy="leave it, or say it otherwise")
    shown = desk.may_show(kept.fact)
    beside = _beside(desk, kept.fact) if kept.decided.decision == "admit" else []
    also = " Much like it is held beside it: what holds no more, put away with set_aside." if beside else ""
    return {
        "decision": kept.decided.decision,
        "message": decision_told(kept.decided) + also,
        "fact": fact_shape(kept.fact, desk.names()) if shown else None,
        "receipt": receipt_shape(kept.fact, shown=shown),
        "collides_with": [
            {"fact_id": each.id, "text": each.text, "outcome": "beside", "reason": f"since {each.valid_from:%Y-%m-%d}"}
            for each in beside
        ],
    }


def _beside(desk: Desk, fact: Fact) -> list[Fact]:
    """What was held before and may be what the new fact corrects: no key tells that they answer one question."""
    near = desk.memory.search_facts(fact.text[:QUERY_CHARACTERS], scope=desk.scope, limit=BESIDE_LOOKED_AT, jobs=False)
    mine = likeness(fact.text)
    alike = (each for each in near if each.id != fact.id and each.subject == fact.subject and desk.may_show(each))
    return [each for each in alike if says_much_alike(mine, likeness(each.text))][:BESIDE_MAX]


def _preview(desk: Desk, text: str, at: str | None) -> Mapping[str, object]:
    """What it would collide with; nothing is kept."""
    collisions = desk.memory.check_contradictions(text, scope=desk.scope, at=at)
    found = [each for each in collisions if desk.may_show(each.fact)]
    told = f"It would collide with {len(found)}." if found else "It collides with nothing that is held."
    return {
        "decision": "preview",
        "message": f"Nothing is kept yet. {told}",
        "fact": None,
        "receipt": None,
        "collides_with": [
            {"fact_id": each.fact.id, "text": each.fact.text, "outcome": each.outcome, "reason": each.reason}
            for each in found
        ],
    }


REMEMBER = Declared(
    name="remember",
    title="Remember a fact",
    description=(
        "Keep one durable statement, so that later conversations know it: who the user is, what they like, want or "
        "decided, how the work is done. One short sentence that stands by itself. No small talk, no questions, nothing "
        "that memory told you. Say whose statement it is: what you only conclude is said_by assistant, and never "
        "counts as the user's word. A newer statement replaces the older one, which stays in its history."
    ),
    arguments=(
        Argument(
            name="text", kind="text", required=True, description="The statement, as one sentence.",
            aliases=("content", "fact", "fact_text", "statement", "memory", "value"),
        ),
        Argument(
            name="said_by", kind="text", required=True,
            description="user: they said so themselves. assistant: you concluded it. Else the name of who said it.",
            aliases=("speaker", "who", "by", "role", "author"),
        ),
        Argument(
            name="category", kind="text", choices=(*CATEGORIES, *KINDS), aliases=("type",),
            description=(
                "identity: who the user is. preference: what they like or dislike. interest. goal. context: the work "
                "and all else (if left out). directive: how the agent shall behave, an operator's to give. A kind may "
                "stand in its place."
            ),
        ),
        Argument(
            name="kind", kind="text", choices=KINDS,
            description=(
                "exact_value: a figure, name or path to be kept to the letter. hard_constraint: must or must never. "
                "decision_reason: why something was decided. cross_task_dep: what one task needs of another. "
                "implicit_pref: a preference that shows in what was said."
            ),
        ),
        Argument(name="confidence", kind="number", low=0.0, high=1.0, description="How sure it is, 0 to 1."),
        Argument(
            name="at", kind="text", description="When it was said: ISO 8601; now if left out.",
            aliases=("date", "timestamp", "said_at"),
        ),
        Argument(name="expires_at", kind="text", description="ISO 8601: when it stops to hold.", aliases=("expires",)),
        Argument(name="project", kind="text", description="The project it belongs to."),
        Argument(name="tags", kind="texts", default=(), description="Tags to find it by.", aliases=("tag",)),
        Argument(
            name="preview", kind="switch", default=False, aliases=("dry_run",),
            description="Keep nothing, only tell which facts it would collide with.",
        ),
    ),
    work=_remember,
    names={"speaker": "said_by"},
    action="memory_remember",
    effect="replaces",
    again=True,
    answer=REMEMBER_ANSWER,
)  # fmt: skip


def _record(
    desk: Desk, *, messages: tuple[dict[str, object], ...], conversation: str | None, session: str | None,
    project: str | None, tags: tuple[str, ...],
) -> Mapping[str, object]:  # fmt: skip
    place = conversation or desk.conversation
    desk.seen_in(place)
    receipt = desk.memory.record(
        messages, scope=replace(desk.scope, conversation=None), conversation=place, session=session, project=project,
        tags=tags,
    )  # fmt: skip
    if receipt.failure:
        raise UsageError("messages", f"are not kept: {receipt.failure}", remedy="leave it, or tell the operator")
    stored = receipt.count("stored")
    others = [f"{count} {name}" for name in ("duplicate", "conflict", "erased") if (count := receipt.count(name))]
    return {
        "conversation": place,
        "stored": stored,
        "pending": receipt.pending,
        "message": ", ".join([f"{stored} kept word for word", *others]) + ".",
        "recorded": [
            {"id": each.external_id, "outcome": each.outcome, "notes": each.notes} for each in receipt.recorded
        ],
    }


RECORD = Declared(
    name="record",
    title="Record what was said",
    description=(
        "Keep messages of a conversation word for word, in order, each with the role of who said it. recall finds them "
        "from then on, and facts are taken from the user's own words. The same id is kept once, so that a longer "
        "export adds only what is new. For one statement use remember."
    ),
    arguments=(
        Argument(
            name="messages", kind="messages", required=True, aliases=("message", "turns", "conversation_messages"),
            description="The messages: each has role and content, and may have speaker, at and id.",
        ),
        Argument(
            name="conversation", kind="text", description='Where it was said, for example "telegram:42".',
            aliases=("thread", "chat", "conversation_id"),
        ),
        Argument(
            name="session", kind="text", description="What was said together; a calendar day if left out.",
            aliases=("session_id",),
        ),
        Argument(name="project", kind="text", description="The project it belongs to."),
        Argument(name="tags", kind="texts", default=(), description="Tags to find it by.", aliases=("tag",)),
    ),
    work=_record,
    names={},
    action="remember_document",
    effect="adds",
    answer=RECORD_ANSWER,
)  # fmt: skip


def _note(desk: Desk, *, key: str | None, value: str | None) -> Mapping[str, object]:
    name = (key or "").strip()
    if value is None:
        return _notes(desk, name)
    if not name:
        raise UsageError("key", "is missing", remedy="a short name, for example todo")
    kept = desk.memory.note(name, value, scope=desk.scope, conversation=desk.conversation)
    if kept.fact is None:
        raise UsageError("value", f"is not kept: {kept.decided.reason}", remedy="leave it, or say it otherwise")
    told = {
        "supersede": f"Noted under {name!r} in place of the note before.",
        "hold": f"Kept aside until an operator lets it in: {kept.decided.reason}.",
    }
    return {
        "notes": [note_shape(kept.fact, desk.names())],
        "decision": kept.decided.decision,
        "message": told.get(kept.decided.decision, f"Noted under {name!r}."),
    }


def _notes(desk: Desk, name: str) -> Mapping[str, object]:
    """The note under a key; all of them without one."""
    names = desk.names()
    found = [fact for fact in all_facts(desk.memory, desk.here, categories=("note",)) if desk.may_show(fact)]
    chosen = [fact for fact in found if not name or fact.key == f"note:{name}"]
    return {
        "notes": [note_shape(fact, names) for fact in chosen[-NOTES_SHOWN_MAX:]],
        "decision": None,
        "message": f"{len(chosen)} found." if chosen else "There is no such note." if name else "There are no notes.",
    }


NOTE = Declared(
    name="note",
    title="Keep or read a working note",
    description=(
        "A working note under a key, for what this task needs again: with a value it is kept in place of the one "
        "before, without a value it is read, without a key all notes are listed. What later conversations shall know "
        "belongs in remember."
    ),
    arguments=(
        Argument(name="key", kind="text", description="A short name, for example todo.", aliases=("name", "title")),
        Argument(
            name="value", kind="text", description="The note; leave it out to read.",
            aliases=("text", "content", "note", "body"),
        ),
    ),
    work=_note,
    names={},
    action="memory_store",
    effect="replaces",
    again=True,
    answer=NOTE_ANSWER,
)  # fmt: skip
