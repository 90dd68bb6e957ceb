"""The tool that forgets facts: exact targets, a preview before words are matched, a cap."""

from collections.abc import Mapping

from glossator.errors import UsageError
from glossator.model import FactPreview, FactReceipt
from glossator.surfaces.tools.arguments import Argument
from glossator.surfaces.tools.desk import Desk
from glossator.surfaces.tools.tool import Declared

REASON = "an agent was asked to forget it"


def _forget(
    desk: Desk, *, fact_id: str | None, fact_text_contains: str | None, confirm: str | None
) -> Mapping[str, object]:
    if not (fact_id or "").strip() and not (fact_text_contains or "").strip():
        raise UsageError(
            "fact_id", "and fact_text_contains are both missing, so nothing is named", remedy="name one fact by its id"
        )
    if fact_id and fact_text_contains:
        raise UsageError("fact_text_contains", "is given together with fact_id", remedy="pass one of them")
    if fact_id:
        return _forget_one(desk, fact_id, confirm)
    return _forget_containing(desk, fact_text_contains or "", confirm)


def _forget_one(desk: Desk, fact_id: str, confirm: str | None) -> Mapping[str, object]:
    """An id names exactly one fact: no second call is needed."""
    if confirm is None:
        preview = desk.memory.forget_facts(scope=desk.scope, fact_ids=[fact_id])
        assert isinstance(preview, FactPreview)
        confirm = preview.token
    done = desk.memory.forget_facts(scope=desk.scope, fact_ids=[fact_id], confirm=confirm, reason=REASON)
    assert isinstance(done, FactReceipt)
    return _told(done)


def _forget_containing(desk: Desk, words: str, confirm: str | None) -> Mapping[str, object]:
    asked = desk.memory.forget_facts(scope=desk.scope, containing=words, confirm=confirm, reason=REASON)
    if isinstance(asked, FactReceipt):
        return _told(asked)
    return {
        "invalidated_count": 0,
        "facts": [{"fact_id": fact.id, "text": fact.text} for fact in asked.facts if desk.may_show(fact)],
        "matching_count": len(asked.facts),
        "confirm": asked.token,
        "message": (
            f"Nothing is forgotten yet. {len(asked.facts)} would be; if that is what is meant, call again with the "
            "same words and this confirm."
        ),
    }


def _told(done: FactReceipt) -> Mapping[str, object]:
    count = len(done.facts)
    return {
        "invalidated_count": count,
        "fact_ids": [fact.id for fact in done.facts],
        "receipt": {"id": ", ".join(fact.id for fact in done.facts), "kind": "forgotten", "stored": None},
        "message": f"{count} forgotten; never recalled again unless said again." if count else "Nothing was forgotten.",
    }


MEMORY_FORGET = Declared(
    name="memory_forget",
    description=(
        "Forget a fact when the user asks for it. Prefer fact_id. With fact_text_contains the first call only shows "
        "what would go, and gives a confirm for the second; the words are matched to the letter, there are no "
        "wildcards. The messages stay."
    ),
    arguments=(
        Argument(name="fact_id", kind="text", description='Exactly one fact, for example "f42".'),
        Argument(
            name="fact_text_contains",
            kind="text",
            description="Words that stand in the facts, at least 4 characters, literally; at most 20 facts.",
        ),
        Argument(name="confirm", kind="text", description="What the first call with fact_text_contains gave."),
    ),
    work=_forget,
    names={"fact_ids": "fact_id", "fact_ids[0]": "fact_id", "containing": "fact_text_contains"},
)
