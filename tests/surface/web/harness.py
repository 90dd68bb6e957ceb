"""A real server and a real browser: what the tests of the inspector stand on."""

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from glossator import AsyncMemory, Memory, Scope
from glossator.wire.scopes import parameters_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request

ROOT = Path(__file__).resolve().parents[3]
ARTEFACTS = "GLOSSATOR_TEST_ARTEFACTS"
"""The variable that names the folder of screenshots; without it `.test-artefacts` of the repository's folder."""
STORY = Scope(workspace="acme", agent="helper", owner="ana")
OPERATOR = Scope(workspace="acme", agent="helper", owner="ana", trust="operator")
LOOKS = (("light", 1280), ("dark", 360))
"""Both schemes and both layouts; the other two would cost as much and find the same."""
NARROWEST = 320
CHROMIUM = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
SERVER_START_S = 20.0
STEADY = "document.fonts.ready.then(() => true)"
TOO_WIDE = """() => {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return [];
  return [...document.body.querySelectorAll('*')].filter(each => each.getBoundingClientRect().right > room + 1)
    .map(each => each.tagName + '.' + each.className + ': ' + each.textContent.trim().slice(0, 40)).slice(-5);
}"""


@dataclass(frozen=True)
class Inspector:
    """A server that runs, and the memory behind it, which a test may fill and ask."""

    memory: Memory
    base: str
    app: Any

    def url(self, path: str = "", *, scope: Scope = STORY, **query: object) -> str:
        """The address of a page, for example `url("conversations", page=2)`."""
        asked = parameters_of(scope) | {name: str(each) for name, each in query.items() if each is not None}
        return f"{self.base}/inspect/{path}?{urlencode(asked)}"


@contextmanager
def serving(memory: Memory, *, keyed: bool = False) -> Iterator[Inspector]:
    """The whole server of this memory on a free port, in a thread of its own.

    Who reaches it is an operator, or brings a key.
    """
    import uvicorn

    from glossator.surfaces.http.app import create_app
    from glossator.surfaces.http.settings import Settings

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    app = create_app(AsyncMemory(memory), settings=Settings(keyed=keyed, trust="operator", mcp=False))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + SERVER_START_S
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise RuntimeError("the server of the inspector did not start")
        thread.join(0.02)
    try:
        yield Inspector(memory, f"http://127.0.0.1:{port}", app)
    finally:
        server.should_exit = True
        thread.join(SERVER_START_S)
        listening.close()


@contextmanager
def driven() -> "Iterator[Browser]":
    """Debian's chromium, driven by Playwright. Skips where there is none, and fails there under CI."""
    found = shutil.which("chromium")
    if found is None:
        reason = "no chromium: `apt-get install chromium` has it"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(CHROMIUM))
        yield browser
        browser.close()


@dataclass
class Faults:
    """What a page must never do, as it happened: console errors, script errors, dialogs, requests to elsewhere."""

    base: str
    found: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)

    def allow(self, words: str) -> None:
        """A test that provokes an error says so: a fault that has these words is none."""
        self.allowed.append(words)

    def watch(self, page: "Page") -> None:
        """Begin to note the faults of a page."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.found.append(f"script error: {error}"))
        page.on("dialog", self._dialog)
        page.on("request", self._request)

    @property
    def unexpected(self) -> list[str]:
        """The faults that no test allowed."""
        return [each for each in self.found if not any(words in each for words in self.allowed)]

    def _console(self, message: "ConsoleMessage") -> None:
        if message.type in ("error", "warning", "assert"):
            self.found.append(f"console {message.type}: {message.text} ({message.location.get('url', '')})")

    def _dialog(self, dialog: "Dialog") -> None:
        self.found.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: "Request") -> None:
        if not request.url.startswith((f"{self.base}/", "data:", "blob:")):
            self.found.append(f"request to another origin: {request.url}")


@dataclass(frozen=True)
class Eye:
    """Looks at a page in every look it has, keeps the pictures, and says what is wrong with it."""

    folder: Path
    axe: str

    def looked_at(self, page: "Page", name: str, *, ready: str | None = None) -> list[str]:
        """Take its picture in light and dark, wide and narrow; what axe finds serious, and what is too wide.

        `ready` is a selector that has to be there before a picture is taken.
        """
        wrong: list[str] = []
        for scheme, width in LOOKS:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.set_viewport_size({"width": width, "height": 900})
            if ready:
                page.wait_for_selector(ready)
            page.evaluate(STEADY)
            page.screenshot(path=self.folder / f"{name}-{scheme}-{width}.png", full_page=True)
            wrong += [f"{scheme} {width}: {each}" for each in (*self.violations(page), *too_wide(page))]
        page.set_viewport_size({"width": NARROWEST, "height": 700})
        wrong += [f"{NARROWEST}: {each}" for each in too_wide(page)]
        return wrong

    def violations(self, page: "Page") -> list[str]:
        """What axe finds in the page as it stands, where it is serious or critical."""
        if not page.evaluate("'axe' in window"):
            page.evaluate(self.axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{each['id']} ({each['impact']}): {each['help']}: {', '.join(_places(each['nodes']))}"
            for each in found["violations"]
            if each["impact"] in ("serious", "critical")
        ]


def too_wide(page: "Page") -> list[str]:
    """The elements for which a reader would have to scroll the whole page sideways."""
    found: list[str] = page.evaluate(TOO_WIDE)
    return [f"too wide: {each}" for each in found]


def _places(nodes: Sequence[dict[str, Any]]) -> list[str]:
    return [f"{each['html'][:90]} {each.get('failureSummary', '').splitlines()[-1].strip()}" for each in nodes[:3]]


def axe_source() -> str:
    """The script of axe, as its package ships it."""
    import axe_playwright_python

    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def artefacts() -> Path:
    """The folder of this run's screenshots."""
    folder = Path(os.environ.get(ARTEFACTS) or ROOT / ".test-artefacts") / "inspector"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
