"""What is still to be done, what failed, and where does the review of each conversation stand?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse

from glossator import AsyncMemory
from glossator.errors import NotFoundError
from glossator.model import Conversation, ConversationOutline, Decided, OpenWork, ReviewResult, ReviewState, Scope
from glossator.surfaces.show.reviews import SKIPS
from glossator.surfaces.show.wording import plural
from glossator.surfaces.web.failures import PageRoute
from glossator.surfaces.web.rendering import page
from glossator.surfaces.web.scoping import Served, View, Viewpoint
from glossator.wiring import SystemClock

REVIEWS_MAX = 50
TALKS_MAX = 4
MESSAGES_MAX = 25
DECISIONS_MAX = 20
"""What was decided last is looked for in so many messages of so many conversations, and so much of it is shown."""
POLL_S = 5
"""How often the page asks again, until it is paused."""
KINDS: Mapping[str, str] = {
    "embed": "messages to be found by meaning",
    "embed_fact": "facts to be found by meaning",
    "extract": "messages to take facts from",
    "pre_compress": "cut parts of prompts to take facts from",
    "session_end": "finished runs to take facts from",
}
DECISIONS: Mapping[str, str] = {
    "admit": "kept",
    "merge": "said before",
    "supersede": "kept, replaces",
    "hold": "held back",
    "refuse": "not kept",
}
ENDS: Mapping[str | None, str] = {
    None: "not yet",
    "ok": "changed something",
    "nothing_to_save": "nothing to save",
    "failed": "failed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkPart:
    """What the page shows again and again: work with its age in words, reviews, and what was decided last and where."""

    now: datetime
    work: tuple[tuple[OpenWork, str], ...]
    reviews: tuple[ReviewState, ...]
    decided: tuple[tuple[Decided, str], ...]
    summary: str
    digest: str
    """Another one for another summary: so that a reader is told of it only when it changes."""


def review_routes() -> APIRouter:
    """The pages of what happens behind the turns."""
    routes = APIRouter(prefix="/work", route_class=PageRoute)
    routes.add_api_route("", work_page, methods=["GET"])
    routes.add_api_route("/part", work_part, methods=["GET"])
    routes.add_api_route("/review", review_page, methods=["POST"])
    return routes


async def work_page(request: Request, view: View, memory: Served, paused: bool = False) -> HTMLResponse:
    """The queue, the reviews, and what was decided last."""
    return await _shown(request, view, memory, paused=paused)


async def work_part(request: Request, view: View, memory: Served, paused: bool = False, seen: str = "") -> HTMLResponse:
    """The part of the page that is asked for again and again; `seen` is the summary that the reader has heard."""
    part = await _read(view, memory)
    return page(
        request, "work_part.html", viewpoint=view, paused=paused, part=part, alone=True, changed=part.digest != seen,
        kinds=KINDS, ends=ENDS, decisions=DECISIONS, poll_s=POLL_S,
    )  # fmt: skip


async def review_page(
    request: Request, view: View, memory: Served, conversation: Annotated[str, Form()] = ""
) -> HTMLResponse:
    """Review one conversation now, or all that have something new."""
    results = await memory.review(scope=view.scope, conversation=conversation or None, now=True)
    return await _shown(request, view, memory, results=results)


async def _shown(
    request: Request, view: Viewpoint, memory: AsyncMemory, *, paused: bool = False,
    results: Sequence[ReviewResult] | None = None,
) -> HTMLResponse:  # fmt: skip
    return page(
        request, "work.html", viewpoint=view, paused=paused, part=await _read(view, memory), alone=False, changed=True,
        results=results, skips=SKIPS, kinds=KINDS, ends=ENDS, decisions=DECISIONS, poll_s=POLL_S,
    )  # fmt: skip


async def _read(view: Viewpoint, memory: AsyncMemory) -> WorkPart:
    now = SystemClock().now()
    work = await memory.open_work(scope=view.scope)
    summary = summary_of(work)
    talks = await memory.conversations(scope=view.scope, limit=REVIEWS_MAX)
    return WorkPart(
        now=now,
        work=tuple(
            (each, age_words(each.oldest_created_at, now)) for each in work if each.pending_count or each.failed_count
        ),
        reviews=reviews_of(view.scope, await memory.review_states(scope=view.scope, limit=REVIEWS_MAX), talks),
        decided=await _decided_last(memory, view.scope, talks[:TALKS_MAX]),
        summary=summary,
        digest=sha256(summary.encode()).hexdigest()[:12],
    )


def summary_of(work: Sequence[OpenWork]) -> str:
    """The queue in a sentence, as it is read aloud when it changes."""
    pending, failed = sum(each.pending_count for each in work), sum(each.failed_count for each in work)
    waiting = f"{plural(pending, 'piece')} of work waiting" if pending else "No work is waiting"
    return waiting + (f", {failed:,} given up." if failed else ".")


def reviews_of(
    scope: Scope, states: Sequence[ReviewState], talks: Sequence[ConversationOutline]
) -> tuple[ReviewState, ...]:
    """The reviews, and behind them the conversations of which no review has read anything yet."""
    known = {each.scope.conversation for each in states}
    fresh = [each.conversation for each in talks if each.conversation not in known]
    return (*states, *(ReviewState(scope=replace(scope, conversation=key)) for key in fresh))


def age_words(since: datetime | None, now: datetime) -> str:
    """How long something has waited: "under a minute", "12 minutes", "3 hours", "2 days"; "" for nothing."""
    if since is None:
        return ""
    seconds = (now - since).total_seconds()
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            return plural(int(seconds // size), name)
    return "under a minute"


async def _decided_last(
    memory: AsyncMemory, scope: Scope, talks: Sequence[ConversationOutline]
) -> tuple[tuple[Decided, str], ...]:
    """What was decided last about the newest talk, with the conversation's key, the newest first."""
    found: list[tuple[Decided, str]] = []
    for outline in talks:
        key = outline.conversation
        inside = replace(scope, conversation=key)
        live = await memory.conversation(scope=inside, conversation=key, limit=MESSAGES_MAX)
        ids = [each.external_id for each in live if each.kind != "checkpoint_summary"]
        try:
            learned = await memory.learned(scope=inside, message_ids=ids, conversation=key)
        except NotFoundError:  # one of them was forgotten in between
            continue
        found += [(each, Conversation.parse(key).key) for each in learned.decided]
    return tuple(sorted(found, key=lambda each: (each[0].at, each[0].decision_id), reverse=True)[:DECISIONS_MAX])
