"""The page of the HTTP API is true: its table is the table, its commands run and give what stands below them."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.surface.http_server import Served, serving

from glossator import Options
from glossator.surfaces.http.settings import Settings
from glossator.wire.routes import ABSENT, PREFIX, ROUTES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "http.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```sh\n(.*?)```\n.*?```json\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    settings = Settings(inspector=False, mcp=False)
    path = tmp_path_factory.mktemp("page") / "memory.db"
    with serving(path, settings, options=Options(embedder="hashing")) as running:
        yield running


def test_the_table_has_every_route_as_it_is() -> None:
    # proves: O33
    rows = re.findall(r"^\| `(\w+)` \| `(GET|POST|PUT|DELETE) (\S+)`( pages)? \|$", PAGE, flags=re.MULTILINE)
    assert sorted(rows) == sorted(
        (route.verb, route.method, PREFIX + route.path, " pages" if route.page else "") for route in ROUTES
    )


def test_what_is_not_offered_stands_there_with_its_reason() -> None:
    table = PAGE.partition("Not offered:")[2].partition("\n## ")[0]
    assert dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", table, flags=re.MULTILINE)) == dict(ABSENT)


def test_the_commands_of_the_page_give_what_it_says(served: Served) -> None:
    if shutil.which("curl") is None:
        pytest.skip("no curl")
    secret = served.memory.add_key("page", workspace="acme").secret
    assert len(EXAMPLES) == PAGE.count("```sh") >= 8
    for command, shown in EXAMPLES:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command], env={"PATH": "/usr/bin:/bin", "URL": served.url,
            "GLOSSATOR_API_KEY": secret}, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (command, done.stderr)
        said = json.loads(done.stdout.splitlines()[-1])
        assert _within(json.loads(shown), said), (command, done.stdout)


def _within(shown: Any, said: Any) -> bool:
    """True if what the page shows is a part of what was said."""
    if isinstance(shown, dict):
        return isinstance(said, dict) and all(
            name in said and _within(part, said[name]) for name, part in shown.items()
        )
    if isinstance(shown, list):
        return isinstance(said, list) and len(shown) <= len(said) and all(map(_within, shown, said))
    return bool(shown == said)
