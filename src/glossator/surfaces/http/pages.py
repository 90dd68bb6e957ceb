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


def page_answer(route: Route, request: Request, items: Sequence[Any], arguments: Mapping[str, Any]) -> Response:
    """The items with what the next page begins after, also as a link."""
    assert route.page is not None
    verb = getattr(Memory, route.verb)
    limit = arguments.get("limit", inspect.signature(verb).parameters["limit"].default)
    following = None if len(items) < limit else _after(route, items, arguments)
    written = result_of(verb).dump_json(tuple(items))
    tail = b"null" if following is None else shape_of(str).dump_json(following)
    headers = {}
    if following is not None:
        url = request.url.include_query_params(**{route.page: following})
        headers["Link"] = f'<{url.path}?{url.query}>; rel="next"'
    return json_answer(b'{"items":' + written + b',"next":' + tail + b"}", headers=headers)


def _after(route: Route, items: Sequence[Any], arguments: Mapping[str, Any]) -> str:
    """What the next page begins after. Behind the latest ones come all, from the start: nothing can be missed."""
    if route.begins_after is not None and arguments.get(route.page or "") is None:
        return str(route.begins_after)
    return str(getattr(items[-1], route.page_of))
