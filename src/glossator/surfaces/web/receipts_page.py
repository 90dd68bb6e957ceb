"""What was forgotten here, and does the proof of it hold?"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from glossator import AsyncMemory
from glossator.errors import NotFoundError
from glossator.model import SignedReceipt
from glossator.surfaces.show.wording import plural
from glossator.surfaces.web.failures import PageRoute
from glossator.surfaces.web.rendering import HEADERS, page
from glossator.surfaces.web.scoping import Served, View

RECEIPTS_PER_PAGE = 50
PAGES_MAX = 100_000
NAMED_MAX = 8
"""So many ids of one receipt are shown; its file has all."""

routes = APIRouter(route_class=PageRoute)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A receipt in words: what went, who asked, what may still hold it, and whether its signature holds."""

    receipt: SignedReceipt
    what: str
    by: str
    named: tuple[str, ...]
    named_count: int
    backup_count: int
    genuine: bool


@routes.get("/receipts")
async def receipts(
    request: Request, view: View, memory: Served, number: Annotated[int, Query(alias="page", ge=1, le=PAGES_MAX)] = 1
) -> Response:
    """The receipts of the scope, the latest first."""
    kept = (await memory.receipts(scope=view.scope))[::-1]
    first = (number - 1) * RECEIPTS_PER_PAGE
    here = kept[first : first + RECEIPTS_PER_PAGE]
    key = await memory.receipt_key() if here else ""
    return page(
        request, "receipts.html", viewpoint=view, proofs=proofs_of(here, key), key=key,
        summary=plural(len(kept), "receipt"),
        before=view.link("receipts", page=number - 1) if number > 1 else None,
        behind=view.link("receipts", page=number + 1) if len(kept) > first + RECEIPTS_PER_PAGE else None,
    )  # fmt: skip


@routes.get("/receipts/{name}.json")
async def signed(view: View, memory: Served, name: str) -> Response:
    """The signed line as a file: `glossator receipt verify` takes it."""
    found = await _receipt(memory, view, name)
    saved = {"Content-Disposition": f'attachment; filename="receipt-{found.receipt_id}.json"'}
    return Response(found.text + "\n", media_type="application/json", headers={**HEADERS, **saved})


def proofs_of(kept: Sequence[SignedReceipt], key: str) -> list[Proof]:
    """The receipts as the page shows them, each checked with the key of this memory."""
    return [_proof(each, key) for each in kept]


def _proof(receipt: SignedReceipt, key: str) -> Proof:
    from glossator.providers.signing import verify_receipt

    fields = json.loads(receipt.text)
    counts = fields["counts"]
    parts = [plural(counts[name], name[:-1]) for name in ("messages", "facts") if counts.get(name)]
    ids = (*fields["message_ids"], *fields["fact_ids"])
    gone = "forgotten" if fields["state"] == "invalidated" else fields["state"]
    return Proof(
        receipt=receipt, what=f"{' and '.join(parts) or 'nothing'} {gone}", by=fields["by"],
        named=ids[:NAMED_MAX], named_count=len(ids), backup_count=len(fields["backups"]),
        genuine=verify_receipt(receipt.text, key),
    )  # fmt: skip


async def _receipt(memory: AsyncMemory, view: View, name: str) -> SignedReceipt:
    for each in await memory.receipts(scope=view.scope):
        if each.receipt_id == name:
            return each
    raise NotFoundError("name", "is no receipt of this scope", remedy="the list says which there are")
