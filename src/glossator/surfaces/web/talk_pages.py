"""Which conversations are there, what was said in one, and what was made of each message?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse

from glossator import AsyncMemory
from glossator.errors import NotFoundError
from glossator.model import Conversation, Decided, Fact, Learning, Message, Scope
from glossator.model.upkeep import ForgetPreview
from glossator.surfaces.web.chart_pages import chart_routes
from glossator.surfaces.web.failures import PageRoute
from glossator.surfaces.web.graph_pages import graph_routes
from glossator.surfaces.web.rendering import page
from glossator.surfaces.web.resource_pages import resource_routes
from glossator.surfaces.web.review_pages import review_routes
from glossator.surfaces.web.scoping import Served, View

OUTLINES_PER_PAGE = 50
MESSAGES_PER_PAGE = 40
"""As much talk as is read before somebody looks for a link to the rest."""
LEAD_MESSAGES = 8
"""What was said just before the message that somebody came for."""
END = 2**62
"""Above the number of any message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A message with what was made of it: how far extraction is, and each decision, with its fact if it has one."""

    message: Message
    learning: Learning | None
    decided: tuple[tuple[Decided, Fact | None], ...]


def talk_routes() -> APIRouter:
    """The pages of conversations, resources, entities, work and charts."""
    routes = APIRouter(route_class=PageRoute)
    routes.add_api_route("/conversations", conversations_page, methods=["GET"])
    routes.add_api_route("/conversation", conversation_page, methods=["GET"])
    routes.add_api_route("/conversation/forget", forget_preview_page, methods=["GET"])
    routes.add_api_route("/conversation/forget", forget_page, methods=["POST"])
    for others in (review_routes(), resource_routes(), graph_routes(), chart_routes()):
        routes.include_router(others)
    return routes


async def conversations_page(request: Request, view: View, memory: Served, after: str | None = None) -> HTMLResponse:
    """The conversations of the scope, newest talk first."""
    found = await memory.conversations(scope=view.scope, limit=OUTLINES_PER_PAGE + 1, after=after or None)
    shown = found[:OUTLINES_PER_PAGE]
    return page(
        request, "conversations.html", viewpoint=view, outlines=shown, first=not after,
        after=shown[-1].page if len(found) > len(shown) else None,
    )  # fmt: skip


async def conversation_page(
    request: Request, view: View, memory: Served, name: str, message: str | None = None,
    after: int | None = None, before: int | None = None,
) -> HTMLResponse:  # fmt: skip
    """One conversation in order: around a `message` by its external id, after or before a number, else its end."""
    key = Conversation.parse(name).key
    scope = replace(view.scope, conversation=key)
    shown = await _stretch(memory, scope, message=message, after=after, before=before)
    earlier = await memory.messages(scope=scope, before_id=shown[0].message_id if shown else END, limit=1)
    if not shown and not earlier:
        raise NotFoundError("name", "is no conversation of this scope", remedy="the list says which there are")
    later = await memory.messages(scope=scope, after_id=shown[-1].message_id, limit=1) if shown else ()
    told = await _told(memory, scope, shown)
    days = [(day, list(each)) for day, each in groupby(told, key=lambda one: one.message.session)]
    return page(
        request, "conversation.html", viewpoint=view, key=key, sessions=days, wanted=message,
        earlier=shown[0].message_id if shown and earlier else None,
        later=shown[-1].message_id if later else None,
    )  # fmt: skip


async def forget_preview_page(request: Request, view: View, memory: Served, name: str, message: str) -> HTMLResponse:
    """What would go with a message; nothing is touched."""
    key = Conversation.parse(name).key
    preview = await memory.forget(scope=view.scope, message_ids=[message], conversation=key)
    assert isinstance(preview, ForgetPreview)
    return page(request, "forget_message.html", viewpoint=view, key=key, message=message, preview=preview, receipt=None)


async def forget_page(
    request: Request, view: View, memory: Served, name: Annotated[str, Form()], message: Annotated[str, Form()],
    confirm: Annotated[str, Form()],
) -> HTMLResponse:  # fmt: skip
    """The message is forgotten: the receipt."""
    key = Conversation.parse(name).key
    receipt = await memory.forget(scope=view.scope, message_ids=[message], conversation=key, confirm=confirm)
    return page(request, "forget_message.html", viewpoint=view, key=key, message=message, preview=None, receipt=receipt)


async def _stretch(
    memory: AsyncMemory, scope: Scope, *, message: str | None, after: int | None, before: int | None
) -> tuple[Message, ...]:
    """The messages of the page, in order."""
    if message:
        learned = await memory.learned(scope=scope, message_ids=[message], conversation=scope.conversation)
        number = learned.messages[0].message_id
        lead = await memory.messages(scope=scope, before_id=number, limit=LEAD_MESSAGES)
        after = (lead[0].message_id if lead else number) - 1
    if after is not None:
        return await memory.messages(scope=scope, after_id=max(after, 0), limit=MESSAGES_PER_PAGE)
    end = END if before is None else max(before, 1)
    return await memory.messages(scope=scope, before_id=end, limit=MESSAGES_PER_PAGE)


async def _told(memory: AsyncMemory, scope: Scope, messages: Sequence[Message]) -> list[Told]:
    """The messages with what was made of them. A checkpoint is no message of anybody's: nothing is taken from it."""
    spoken = [each.external_id for each in messages if each.kind != "checkpoint_summary"]
    learned = await memory.learned(scope=scope, message_ids=spoken, conversation=scope.conversation)
    states = {each.message_id: each for each in learned.messages}
    numbers = dict.fromkeys(each.fact_id for each in learned.decided if each.fact_id is not None)
    facts = {number: await _fact(memory, scope, number) for number in numbers}
    return [
        Told(
            message=message,
            learning=states.get(message.message_id),
            decided=tuple(
                (each, facts.get(each.fact_id) if each.fact_id is not None else None)
                for each in learned.decided
                if each.message_id == message.message_id
            ),
        )
        for message in messages
    ]


async def _fact(memory: AsyncMemory, scope: Scope, number: int) -> Fact | None:
    """The fact as it is now; None for one that this scope may not see, or that is gone."""
    try:
        return await memory.fact(number, scope=replace(scope, conversation=None))
    except NotFoundError:
        return None
