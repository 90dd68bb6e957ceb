"""Every request is counted, timed and told by its route, and nothing that a stranger sends makes the series grow."""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from glossator.errors import UsageError
from glossator.surfaces.watch.asgi import ServerMeters, Watched
from glossator.surfaces.watch.logs import log_to_stderr

MARK = "Zanzibar-7"
"""What somebody said, asked or is called."""


async def fact(_request: Request) -> Response:
    return PlainTextResponse("ok")


async def boom(_request: Request) -> Response:
    raise ValueError(MARK)


async def slow(_request: Request) -> Response:
    async def pieces():  # type: ignore[no-untyped-def]
        yield b"one"
        yield b"two"

    return StreamingResponse(pieces())


async def known(request: Request) -> Response:
    request.state.key_id = "k7"
    return PlainTextResponse(str(request.state.request_id))


APP = Starlette(
    routes=[
        Route("/facts/{fact_id}", fact),
        Route("/boom", boom),
        Route("/slow", slow),
        Route("/known", known),
        Route("/health", fact),
        Mount("/pages", routes=[Route("/of/{owner}", fact)]),
    ]
)


def asked(*paths: str, meters: ServerMeters | None = None, app: Any = APP, **headers: str) -> list[httpx2.Response]:
    """The answers of a watched app."""
    watched = Watched(app, meters=meters or ServerMeters(), new_id=lambda: "made")

    async def ask() -> list[httpx2.Response]:
        transport = httpx2.ASGITransport(app=watched, raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, base_url="http://here") as client:
            return [await client.get(path, headers=headers) for path in paths]

    return asyncio.run(ask())


def samples(meters: ServerMeters, name: str) -> Mapping[tuple[str, ...], float]:
    return {
        tuple(value for _, value in sorted(each.labels.items())): each.value
        for family in text_string_to_metric_families(meters.exposition())
        for each in family.samples
        if each.name == name
    }


def test_requests_are_counted_by_the_template_of_their_route() -> None:
    meters = ServerMeters()
    asked("/facts/f1", f"/facts/{MARK}?q={MARK}", f"/nowhere/{MARK}", "/boom", f"/pages/of/{MARK}", meters=meters)

    assert samples(meters, "glossator_http_requests_total") == {
        ("GET", "/facts/{fact_id}", "2xx"): 2,
        ("GET", "unrouted", "4xx"): 1,
        ("GET", "/boom", "5xx"): 1,
        ("GET", "/pages/of/{owner}", "2xx"): 1,
    }
    assert samples(meters, "glossator_http_request_duration_seconds_count")[("/facts/{fact_id}",)] == 2
    assert MARK not in meters.exposition()


def test_what_is_being_answered_is_in_flight_until_the_end_of_a_stream() -> None:
    meters, seen = ServerMeters(), []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(samples(meters, "glossator_http_requests_in_flight"))
        await APP(scope, receive, send)

    asked("/slow", "/boom", meters=meters, app=app)
    assert seen == [{(): 1}, {(): 1}]
    assert samples(meters, "glossator_http_requests_in_flight") == {(): 0}


def test_a_request_that_its_client_gives_up_is_over_too() -> None:
    meters = ServerMeters()

    async def never(_scope: Any, _receive: Any, _send: Any) -> None:
        await asyncio.Event().wait()

    async def give_up() -> None:
        scope = {"type": "http", "method": "GET", "headers": [], "scheme": "http"}
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await Watched(never, meters=meters)(scope, None, None)  # type: ignore[arg-type]

    asyncio.run(give_up())
    assert samples(meters, "glossator_http_requests_in_flight") == {(): 0}
    assert samples(meters, "glossator_http_requests_total") == {("GET", "unrouted", "4xx"): 1}


def test_what_is_turned_away_is_counted_by_its_reason() -> None:
    meters = ServerMeters()
    meters.rejected("host")
    with pytest.raises(UsageError, match="reason"):
        meters.rejected("mood")  # type: ignore[arg-type]

    assert samples(meters, "glossator_http_rejected_total") == {
        ("auth",): 0, ("host",): 1, ("origin",): 0, ("rate",): 0, ("size",): 0,
    }  # fmt: skip


@settings(deadline=None)  # the first answer loads prometheus-client
@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), max_size=30))
def test_series_do_not_grow_by_what_strangers_send(sent: list[tuple[str, str]]) -> None:
    meters = ServerMeters()
    for method, route in sent:
        meters.began()
        meters.ended(route=route, method=method, status=404, seconds=0.1)
    counted = samples(meters, "glossator_http_requests_total")
    assert {labels[0] for labels in counted} <= {"OTHER"}
    assert sum(counted.values()) == len(sent)


def test_the_request_id_of_the_caller_is_kept_if_it_could_not_forge_a_line() -> None:
    (answer,) = asked("/known", **{"x-request-id": "abc-1"})
    assert (answer.headers["x-request-id"], answer.text) == ("abc-1", "abc-1")
    for forged in ('a"b', "a b", "x" * 65, ""):
        (answer,) = asked("/known", **{"x-request-id": forged})
        assert answer.headers["x-request-id"] == "made"


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Callable[[], list[dict[str, Any]]]:
    """What has been logged as JSON since the fixture began, debug too."""
    log_to_stderr("debug", as_json=True)

    def read() -> list[dict[str, Any]]:
        shown = capsys.readouterr()
        assert shown.out == ""
        assert "Logging error" not in shown.err, shown.err[-900:]
        return [json.loads(line) for line in shown.err.splitlines()]

    return read


def test_each_request_is_one_line_without_address_query_or_text(lines: Callable[[], list[dict[str, Any]]]) -> None:
    asked(f"/facts/{MARK}?q={MARK}", "/known", "/boom", "/health", **{"x-request-id": "r1"})
    told = lines()

    assert [each["event"] for each in told] == ["request"] * 4
    first, known_line, failed, health = told
    assert first.keys() == {
        "time", "level", "event", "method", "route", "status", "duration_ms", "request_id", "logger",
    }  # fmt: skip
    assert (first["method"], first["route"], first["status"]) == ("GET", "/facts/{fact_id}", 200)
    assert known_line["key"] == "k7"
    assert (failed["status"], failed["error"]) == (500, "ValueError")
    assert (first["level"], health["level"]) == ("info", "debug")
    assert {each["request_id"] for each in told} == {"r1"}
    assert MARK not in json.dumps(told)


def test_what_the_engine_logs_meanwhile_has_the_requests_id(lines: Callable[[], list[dict[str, Any]]]) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.to_thread(logging.getLogger("glossator.worker").warning, "put off")
        await APP(scope, receive, send)

    asked("/health", app=app, **{"x-request-id": "r2"})
    assert [each["request_id"] for each in lines()] == ["r2", "r2"]


def test_what_is_no_request_passes_unwatched() -> None:
    seen: list[str] = []

    async def app(scope: Any, _receive: Any, _send: Any) -> None:
        seen.append(scope["type"])

    meters = ServerMeters()
    asyncio.run(Watched(app, meters=meters)({"type": "lifespan"}, None, None))  # type: ignore[arg-type]
    assert seen == ["lifespan"]
    assert samples(meters, "glossator_http_requests_total") == {}
