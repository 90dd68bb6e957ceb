"""The verbs over HTTP: a real server, a real client."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.surface.http_server import Served, serving

from glossator import Scope
from glossator.testing.contract.base import NASTY
from glossator.wire.routes import PREFIX, ROUTES

ANA = {"workspace": "acme", "agent": "helper", "owner": "ana"}
TALK = [
    {"role": "user", "content": "I moved to Edinburgh last March.", "speaker": "Ana", "id": "D1:1"},
    {"role": "assistant", "content": "How do you like it there?", "id": "D1:2"},
    {"role": "user", "content": "I love the hills, and I play the cello.", "speaker": "Ana", "id": "D1:3"},
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("http") / "memory.db") as running:
        yield running


@pytest.fixture
def client(served: Served) -> Iterator[httpx2.Client]:
    with served.client() as opened:
        yield opened


def said(client: httpx2.Client, who: str, messages: object = TALK, conversation: str = "telegram:42") -> Any:
    body = {"conversation": conversation, "messages": messages}
    return client.post("/v1/messages", params={**ANA, "owner": who}, json=body)


def test_what_is_recorded_is_recalled_with_its_speaker_and_its_time(served: Served, client: httpx2.Client) -> None:
    receipt = said(client, "ana").json()
    assert [each["outcome"] for each in receipt["recorded"]] == ["stored", "stored", "stored"]

    answer = client.post("/v1/recall", params=ANA, json={"query": "When did I move to Edinburgh?", "explain": True})

    hit = answer.json()["hits"][0]
    assert (hit["text"], hit["speaker"]) == (TALK[0]["content"], "Ana")
    assert hit["event"]["words"] == "last March"
    assert "edinburgh" in hit["trace"]["matched_terms"]
    assert said(client, "ana").json()["recorded"][0]["outcome"] == "duplicate"


def test_a_verb_over_http_gives_what_the_library_gives(served: Served, client: httpx2.Client) -> None:
    said(client, "same")
    scope = Scope(**{**ANA, "owner": "same"}, trust="operator")
    library = served.memory.messages(scope=scope)
    over_http = client.get("/v1/messages", params={**ANA, "owner": "same"}).json()["items"]
    assert [each["content"] for each in over_http] == [each.content for each in library]
    assert [each["message_id"] for each in over_http] == [each.message_id for each in library]


def test_pages_follow_each_other_by_next_and_by_link(client: httpx2.Client) -> None:
    said(client, "pages", [{"content": f"message {number}", "id": str(number)} for number in range(7)])
    params: dict[str, Any] = {**ANA, "owner": "pages", "limit": 3}
    found, url, sizes = [], "/v1/messages", []
    while url:
        page = client.get(url, params=params or None)
        params = {}
        found += [each["content"] for each in page.json()["items"]]
        sizes.append(len(page.json()["items"]))
        assert (page.json()["next"] is None) == ("next" not in page.links)
        url = page.links.get("next", {}).get("url", "")
    assert found == [f"message {number}" for number in range(7)]
    assert sizes == [3, 3, 1]


def test_the_facts_seen_last_come_first_and_all_of_them_by_their_numbers(client: httpx2.Client) -> None:
    params = {**ANA, "owner": "latest"}
    for number in (3, 1, 2):
        body = {"text": f"My lucky number of day {number} is {number}.", "at": f"2026-01-0{number}"}
        client.post("/v1/facts", params=params, json=body).raise_for_status()
    latest = client.get("/v1/facts", params={**params, "limit": 2}).json()
    assert [each["text"][-2] for each in latest["items"]] == ["3", "2"]
    assert latest["next"] == "0"  # whoever follows it has read all, some of them twice
    rest = client.get("/v1/facts", params={**params, "limit": 9, "after_id": latest["next"]}).json()
    assert [each["text"][-2] for each in rest["items"]] == ["3", "1", "2"]
    assert rest["next"] is None


def test_facts_are_kept_searched_explained_put_away_and_brought_back(client: httpx2.Client) -> None:
    params = {**ANA, "owner": "facts"}
    kept = client.post("/v1/facts", params=params, json={"text": "Ana plays the cello.", "category": "interest"}).json()
    number = kept["fact"]["fact_id"]
    assert client.get(f"/v1/facts/f{number}", params=params).json()["text"] == "Ana plays the cello."
    assert client.post("/v1/facts/search", params=params, json={"query": "cello"}).json()[0]["fact_id"] == number
    explanation = client.get(f"/v1/facts/{number}/explanation", params=params).json()
    assert explanation["decided"][0]["decision"] == "admit"

    body = {"fact_ids": [f"f{number}"], "reason": "no longer"}
    assert client.post("/v1/facts/archive", params=params, json=body).json()[0]["state"] == "archived"
    assert client.get("/v1/facts", params=params).json() == {"items": [], "next": None}
    restored = client.post(f"/v1/facts/f{number}/restore", params=params, json={"reason": "it is of use"})
    assert restored.json()["state"] == "active"
    assert [each["fact_id"] for each in client.get("/v1/facts", params=params).json()["items"]] == [number]


def test_a_fact_of_nobody_is_not_found_and_a_wrong_id_is_told(client: httpx2.Client) -> None:
    absent = client.get("/v1/facts/f999999", params=ANA)
    assert (absent.status_code, absent.json()["type"]) == (404, "urn:glossator:NotFoundError")
    wrong = client.get("/v1/facts/forty-two", params=ANA)
    assert (wrong.status_code, wrong.json()["argument"]) == (422, "fact_id")


def test_forgetting_shows_a_preview_first_and_then_gives_a_receipt(served: Served, client: httpx2.Client) -> None:
    params = {**ANA, "owner": "gone"}
    said(client, "gone")
    served.memory.drain(30)  # a token holds while nothing changes, work behind the message too
    preview = client.post("/v1/forget", params=params, json={"message_ids": ["D1:3"]}).json()
    assert preview["message_count"] == 1
    receipt = client.post(
        "/v1/forget", params=params, json={"message_ids": ["D1:3"], "confirm": preview["token"]}
    ).json()
    assert (receipt["message_count"], receipt["remaining_count"]) == (1, 0)
    assert "token" not in receipt
    stale = client.post("/v1/forget", params=params, json={"conversation": "telegram:42", "confirm": preview["token"]})
    assert stale.status_code == 409
    assert "cello" not in client.post("/v1/recall", params=params, json={"query": "cello"}).text


def test_a_resource_has_an_etag_and_is_written_only_over_what_was_read(client: httpx2.Client) -> None:
    params, url = {**ANA, "owner": "rules"}, "/v1/resources/rules"
    assert client.put(url, params=params, json={"content": "Be brief."}).status_code == 428
    assert (
        client.put(url, params=params, json={"content": "Be brief."}, headers={"If-None-Match": "*"}).status_code == 200
    )
    read = client.get(url, params=params)
    etag = read.headers["etag"]
    assert etag == f'"{read.json()["sha256"]}"'
    known = client.get(url, params=params, headers={"If-None-Match": f'"0", W/{etag}'})
    assert (known.status_code, known.content, known.headers["etag"]) == (304, b"", etag)

    written = client.put(url, params=params, json={"content": "Be kind."}, headers={"If-Match": etag})
    assert written.json()["revision"]["number"] == 2
    late = client.put(url, params=params, json={"content": "Be loud."}, headers={"If-Match": etag})
    assert (late.status_code, late.json()["argument"]) == (412, "If-Match")
    again = client.put(url, params=params, json={"content": "Be loud."}, headers={"If-None-Match": "*"})
    assert again.status_code == 412
    assert client.get(url, params=params).json()["content"] == "Be kind."
    assert client.put(url, params=params, json={"content": "Be fair."}, headers={"If-Match": "*"}).status_code == 200
    diff = client.get(f"{url}/diff", params={**params, "first": 1, "second": 2}).json()
    assert "-Be brief." in diff
    assert "+Be kind." in diff
    assert client.post(f"{url}/rollback", params=params, json={"number": 1}).json()["committed"]["changed"] is True


def test_a_verb_that_gives_nothing_answers_without_a_body(client: httpx2.Client) -> None:
    done = client.post("/v1/window/measured", params=ANA, json={"conversation": "telegram:42", "prompt_tokens": 100})
    assert (done.status_code, done.content) == (204, b"")


def test_a_job_is_begun_and_finished_in_the_scope_of_the_request_alone(client: httpx2.Client) -> None:
    params = {**ANA, "owner": "jobs"}
    client.post("/v1/jobs", params=params, json={"job_id": "nightly/Ä"})
    run = client.post("/v1/jobs/runs", params=params, json={"job_id": "nightly/Ä"}).json()
    body = {"run": run, "final_text": "All is well."}
    foreign = client.post("/v1/jobs/runs/finish", params=ANA, json=body)
    assert (foreign.status_code, foreign.json()["argument"]) == (403, "run.scope.owner")
    guest = client.post("/v1/jobs/runs/finish", params={**params, "trust": "guest"}, json=body)
    assert guest.status_code == 403
    assert client.post("/v1/jobs/runs/finish", params=params, json=body).json() is True
    assert client.get("/v1/jobs/runs", params=params).json()[0]["status"] == "done"


def test_steps_of_a_run_are_kept_found_and_dropped(client: httpx2.Client) -> None:
    params = {**ANA, "owner": "steps"}
    steps = [{"step": 1, "thought": "look for the cello", "action": "search", "output": "found"}]
    kept = client.post("/v1/steps", params=params, json={"run_id": "run/1?&", "steps": steps})
    assert kept.json() == 1, kept.text
    assert len(client.get("/v1/steps", params={**params, "run_id": "run/1?&"}).json()) == 1
    assert client.post("/v1/steps/search", params=params, json={"query": "cello"}).json()
    assert client.delete("/v1/steps", params={**params, "run_id": "run/1?&", "numbers": [1]}).json() == 1


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_come_back_word_for_word_and_never_break_the_server(client: httpx2.Client, text: str) -> None:
    # proves: K25, K36
    params = {**ANA, "owner": "nasty"}
    body = json.dumps({"conversation": "chat:1", "messages": [{"content": text}]}).encode()
    headers = {"Content-Type": "application/json"}
    kept = client.post("/v1/messages", params=params, content=body, headers=headers)
    assert kept.status_code in (200, 400, 422), kept.text
    if kept.status_code == 200:
        number = kept.json()["recorded"][0]["message_id"]
        read = client.get("/v1/messages", params={**params, "after_id": number - 1, "limit": 1})
        assert read.headers["content-type"] == "application/json"
        assert read.json()["items"][0]["content"].strip()
    query = json.dumps({"query": text}).encode()
    assert client.post("/v1/recall", params=params, content=query, headers=headers).status_code in (200, 400, 422)
    assert client.get("/v1/facts", params={**params, "project": text[:500]}).status_code in (200, 400, 422)


def test_every_route_of_the_table_is_served_and_no_other_method(client: httpx2.Client) -> None:
    # proves: O33
    for route in ROUTES:
        path = PREFIX + route.path.replace("{fact_id}", "f1").replace("{kind}", "rules")
        other = client.request("PATCH", path)
        assert other.status_code == 405
        assert route.method in other.headers["allow"].split(", ")
        assert other.headers["content-type"] == "application/problem+json"
        reached = client.request(route.method, path, params=ANA)
        assert reached.status_code not in (404, 405) or reached.json()["argument"] in ("fact_id", "kind"), route


def test_scope_parameters_are_checked_and_named_as_they_were_written(client: httpx2.Client) -> None:
    for params, argument in (
        ({"workspace": " "}, "workspace"),
        ({"within": "x" * 5_000}, "within"),
        ({"trust": "king"}, "trust"),
        ([("owner", "a"), ("owner", "b")], "owner"),
        ({"conversation": "c"}, "conversation"),
        ({"owner": "a\0b"}, "owner"),
    ):
        answer = client.post("/v1/recall", params=params, json={"query": "a"})
        assert (answer.status_code, answer.json()["argument"]) == (422, argument), answer.text


def test_the_path_of_the_file_is_in_no_answer(served: Served, client: httpx2.Client, tmp_path: Path) -> None:
    texts = [client.get(path, params=ANA).text for path in ("/v1/status", "/v1/work", "/ready", "/openapi.json")]
    assert not any("memory.db" in text or str(tmp_path.parent) in text for text in texts)
