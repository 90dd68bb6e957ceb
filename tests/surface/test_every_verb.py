"""Every verb of Memory is on each surface, or on its list of what is not there, with the reason."""

import ast
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer

from glossator import Memory
from glossator.surfaces import offering
from glossator.surfaces.cli import app
from glossator.surfaces.mcp import offering as mcp_offering
from glossator.surfaces.web import offering as web_offering
from glossator.wire import routes

SURFACES = Path(offering.__file__).parent
VERBS = {name for name, _ in inspect.getmembers(Memory, callable) if not name.startswith("_")}


@dataclass(frozen=True)
class Surface:
    """What a surface says of itself, and where its code lies."""

    offered: Iterable[str]
    absent: Mapping[str, str]
    code: tuple[str, ...] = ()


TABLES = {
    "command line": Surface(offering.COMMANDS, offering.NOT_COMMANDS, ("verbs",)),
    "mcp": Surface(mcp_offering.VERBS, mcp_offering.ABSENT, ("mcp", "tools")),
    "http": Surface([route.verb for route in routes.ROUTES], routes.ABSENT),
    "inspector": Surface(web_offering.VERBS, web_offering.ABSENT, ("web",)),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_verb_is_offered_or_its_absence_has_a_reason(name: str) -> None:
    surface = TABLES[name]

    assert set(surface.offered) | set(surface.absent) == VERBS
    assert set(surface.offered) & set(surface.absent) == set()
    assert all(len(reason) > 10 for reason in surface.absent.values())


@pytest.mark.parametrize("name", [name for name, surface in TABLES.items() if surface.code])
def test_what_is_offered_is_called(name: str) -> None:
    """The routes of the API are made from the verbs themselves; the others must call what they say."""
    surface = TABLES[name]
    called = {
        node.attr if isinstance(node, ast.Attribute) else str(node.value)
        for folder in surface.code
        for path in (SURFACES / folder).rglob("*.py")
        if path.name != "offering.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute | ast.Constant)
    }
    built = {f"{move}_facts" for move in ("archive", "deprioritise", "reinstate") if move in called}

    assert set(surface.offered) - called - built - {"open"} == set()


def test_the_commands_exist() -> None:
    top = dict(getattr(typer.main.get_command(app), "commands", {}))
    below = {f"{group} {verb}" for group, each in top.items() for verb in getattr(each, "commands", {})}

    named = {command for commands in offering.COMMANDS.values() for command in commands}
    assert named - set(top) - below == set()
