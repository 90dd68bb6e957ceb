"""Every link of the documentation leads somewhere: the file is there, and so is the heading that it names."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^ {0,3}(```|~~~).*?^ {0,3}\1[ \t]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]*)\)")
ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:", re.IGNORECASE)
ANCHOR_DROPS = re.compile(r"[^\w\- ]")  # as the forges make an anchor of a heading: letters, digits, "_", "-", spaces


@cache
def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


@cache
def anchors(page: Path) -> frozenset[str]:
    found: list[str] = []
    for heading in re.findall(r"^#{1,6} (.+?)#*$", prose(page), flags=re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip())
        anchor = ANCHOR_DROPS.sub("", words.lower()).replace(" ", "-")
        again = sum(1 for each in found if re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", each))
        found.append(f"{anchor}-{again}" if again else anchor)
    return frozenset(found)


def broken(page: Path, link: str) -> str | None:
    """What is wrong with a relative link of a page; None where it leads somewhere."""
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.is_relative_to(ROOT) or not target.exists():
        return f"{link}: there is no such file"
    if anchor and anchor not in anchors(target):
        return f"{link}: {target.name} has no such heading"
    return None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file_and_a_heading_that_are_there(page: Path) -> None:
    links = [link for link in LINK.findall(prose(page)) if not ELSEWHERE.match(link)]

    assert [wrong for link in links if (wrong := broken(page, link))] == []


def test_every_page_is_reached_from_the_readme() -> None:
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        named = ((page.parent / link.partition("#")[0]).resolve() for link in LINK.findall(prose(page)))
        waiting += [each for each in named if each.suffix == ".md" and each.exists()]
        waiting += [each for folder in LINK.findall(prose(page)) for each in (page.parent / folder).glob("*.md")]

    assert sorted(str(page.relative_to(ROOT)) for page in set(PAGES) - reached) == []


def test_every_table_has_its_rule_on_a_line_of_its_own() -> None:
    # A header that runs into its rule is shown as text, not as a table.
    rules = [
        f"{page.name}: {line[:80]}"
        for page in PAGES
        for line in prose(page).splitlines()
        if "---|" in line and not re.fullmatch(r"\|(\s*:?-+:?\s*\|)+", line.strip())
    ]

    assert rules == []
