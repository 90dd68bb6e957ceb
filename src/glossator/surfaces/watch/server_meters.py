"""What has the HTTP server been asked, how long did it take, and what did it turn away?"""

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, get_args

from glossator.errors import UsageError
from glossator.meters import Timings

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

Rejection = Literal["auth", "host", "origin", "rate", "size"]
"""Why a request was turned away before it reached a route."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "OTHER"
"""Whatever else a client makes up: a label must not grow by what strangers send."""
UNROUTED = "unrouted"
"""The route of what reached none: a wrong address, or a request that was turned away before."""
ROUTES_MAX = 500
"""More routes than any server of ours has; past them a route counts as unrouted."""

REQUESTS = "glossator_http_requests_total"
SECONDS = "glossator_http_request_duration_seconds"
IN_FLIGHT = "glossator_http_requests_in_flight"
REJECTED = "glossator_http_rejected_total"


class ServerMeters:
    """The counters of one HTTP server. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[tuple[str, str, str], int] = {}
        self._routes: set[str] = {UNROUTED}
        self._in_flight = 0
        self._rejected: dict[str, int] = dict.fromkeys(get_args(Rejection), 0)
        self._timings = Timings()

    def began(self) -> None:
        """A request has come in; `ended` must follow."""
        with self._lock:
            self._in_flight += 1

    def ended(self, *, route: str, method: str, status: int, seconds: float) -> None:
        """A request was answered. `route` is the template ("/v1/facts/{fact_id}"), never the address itself."""
        method = method if method in METHODS else OTHER
        with self._lock:
            self._in_flight -= 1
            if route not in self._routes:
                route = route if len(self._routes) < ROUTES_MAX else UNROUTED
                self._routes.add(route)
            key = (route, method, f"{status // 100}xx")
            self._requests[key] = self._requests.get(key, 0) + 1
        self._timings.took(max(seconds, 0.0), route)

    def rejected(self, reason: Rejection) -> None:
        """Count a request that was turned away: auth, host, origin, rate or size."""
        if reason not in self._rejected:
            raise UsageError("reason", f"{reason!r} is unknown", remedy=f"choose from {get_args(Rejection)}")
        with self._lock:
            self._rejected[reason] += 1

    def exposition(self) -> str:
        """The text that Prometheus scrapes."""
        from prometheus_client.exposition import generate_latest
        from prometheus_client.registry import CollectorRegistry

        registry = CollectorRegistry()
        registry.register(self)
        return generate_latest(registry).decode("utf-8")

    def collect(self) -> "Iterator[Metric]":
        """What a registry of prometheus-client asks for."""
        from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily

        with self._lock:
            requests, rejected = sorted(self._requests.items()), sorted(self._rejected.items())
            in_flight = self._in_flight
        counted = CounterMetricFamily(REQUESTS, "Requests that were answered.", labels=("route", "method", "status"))
        for key, count in requests:
            counted.add_metric(key, count)
        yield counted
        yield self._timings.family(SECONDS, "How long answering took, streams to their end.", labels=("route",))
        yield GaugeMetricFamily(IN_FLIGHT, "Requests that are being answered.", value=in_flight)
        turned = CounterMetricFamily(REJECTED, "Requests that were turned away.", labels=("reason",))
        for reason, count in rejected:
            turned.add_metric((reason,), count)
        yield turned
