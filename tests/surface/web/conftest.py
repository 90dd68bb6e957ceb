"""One server and one browser for all tests of the inspector, and a page that fails on any fault.

The browser is of this folder, not of the session: while Playwright runs, no other test of the process uses asyncio.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.conftest import NOW
from tests.surface.web import harness, story

from glossator import Memory, Options
from glossator.testing.clock import FakeClock
from glossator.testing.ids import CountingIds
from glossator.testing.scripted import ScriptedModel

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Browse = Callable[..., "Page"]
FOLDER = Path(__file__).parent
RUNNING = ExitStack()
OPEN: "list[Browser]" = []


@pytest.fixture(scope="session")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[harness.Inspector]:
    """A server with the story in it; its clock stands at NOW. What a test changes it does in a scope of its own."""
    memory = Memory.open(
        tmp_path_factory.mktemp("inspector") / "memory.db",
        options=Options(embedder="hashing", worker=False),
        clock=FakeClock(NOW),
        ids=CountingIds(),
        language_model=ScriptedModel([story.replied] * 500),
    )
    memory.warm(30)
    story.told(memory)
    with harness.serving(memory) as running:
        yield running
    memory.close()


@pytest.fixture
def browser() -> "Browser":
    """A real chromium, the same one for all tests of this folder."""
    if not OPEN:
        OPEN.append(RUNNING.enter_context(harness.driven()))
    return OPEN[0]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browser behind the last test of this folder."""
    if nextitem is None or FOLDER not in nextitem.path.parents:
        OPEN.clear()
        RUNNING.close()


@pytest.fixture
def faults(inspector: harness.Inspector) -> Iterator[harness.Faults]:
    """What the pages of a test did wrong; the test fails where that is anything it did not allow."""
    noted = harness.Faults(inspector.base)
    yield noted
    assert noted.unexpected == []


@pytest.fixture
def browse(browser: "Browser", inspector: harness.Inspector, faults: harness.Faults) -> Iterator[Browse]:
    """Open a page of the inspector by its path: `browse("conversations", scheme="dark", width=360)`."""
    contexts = []

    def opened(
        path: str = "", *, scheme: str = "light", width: int = 1280, scope: object = harness.STORY,
        scripts: bool = True, **query: object,
    ) -> "Page":  # fmt: skip
        context = browser.new_context(
            color_scheme=scheme,  # type: ignore[arg-type]
            viewport={"width": width, "height": 900},
            java_script_enabled=scripts,
            reduced_motion="reduce",
        )
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        faults.watch(page)
        page.goto(inspector.url(path, scope=scope, **query))  # type: ignore[arg-type]
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def eye() -> harness.Eye:
    """Looks at a page: pictures in every look, axe, and what is too wide."""
    return harness.Eye(artefacts(), harness.axe_source())


def artefacts() -> Path:
    """The folder of screenshots, where it can be written."""
    return harness.artefacts()
