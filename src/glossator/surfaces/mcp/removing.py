"""The tools that move facts out of the way and back, and those that forget: set_aside, forget."""

from collections.abc import Mapping

from glossator.errors import UsageError
from glossator.model import Fact, FactPreview, ForgetPreview
from glossator.surfaces.tools.answers import FORGET_ANSWER, SET_ASIDE_ANSWER
from glossator.surfaces.tools.arguments import Argument
from glossator.surfaces.tools.desk import Desk
from glossator.surfaces.tools.shapes import fact_shape
from glossator.surfaces.tools.tool import Declared

REASON = "an assistant was asked to"
HOWS = ("archive", "deprioritise", "reinstate", "restore")
_TOLD = {
    "archive": "put away: no longer recalled, and reinstate brings it back",
    "deprioritise": "counts a fifth from now on and stands in no prompt; reinstate brings it back",
    "reinstate": "counts again",
    "restore": "is as it was",
}


def _set_aside(
    desk: Desk, *, fact_ids: tuple[str, ...], how: str, reason: str | None, reinstate_hints: tuple[str, ...],
    replace: bool,
) -> Mapping[str, object]:  # fmt: skip
    why = (reason or "").strip() or REASON
    if reinstate_hints and how != "deprioritise":
        raise UsageError("reinstate_hints", f"mean nothing to {how}", remedy="leave them out, or deprioritise")
    moved = _moved(desk, fact_ids, how, why, reinstate_hints, replace)
    names = desk.names()
    return {
        "facts": [fact_shape(fact, names) for fact in moved if desk.may_show(fact)],
        "message": f"{', '.join(fact.id for fact in moved)}: {_TOLD[how]}.",
    }


def _moved(
    desk: Desk, fact_ids: tuple[str, ...], how: str, why: str, hints: tuple[str, ...], replaces: bool
) -> tuple[Fact, ...]:
    memory, scope = desk.memory, desk.scope
    match how:
        case "archive":
            return memory.archive_facts(fact_ids, scope=scope, reason=why)
        case "deprioritise":
            return memory.deprioritise_facts(fact_ids, scope=scope, reason=why, reinstate_hints=hints)
        case "reinstate":
            return memory.reinstate_facts(fact_ids, scope=scope, reason=why)
        case _:
            if len(fact_ids) != 1:
                raise UsageError("fact_ids", "must name one fact to restore", remedy="restore one at a time")
            return (memory.restore_fact(fact_ids[0], scope=scope, reason=why, replace=replaces),)


SET_ASIDE = Declared(
    name="set_aside",
    title="Put facts away or bring them back",
    description=(
        "Move facts without losing a word: archive what is done with, deprioritise what matters little now, reinstate "
        "either, restore one that was superseded or expired. Use it where the user says that something is not relevant "
        "any more; use forget only where they ask to forget, and remember where something has changed."
    ),
    arguments=(
        Argument(
            name="fact_ids", kind="texts", required=True, description='Ids of facts, for example ["f42"].',
            aliases=("fact_id", "id", "ids", "key", "keys"),
        ),
        Argument(
            name="how", kind="text", required=True, choices=HOWS, aliases=("action", "to", "state"),
            description="archive, deprioritise, reinstate (brings back what was put away) or restore (one older fact).",
        ),
        Argument(name="reason", kind="text", description="Why, in a few words; it stays in the audit."),
        Argument(
            name="reinstate_hints", kind="texts", default=(),
            description="Words that bring a deprioritised fact back by themselves once the user says them.",
        ),
        Argument(
            name="replace", kind="switch", default=False, description="Archive what has the place of the restored fact."
        ),
    ),
    work=_set_aside,
    names={},
    action="archive",
    effect="replaces",
    answer=SET_ASIDE_ANSWER,
)  # fmt: skip


