"""What does the timeline show: what held when, and what replaced it?"""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from glossator.errors import UsageError
from glossator.model import FACT_STATES, Fact
from glossator.surfaces.show.wording import plural
from glossator.surfaces.web.asked import DAY, day_end
from glossator.surfaces.web.failures import PageRoute
from glossator.surfaces.web.rendering import page
from glossator.surfaces.web.scoping import Served, View
from glossator.surfaces.web.timeline import WIDTH, Axis, Lane, axis_of, lanes_of

DRAWN_MAX = 1_000
"""As many facts as the engine lists at once: the latest seen."""
LANES_PER_PAGE = 40
DRAWN_STATES = tuple(state for state in FACT_STATES if state != "erased")

routes = APIRouter(route_class=PageRoute)


@routes.get("/timeline")
async def timeline(
    request: Request,
    view: View,
    memory: Served,
    q: str = "",
    as_of: str = "",
    replaced: bool = False,
    number: Annotated[int, Query(alias="page", ge=1, le=DRAWN_MAX)] = 1,
) -> Response:
    """Lanes of facts over time; with `as_of` what held at the end of that day."""
    day = _checked_day(as_of)
    facts = await memory.facts(scope=view.scope, states=DRAWN_STATES, limit=DRAWN_MAX)
    held: set[int] | None = None
    if day is not None:
        then = await memory.facts(scope=view.scope, as_of=day_end(as_of), limit=DRAWN_MAX)
        held = {fact.fact_id for fact in then}
    drawn = [fact for fact in facts if _fits(fact, q)]
    axis = axis_of(facts) if facts else None
    lanes = lanes_of(drawn, axis, held=held) if axis else ()
    if replaced:
        lanes = tuple(lane for lane in lanes if len(lane.bars) > 1)
    first = (number - 1) * LANES_PER_PAGE
    more = len(lanes) > first + LANES_PER_PAGE
    return page(
        request, "timeline.html", viewpoint=view, q=q, replaced=replaced, as_of=as_of if day else "", day=day,
        axis=axis, width=WIDTH,
        lanes=lanes[first : first + LANES_PER_PAGE], cursor=_cursor(axis, day), any_fact=bool(facts),
        reached=_reached(axis, day), cut=len(facts) == DRAWN_MAX,
        summary=_summary(lanes, held, as_of),
        before=view.link("timeline", q=q, as_of=as_of, replaced=replaced, page=number - 1) if number > 1 else None,
        behind=view.link("timeline", q=q, as_of=as_of, replaced=replaced, page=number + 1) if more else None,
    )  # fmt: skip


def _checked_day(text: str) -> datetime | None:
    """The end of the day. Raises UsageError for what is no day."""
    if not text.strip():
        return None
    try:
        begin = datetime.strptime(text.strip()[:DAY], "%Y-%m-%d").replace(tzinfo=UTC)
        return begin + timedelta(days=1)
    except (ValueError, OverflowError) as error:
        raise UsageError("as_of", "is no day", remedy="for example 2026-11-30") from error


def _fits(fact: Fact, words: str) -> bool:
    """True if subject, key or statement has all the words as they stand."""
    shown = f"{fact.subject} {fact.key} {fact.text}".casefold()
    return all(word in shown for word in words.casefold().split())


def _cursor(axis: Axis | None, day: datetime | None) -> int | None:
    return None if axis is None or day is None else axis.place(day)


def _reached(axis: Axis | None, day: datetime | None) -> int:
    """Where the slider stands, in days from the first."""
    if axis is None:
        return 0
    if day is None:
        return axis.days
    passed = (day - timedelta(days=1)).date() - axis.start.date()
    return max(0, min(axis.days, passed.days))


def _summary(lanes: tuple[Lane, ...], held: set[int] | None, as_of: str) -> str:
    drawn = [bar.fact for lane in lanes for bar in lane.bars]
    counted = f"{plural(len(drawn), 'fact')} in {plural(len(lanes), 'lane')}"
    if held is None:
        return counted
    holding = sum(fact.fact_id in held for fact in drawn)
    return f"{counted}; at the end of {as_of} {plural(holding, 'fact')} held"
