"""`glossator ingest`: read a file, a folder or an archive of conversations, and say what became of each part."""

from pathlib import Path
from typing import TYPE_CHECKING

from glossator.errors import UsageError
from glossator.rules.instants import zone_named
from glossator.surfaces.call import Call, Interrupted
from glossator.surfaces.importers import Home, InputFile, Transcript, input_files, read_file
from glossator.surfaces.importers.pieces import BLANK, OTHER_KINDS
from glossator.surfaces.registry import MISUSED
from glossator.surfaces.show.plain_json import shown_path
from glossator.surfaces.show.wording import plural, safe
from glossator.surfaces.verbs.intake import Intake, Tally
from glossator.surfaces.verbs.settling import settle

if TYPE_CHECKING:
    from rich.console import RenderableType

SHOWN_MAX = 10
"""Rejected items on a terminal; `--json` lists them all."""


def run(
    call: Call, path: Path, *, kind: str | None, at: str | None, project: str | None, tags: tuple[str, ...], embed: bool
) -> int:
    """Record all of it in batches, then embed it, then show the receipt."""
    home = Home(name="", conversation=call.scope.conversation, zone=zone_named(call.options.zone), at=at)
    return take_in(
        call, input_files(path), source=shown_path(path), home=home, kind=kind, project=project, tags=tags, embed=embed
    )


def take_in(
    call: Call,
    files: tuple[InputFile, ...],
    *,
    source: str,
    home: Home,
    kind: str | None,
    project: str | None,
    tags: tuple[str, ...],
    embed: bool,
) -> int:
    """The same for files that were opened elsewhere, such as stdin; `source` is what they are called together."""
    with call.open(embeds=embed) as memory:
        intake = Intake(memory=memory, scope=call.whole_scope, project=project, tags=tags)
        _read_all(call, files, intake, home=home, kind=kind)
        _check_read(intake.tally, source)
        left = settle(memory, call) if embed else memory.status().pending_count
    tally = intake.tally
    call.screen.answer(as_value(tally, len(files), left), render=lambda: render(tally, len(files), left))
    return MISUSED if tally.rejected_count and not tally.accepted_count else 0


def _check_read(tally: Tally, source: str) -> None:
    """Raises UsageError if there was nothing at all to read."""
    reasons = {each["reason"] for each in tally.rejected} | set(tally.left_out)
    if tally.outcomes.total() or not reasons <= {BLANK, OTHER_KINDS}:
        return
    why = f": {', '.join(sorted(reasons))}" if reasons else ""
    raise UsageError("path", f"nothing to read in {source}{why}", remedy="pass what holds conversations or texts")


def _read_all(call: Call, files: tuple[InputFile, ...], intake: Intake, *, home: Home, kind: str | None) -> None:
    done = 0
    try:
        with call.screen.progress("reading", total=float(sum(file.size for file in files) or 1)) as advance:
            for file in files:
                for piece in read_file(file, home=home, kind=kind):
                    intake.take(file.name, piece)
                    if isinstance(piece, Transcript):
                        count = intake.tally.outcomes.total()
                        advance(done + piece.share * file.size, f"{safe(file.name)}: {plural(count, 'message')}")
                done += file.size
    except KeyboardInterrupt:
        kept = plural(intake.tally.accepted_count, "message")
        raise Interrupted(f"{kept} kept; the same command goes on from there, what is stored is skipped") from None


def as_value(tally: Tally, file_count: int, left: int) -> dict[str, object]:
    """The receipt as JSON."""
    return {
        "files": file_count,
        "conversations": len(tally.conversations),
        "documents": tally.document_count,
        **{outcome: tally.outcomes[outcome] for outcome in ("stored", "duplicate", "conflict", "erased")},
        "rejected": tally.rejected_count,
        "rejected_items": tally.rejected,
        "conflict_ids": tally.conflicts,
        "left_out": dict(tally.left_out),
        "notes": dict(tally.notes),
        "pending": left,
    }


def render(tally: Tally, file_count: int, left: int) -> "RenderableType":
    """The receipt for a person."""
    from rich.console import Group
    from rich.text import Text

    from glossator.surfaces.show.upkeep import BAD, GOOD, QUIET, grid

    table = grid()
    from_where = f"{plural(file_count, 'file')}, {plural(len(tally.conversations), 'conversation')}"
    if tally.document_count:
        from_where += f", {plural(tally.document_count, 'document')}"
    table.add_row("read", from_where)
    table.add_row("stored", Text(f"{tally.outcomes['stored']:,}", style=GOOD))
    table.add_row("there already", f"{tally.outcomes['duplicate']:,}")
    if tally.outcomes["conflict"]:
        ids = ", ".join(tally.conflicts[:3]) + (" …" if len(tally.conflicts) > 3 else "")
        words = f"{tally.outcomes['conflict']:,}  other words under the same id, the stored ones were kept: {ids}"
        table.add_row("in conflict", Text(safe(words), style="yellow"))
    if tally.outcomes["erased"]:
        table.add_row("forgotten", f"{tally.outcomes['erased']:,}  were erased before and are not taken back")
    for reason, count in sorted(tally.left_out.items()):
        table.add_row("left out", f"{count:,}  {reason}")
    table.add_row("rejected", Text(f"{tally.rejected_count:,}", style=BAD if tally.rejected_count else ""))
    for each in tally.rejected[:SHOWN_MAX]:
        words = f"{each['file']}, {each['where']}: {each['reason']}"
        table.add_row("", Text(safe(words + (f"  “{each['excerpt']}”" if each["excerpt"] else "")), style="yellow"))
    if tally.rejected_count > SHOWN_MAX:
        table.add_row("", f"and {tally.rejected_count - SHOWN_MAX:,} more; --json lists them")
    table.add_row("still to embed", f"{left:,}" + ("  `glossator worker --once` does it" if left else ""))
    notes = [Text(safe(note) + (f" ({count:,} times)" if count > 1 else ""), style=QUIET)
             for note, count in tally.notes.items()]  # fmt: skip
    return Group(table, *notes)
