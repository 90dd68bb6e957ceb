"""How a browser comes to the inspector: by logging in with a key, and with a token in every form."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import httpx2
import pytest
from tests.surface.http_server import Served, serving
from tests.surface.test_http_keys import Seconds

from glossator.surfaces.http.sessions import COOKIE, inside
from glossator.surfaces.http.settings import Settings

SECONDS = Seconds()
SETTINGS = Settings(mcp=False, refused_per_minute=3, monotonic_s=SECONDS)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("login") / "memory.db", SETTINGS) as running:
        yield running


@pytest.fixture
def browser(served: Served) -> Iterator[httpx2.Client]:
    SECONDS.now += 3_600
    with served.client(follow_redirects=False) as opened:
        yield opened


def log_in(served: Served, browser: httpx2.Client, name: str, **bound: str) -> str:
    """The secret of a new key that the browser is logged in with."""
    secret = served.memory.add_key(name, workspace="acme", **bound).secret  # type: ignore[arg-type]
    answer = browser.post("/inspect/login", data={"key": secret, "next": "/inspect/search"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/inspect/search")
    return secret


def csrf_of(browser: httpx2.Client) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', browser.get("/inspect/search").text)
    assert found
    return found[1]


def test_every_page_leads_to_the_log_in_and_back(served: Served, browser: httpx2.Client) -> None:
    # proves: K36
    assert browser.get("/").headers["location"] == "/inspect/"
    answer = browser.get("/inspect/facts?owner=ana")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/inspect/login?next=%2Finspect%2Ffacts%3Fowner%3Dana"
    form = browser.get(answer.headers["location"])
    assert form.status_code == 200
    assert 'value="/inspect/facts?owner=ana"' in form.text
    assert browser.post("/inspect/facts/f1/archive").status_code == 303
    part = browser.get("/inspect/search", headers={"HX-Request": "true"})
    assert (part.status_code, part.headers["hx-redirect"]) == (401, "/inspect/login?next=%2Finspect%2F")


@pytest.mark.parametrize(
    ("current", "back"),
    [
        ("http://h:1/inspect/work?owner=ana#queue", "/inspect/work?owner=ana"),
        ("http://h:1/v1/facts", "/inspect/"),
        ("http://h:1//evil.example/inspect/", "/inspect/"),
        ("http://[", "/inspect/"),
        ("", "/inspect/"),
    ],
)
def test_a_part_of_a_page_leads_to_the_log_in_and_back_to_its_page(
    browser: httpx2.Client, current: str, back: str
) -> None:
    part = browser.get("/inspect/work/part", headers={"HX-Request": "true", "HX-Current-URL": current})
    assert part.headers["hx-redirect"] == f"/inspect/login?next={quote(back, safe='')}"


def test_the_cookie_is_not_the_key_and_no_script_reads_it(served: Served, browser: httpx2.Client) -> None:
    # proves: K36
    secret = served.memory.add_key("cookie", workspace="acme").secret
    answer = browser.post("/inspect/login", data={"key": f" {secret} "})
    cookie = answer.headers["set-cookie"]
    assert secret not in cookie
    for words in ("HttpOnly", "SameSite=strict", "Path=/inspect"):
        assert words in cookie
    assert browser.get("/inspect/search").status_code == 200
    assert browser.get("/v1/facts").status_code == 401, "the cookie opens the pages alone"


def test_a_wrong_key_is_refused_and_too_many_have_to_wait(browser: httpx2.Client) -> None:
    # proves: K36
    tries = [browser.post("/inspect/login", data={"key": f"gl_{n}", "next": "/inspect/search"}) for n in range(4)]
    assert [each.status_code for each in tries] == [401, 401, 401, 429]
    assert "retry-after" in tries[-1].headers
    assert "unknown" in tries[0].text
    assert COOKIE not in browser.cookies


def test_a_form_without_the_token_of_its_session_changes_nothing(served: Served, browser: httpx2.Client) -> None:
    # proves: K36
    log_in(served, browser, "forms")
    for fields in ({}, {"csrf": ""}, {"csrf": "x" * 43}, {"csrf": "Ä"}):
        refused = browser.post("/inspect/logout", data=fields)
        assert refused.status_code == 403
    token = csrf_of(browser)
    foreign = browser.post("/inspect/logout", data={"csrf": token}, headers={"Origin": "http://evil.test"})
    assert foreign.status_code == 403
    assert browser.get("/inspect/search").status_code == 200
    own = browser.post("/inspect/logout", data={"csrf": token}, headers={"Origin": served.url})
    assert (own.status_code, own.headers["location"]) == (303, "/inspect/login")
    assert browser.get("/inspect/search").status_code == 303


def test_a_session_ends_with_its_key_and_with_its_time(served: Served, browser: httpx2.Client) -> None:
    # proves: K36
    log_in(served, browser, "ends")
    SECONDS.now += SETTINGS.session_s - 1
    assert browser.get("/inspect/search").status_code == 200
    SECONDS.now += 1
    assert browser.get("/inspect/search").status_code == 303
    log_in(served, browser, "revoked")
    key = next(each for each in served.memory.keys(workspace="acme") if each.name == "revoked")
    served.memory.revoke_key(key.key_id)
    SECONDS.now += SETTINGS.key_cache_s
    assert browser.get("/inspect/search").status_code == 303


def test_a_page_shows_the_key_of_no_other_workspace(served: Served, browser: httpx2.Client) -> None:
    # proves: K22
    log_in(served, browser, "pages", owner="ana")
    assert browser.get("/inspect/search", params={"workspace": "other"}).status_code == 403
    assert browser.get("/inspect/search", params={"owner": "bo"}).status_code == 403


def test_pages_carry_a_policy_and_files_need_no_key(served: Served, browser: httpx2.Client) -> None:
    # proves: K36
    page = browser.get("/inspect/login")
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert browser.get("/inspect/static/style.css").status_code == 200
    assert browser.get("/inspect/static/../pages.py").status_code in (303, 404)


@pytest.mark.parametrize(
    ("target", "page"),
    [
        ("/inspect/facts?owner=a", "/inspect/facts?owner=a"),
        ("/inspect", "/inspect"),
        ("https://evil.test/", "/inspect/"),
        ("//evil.test", "/inspect/"),
        ("/inspect/..//evil.test", "/inspect/"),
        ("/inspect/\\evil.test", "/inspect/"),
        ("/inspector", "/inspect/"),
        ("/inspect/a\r\nSet-Cookie: a=b", "/inspect/"),
        ("", "/inspect/"),
    ],
)
def test_the_log_in_leads_to_pages_of_the_inspector_alone(target: str, page: str) -> None:
    # proves: K36
    assert inside(target) == page
