"""The page of the command line leaves nothing out and makes nothing up: verbs, options, variables, exit codes."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from glossator.surfaces import registry
from glossator.surfaces.call import SHARED
from glossator.surfaces.cli import app
from glossator.surfaces.importers.files import FORMAT_NAMES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
SECTIONS = {part.split("\n", 1)[0].strip(): part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}
TOP: dict[str, Any] = dict(getattr(typer.main.get_command(app), "commands", {}))
BELOW: dict[str, Any] = {
    f"{group} {verb}": command for group, each in TOP.items() for verb, command in getattr(each, "commands", {}).items()
}
VERBS = TOP | BELOW
CODES = {name: getattr(registry, name) for name in ("OK", "FAILED", "MISUSED", "INTERRUPTED")}


def flags_of(parameter: Any) -> tuple[str, ...]:
    """The ways to write an option: `--limit` and `-n`, `--embed` and `--no-embed`; none for an argument."""
    return tuple(flag for flag in (*parameter.opts, *parameter.secondary_opts) if flag.startswith("-"))


def section_of(verb: str) -> str:
    """Of a verb below another the other's section."""
    return SECTIONS[verb.partition(" ")[0]]


def own_flags(verb: str) -> tuple[str, ...]:
    own = [each for each in VERBS[verb].params if each.name not in SHARED]
    return tuple(flag for each in own for flag in flags_of(each) if flag not in ("--help", "-h"))


def shared_flags() -> tuple[str, ...]:
    return tuple(flag for each in VERBS["recall"].params if each.name in SHARED for flag in flags_of(each))


def mentions(text: str, flag: str) -> bool:
    return f"`{flag}`" in text


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_has_a_section_with_a_transcript_and_the_shape_of_its_json(verb: str) -> None:
    assert f"$ glossator {verb}" in section_of(verb)
    assert "`--json`:" in section_of(verb)


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_option_of_a_verb_stands_in_its_section(verb: str) -> None:
    assert [flag for flag in own_flags(verb) if not mentions(section_of(verb), flag)] == []


def test_every_shared_option_stands_with_its_variable() -> None:
    section = SECTIONS["Shared options"]
    helps = " ".join(str(each.help) for each in VERBS["recall"].params if each.name in SHARED)
    variables = re.findall(r"GLOSSATOR_\w+", helps)

    assert len(variables) == len(SHARED) - 1
    assert [flag for flag in shared_flags() if not mentions(section, flag)] == []
    assert [name for name in variables if not mentions(section, name)] == []


def test_no_option_is_made_up() -> None:
    known = {flag for verb in VERBS for flag in own_flags(verb)} | {*shared_flags(), "--help", "--version"}

    assert sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", PAGE)) - known) == []


def test_no_section_is_of_a_verb_that_is_not_there() -> None:
    assert SECTIONS.keys() - TOP.keys() == {"Shared options", "Exit codes"}


@pytest.mark.parametrize("name", sorted(CODES))
def test_every_exit_code_is_stated(name: str) -> None:
    assert f"\n| {CODES[name]} |" in SECTIONS["Exit codes"]


def test_no_exit_code_is_made_up() -> None:
    stated = re.findall(r"^\| (\d+) \|", SECTIONS["Exit codes"], flags=re.MULTILINE)

    assert sorted(map(int, stated)) == sorted(CODES.values())


def test_every_format_that_ingest_reads_is_named() -> None:
    row = next(line for line in SECTIONS["ingest"].splitlines() if line.startswith("| `--format`"))

    assert [name for name in FORMAT_NAMES if not re.search(rf"\b{name}\b", row)] == []
