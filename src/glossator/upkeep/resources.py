"""What do the texts of a prompt go by, how do two revisions differ, and which of them may come back?"""

from collections.abc import Mapping
from difflib import unified_diff

from glossator.errors import ConflictError, UsageError
from glossator.model import RESOURCE_KINDS, ResourceKind, Revision, RevisionDraft

RESOURCE_BYTES_MAX = 1_000_000
"""A prompt file has some thousand bytes; a larger text is almost always a wrong file."""
CAUSE_CHARACTERS_MAX = 200
"""What caused a revision is said in a line."""
FILES: Mapping[ResourceKind, str] = {
    "rules": "RULES.md",
    "soul": "SOUL.md",
    "user_md": "USER.md",
    "memory_md": "MEMORY.md",
    "checkpoint": "checkpoint",
}
"""What a person calls them."""
REBUILT: tuple[ResourceKind, ...] = ("user_md", "memory_md")
"""These are rendered from facts, again and again; nobody's own words stay in them."""
NO_END_OF_LINE = "\\ no end of line\n"
_OTHER_NAMES: Mapping[str, ResourceKind] = {
    "rules_md": "rules",
    "soul_md": "soul",
    "user": "user_md",
    "memory": "memory_md",
}


def kind_named(name: object) -> ResourceKind:
    """The kind that is meant by "user_md", "USER.md", "user-md" or "user". Raises UsageError for any other name."""
    wanted = str(name).strip().casefold().replace("-", "_").replace(".", "_").replace(" ", "_")
    for kind in RESOURCE_KINDS:
        if kind == wanted:
            return kind
    if wanted in _OTHER_NAMES:
        return _OTHER_NAMES[wanted]
    raise UsageError("kind", f"{name!r} is no kind of resource", remedy=f"choose from {', '.join(RESOURCE_KINDS)}")


def rebuild_warning(kind: ResourceKind) -> str:
    """What somebody who changes the text by hand should know (F54); "" where it stays as it is written."""
    if kind not in REBUILT:
        return ""
    return (
        f"only the text of {FILES[kind]} is changed, not the facts that it is made from: the next rebuild writes it"
        " anew from them and replaces what you see now; to change it for good, change the facts"
    )


def diff_text(first: Revision, second: Revision) -> str:
    """What has to be taken out of the first (-) and put in (+) to make the second, with three lines around; "" if
    they say the same.
    """
    if first.content == second.content:
        return ""
    lines = unified_diff(
        _lines(first.content), _lines(second.content), fromfile=_headed(first), tofile=_headed(second), lineterm="\n"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n{NO_END_OF_LINE}" for line in lines)


def rollback_draft(head: Revision, target: Revision, *, by: str) -> RevisionDraft | None:
    """The revision that brings the target's text back, None where the newest one has it.

    It rests on what the target rested on, so that an erasure reaches it too. Raises UsageError for a checkpoint,
    ConflictError where the target's words were erased.
    """
    if target.kind == "checkpoint":
        problem = "checkpoint is kept to be looked at, and no conversation goes back to one"
        raise UsageError("kind", problem, remedy=f"choose from {', '.join(RESOURCE_KINDS[:-1])}")
    if target.erased_at is not None:
        raise ConflictError(
            "number", f"{target.number} was erased and has no words any more", remedy="choose another revision"
        )
    if head.number == target.number or head.sha256 == target.sha256:
        return None
    return RevisionDraft(
        kind=target.kind,
        content=target.content,
        source="rollback",
        trigger=f"back to revision {target.number}",
        memory_ids=target.memory_ids,
        message_ids=target.message_ids,
        target=target.number,
        origin=head.number,
        by=by,
    )


def lines_changed(diff: str) -> tuple[int, int]:
    """How many lines a diff adds, and how many it removes."""
    body = diff.splitlines()[2:]
    return sum(line.startswith("+") for line in body), sum(line.startswith("-") for line in body)


def _headed(revision: Revision) -> str:
    return f"{FILES[revision.kind]} revision {revision.number}"


def _lines(text: str) -> list[str]:
    """The lines with their ends. Only a line feed ends one: a text may hold other separators as they are."""
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
