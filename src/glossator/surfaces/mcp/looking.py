"""The tools that look something up and are not an agent's already: context, messages, facts, status."""

from collections.abc import Mapping, Sequence

from glossator import __version__
from glossator.errors import NotFoundError, UsageError
from glossator.model import CATEGORIES, FACT_STATES, RECALLABLE, Category, Fact, FactState, Message
from glossator.surfaces.tools.answers import CONTEXT_ANSWER, FACTS_ANSWER, MESSAGES_ANSWER, STATUS_ANSWER
from glossator.surfaces.tools.arguments import Argument
from glossator.surfaces.tools.desk import Desk
from glossator.surfaces.tools.recalling import LIMIT_NAMES, QUERY_NAMES
from glossator.surfaces.tools.shapes import fact_shape, spoken_at
from glossator.surfaces.tools.tool import Declared

BUDGET = 1_500
BUDGET_MAX = 20_000
"""Tokens of one block: more of it would be the conversation and not its memory."""
PAGE = 20
PAGE_MAX = 200
FACTS_SHOWN_MAX = 100
READ_AT_ONCE = 1_000
LATEST = 10
"""Conversations that `status` names."""


def _context(desk: Desk, *, query: str | None, tokens: int, conversation: str | None) -> Mapping[str, object]:
    """With a request the pieces that bear on it; without one what stands in the two prompt files."""
    seen = desk.seen_in(conversation)
    if not (query or "").strip():
        block = desk.memory.prompt_files(scope=seen).block
        skipped = "" if block else "nothing is known yet"
        return {"block": block, "skipped": skipped, "token_count": (len(block.encode()) + 3) // 4, "degraded": []}
    given = desk.memory.context(query or "", scope=seen, budget=tokens, conversation=conversation)
    return {
        "block": given.block,
        "skipped": given.skipped,
        "token_count": given.token_count,
        "degraded": [f"{each.part}: {each.reason}" for each in given.degraded],
    }


CONTEXT = Declared(
    name="context",
    title="Brief me",
    description=(
        "The background for what the user asks now, ready to read: the facts that hold and the pieces of earlier "
        "conversations that bear on it, within a budget of tokens. Call it at the start of a conversation; without a "
        "query it gives what is known about the user and the work. For one question use recall."
    ),
    arguments=(
        Argument(
            name="query", kind="text", description="What the user asks or wants now.", aliases=(*QUERY_NAMES, "request")
        ),
        Argument(
            name="tokens", kind="count", low=50, high=BUDGET_MAX, default=BUDGET, description="Its size at most.",
            aliases=("budget", "max_tokens"),
        ),
        Argument(name="conversation", kind="text", description="Only what was said there."),
    ),
    work=_context,
    names={"messages": "query", "budget": "tokens"},
    action="prefetch",
    answer=CONTEXT_ANSWER,
)  # fmt: skip


def _messages(
    desk: Desk, *, conversation: str | None, around: str | None, after: int, limit: int
) -> Mapping[str, object]:
    place = conversation or desk.scope.conversation
    if place is None:
        remedy = 'pass one, for example "telegram:42"; a hit of recall names its own'
        raise UsageError("conversation", "is missing", remedy=remedy)
    seen = desk.seen_in(place)
    if around is None:
        page: Sequence[Message] = desk.memory.messages(scope=seen, after_id=after, limit=limit)
    else:
        page = _around(desk, place, around, limit)
    more = desk.memory.messages(scope=seen, after_id=page[-1].message_id, limit=1) if page else ()
    return {
        "conversation": seen.conversation,
        "messages": [_message(each) for each in page],
        "next_after": page[-1].message_id if more else None,
    }


def _around(desk: Desk, place: str, message_id: str, limit: int) -> Sequence[Message]:
    """The message with those before and after it."""
    seen = desk.seen_in(place)
    read: list[Message] = []
    while True:
        page = desk.memory.messages(
            scope=seen, after_id=read[-1].message_id if read else 0, limit=READ_AT_ONCE
        )  # fmt: skip
        read.extend(page)
        at = next((at for at, each in enumerate(read) if each.external_id == message_id), None)
        if at is not None and (len(page) < READ_AT_ONCE or len(read) > at + limit):
            first = max(0, min(at - limit // 2, len(read) - limit))
            return read[first : first + limit]
        if len(page) < READ_AT_ONCE:
            problem = f"{message_id[:100]!r} is not in this conversation"
            raise NotFoundError("around", problem, remedy="take an id from message_ids of a hit")


def _message(message: Message) -> Mapping[str, object]:
    return {
        "number": message.message_id,
        "id": message.external_id,
        "role": message.role,
        "speaker": message.speaker,
        "said_at": spoken_at(message.said),
        "session": message.session,
        "text": message.content,
    }


MESSAGES = Declared(
    name="messages",
    title="Read a conversation",
    description=(
        "Read an earlier conversation in order, word for word. With around, the messages before and after one that "
        "recall found; otherwise from the beginning, and on from next_after."
    ),
    arguments=(
        Argument(
            name="conversation", kind="text", description='For example "telegram:42"; a hit of recall names its own.',
            aliases=("thread", "chat"),
        ),
        Argument(
            name="around", kind="text", description="The id of a message, from message_ids of a hit.",
            aliases=("message_id", "id"),
        ),
        Argument(
            name="after", kind="count", low=0, default=0, description="next_after of the answer before.",
            aliases=("after_id", "cursor"),
        ),
        Argument(
            name="limit", kind="count", low=1, high=PAGE_MAX, default=PAGE, description="How many at most, 1 to 200.",
            aliases=LIMIT_NAMES,
        ),
    ),
    work=_messages,
    names={"after_id": "after"},
    action="recall",
    answer=MESSAGES_ANSWER,
)  # fmt: skip


def _facts(
    desk: Desk, *, query: str | None, category: str | None, state: str | None, as_of: str | None, project: str | None,
    tags: tuple[str, ...], limit: int,
) -> Mapping[str, object]:  # fmt: skip
    categories = tuple(each for each in CATEGORIES if each == category)
    states = tuple(each for each in FACT_STATES if each == state) or RECALLABLE
    if (query or "").strip() and as_of is None:
        found: Sequence[Fact] = desk.memory.search_facts(
            query or "", scope=desk.scope, limit=min(limit + 1, 100), states=states, categories=categories,
            project=project, tags=tags, jobs=False,
        )  # fmt: skip
    elif (query or "").strip():
        raise UsageError("as_of", "is given together with query", remedy="list with as_of, or ask recall with as_of")
    else:
        found = desk.memory.facts(
            scope=desk.scope, limit=limit + 1, states=states, categories=categories or CATEGORIES, as_of=as_of,
            project=project, tags=tags,
        )  # fmt: skip
    names = desk.names()
    shown = [fact_shape(fact, names) for fact in found[:limit] if desk.may_show(fact)]
    return {"facts": shown, "more": len(found) > limit}


_CHOSEN: tuple[Category, ...] = CATEGORIES
_STATES: tuple[FactState, ...] = tuple(each for each in FACT_STATES if each != "erased")

FACTS = Declared(
    name="facts",
    title="List or search facts",
    description=(
        "The statements that are held about the user and the work, the latest seen first, or those that fit a query. "
        "Each has an id for explain, set_aside and forget. For what somebody said, word for word, use recall."
    ),
    arguments=(
        Argument(name="query", kind="text", description="Words to search for; all are listed without.",
                 aliases=QUERY_NAMES),
        Argument(name="category", kind="text", choices=_CHOSEN, description="Only facts of this category.",
                 aliases=("type",)),
        Argument(name="state", kind="text", choices=_STATES,
                 description="Only facts in this state; those that hold if left out.", aliases=("status",)),
        Argument(name="as_of", kind="text", description="ISO 8601: what held then."),
        Argument(name="project", kind="text", description="Only facts of this project."),
        Argument(name="tags", kind="texts", default=(), description="Only facts with all of these tags."),
        Argument(name="limit", kind="count", low=1, high=FACTS_SHOWN_MAX, default=20,
                 description="How many at most, 1 to 100.", aliases=LIMIT_NAMES),
    ),
    work=_facts,
    names={"categories": "category", "states": "state"},
    action="memory_search",
    answer=FACTS_ANSWER,
)  # fmt: skip


def _status(desk: Desk) -> Mapping[str, object]:
    counted = desk.memory.status(desk.scope)
    embedder = desk.memory.options.embedder
    if embedder == "none":
        meaning = "switched off: recall goes by words alone"
    else:
        meaning = "ready" if desk.memory.warm(0) else "still loading: recall goes by words until then"
    return {
        "workspace": desk.scope.workspace,
        "agent": desk.scope.agent,
        "owner": desk.scope.owner,
        "trust": desk.scope.believed,
        "tier": desk.tier,
        "conversation": desk.scope.conversation,
        "messages": counted.message_count,
        "facts": counted.fact_count,
        "conversations": counted.conversation_count,
        "waiting_for_meaning": counted.pending_count,
        "waiting_for_facts": desk.memory.waiting(desk.scope),
        "oldest_said_at": counted.oldest_said_at,
        "newest_said_at": counted.newest_said_at,
        "latest_conversations": [
            {"conversation": each.conversation, "messages": each.message_count, "last_said_at": each.last_said_at}
            for each in desk.memory.conversations(scope=desk.scope, limit=LATEST)
        ],
        "meaning": meaning,
        "version": __version__,
    }


STATUS = Declared(
    name="status",
    title="Count what is there",
    description=(
        "Whose memory this is, how much it holds, its latest conversations, and what is still to be done behind it."
    ),
    arguments=(),
    work=_status,
    names={},
    action="recall",
    answer=STATUS_ANSWER,
)
