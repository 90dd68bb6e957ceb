"""The tools that keep something: memory_remember, memory_store, remember_document."""

from collections.abc import Mapping

from glossator.errors import UsageError
from glossator.model import CATEGORIES, KINDS, Category, Decided, Kind
from glossator.surfaces.tools.answers import DOCUMENT_ANSWER
from glossator.surfaces.tools.arguments import Argument
from glossator.surfaces.tools.desk import Desk
from glossator.surfaces.tools.shapes import receipt_shape
from glossator.surfaces.tools.tool import Declared

CATEGORY_OF_KIND: Mapping[Kind, Category] = {"implicit_pref": "preference"}
"""Where a kind is given in place of a category; every other kind is working knowledge, "context"."""


def _remember(
    desk: Desk, *, fact_text: str, category: str, domain: str, confidence: float, kind: Kind | None, epistemic: str
) -> Mapping[str, object]:
    named = next((each for each in KINDS if each == category), None)
    if named is not None and kind not in (None, named):
        raise UsageError("kind", f"is {kind}, and category says {named}", remedy="pass one of them")
    place = next((each for each in CATEGORIES if each == category), None)
    kept = desk.memory.remember(
        fact_text,
        scope=desk.scope,
        category=place or CATEGORY_OF_KIND.get(named or "exact_value", "context"),
        kind=kind or named,
        confidence=confidence,
        epistemic="inferred" if epistemic == "inferred" else "stated",
        conversation=desk.conversation,
        domain=domain.strip() or "general",
    )
    if kept.fact is None:
        raise UsageError("fact_text", f"is not kept: {kept.decided.reason}", remedy="leave it, or say it otherwise")
    return {
        "fact_id": kept.fact.id,
        "message": decision_told(kept.decided),
        "receipt": receipt_shape(kept.fact, shown=desk.may_show(kept.fact)),
        "category": kept.fact.category,
        "kind": kept.fact.kind,
        "confidence": kept.fact.confidence,
        "domain": kept.fact.domain,
        "decision": kept.decided.decision,
    }


def decision_told(decided: Decided) -> str:
    match decided.decision:
        case "admit":
            return "Remembered."
        case "merge":
            return f"Known already ({decided.reason}); it counts as said once more."
        case "supersede":
            return f"Remembered; what was held before is marked as no longer so ({decided.reason})."
        case _:
            return f"Kept aside until an operator lets it in: {decided.reason}."


MEMORY_REMEMBER = Declared(
    name="memory_remember",
    description=(
        "Keep one durable statement about the user or the work, so that later conversations know it. One short "
        "sentence that stands by itself; no small talk, no questions, nothing that memory told you. What you only "
        "conclude is inferred."
    ),
    arguments=(
        Argument(name="fact_text", kind="text", required=True, description="The statement, as one sentence."),
        Argument(
            name="category",
            kind="text",
            required=True,
            choices=(*CATEGORIES, *KINDS),
            description=(
                "identity: who the user is. preference: what they like or dislike. interest. goal. context: working "
                "knowledge. directive: how the agent shall behave. A kind may stand in its place."
            ),
        ),
        Argument(name="domain", kind="text", default="general", description="The field it belongs to, one word."),
        Argument(
            name="confidence", kind="number", low=0.0, high=1.0, default=0.95, description="How sure it is, 0 to 1."
        ),
        Argument(
            name="kind",
            kind="text",
            choices=KINDS,
            description=(
                "exact_value: a figure, name or path to be kept to the letter. hard_constraint: must or must never. "
                "decision_reason: why something was decided. cross_task_dep: what one task needs of another. "
                "implicit_pref: a preference that shows in what was said."
            ),
        ),
        Argument(
            name="epistemic",
            kind="text",
            choices=("stated", "inferred"),
            default="stated",
            description="stated: it was said. inferred: you concluded it; only as context.",
        ),
    ),
    work=_remember,
    names={"text": "fact_text"},
)


def _store(desk: Desk, *, key: str, value: str) -> Mapping[str, object]:
    kept = desk.memory.note(key, value, scope=desk.scope, conversation=desk.conversation)
    if kept.fact is None:
        raise UsageError("value", f"is not kept: {kept.decided.reason}", remedy="leave it, or say it otherwise")
    match kept.decided.decision:
        case "supersede":
            message = f"Noted under {key!r} in place of the note before."
        case "hold":
            message = f"Kept aside until an operator lets it in: {kept.decided.reason}."
        case _:
            message = f"Noted under {key!r}."
    return {
        "key": key,
        "fact_id": kept.fact.id,
        "decision": kept.decided.decision,
        "message": message,
        "receipt": receipt_shape(kept.fact, shown=desk.may_show(kept.fact)),
    }


MEMORY_STORE = Declared(
    name="memory_store",
    description=(
        "Keep a working note of this conversation under a key; another value under the same key replaces it. For what "
        "this task needs again; what later conversations shall know belongs in memory_remember."
    ),
    arguments=(
        Argument(name="key", kind="text", required=True, description="A short name, for example todo."),
        Argument(name="value", kind="text", required=True, description="The note."),
    ),
    work=_store,
    names={},
)


def _remember_document(
    desk: Desk, *, content: str, mode: str, project: str | None, tags: tuple[str, ...]
) -> Mapping[str, object]:
    receipt = desk.memory.remember_document(
        content, scope=desk.scope, mode="full" if mode == "full" else "raw", project=project, tags=tags
    )
    kept = receipt.recorded[0]
    if kept.outcome in ("conflict", "erased"):
        reason = "was forgotten before and is not taken back" if kept.outcome == "erased" else "is there in other words"
        raise UsageError("content", reason, remedy="leave it, or keep the part that matters with memory_remember")
    return {
        "document_id": kept.external_id,
        "outcome": kept.outcome,
        "pieces": len(kept.chunk_ids),
        "notes": kept.notes,
        "receipt": {
            "id": kept.external_id,
            "kind": "document",
            "stored": f"{len(kept.chunk_ids)} pieces, word for word",
        },
        "message": "Kept word for word." if kept.outcome == "stored" else "Was there already.",
    }


REMEMBER_DOCUMENT = Declared(
    name="remember_document",
    description=(
        "Keep a longer text word for word: a page, minutes, a file. recall finds its paragraphs again. The same text "
        "is kept once."
    ),
    arguments=(
        Argument(
            name="content",
            kind="text",
            required=True,
            description="The text, whole.",
            aliases=("text", "document", "body"),
        ),
        Argument(
            name="mode",
            kind="text",
            choices=("raw", "full"),
            default="raw",
            description="raw: its words alone. full: facts are taken from it as well.",
        ),
        Argument(name="project", kind="text", description="The project it belongs to."),
        Argument(name="tags", kind="texts", default=(), description="Tags to find it by.", aliases=("tag",)),
    ),
    work=_remember_document,
    names={"text": "content"},
    title="Keep a document",
    effect="adds",
    again=True,
    answer=DOCUMENT_ANSWER,
)