def _forget(
    desk: Desk, *, fact_ids: tuple[str, ...], containing: str | None, message_ids: tuple[str, ...],
    conversation: str | None, session: str | None, erase: bool, confirm: str | None,
) -> Mapping[str, object]:  # fmt: skip
    words = (containing or "").strip()
    of_facts, of_messages = bool(fact_ids or words), bool(message_ids or conversation)
    if of_facts and of_messages:
        raise UsageError("fact_ids", "and messages are named at once", remedy="forget facts and messages in two calls")
    if not of_facts and not of_messages:
        remedy = "pass fact_ids, containing, message_ids or a conversation; there are no wildcards"
        raise UsageError("fact_ids", "and all else that could name something are missing", remedy=remedy)
    if of_facts:
        return _forget_facts(desk, fact_ids, words, erase=erase, confirm=confirm)
    return _forget_messages(desk, message_ids, conversation, session, confirm=confirm)


def _forget_facts(
    desk: Desk, fact_ids: tuple[str, ...], words: str, *, erase: bool, confirm: str | None
) -> Mapping[str, object]:
    done = desk.memory.forget_facts(
        scope=desk.scope, fact_ids=fact_ids, containing=words, confirm=confirm, erase=erase, reason=f"{REASON} forget"
    )
    rows = [{"fact_id": fact.id, "text": fact.text if desk.may_show(fact) else None} for fact in done.facts]
    if isinstance(done, FactPreview):
        how = "be erased for good" if erase else "never be recalled again"
        return _answer(facts=rows, confirm=done.token, message=_asked(f"Facts that would {how}: {len(rows)}"))
    return _answer(
        done=True,
        facts=[{"fact_id": fact.id, "text": None} for fact in done.facts],
        receipt_id=done.receipt_id or None,
        not_covered=done.not_covered,
        message=f"{len(rows)} forgotten. The messages they came from stay, unless they are forgotten too.",
    )


def _forget_messages(
    desk: Desk, message_ids: tuple[str, ...], conversation: str | None, session: str | None, *, confirm: str | None
) -> Mapping[str, object]:
    scope = desk.seen_in(conversation)
    if confirm is None:
        seen = desk.memory.forget(scope=scope, message_ids=message_ids, conversation=conversation, session=session)
        assert isinstance(seen, ForgetPreview)
        told = f"{seen.message_count} messages would be erased for good, and {seen.fact_count} facts with them"
        return _answer(message_count=seen.message_count, samples=seen.samples, confirm=seen.token, message=_asked(told))
    done = desk.memory.forget(
        scope=scope, message_ids=message_ids, conversation=conversation, session=session, confirm=confirm
    )
    return _answer(
        done=True,
        message_count=done.message_count,
        not_covered=done.not_covered,
        message=f"{done.message_count} messages and {done.fact_count} facts are erased for good.",
    )


def _asked(told: str) -> str:
    return f"Nothing is forgotten yet. {told}. If the user means that, call again with the same arguments and confirm."


def _answer(**fields: object) -> Mapping[str, object]:
    return {
        "done": False,
        "facts": [],
        "message_count": 0,
        "samples": [],
        "confirm": None,
        "receipt_id": None,
        "not_covered": [],
        **fields,
    }


FORGET = Declared(
    name="forget",
    title="Forget",
    description=(
        "Forget, when the user asks for it. The first call only shows what would go and gives a confirm; show that to "
        "the user, and call again with the same arguments and that confirm. Facts are named by id or by words in "
        "them, matched to the letter; messages by id or by conversation, and they are erased for good."
    ),
    arguments=(
        Argument(
            name="fact_ids", kind="texts", default=(), description='Ids of facts, for example ["f42"].',
            aliases=("fact_id", "id", "ids", "memory_id"),
        ),
        Argument(
            name="containing", kind="text", aliases=("query", "text", "q", "fact_text_contains"),
            description="Words that stand in the facts, at least 4 characters, literally; at most 20 facts.",
        ),
        Argument(
            name="message_ids", kind="texts", default=(), description="Ids of messages, from message_ids of a hit.",
            aliases=("message_id",),
        ),
        Argument(name="conversation", kind="text", description="All that was said there."),
        Argument(name="session", kind="text", description="Only this session of the conversation."),
        Argument(
            name="erase", kind="switch", default=False,
            description="Facts: take their words away for good, not only out of recall.",
        ),
        Argument(
            name="confirm", kind="text", description="What the first call gave.", aliases=("token", "confirm_token")
        ),
    ),
    work=_forget,
    names={},
    action="forget_facts",
    effect="removes",
    answer=FORGET_ANSWER,
)  # fmt: skip
