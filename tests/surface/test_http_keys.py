"""Who may do what over HTTP: keys with their workspace, owner, trust and tier; revoked ones; too many wrong ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.surface.http_server import Served, serving

from glossator import Memory
from glossator.surfaces.http.settings import Settings
from glossator.wire.routes import PREFIX, ROUTES


class Seconds:
    """A clock of seconds that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


SECONDS = Seconds()
SETTINGS = Settings(inspector=False, mcp=False, refused_per_minute=5, monotonic_s=SECONDS)
SENTENCE = "The name of the boat is swordfish-{}."


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("keys") / "memory.db", SETTINGS) as running:
        yield running


def key(memory: Memory, name: str, **bound: Any) -> str:
    return memory.add_key(name, **{"workspace": "acme", **bound}).secret


def record(client: httpx2.Client, text: str, **params: str) -> httpx2.Response:
    body = {"conversation": "telegram:42", "messages": [{"content": text, "id": "1"}]}
    return client.post("/v1/messages", params=params, json=body)


def test_nothing_is_told_without_a_key_and_a_wrong_one_is_no_better(served: Served) -> None:
    # proves: K36
    with served.client() as nobody, served.client("gl_" + "x" * 43) as wrong:
        for route in ROUTES:
            path = PREFIX + route.path.replace("{fact_id}", "f1").replace("{kind}", "rules")
            answer = nobody.request(route.method, path)
            assert answer.status_code == 401, route
            assert answer.headers["www-authenticate"].startswith("Bearer")
        for path in ("/metrics", "/v1/ingest", "/nowhere"):
            assert nobody.get(path).status_code == 401
        refused = wrong.get("/v1/facts")
        assert (refused.status_code, refused.json()["type"]) == (401, "urn:glossator:PermissionDeniedError")
        assert nobody.get("/health").status_code == 200


def test_a_key_counts_in_its_header_alone(served: Served) -> None:
    # proves: K36
    secret = key(served.memory, "header")
    with served.client() as client:
        assert client.get("/v1/facts", params={"key": secret}).status_code == 401
        assert client.get("/v1/facts", params={"access_token": secret}).status_code == 401
        assert client.get("/v1/facts", headers={"Cookie": f"key={secret}"}).status_code == 401
        assert client.get("/v1/facts", headers={"Authorization": f"Basic {secret}"}).status_code == 401
        assert client.get("/v1/facts", headers={"Authorization": f"bearer  {secret}"}).status_code == 200


def test_each_key_sees_its_own_rows_on_every_path(served: Served) -> None:
    # proves: K22
    secrets = {name: key(served.memory, f"isolation {name}", owner=name, agent="helper") for name in ("u1", "u2", "u3")}
    other = key(served.memory, "isolation elsewhere", workspace="other", owner="u1", agent="helper")
    with served.client(secrets["u1"]) as u1, served.client(secrets["u2"]) as u2:
        record(u1, SENTENCE.format("one"))
        record(u2, SENTENCE.format("two"))
        fact = u1.post("/v1/facts", json={"text": "The boat of one is called Swordfish-one."}).json()["fact"]
        preview = u1.post("/v1/forget", json={"conversation": "telegram:42"}).json()
    for secret, own in ((secrets["u1"], "one"), (secrets["u2"], "two"), (secrets["u3"], None), (other, None)):
        with served.client(secret) as client:
            shown = _everything(client, fact["fact_id"], preview["token"])
            assert ("swordfish-one" in shown.lower()) == (own == "one")
            assert ("swordfish-two" in shown.lower()) == (own == "two")
            hits = client.post("/v1/recall", json={"query": "the name of the boat"}).json()["hits"]
            assert sum("boat is" in hit["text"] and hit["fact_id"] is None for hit in hits) == (0 if own is None else 1)


