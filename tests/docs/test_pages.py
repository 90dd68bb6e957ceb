"""The documentation is true: its Python blocks run, its links lead somewhere."""

import re
from pathlib import Path

import pytest
from sybil import Document, Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_code_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    document: Document = Sybil(parsers=[PythonCodeBlockParser()], path=str(page.parent)).parse(page)
    for example in document.examples():
        example.evaluate()


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name
)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_everything_public_is_mentioned_in_the_documentation() -> None:
    import glossator

    text = "".join(page.read_text(encoding="utf-8") for page in PAGES) + (glossator.errors.__doc__ or "")
    assert [name for name in glossator.__all__ if name not in text] == []


def test_the_table_of_verbs_has_every_verb_once() -> None:
    from glossator import Memory

    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    table = page.partition("## All verbs")[2].partition("\n## ")[0]
    first_cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    listed = [name for cell in first_cells for name in re.findall(r"`(\w+)`", cell)]
    verbs = {name for name in dir(Memory) if not name.startswith("_") and callable(getattr(Memory, name))}

    assert sorted(listed) == sorted(verbs)
