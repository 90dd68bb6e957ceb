"""Does the server keep what its OpenAPI document promises? schemathesis asks every operation, rightly and wrongly."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from tests.surface.http_server import Served, serving

from glossator import Options
from glossator.surfaces.http.settings import Settings
from glossator.wire.routes import INGEST, PREFIX

EXAMPLES_MAX = 3
STREAM = f"{PREFIX}{INGEST}"
"""Wrong lines of a stream are told in its answer, and the rest goes on: they are no reason to refuse it."""
MUCH = 1e6
"""No limit of requests stands in the way here."""
TALKS = [{"role": "user", "content": "I moved to Edinburgh last March. I play the cello.", "id": "1", "speaker": "Ana"}]


@schemathesis.serializer("application/x-ndjson")
def as_lines(_context: Any, value: Any) -> bytes:
    """Whatever is made up for the stream of lines."""
    return str(value).encode("utf-8", "replace")


@schemathesis.deserializer("application/x-ndjson")
def of_lines(_context: Any, response: Any) -> str:
    """The answer to it, which is no one document."""
    return str(response.text)


def fuzzed(served: Served, headers: dict[str, str], *, examples_max: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """What each operation broke, with its name. What no schema can say is let pass: that a valid value is right."""
    schema = schemathesis.openapi.from_url(f"{served.url}/openapi.json")
    for found in schema.get_all_operations():
        operation: Any = found.ok()
        lists = _lists(operation.definition.raw)
        excluded = [positive_data_acceptance, *([negative_data_rejection] if operation.path == STREAM else [])]
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

            @settings(
                max_examples=examples_max, deadline=None, database=None, derandomize=not seed, phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )  # fmt: skip
            @given(case=operation.as_strategy(generation_mode=mode))
            def holds(case: Case) -> None:
                assume(not _looks_right(case, lists))  # noqa: B023 - at once
                case.call_and_validate(headers=headers, excluded_checks=excluded, timeout=30)  # noqa: B023 - at once

            try:
                holds()
            except Unsatisfiable:  # nothing can be wrong about a request without parameters
                continue
            except (AssertionError, BaseExceptionGroup) as error:
                yield operation.label, str(error)


def _lists(definition: Any) -> set[str]:
    """The names in the query that stand for a list."""
    parameters = definition.get("parameters", ())
    return {each["name"] for each in parameters if each["in"] == "query" and each["schema"].get("type") == "array"}


def _looks_right(case: Case, lists: set[str]) -> bool:
    """True where what is wrong cannot be seen in a query string: a wrong name without a value, one value for a list."""
    query = dict(case.query or {})
    return any(
        value in ([], {}, None) or (name in lists and not isinstance(value, list)) for name, value in query.items()
    )


def filled(served: Served) -> None:
    """Something is there to be found: a conversation, a fact, a text, a job."""
    with served.client(served.memory.add_key("filling", workspace="acme", trust="operator").secret) as client:
        client.post("/v1/messages", json={"conversation": "c", "messages": TALKS})
        client.post("/v1/facts", json={"text": "Ana plays the cello.", "category": "interest"})
        client.put("/v1/resources/rules", json={"content": "Be brief."}, headers={"If-None-Match": "*"})
        client.post("/v1/jobs", json={"job_id": "nightly"})


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    choices = Settings(inspector=False, mcp=False, rate_per_s=MUCH, rate_burst=MUCH, refused_per_minute=MUCH)
    path = tmp_path_factory.mktemp("schema") / "memory.db"
    with serving(path, choices, options=Options(embedder="hashing")) as running:
        filled(running)
        yield running


def test_no_request_breaks_the_server_or_the_promise_of_its_schema(served: Served) -> None:
    # proves: O33
    secret = served.memory.add_key("fuzz", workspace="acme", trust="operator").secret
    broken = list(fuzzed(served, {"Authorization": f"Bearer {secret}"}, examples_max=EXAMPLES_MAX))
    assert broken == []


def test_without_a_key_every_operation_is_refused_in_the_promised_way(served: Served) -> None:
    # proves: K36
    schema = schemathesis.openapi.from_url(f"{served.url}/openapi.json")
    asked = 0
    for found in schema.get_all_operations():
        operation: Any = found.ok()

        @settings(max_examples=1, deadline=None, database=None, derandomize=True, phases=[Phase.generate])
        @given(case=operation.as_strategy())
        def refused(case: Case) -> None:
            case.headers = {name: text for name, text in (case.headers or {}).items() if name != "Authorization"}
            answer = case.call(timeout=30)
            case.validate_response(answer, excluded_checks=[positive_data_acceptance])
            wanted = {200} if case.path in ("/health", "/ready") else {401}
            assert answer.status_code in wanted, case.path

        refused()
        asked += 1
    assert asked > 60