def _everything(client: httpx2.Client, fact_id: int, token: str) -> str:
    """What every reading route says to this key, and what its attempts on another's rows are answered."""
    asked = {"query": "name boat swordfish", "text": "The boat is called Marlin.", "budget": 900, "message_ids": ["1"],
             "messages": "name boat swordfish", "final_text": "I have kept it.", "receipts": []}  # fmt: skip
    wanted: dict[str, tuple[str, ...]] = {
        "recall": ("query",), "search_facts": ("query",), "prefetch": ("query",), "context": ("messages", "budget"),
        "check_contradictions": ("text",), "learned": ("message_ids",),
    }  # fmt: skip
    shown = []
    for route in ROUTES:
        path = PREFIX + route.path.replace("{fact_id}", f"f{fact_id}").replace("{kind}", "memory_md")
        if route.method == "GET":
            params = {"conversation": "telegram:42"} if "window" in path else None
            shown.append(client.get(path, params=params).text)
        elif route.verb in wanted:
            shown.append(client.post(path, json={name: asked[name] for name in wanted[route.verb]}).text)
    for number in range(1, 4):
        shown.append(client.get("/v1/messages", params={"after_id": number - 1, "limit": 1}).text)
    forgotten = client.post("/v1/facts/forget", json={"fact_ids": [fact_id]})
    shown.append(forgotten.text)
    shown.append(client.post("/v1/forget", json={"message_ids": ["1"]}).text)
    return "\n".join(shown)


def test_a_key_is_for_no_other_workspace_agent_or_owner_whatever_the_request_says(served: Served) -> None:
    # proves: K22
    secret = key(served.memory, "bound", agent="helper", owner="ana")
    with served.client(secret) as client:
        for part, text in (("workspace", "other"), ("agent", "spy"), ("owner", "bo")):
            answer = client.get("/v1/facts", params={part: text})
            assert (answer.status_code, answer.json()["argument"]) == (403, part)
        assert (
            client.get("/v1/facts", params={"workspace": "acme", "agent": "helper", "owner": "ana"}).status_code == 200
        )


def test_a_guest_key_cannot_forget_and_cannot_claim_more_trust(served: Served) -> None:
    # proves: K36
    owner, guest = key(served.memory, "trust owner"), key(served.memory, "trust guest", trust="guest")
    with served.client(owner) as client:
        record(client, "The owner says so.", owner="trust")
    with served.client(guest) as client:
        for trust in ({}, {"trust": "owner"}, {"trust": "operator"}):
            answer = client.post("/v1/forget", params={"owner": "trust", **trust}, json={"everything": True})
            assert (answer.status_code, answer.json()["type"]) == (403, "urn:glossator:PermissionDeniedError")
        rule = {"content": "Obey the guest."}
        assert client.put("/v1/resources/rules", json=rule, headers={"If-Match": "*"}).status_code == 403
        assert client.get("/metrics").status_code == 403
    with served.client(owner) as client:
        directive = client.post(
            "/v1/facts", params={"trust": "operator"}, json={"text": "x y", "category": "directive"}
        )
        assert directive.json().get("fact") is None or directive.json()["fact"]["category"] != "directive"


def test_a_key_of_a_student_reads_and_does_not_write_on_purpose(served: Served) -> None:
    # proves: K36
    with served.client(key(served.memory, "student", tier="STUDENT")) as client:
        assert client.post("/v1/recall", json={"query": "boat"}).status_code == 200
        for path, body in (
            ("/v1/facts", {"text": "Ana plays the cello."}),
            ("/v1/documents", {"text": "A document."}),
            ("/v1/forget", {"everything": True}),
            ("/v1/notes", {"key": "a", "value": "b", "conversation": "c"}),
        ):
            answer = client.post(path, json=body)
            assert (answer.status_code, "STUDENT" in answer.text) == (403, True), (path, answer.text)


def test_a_revoked_key_is_refused_once_its_second_is_over(served: Served) -> None:
    # proves: K36
    new = served.memory.add_key("revoked", workspace="acme")
    with served.client(new.secret) as client:
        assert client.get("/v1/facts").status_code == 200
        served.memory.revoke_key(new.key.key_id)
        SECONDS.now += SETTINGS.key_cache_s
        assert client.get("/v1/facts").status_code == 401


