"""How is a long list given: a page, and where the next one begins?"""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from glossator.facade import Memory
from glossator.surfaces.http.answers import json_answer
from glossator.wire.codec import result_of, shape_of
from glossator.wire.routes import Route

FROM_THE_START = {"facts": 0}
"""Verbs that give another order where no page is asked for, and what their first page begins after."""


def begun_pages(route: Route, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the page that is asked for; without one, of the first."""
    if route.page is None or route.verb not in FROM_THE_START or arguments.get(route.page) is not None:
        return dict(arguments)
    return {**arguments, route.page: FROM_THE_START[route.verb]}


def page_answer(route: Route, request: Request, items: Sequence[Any], arguments: Mapping[str, Any]) -> Response:
    """The items with what the next page begins after, also as a link."""
    assert route.page is not None
    verb = getattr(Memory, route.verb)
    limit = arguments.get("limit", inspect.signature(verb).parameters["limit"].default)
    following = str(getattr(items[-1], route.page_of)) if items and len(items) >= limit else None
    written = result_of(verb).dump_json(tuple(items))
    tail = b"null" if following is None else shape_of(str).dump_json(following)
    headers = {}
    if following is not None:
        url = request.url.include_query_params(**{route.page: following})
        headers["Link"] = f'<{url.path}?{url.query}>; rel="next"'
    return json_answer(b'{"items":' + written + b',"next":' + tail + b"}", headers=headers)
