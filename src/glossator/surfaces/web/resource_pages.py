"""What stands in the prompt, what did it say before, and how does one bring an earlier text back?"""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from glossator import AsyncMemory
from glossator.errors import ConflictError, NotFoundError, PermissionDeniedError, UsageError
from glossator.model import Conversation, PromptFile, ResourceKind, Revision, Scope
from glossator.model.resource import NO_TEXT
from glossator.surfaces.web.diffs import DiffLine, diff_lines
from glossator.surfaces.web.failures import PageRoute
from glossator.surfaces.web.rendering import page
from glossator.surfaces.web.scoping import Served, View, Viewpoint
from glossator.upkeep.resources import FILES, REBUILT, kind_named

WRITTEN: tuple[ResourceKind, ...] = ("rules", "soul")
"""These are what somebody writes; the others are made from facts or by compaction."""
REVISIONS_MAX = 100
CONFLICT = (
    "Somebody has written this text since you opened it, so nothing was changed. Their text is below; yours is in the"
    " field. Compare them, and save again to put yours in its place."
)
MOVED_ON = "Somebody has written this text since you opened it, so nothing was brought back. Look at it first."
SAID: Mapping[str, str] = {
    "written": "Saved as a new revision.",
    "same": "It says just that already; no new revision was made.",
    "rolled": "The earlier text is back, as a new revision.",
}
"""What a page says after a change, by the word in its address."""


def resource_routes() -> APIRouter:
    """The pages of the texts of a prompt."""
    routes = APIRouter(route_class=PageRoute)
    routes.add_api_route("/resources", resources_page, methods=["GET"])
    routes.add_api_route("/resource", resource_page, methods=["GET"])
    routes.add_api_route("/resource", write_page, methods=["POST"])
    routes.add_api_route("/resource/diff", diff_page, methods=["GET"])
    routes.add_api_route("/resource/rollback", rollback_page, methods=["POST"])
    return routes


async def resources_page(request: Request, view: View, memory: Served) -> HTMLResponse:
    """Every text of the prompt as it is now, and the latest checkpoints."""
    newest = await memory.resources(scope=view.scope)
    rendered = await _rendered(memory, view.scope)
    return page(
        request, "resources.html", viewpoint=view, files=FILES, written=WRITTEN, rendered=rendered,
        texts={each.kind: each for each in newest if each.kind != "checkpoint"},
        checkpoints=[each for each in newest if each.kind == "checkpoint"],
    )  # fmt: skip


async def resource_page(
    request: Request, view: View, memory: Served, kind: str, number: int | None = None,
    conversation: str | None = None, done: str = "",
) -> HTMLResponse:  # fmt: skip
    """One text: what it says, every revision, and the forms that change it."""
    return await _shown(request, view, memory, kind_named(kind), number=number, conversation=conversation, done=done)


async def diff_page(
    request: Request, view: View, memory: Served, kind: str, first: int, second: int, conversation: str | None = None
) -> HTMLResponse:
    """How two revisions differ."""
    named, key = kind_named(kind), _key(conversation)
    diff = await memory.resource_diff(named, first, second, scope=view.scope, conversation=key)
    return page(
        request, "resource_diff.html", viewpoint=view, kind=named, name=FILES[named], conversation=key,
        first=await memory.resource(named, scope=view.scope, number=first, conversation=key),
        second=await memory.resource(named, scope=view.scope, number=second, conversation=key),
        lines=diff_lines(diff),
    )  # fmt: skip


async def write_page(
    request: Request, view: View, memory: Served, kind: Annotated[str, Form()],
    expected_sha256: Annotated[str, Form()] = NO_TEXT, content: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """Keep what was typed, if the text is still the one that it was typed over; say so in words if not."""
    named = kind_named(kind)
    typed = content.replace("\r\n", "\n")
    try:
        committed = await memory.write_resource(
            named, typed, scope=view.scope, expected_sha256=expected_sha256, reason=reason.strip() or "edited by hand"
        )
    except ConflictError:
        return await _shown(request, view, memory, named, status=409, problem=CONFLICT, typed=typed, reason=reason)
    except PermissionDeniedError:
        raise
    except UsageError as refused:
        words = f"Not saved: the {refused.argument} {refused.problem}. {refused.remedy}"
        return await _shown(request, view, memory, named, status=422, problem=words, typed=typed, reason=reason)
    return _see(view, named, "written" if committed.changed else "same")


async def rollback_page(
    request: Request, view: View, memory: Served, kind: Annotated[str, Form()], number: Annotated[int, Form()],
    expected_sha256: Annotated[str, Form()],
) -> Response:  # fmt: skip
    """Bring the text of a revision back, if the newest one is still the one that was looked at."""
    named = kind_named(kind)
    try:
        rolled = await memory.rollback_resource(named, number, scope=view.scope, expected_sha256=expected_sha256)
    except ConflictError as conflict:
        words = f"Nothing was brought back: {conflict.problem}. {conflict.remedy}"
        if conflict.argument == "expected_sha256":
            words = MOVED_ON
        return await _shown(request, view, memory, named, status=409, problem=words)
    return _see(view, named, "rolled" if rolled.committed.changed else "same")


async def _shown(
    request: Request, view: Viewpoint, memory: AsyncMemory, kind: ResourceKind, *, status: int = 200,
    number: int | None = None, conversation: str | None = None, done: str = "", problem: str = "",
    typed: str | None = None, reason: str = "",
) -> HTMLResponse:  # fmt: skip
    key = _key(conversation)
    history = await memory.resource_history(kind, scope=view.scope, conversation=key, limit=REVISIONS_MAX)
    if not history and kind not in (*WRITTEN, *REBUILT):
        raise NotFoundError("conversation", "has no checkpoint", remedy="it has one once it was compacted")
    revision = history[0] if history and number is None else None
    if number is not None:
        revision = await memory.resource(kind, scope=view.scope, number=number, conversation=key)
    rendered = (await _rendered(memory, view.scope)).get(kind)
    newest = history[0] if history else None
    return page(
        request, "resource.html", status=status, viewpoint=view, kind=kind, name=FILES[kind], conversation=key,
        revision=revision, history=history, newest=newest, rendered=rendered, said=SAID.get(done, ""), problem=problem,
        editable=kind in WRITTEN, rolls_back=kind != "checkpoint", rebuilt=kind in REBUILT,
        expected=newest.sha256 if newest else NO_TEXT, reason=reason,
        typed=typed if typed is not None else newest.content if newest else "",
        changes=await _changes(memory, view.scope, revision, key),
    )  # fmt: skip


async def _changes(
    memory: AsyncMemory, scope: Scope, revision: Revision | None, key: str | None
) -> tuple[DiffLine, ...] | None:
    """What a revision changed of the one before it; None where there is none, or its words are gone."""
    if revision is None or revision.parent is None or revision.erased_at is not None:
        return None
    try:
        diff = await memory.resource_diff(
            revision.kind, revision.parent, revision.number, scope=scope, conversation=key
        )
    except UsageError:
        return None
    return diff_lines(diff)


async def _rendered(memory: AsyncMemory, scope: Scope) -> dict[ResourceKind, PromptFile]:
    """USER.md and MEMORY.md as the facts make them now, whether or not they are written to a folder."""
    files = await memory.prompt_files(scope=scope)
    return {"user_md": files.user, "memory_md": files.memory}


def _see(view: Viewpoint, kind: ResourceKind, done: str) -> RedirectResponse:
    return RedirectResponse(view.link("resource", kind=kind, done=done), status_code=303)


def _key(conversation: str | None) -> str | None:
    return Conversation.parse(conversation).key if conversation else None
