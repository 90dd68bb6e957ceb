"""Make the pictures of the README: the inspector, as it shows the talk of `glossator demo`.

    python -m bench.pictures [FOLDER]

Needs the extra `server`, Playwright and a chromium (by default the one that is found as `chromium`).
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from glossator.surfaces.demo_talk import AGENT, OWNER

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
COMMAND = (sys.executable, "-c", "from glossator.surfaces.start import main; main()")
SCOPE = {"workspace": "demo", "agent": AGENT, "owner": OWNER}
WIDTH = 1280
QUESTION = "What does Nora work as?"
START_LINES_MAX = 20


@contextmanager
def serving(database: Path) -> Iterator[str]:
    """The address of the pages of `glossator serve`."""
    choices = ("serve", "--db", str(database), "--no-key", "--trust", "operator", "--port", "0")
    server = subprocess.Popen([*COMMAND, *choices], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        for _ in range(START_LINES_MAX):
            words = server.stdout.readline().split()
            if words[:1] == ["inspector"]:
                yield words[1]
                return
        raise SystemExit("the server did not say where its pages are")
    finally:
        server.terminate()
        server.wait(10)


def search_picture(page: "Page", root: str, folder: Path) -> None:
    """A question, its hits, and why the first one came."""
    page.goto(f"{root}search?{urlencode({**SCOPE, 'q': QUESTION, 'history': 1})}")
    page.locator(".why summary").first.click()
    cut(page, folder / "inspector-search.png", below=".hit:nth-child(2)")


def fact_picture(page: "Page", root: str, folder: Path) -> None:
    """A fact that holds no more, with its sentence, versions and decisions."""
    page.goto(f"{root}facts?{urlencode({**SCOPE, 'state': 'superseded'})}")
    page.locator(".fact-words a").first.click()
    page.wait_for_selector(".fact-head")
    cut(page, folder / "inspector-fact.png", below=".columns")


def cut(page: "Page", path: Path, *, below: str) -> None:
    """The page from its top to the end of this element."""
    end = page.locator(below).first.bounding_box()
    assert end is not None
    page.mouse.move(0, 0)
    height = round(end["y"] + end["height"] + 2)
    page.screenshot(path=path, full_page=True, clip={"x": 0, "y": 0, "width": WIDTH, "height": height})
    sys.stdout.write(f"{path} {path.stat().st_size // 1000} kB\n")


def main() -> None:
    """Both pictures."""
    from playwright.sync_api import sync_playwright

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        database = Path(temporary) / "memory.db"
        subprocess.run([*COMMAND, "demo", "--db", str(database)], check=True, stdout=subprocess.DEVNULL)
        with serving(database) as root, sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = chromium.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
            search_picture(page, root, folder)
            fact_picture(page, root, folder)
            chromium.close()


if __name__ == "__main__":
    main()
