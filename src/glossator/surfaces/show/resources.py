"""How do the texts of a prompt look: which there are, what they said before, and how two revisions differ?"""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from glossator.model import ResourceKind, Revision, RevisionSource
from glossator.surfaces.show.upkeep import GOOD, QUIET
from glossator.surfaces.show.wording import clock, conversation_name, one_line, plural, safe
from glossator.upkeep.resources import FILES, lines_changed

_SOURCES: Mapping[RevisionSource, str] = {
    "seed": "the first text",
    "imported": "imported",
    "manual_edit": "edited by hand",
    "extraction_rebuild": "rebuilt from facts",
    "scheduler_rebuild": "rebuilt by a job",
    "compaction": "written by compaction",
    "rollback": "rolled back",
}
WARNED = "yellow"
_STYLES = {"+": "green", "-": "red", "@": "cyan", "\\": "dim"}


def render_resources(heads: Sequence[Revision], *, zone: str) -> RenderableType:
    """Each text with its newest revision; what to do where there is none."""
    if not heads:
        advice = "they are kept once GLOSSATOR_PROMPT_FOLDER names a folder; `glossator memory files` shows them now"
        return Group(Text("no texts"), Text(advice, style=QUIET))
    lines: list[RenderableType] = []
    for head in heads:
        number = f"  revision {head.number}  "
        title = Text.assemble((_title(head), "bold"), number, (_when(head, zone), QUIET))
        lines += [title, Padding(_about(head), (0, 0, 0, 4))]
    return Group(*lines)


def render_history(kind: ResourceKind, revisions: Sequence[Revision], *, zone: str, more: bool) -> RenderableType:
    """Two lines for each revision: its number and date; where it came from."""
    if not revisions:
        return Text(f"{FILES[kind]} has no revision yet")
    width = len(str(revisions[0].number))
    lines: list[RenderableType] = [Text(_title(revisions[0]), style="bold")]
    for each in revisions:
        lines.append(Text.assemble((f"{each.number:>{width}}", "bold"), "  ", _when(each, zone)))
        lines.append(Padding(_about(each), (0, 0, 0, width + 2)))
    foot = [Text("there are more; --limit shows them", style=QUIET)] if more else []
    return Group(*lines, *foot)


def render_revision(revision: Revision, *, zone: str) -> RenderableType:
    """Where it came from, then all that it says."""
    name = f"{_title(revision)} revision {revision.number}"
    title = Text.assemble((name, "bold"), "  ", (_when(revision, zone), QUIET))
    lines: list[RenderableType] = [title, _about(revision)]
    if revision.erased_at is not None:
        return Group(*lines, Text(f"its words were erased, {clock(revision.erased_at, zone)}", style=WARNED))
    lines.append(Text(f"sha256 {revision.sha256}", style=QUIET))
    words = Text(safe(revision.content).rstrip("\n")) if revision.content else Text("(empty)", style=QUIET)
    return Group(*lines, Text(""), words)


def render_diff(kind: ResourceKind, first: int, second: int, diff: str) -> Text:
    """The lines, taken out in red, put in in green."""
    if not diff:
        return Text(f"revisions {first} and {second} of {FILES[kind]} say the same")
    return _coloured(diff)


def render_rollback_preview(head: Revision, target: Revision, diff: str, *, warning: str) -> RenderableType:
    """What would change, and the warning."""
    name = _title(target)
    if not diff:
        where = "" if head.number == target.number else f", as revision {head.number}"
        return Text(f"{name} has the text of revision {target.number} already{where}; there is nothing to do")
    added, removed = lines_changed(diff)
    what = f"{name} revision {target.number}, in place of {head.number}"
    size = f" ({plural(added, 'line')} in, {plural(removed, 'line')} out)"
    title = Text.assemble(("Would come back: ", "bold yellow"), what, (size, QUIET))
    told = [Text(f"Note: {warning}.", style=WARNED)] if warning else []
    return Group(title, Padding(_coloured(diff), (0, 0, 0, 2)), *told)


def render_rolled(revision: Revision, *, zone: str) -> RenderableType:
    """The new revision."""
    name = f"  {_title(revision)} is at revision {revision.number}  "
    title = Text.assemble(("Rolled back", f"bold {GOOD}"), name, (_when(revision, zone), QUIET))
    return Group(title, Padding(_about(revision), (0, 0, 0, 2)))


def _title(revision: Revision) -> str:
    of = f" of {conversation_name(revision.conversation)}" if revision.conversation else ""
    return FILES[revision.kind] + of


def _about(revision: Revision) -> Text:
    """Where a revision came from, and how large it is."""
    source = _SOURCES[revision.source]
    if revision.source == "rollback":
        source += f" from {revision.origin} to {revision.target}"
    parts = [source]
    cause = one_line(revision.trigger)
    parts += [cause] if cause and revision.source != "rollback" and not _is_plain(revision) else []
    parts += [f"by {safe(revision.by)}"] if revision.by else []
    parts += [plural(len(revision.memory_ids), "fact")] if revision.memory_ids else []
    parts += [plural(len(revision.message_ids), "message")] if revision.message_ids else []
    parts.append("erased" if revision.erased_at else plural(revision.byte_count, "byte"))
    return Text(" · ".join(parts), style=QUIET)


def _is_plain(revision: Revision) -> bool:
    """True if the cause says no more than the source does."""
    return revision.trigger in ("manual edit", "facts changed")


def _when(revision: Revision, zone: str) -> str:
    return clock(revision.created_at, zone)


def _coloured(diff: str) -> Text:
    lines = safe(diff).removesuffix("\n").split("\n")
    return Text("\n").join(Text(line, style=_style(line)) for line in lines)


def _style(line: str) -> str:
    return "bold" if line.startswith(("--- ", "+++ ")) else _STYLES.get(line[:1], "")
