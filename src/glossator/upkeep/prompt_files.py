"""The way from facts to prompt files: read rows - render - keep a revision - write. This room alone calls the ports.

Rows come first and files after them: a file is a copy, written when its bytes differ and never read for its content.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from glossator.errors import StoreError, UsageError
from glossator.model import (
    PROMPT_FILE_KINDS,
    Fact,
    FactFilter,
    PromptFile,
    PromptFileKind,
    PromptFiles,
    ResourceKind,
    RevisionDraft,
    Scope,
    Sensitivity,
    text_sha256,
)
from glossator.ports import Clock, Facts, Files, Resources
from glossator.rules.log_words import content_of, kind_of
from glossator.rules.promotion import SECTIONS, Section, section_of
from glossator.upkeep.prompt_paths import prompt_folder, prompt_path
from glossator.upkeep.resources import FILES

logger = logging.getLogger("glossator.prompt_files")

WINDOW = 80
"""Facts read at first. The six sections hold 43 rows; what is left out of them has to be made up for."""
WINDOW_MAX = 16_384
ROUNDS_MAX = 3
"""A text that was written is compared with the rows once more; so often, when others change them all the time."""


NOTE = ".changing"
BY_HAND: tuple[ResourceKind, ...] = ("rules", "soul")


class Book(Facts, Resources, Protocol):
    """What the corridor asks of a store."""


Stands = Callable[[Fact], bool]
Render = Callable[[Sequence[Fact]], PromptFiles]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What a rebuild did: the files as they are now, which of them were written, which got a new revision."""

    files: PromptFiles
    written: tuple[PromptFileKind, ...] = ()
    revised: tuple[PromptFileKind, ...] = ()


def read_rows(book: Facts, scope: Scope, *, stands: Stands, sensitivities: tuple[Sensitivity, ...]) -> tuple[Fact, ...]:
    """The latest seen facts of each section, until it is full or there are no more; only as sensitive as is said.

    All sections that still have room are asked for at once, so that one that is common does not cost the others a
    search through it.
    """
    found: dict[int, Fact] = {}
    statements: dict[Section, set[str]] = {section: set() for section in SECTIONS}
    open_sections, limit = list(SECTIONS), WINDOW
    while open_sections:
        rows = book.facts(scope, _asked(open_sections, sensitivities, limit))
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
    return tuple(found.values())


def rebuild(
    book: Book, files: Files | None, clock: Clock, scope: Scope, *, rows: Callable[[], Sequence[Fact]], render: Render,
    trigger: str,
) -> Rebuilt:  # fmt: skip
    """Bring both files and their revisions to what the rows say. What is the same is not written.

    Raises StoreError when the store or the folder fails; a file is then the old one or the new one, whole.
    """
    written: dict[PromptFileKind, None] = {}
    revised: dict[PromptFileKind, None] = {}
    if files is not None:
        files.tidy(prompt_folder(scope))
    for _ in range(ROUNDS_MAX):
        rendered = render(rows())
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
        _take_erased(book, files, scope)
    return Rebuilt(files=rendered, written=tuple(written), revised=tuple(revised))


def clear(files: Files, scope: Scope) -> None:
    """Take both files away."""
    for kind in PROMPT_FILE_KINDS:
        files.remove(prompt_path(scope, kind))


def note_change(files: Files, scope: Scope, name: str) -> None:
    """Leave a note beside the owner's files that they are about to be out of date."""
    whose = {"workspace": scope.workspace, "agent": scope.agent, "owner": scope.owner}
    files.write(name, json.dumps(whose))


def note_name(scope: Scope, token: str) -> str:
    """The name of a note; each process has a token of its own, so that none takes away another's."""
    return f"{prompt_folder(scope)}/{NOTE}-{token}"


def changes_noted(files: Files) -> Mapping[str, Scope]:
    """The notes that there are, with their owners: whoever left one was stopped before the rebuild, or is at it."""
    found = {}
    for name in files.names():
        if not name.rpartition("/")[2].startswith(NOTE):
            continue
        try:
            whose = json.loads(files.read(name) or "")
            found[name] = Scope(workspace=whose["workspace"], agent=whose["agent"], owner=whose["owner"])
        except StoreError as error:
            told = kind_of(error)
            logger.warning("a note in the folder of prompt files is skipped: %s", told, extra=content_of(error))
        except (ValueError, KeyError, TypeError, UsageError) as error:
            told = kind_of(error)
            logger.warning("a note among the prompt files says nothing and goes: %s", told, extra=content_of(error))
            files.remove(name)
    return found


def read_back(files: Files, scope: Scope, kinds: Sequence[PromptFileKind]) -> Mapping[PromptFileKind, str]:
    """What stands in the files now; one that cannot be read is skipped with a warning."""
    texts: dict[PromptFileKind, str] = {}
    for kind in kinds:
        try:
            texts[kind] = files.read(prompt_path(scope, kind)) or ""
        except StoreError as error:
            logger.warning("a prompt file is skipped: %s", kind_of(error), extra=content_of(error))
    return texts


def _asked(sections: Sequence[Section], sensitivities: tuple[Sensitivity, ...], limit: int) -> FactFilter:
    return FactFilter(
        states=("active",),
        categories=tuple(section.category for section in sections),
        scope_types=tuple(sorted({each for section in sections for each in section.scope_types})),
        sensitivities=sensitivities,
        limit=limit,
    )


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


def _take_erased(book: Book, files: Files, scope: Scope) -> None:
    """A text written by hand goes from the folder when its revisions were erased: with all of the owner's."""
    for kind in BY_HAND:
        head = next(iter(book.revisions(scope, kind, limit=1)), None)
        if head is not None and head.erased_at is not None:
            files.remove(f"{prompt_folder(scope)}/{FILES[kind]}")


def _write(files: Files, name: str, text: str) -> bool:
    """Write where the bytes differ. An empty file is only made where it takes the place of another text."""
    try:
        old = files.read(name)
    except StoreError as error:
        logger.warning("a prompt file is written anew: %s", kind_of(error), extra=content_of(error))
        old = None
    else:
        if old == text or (old is None and not text):
            return False
    files.write(name, text)
    return True
