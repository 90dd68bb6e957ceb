"""The way from facts to prompt files: read rows - render - keep a revision - write. This room alone calls the ports.

Rows come first and files after them: a file is a copy, written when its bytes differ and never read for its content.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from glossator.errors import StoreError, UsageError
from glossator.model import Fact, FactFilter, PromptFile, PromptFileKind, PromptFiles, RevisionDraft, Scope, text_sha256
from glossator.ports import Clock, Facts, Files, Ledger, Resources
from glossator.rules.promotion import SECTIONS, Section, section_of
from glossator.upkeep.prompt_paths import prompt_folder, prompt_path

logger = logging.getLogger("glossator.prompt_files")

WINDOW = 80
"""Facts read at first. The six sections hold 43 rows; what is left out of them has to be made up for."""
WINDOW_MAX = 16_384
ROUNDS_MAX = 3
"""A text that was written is compared with the rows once more; so often, when others change them all the time."""


NOTE = ".changing"


class Book(Facts, Ledger, Resources, Protocol):
    """What the corridor asks of a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRows:
    """Facts that are enough to fill every section, and when those came back that had been set aside."""

    facts: tuple[Fact, ...] = ()
    returned_at: Mapping[int, datetime] = field(default_factory=dict)


Stands = Callable[[Fact], bool]
Render = Callable[[PromptRows], PromptFiles]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What a rebuild did: the files as they are now, which of them were written, which got a new revision."""

    files: PromptFiles
    written: tuple[PromptFileKind, ...] = ()
    revised: tuple[PromptFileKind, ...] = ()


def read_rows(book: Book, scope: Scope, stands: Stands) -> PromptRows:
    """The latest seen facts of each section, until it is full or there are no more.

    All sections that still have room are asked for at once, so that one that is common does not cost the others a
    search through it.
    """
    found: dict[int, Fact] = {}
    statements: dict[Section, set[str]] = {section: set() for section in SECTIONS}
    open_sections, limit = list(SECTIONS), WINDOW
    while open_sections:
        rows = book.facts(scope, _asked(open_sections, limit))
        for fact in rows:
            section = section_of(fact.category, fact.scope_type)
            if fact.fact_id in found or section is None:
                continue
            found[fact.fact_id] = fact
            if len(statements[section]) < section.rows_max and stands(fact):
                statements[section].add(fact.content_hash)
        left = [section for section in open_sections if len(statements[section]) < section.rows_max]
        if len(rows) < limit or limit >= WINDOW_MAX:
            break
        limit = limit * 4 if left == open_sections else limit
        open_sections = left
    return PromptRows(facts=tuple(found.values()), returned_at=_returned(book, scope, tuple(found.values())))


def rebuild(book: Book, files: Files | None, clock: Clock, scope: Scope, *, stands: Stands, render: Render,
            trigger: str) -> Rebuilt:  # fmt: skip
    """Bring both files and their revisions to what the rows say. What is the same is not written.

    Raises StoreError when the store or the folder fails; a file is then the old one or the new one, whole.
    """
    written: dict[PromptFileKind, None] = {}
    revised: dict[PromptFileKind, None] = {}
    if files is not None:
        files.tidy(prompt_folder(scope))
    for _ in range(ROUNDS_MAX):
        rendered = render(read_rows(book, scope, stands))
        again = False
        for file in (rendered.user, rendered.memory):
            if _revise(book, clock, scope, file, trigger):
                revised[file.kind] = None
            if files is not None and _write(files, prompt_path(scope, file.kind), file.text):
                written[file.kind] = None
                again = True
        if not again:
            break
    if files is not None:
        files.remove(f"{prompt_folder(scope)}/{NOTE}")
    return Rebuilt(files=rendered, written=tuple(written), revised=tuple(revised))


def note_change(files: Files, scope: Scope) -> None:
    """Leave a note beside the owner's files, if there are any, that they are about to be out of date.

    A rebuild takes it away.
    """
    if not files.names(prompt_folder(scope)):
        return
    whose = {"workspace": scope.workspace, "agent": scope.agent, "owner": scope.owner}
    files.write(f"{prompt_folder(scope)}/{NOTE}", json.dumps(whose))


def changes_noted(files: Files) -> tuple[Scope, ...]:
    """The owners for whose files there is a note: whoever left it was stopped before the rebuild."""
    noted = [files.read(name) for name in files.names() if name.endswith(f"/{NOTE}")]
    found = []
    for text in noted:
        try:
            whose = json.loads(text or "")
            found.append(Scope(workspace=whose["workspace"], agent=whose["agent"], owner=whose["owner"]))
        except (ValueError, KeyError, TypeError, UsageError) as error:
            logger.warning("a note in the folder of prompt files says nothing: %s", error)
    return tuple(found)


def read_back(files: Files, scope: Scope, kinds: Sequence[PromptFileKind]) -> Mapping[PromptFileKind, str]:
    """What stands in the files now; one that cannot be read is skipped with a warning."""
    texts: dict[PromptFileKind, str] = {}
    for kind in kinds:
        try:
            texts[kind] = files.read(prompt_path(scope, kind)) or ""
        except StoreError as error:
            logger.warning("a prompt file is skipped: %s", error)
    return texts


def _asked(sections: Sequence[Section], limit: int) -> FactFilter:
    return FactFilter(
        states=("active",),
        categories=tuple(section.category for section in sections),
        scope_types=tuple(sorted({each for section in sections for each in section.scope_types})),
        limit=limit,
    )


def _returned(book: Book, scope: Scope, facts: Sequence[Fact]) -> Mapping[int, datetime]:
    """When facts were restored or came back: that counts as being seen. Asked only where not all find room."""
    rows = {each: [fact for fact in facts if section_of(fact.category, fact.scope_type) == each] for each in SECTIONS}
    crowded = [fact.fact_id for section, mine in rows.items() if len(mine) > section.rows_max for fact in mine]
    if not crowded:
        return {}
    return {each.fact_id: each.at for each in book.changes(scope, crowded) if each.to_state == "active"}


def _revise(book: Book, clock: Clock, scope: Scope, file: PromptFile, trigger: str) -> bool:
    """Keep the text as a revision where it differs from the newest one; nothing is kept of a file that never was."""
    head = next(iter(book.revisions(scope, file.kind, limit=1)), None)
    if head is None and not file.text:
        return False
    if head is not None and head.sha256 == text_sha256(file.text):
        return False
    draft = RevisionDraft(
        kind=file.kind, content=file.text, source="extraction_rebuild", trigger=trigger, memory_ids=file.fact_ids,
        by="glossator",
    )  # fmt: skip
    return book.commit_revision(scope, draft, now=clock.now()).changed


def _write(files: Files, name: str, text: str) -> bool:
    """Write where the bytes differ. An empty file is only made where it takes the place of another text."""
    try:
        old = files.read(name)
    except StoreError as error:
        logger.warning("a prompt file is written anew: %s", error)
        old = None
    else:
        if old == text or (old is None and not text):
            return False
    files.write(name, text)
    return True
