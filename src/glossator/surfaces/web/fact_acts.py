"""How does a reader change a fact: archive, deprioritise, bring back, restore, and forget or erase after a preview?"""

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from glossator import AsyncMemory
from glossator.errors import ConflictError, NotFoundError, UsageError
from glossator.model import FactPreview, FactReceipt
from glossator.surfaces.web.asked import labels
from glossator.surfaces.web.fact_offers import ERASE, FORGET
from glossator.surfaces.web.facts_pages import fact_answer
from glossator.surfaces.web.failures import PageRoute
from glossator.surfaces.web.rendering import page
from glossator.surfaces.web.scoping import Served, View, Viewpoint
from glossator.wire.problems import status_of

Moving = Literal["archive", "deprioritise", "reinstate", "restore"]
Going = Literal["forget", "erase"]
Field = Annotated[str, Form()]

routes = APIRouter(route_class=PageRoute)


@routes.get("/facts/{fact_id}/{act}")
async def preview(request: Request, view: View, memory: Served, fact_id: str, act: Going) -> Response:
    """What would go; nothing is touched."""
    return await _preview_answer(request, view, memory, fact_id, act)


@routes.post("/facts/{fact_id}/{act}")
async def acted(
    request: Request,
    view: View,
    memory: Served,
    fact_id: str,
    act: Moving | Going,
    reason: Field = "",
    hints: Field = "",
    replace: Field = "",
    confirm: Field = "",
) -> Response:
    """Do it and go back to the fact, which tells; what the engine refuses is told there too."""
    if act == "forget" or act == "erase":
        return await _gone(request, view, memory, fact_id, act, reason=reason, confirm=confirm)
    try:
        await _moved(memory, view, fact_id, act, reason=reason, hints=labels(hints), replace=bool(replace))
    except NotFoundError:
        raise
    except UsageError as error:
        return await fact_answer(request, view, memory, fact_id, refused=error, act=act)
    return RedirectResponse(view.link(f"facts/{fact_id}", done=True), status_code=303)


async def _moved(
    memory: AsyncMemory, view: Viewpoint, fact_id: str, act: Moving, *, reason: str, hints: tuple[str, ...],
    replace: bool,
) -> None:  # fmt: skip
    match act:
        case "archive":
            await memory.archive_facts([fact_id], scope=view.scope, reason=reason)
        case "deprioritise":
            await memory.deprioritise_facts([fact_id], scope=view.scope, reason=reason, reinstate_hints=hints)
        case "reinstate":
            await memory.reinstate_facts([fact_id], scope=view.scope, reason=reason)
        case "restore":
            await memory.restore_fact(fact_id, scope=view.scope, reason=reason, replace=replace)


async def _gone(
    request: Request, view: Viewpoint, memory: AsyncMemory, fact_id: str, act: Going, *, reason: str, confirm: str
) -> Response:
    try:
        receipt = await memory.forget_facts(
            scope=view.scope, fact_ids=[fact_id], confirm=confirm, erase=act == "erase", reason=reason
        )
    except ConflictError as error:
        return await _preview_answer(request, view, memory, fact_id, act, refused=error)
    except NotFoundError:
        raise
    except UsageError as error:
        return await fact_answer(request, view, memory, fact_id, refused=error, act=act)
    assert isinstance(receipt, FactReceipt)
    return RedirectResponse(view.link(f"facts/{fact_id}", done=True, receipt=receipt.receipt_id), status_code=303)


async def _preview_answer(
    request: Request, view: Viewpoint, memory: AsyncMemory, fact_id: str, act: Going, *,
    refused: UsageError | None = None,
) -> Response:  # fmt: skip
    try:
        shown = await memory.forget_facts(scope=view.scope, fact_ids=[fact_id], erase=act == "erase")
    except NotFoundError:
        raise
    except UsageError as error:
        return await fact_answer(request, view, memory, fact_id, refused=error, act=act)
    assert isinstance(shown, FactPreview)
    return page(
        request, "forget_facts.html", viewpoint=view, status=status_of(refused) if refused else 200,
        preview=shown, offer=ERASE if act == "erase" else FORGET, fact_id=shown.facts[0].id, refused=refused,
    )  # fmt: skip
