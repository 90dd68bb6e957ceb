"""How does a page come to be: its template, its frame, and the headers that let nothing foreign run in it?"""

from collections.abc import Mapping
from functools import cache

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from glossator.rules.instants import zone_named
from glossator.surfaces.http.settings import Settings
from glossator.surfaces.show.wording import conversation_name, plural
from glossator.surfaces.web import dates, text
from glossator.surfaces.web.scoping import Viewpoint, own_viewpoint, root_of

NAVIGATION: tuple[tuple[str, str], ...] = (
    ("search", "Search"),
    ("facts", "Facts"),
    ("timeline", "Timeline"),
    ("conversations", "Conversations"),
    ("entities", "Entities"),
    ("resources", "Resources"),
    ("work", "Work"),
)
"""Path below the root, and what it is called; the order of the bar."""

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; object-src "
    "'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # not "no-referrer": a form would be sent with the origin "null"
    "Cache-Control": "no-store",
}
STATES: Mapping[str, str] = {
    "active": "current",
    "deprioritised": "deprioritised",
    "superseded": "no longer so",
    "archived": "archived",
    "invalidated": "forgotten",
    "expired": "expired",
    "quarantined": "held back",
    "erased": "erased",
}
"""What a state means to a reader, as on the command line."""


@cache
def templates() -> Environment:
    """The templates of the inspector: everything is escaped, and a name that is missing is an error."""
    environment = Environment(
        loader=PackageLoader("glossator.surfaces.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        shown=text.shown, folded=text.folded, plain=text.plain, said=dates.said_words, moment=dates.moment,
        instant=dates.instant, happened=dates.happened, span=dates.span, conversation_name=conversation_name,
    )  # fmt: skip
    environment.globals.update(states=STATES, navigation=NAVIGATION, plural=plural)
    return environment


def page(
    request: Request, template: str, /, *, status: int = 200, viewpoint: Viewpoint | None = None, **values: object
) -> HTMLResponse:
    """The page. Its template sees `view` (None where nobody is logged in), `here` (the path below the root), `csrf`."""
    view = viewpoint or own_viewpoint(request)
    root = root_of(request)
    settings: Settings = request.app.state.settings
    clock = dates.READER_ZONE.set(zone_named(settings.zone))
    try:
        words = templates().get_template(template).render(
            view=view, root=root, here=request.url.path.removeprefix(root).strip("/"),
            csrf=getattr(request.state, "csrf", ""), **values,
        )  # fmt: skip
    finally:
        dates.READER_ZONE.reset(clock)
    return HTMLResponse(words.encode("utf-8", "replace"), status_code=status, headers=dict(HEADERS))
