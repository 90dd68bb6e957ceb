"""What does a server say at /metrics? Its text, fetched and read as numbers."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from glossator.errors import ProviderError, UsageError
from glossator.rules.log_words import kind_of

if TYPE_CHECKING:
    import httpx2

TIMEOUT_S = 5.0
"""A server that takes longer has a fault that the picture should show."""
BYTES_MAX = 4_000_000
"""Far more than all our series: what is larger is no answer of ours."""
OF_ONE_RUN = ("glossator_http_requests_total", "glossator_verb_duration_seconds_count")
"""Counters that fall only when the server was started anew."""

Labels = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrape:
    """The samples of one answer, by name and sorted labels."""

    at: datetime
    samples: Mapping[tuple[str, Labels], float]

    def value(self, name: str, **labels: str) -> float:
        """The sample with exactly these labels, 0 where there is none."""
        found = self.samples.get((name, tuple(sorted(labels.items()))), 0.0)
        return found if math.isfinite(found) else 0.0

    def total(self, name: str) -> float:
        """The sum of all samples of a name."""
        return sum(value for (each, _), value in self.samples.items() if each == name and math.isfinite(value))

    def buckets(self, name: str, **labels: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The upper ends of a histogram without the endless one, and the rising counts with it."""
        wanted = set(labels.items())
        found = sorted(
            (float(dict(own)["le"]), value)
            for (each, own), value in self.samples.items()
            if each == f"{name}_bucket" and wanted <= set(own)
        )
        return tuple(end for end, _ in found if math.isfinite(end)), tuple(value for _, value in found)

    def is_of_the_same_run(self, later: "Scrape") -> bool:
        """False where the server was started anew between the two, so that its counters began again."""
        return all(self.total(name) <= later.total(name) for name in OF_ONE_RUN)


def labels_of(scrape: Scrape, name: str, label: str) -> tuple[str, ...]:
    """The values that a label has in the samples of a name, in the order in which they came."""
    found = (dict(labels).get(label) for each, labels in scrape.samples if each == name)
    return tuple(dict.fromkeys(each for each in found if each is not None))


def read_scrape(text: str, *, at: datetime) -> Scrape:
    """The samples of a text in Prometheus' format. Raises ProviderError where it is another."""
    from prometheus_client.parser import text_string_to_metric_families

    samples: dict[tuple[str, Labels], float] = {}
    try:
        for family in text_string_to_metric_families(text):
            for each in family.samples:
                samples[each.name, tuple(sorted(each.labels.items()))] = float(each.value)
    except (ValueError, KeyError, IndexError) as error:
        raise ProviderError("the address answered no metrics of Prometheus") from error
    if not any(name.startswith("glossator_") for name, _ in samples):
        raise ProviderError("the address answered metrics, and none of Glossator's")
    return Scrape(at=at, samples=samples)


def metrics_address(url: str) -> str:
    """The address of the metrics of a server. Raises UsageError for what is no http address."""
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError("--url", f"{url!r} is no http address", remedy="for example http://127.0.0.1:8377")
    return url.rstrip("/") if parts.path.rstrip("/").endswith("/metrics") else url.rstrip("/") + "/metrics"


def fetch(url: str, *, key: str | None) -> str:
    """The text at the address. Raises ProviderError with what to do."""
    import httpx2

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with httpx2.Client(timeout=TIMEOUT_S, trust_env=False, headers=headers) as client:
            status, body = _read(client, url)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        problem = f"{url} cannot be read: {error or kind_of(error)}; is `glossator serve` running there?"
        raise ProviderError(problem, retryable=True) from error
    if status in (401, 403):
        raise ProviderError(f"{url} answered {status}: put an operator's key into GLOSSATOR_API_KEY")
    if status != 200:
        remedy = "" if status >= 500 else ": is that the address of `glossator serve`?"
        raise ProviderError(f"{url} answered {status}{remedy}", retryable=status >= 500)
    return body.decode("utf-8", "replace")


def _read(client: "httpx2.Client", url: str) -> tuple[int, bytes]:
    """Status and body, of which no more is read than an answer of ours can have."""
    body = b""
    with client.stream("GET", url) as answer:
        for piece in answer.iter_bytes():
            body += piece
            if len(body) > BYTES_MAX:
                raise ProviderError(f"{url} answered more than {BYTES_MAX:,} bytes")
        return answer.status_code, body