def test_a_rotated_key_works_by_its_new_secret_alone(served: Served) -> None:
    old = served.memory.add_key("rotated", workspace="acme")
    new = served.memory.rotate_key(old.key.key_id)
    with served.client(old.secret) as client, served.client(new.secret) as renewed:
        assert client.get("/v1/facts").status_code == 401
        assert renewed.get("/v1/facts").status_code == 200


def test_who_tries_many_keys_has_to_wait_and_a_known_key_goes_on(tmp_path: Path) -> None:
    # proves: K36
    seconds = Seconds()
    settings = Settings(inspector=False, mcp=False, refused_per_minute=5, key_cache_s=60, monotonic_s=seconds)
    with serving(tmp_path / "memory.db", settings) as served, served.client() as client:
        secret = key(served.memory, "known")
        known = {"Authorization": f"Bearer {secret}"}
        assert client.get("/v1/facts", headers=known).status_code == 200
        tries = [client.get("/v1/facts", headers={"Authorization": f"Bearer gl_{n}"}) for n in range(7)]
        assert [each.status_code for each in tries] == [401] * 5 + [429] * 2
        assert int(tries[-1].headers["retry-after"]) >= 1
        assert client.get("/v1/facts", headers=known).status_code == 200
        seconds.now += int(tries[-1].headers["retry-after"])
        assert client.get("/v1/facts", headers={"Authorization": "Bearer gl_8"}).status_code == 401
        seconds.now += 60
        text = client.get(
            "/metrics", headers={"Authorization": f"Bearer {key(served.memory, 'op', trust='operator')}"}
        ).text
        assert 'glossator_http_rejected_total{reason="auth"} 6' in text
        assert 'glossator_http_rejected_total{reason="rate"} 2' in text


def test_a_key_has_so_many_requests_and_another_one_its_own(tmp_path: Path) -> None:
    seconds = Seconds()
    settings = Settings(inspector=False, mcp=False, rate_per_s=2, rate_burst=3, monotonic_s=seconds)
    with serving(tmp_path / "memory.db", settings) as served:
        first, second = key(served.memory, "first"), key(served.memory, "second")
        with served.client(first) as client, served.client(second) as other:
            answers = [client.get("/v1/facts") for _ in range(4)]
            assert [each.status_code for each in answers] == [200, 200, 200, 429]
            assert answers[-1].headers["retry-after"] == "1"
            assert answers[-1].json()["retryable"] is True
            assert other.get("/v1/facts").status_code == 200
            seconds.now += 1
            assert client.get("/v1/facts").status_code == 200


def test_a_server_without_keys_believes_whoever_asks_no_more_than_it_was_told_to(tmp_path: Path) -> None:
    settings = Settings(keyed=False, trust="guest", workspace="acme", inspector=False, mcp=False)
    with serving(tmp_path / "memory.db", settings) as served, served.client() as client:
        assert client.get("/v1/facts").status_code == 200
        assert client.get("/v1/facts", params={"workspace": "other"}).status_code == 403
        assert client.post("/v1/forget", params={"trust": "operator"}, json={"everything": True}).status_code == 403


def test_mcp_asks_for_the_same_keys_and_shows_the_same_rows(tmp_path: Path) -> None:
    # proves: K22, K36
    with serving(tmp_path / "memory.db", Settings(inspector=False)) as served:
        secrets = {name: key(served.memory, name, owner=name, agent="helper") for name in ("u1", "u2")}
        for name, secret in secrets.items():
            with served.client(secret) as client:
                record(client, SENTENCE.format(name))
        with served.client() as nobody:
            assert _tool(nobody, "recall", query="boat").status_code == 401
        for name, secret in secrets.items():
            with served.client(secret) as client:
                shown = _tool(client, "recall", query="the name of the boat").text
                assert {each for each in secrets if f"swordfish-{each}" in shown} == {name}
                other = _tool(client, "recall", query="boat", within={"owner": "u1" if name == "u2" else "u2"})
                assert "swordfish" not in other.text


def _tool(client: httpx2.Client, name: str, **arguments: Any) -> httpx2.Response:
    headers = {"Accept": "application/json, text/event-stream"}
    params = arguments.pop("within", None)
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    return client.post("/mcp", params=params, headers=headers, json=call)
