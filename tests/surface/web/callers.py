"""The inspector as `glossator serve` has it, for whoever a test says, without a browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.testclient import TestClient

from glossator import AsyncMemory, Memory
from glossator.surfaces.http.app import create_app
from glossator.surfaces.http.settings import Settings


@dataclass
class Visitor:
    """Somebody with a browser that keeps cookies and follows where it is sent."""

    client: TestClient
    seen: dict[str, str]
    """The scope that this visitor looks at, as query parameters."""

    def get(self, path: str, **query: Any) -> Any:
        """A page, by its path below the root."""
        asked = {name: each for name, each in query.items() if each is not None}
        return self.client.get(f"/inspect/{path}", params=asked)

    def post(self, path: str, *, csrf: str | None = None, query: dict[str, str] | None = None, **fields: str) -> Any:
        """Send a form with the token that the pages carry, or with another."""
        token = self.csrf if csrf is None else csrf
        return self.client.post(f"/inspect/{path}", params=query or {}, data={**fields, "csrf": token})

    @property
    def csrf(self) -> str:
        """The token of the forms, as the page of a fact carries it."""
        return fields_of(self.get("facts/f1", **self.seen).text)["csrf"][0]


@contextmanager
def visiting(
    memory: Memory, *, secret: str | None = None, seen: dict[str, str] | None = None, **choices: Any
) -> Iterator[Visitor]:
    """A visitor of this memory's server: logged in with a key, or whoever is at this machine."""
    settings = Settings(keyed=secret is not None, mcp=False, **choices)
    with TestClient(create_app(AsyncMemory(memory), settings=settings), base_url="http://localhost") as client:
        if secret is not None:
            assert client.post("/inspect/login", data={"key": secret}).status_code == 200
        yield Visitor(client=client, seen=seen or {})


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def tags_of(html: str) -> list[tuple[str, dict[str, str | None]]]:
    """Every tag with its attributes, as a browser reads them."""
    parser = _Tags()
    parser.feed(html)
    return parser.tags


def words_of(html: str) -> str:
    """What a reader sees of a page, in one line."""
    parser = _Tags()
    parser.feed(html)
    return " ".join("".join(parser.words).split())


def links_of(html: str) -> list[str]:
    """Where the page leads."""
    return [href for tag, attributes in tags_of(html) if tag == "a" and (href := attributes.get("href"))]


def fields_of(html: str) -> dict[str, list[str]]:
    """The hidden fields of its forms."""
    found: dict[str, list[str]] = {}
    for tag, attributes in tags_of(html):
        if tag == "input" and attributes.get("type") == "hidden":
            found.setdefault(attributes["name"] or "", []).append(attributes.get("value") or "")
    return found


def query_of(link: str) -> dict[str, list[str]]:
    """The parameters of a link."""
    return parse_qs(urlsplit(link).query)
