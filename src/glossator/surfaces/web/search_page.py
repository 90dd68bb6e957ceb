"""What does the search page show: the hits of a question, and why each of them came?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from markupsafe import Markup

from glossator.model import Answer, Hit
from glossator.surfaces.show.answers import clipped
from glossator.surfaces.show.facts import sort_of
from glossator.surfaces.show.marking import Span, matched_spans, matched_words
from glossator.surfaces.show.wording import plural, reason
from glossator.surfaces.web.asked import day_end, labels
from glossator.surfaces.web.dates import happened
from glossator.surfaces.web.failures import PageRoute
from glossator.surfaces.web.rendering import page
from glossator.surfaces.web.scoping import Served, View
from glossator.surfaces.web.text import marked

LIMIT = 10
LIMIT_MAX = 200
LANES: Mapping[str, str] = {
    "lexical": "its words",
    "vector": "its meaning",
    "neighbours": "what was said beside it",
}
SIGNALS: Mapping[str, tuple[str, str]] = {
    "lexical": ("Words in common", "BM25 of the words of the question, beside the best of this answer"),
    "vector": ("Meaning above the usual", "how far the cosine lies above the median of all, 0 below it"),
    "cosine": ("Cosine", "of the question's vector and the sentence's"),
    "late": ("Word by word in meaning", "each word of the question with the word nearest to it"),
    "late_near": ("The same, with what stands beside it", ""),
    "neighbours": ("What was said beside it", "the best of the messages just before and after"),
    "session": ("Its session as a whole", "how well all of what was said together fits"),
    "speaker": ("Said by whom the question names", ""),
    "second": ("Asked again with the best hit", "the search repeated with the words of the best sentence"),
    "names": ("Names of the question", ""),
    "phrases": ("Exact phrases of the question", ""),
    "time": ("The time asked about", "a factor: 1 changes nothing"),
    "dated": ("It names a date", "where the question asks when"),
    "nostalgia": ("An old memory", ""),
    "blend": ("Hand-set sum", "all of the above, before the learned ranker"),
}
"""The signals that make a hit's place, in words; the rest are the numbers that the learned ranker sees."""

routes = APIRouter(route_class=PageRoute)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalRow:
    """One line of the table: `length` is its share of the strongest of the answer, 0 to 100."""

    name: str
    meaning: str
    value: str
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownHit:
    """A hit, ready for its template."""

    hit: Hit
    words: Markup
    happened: Markup
    reason: str
    lanes: tuple[str, ...]
    matched: tuple[str, ...]
    signals: tuple[SignalRow, ...]
    rest: tuple[SignalRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The fields of the form as they were sent."""

    q: str
    limit: int
    as_of: str
    project: str
    tags: str
    history: bool

    @property
    def narrowed(self) -> bool:
        """True if something beside the words keeps hits away."""
        return bool(self.as_of or self.project or self.tags)


@routes.get("/search")
async def search(
    request: Request,
    view: View,
    memory: Served,
    q: str = "",
    limit: Annotated[int, Query(ge=1, le=LIMIT_MAX)] = LIMIT,
    as_of: str = "",
    project: str = "",
    tags: str = "",
    history: bool = False,
) -> Response:
    """The form, and with a question its answer."""
    asked = Asked(q=q, limit=limit, as_of=as_of, project=project, tags=tags, history=history)
    if not q.strip():
        return page(request, "search.html", viewpoint=view, asked=asked, answer=None, summary="")
    answer = await memory.recall(
        q, scope=view.scope, limit=limit, as_of=day_end(as_of), project=project or None, tags=labels(tags),
        history=history, explain=True,
    )  # fmt: skip
    more = None
    if len(answer.hits) == limit < LIMIT_MAX:
        more = view.link(
            "search", q=q, limit=min(LIMIT_MAX, limit * 2), as_of=as_of, project=project, tags=tags, history=history
        )
    return page(
        request, "search.html", viewpoint=view, asked=asked, answer=answer, hits=shown_hits(answer), more=more,
        summary=plural(len(answer.hits), "hit"), narrowed=asked.narrowed, sort_of=sort_of,
    )  # fmt: skip


def shown_hits(answer: Answer) -> list[ShownHit]:
    """The hits with their marks and traces."""
    strongest = _strongest(answer.hits)
    return [_shown(hit, strongest) for hit in answer.hits]


def _shown(hit: Hit, strongest: Mapping[str, float]) -> ShownHit:
    terms = hit.trace.matched_terms if hit.trace else ()
    text = clipped(hit)
    matched = matched_words(hit.text, terms)
    signals = hit.trace.signals if hit.trace else {}
    return ShownHit(
        hit=hit,
        words=marked(text, matched_spans(text, terms), timed=_timed(text, hit)),
        happened=happened(hit.event, offset_minutes=hit.said.offset_minutes),
        reason=reason(hit.trace, matched) if hit.trace else "",
        lanes=tuple(LANES.get(lane, lane) for lane in hit.trace.lanes) if hit.trace else (),
        matched=matched,
        signals=tuple(_row(name, signals[name], strongest) for name in SIGNALS if name in signals),
        rest=tuple(_row(name, signals[name], strongest) for name in sorted(signals.keys() - SIGNALS.keys())),
    )


def _row(name: str, value: float, strongest: Mapping[str, float]) -> SignalRow:
    label, meaning = SIGNALS.get(name, (name.replace("_", " "), ""))
    share = abs(value) / strongest[name] if strongest[name] else 0.0
    return SignalRow(name=label, meaning=meaning, value=f"{value:.3f}", length=round(100 * min(1.0, share)))


def _strongest(hits: Sequence[Hit]) -> Mapping[str, float]:
    strongest: dict[str, float] = {}
    for hit in hits:
        for name, value in (hit.trace.signals if hit.trace else {}).items():
            strongest[name] = max(strongest.get(name, 0.0), abs(value))
    return strongest


def _timed(text: str, hit: Hit) -> Span | None:
    """Where the words of its time stand."""
    words = hit.event.words if hit.event.source == "own" else ""
    place = text.find(words) if words else -1
    return None if place < 0 else (place, place + len(words))
