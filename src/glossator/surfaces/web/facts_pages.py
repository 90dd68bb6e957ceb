"""What do the pages of facts show: the list with its filters, and all that is known of one fact?"""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from glossator import AsyncMemory
from glossator.errors import UsageError
from glossator.model import (
    ALL_CATEGORIES,
    FACT_STATES,
    RECALLABLE,
    SELF,
    Category,
    Contradiction,
    Explanation,
    Fact,
    FactState,
)
from glossator.surfaces.show.facts import DECISIONS, sort_of
from glossator.surfaces.show.wording import plural
from glossator.surfaces.web.asked import day_end, labels
from glossator.surfaces.web.fact_offers import done_words, offers_of, undo_of
from glossator.surfaces.web.failures import PageRoute
from glossator.surfaces.web.rendering import page
from glossator.surfaces.web.scoping import Served, View, Viewpoint
from glossator.wire.problems import status_of

PAGE_FACTS = 50
FACTS_MAX = 1_000
"""As many as one list of the engine has; older ones are reached in order of number."""
FOUND_MAX = 100
STATEMENT_BYTES_MAX = 8_000
"""A longer statement the engine does not look up; see `Memory.remember`."""
routes = APIRouter(route_class=PageRoute)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filtered:
    """The fields of the list's form as they were sent."""

    q: str
    state: tuple[FactState, ...]
    category: tuple[Category, ...]
    project: str
    tags: str
    as_of: str
    order: str

    @property
    def narrowed(self) -> bool:
        """True if anything keeps facts away beside their state."""
        return bool(self.q or self.category or self.project or self.tags or self.as_of)

    def link(self, view: Viewpoint, **more: int | None) -> str:
        """The address of the same list, further on."""
        return view.link(
            "facts", q=self.q, state=self.state, category=self.category, project=self.project, tags=self.tags,
            as_of=self.as_of, order=self.order, **more,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A page of facts, with the addresses of the page before and the page behind it, where there is one."""

    facts: tuple[Fact, ...]
    summary: str
    before: str | None = None
    behind: str | None = None


@routes.get("/facts")
async def facts(
    request: Request,
    view: View,
    memory: Served,
    q: str = "",
    state: Annotated[list[FactState] | None, Query()] = None,
    category: Annotated[list[Category] | None, Query()] = None,
    project: str = "",
    tags: str = "",
    as_of: str = "",
    order: str = "",
    number: Annotated[int, Query(alias="page", ge=1, le=FACTS_MAX)] = 1,
    after: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """The facts of the scope: by words best first, else the latest seen first, or in order of number."""
    asked = Filtered(
        q=q, state=tuple(state or RECALLABLE), category=tuple(category or ()), project=project, tags=tags, as_of=as_of,
        order=order if order == "number" else "",
    )  # fmt: skip
    if q.strip():
        listed = await _found(memory, view, asked)
    elif asked.order == "number":
        listed = await _numbered(memory, view, asked, after=after)
    else:
        listed = await _latest(memory, view, asked, number=number)
    return page(
        request, "facts.html", viewpoint=view, asked=asked, listed=listed, sort_of=sort_of, own=SELF,
        all_states=FACT_STATES, all_categories=ALL_CATEGORIES,
    )  # fmt: skip


async def _found(memory: AsyncMemory, view: Viewpoint, asked: Filtered) -> Listed:
    found = await memory.search_facts(
        asked.q, scope=view.scope, limit=FOUND_MAX, states=asked.state, categories=asked.category,
        project=asked.project or None, tags=labels(asked.tags),
    )  # fmt: skip
    best = "the best " if len(found) == FOUND_MAX else ""
    return Listed(facts=found, summary=f"{best}{plural(len(found), 'fact')}, the nearest first")


async def _latest(memory: AsyncMemory, view: Viewpoint, asked: Filtered, *, number: int) -> Listed:
    first = (number - 1) * PAGE_FACTS
    found = await memory.facts(
        scope=view.scope, states=asked.state, categories=asked.category, as_of=day_end(asked.as_of),
        project=asked.project or None, tags=labels(asked.tags), limit=min(FACTS_MAX, first + PAGE_FACTS + 1),
    )  # fmt: skip
    here = found[first : first + PAGE_FACTS]
    return Listed(
        facts=here,
        summary=_places(first, len(here), more=len(found) > first + PAGE_FACTS) + ", the latest seen first",
        before=asked.link(view, page=number - 1) if number > 1 else None,
        behind=asked.link(view, page=number + 1) if len(found) > first + PAGE_FACTS else None,
    )


async def _numbered(memory: AsyncMemory, view: Viewpoint, asked: Filtered, *, after: int) -> Listed:
    found = await memory.facts(
        scope=view.scope, states=asked.state, categories=asked.category, as_of=day_end(asked.as_of),
        project=asked.project or None, tags=labels(asked.tags), limit=PAGE_FACTS + 1, after_id=after,
    )  # fmt: skip
    here = found[:PAGE_FACTS]
    return Listed(
        facts=here,
        summary=plural(len(here), "fact") + ", in order of number",
        before=asked.link(view) if after else None,
        behind=asked.link(view, after=here[-1].fact_id) if len(found) > PAGE_FACTS else None,
    )


def _places(first: int, count: int, *, more: bool) -> str:
    if first == 0 and not more:
        return plural(count, "fact")
    return f"facts {first + 1:,} to {first + count:,}"


@routes.get("/facts/{fact_id}")
async def fact(
    request: Request, view: View, memory: Served, fact_id: str, done: bool = False, receipt: str = ""
) -> Response:
    """All that is known of a fact; with `done` also what has just become of it, and how that is undone."""
    return await fact_answer(request, view, memory, fact_id, done=done, receipt=receipt)


async def fact_answer(
    request: Request, view: Viewpoint, memory: AsyncMemory, fact_id: str, *, done: bool = False, receipt: str = "",
    refused: UsageError | None = None, act: str = "",
) -> Response:  # fmt: skip
    """The page of a fact; with `refused` it says why `act` was not done. Raises NotFoundError."""
    why = await memory.explain(fact_id, scope=view.scope)
    return page(
        request, "fact.html", viewpoint=view, status=status_of(refused) if refused else 200, why=why,
        fact=why.fact, offers=offers_of(why.fact), refused=refused, act=act, decisions=DECISIONS, sort_of=sort_of,
        done=done_words(why) if done else "", undo=undo_of(why) if done else None,
        receipt=receipt if receipt[:1] == "r" and receipt[1:].isdigit() else "",
        offset_minutes=why.evidence[0].said.offset_minutes if why.evidence else 0, own=SELF,
        collisions=await _collisions(memory, view, why),
    )  # fmt: skip


async def _collisions(memory: AsyncMemory, view: Viewpoint, why: Explanation) -> tuple[Contradiction, ...]:
    """What the statement would close or collide with if it were said again now."""
    text = why.fact.text
    if why.fact.state == "erased" or not text.strip() or len(text.encode("utf-8", "replace")) > STATEMENT_BYTES_MAX:
        return ()
    found = await memory.check_contradictions(text, scope=view.scope)
    return tuple(each for each in found if each.fact.fact_id != why.fact.fact_id)
