"""How do receipts, erasures, counts and findings look?"""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from glossator.model import Finding, ForgetPreview, ForgetReceipt, Receipt, Status
from glossator.surfaces.show.wording import conversation_name, one_line, plural, safe

GOOD = "green"
BAD = "bold red"
QUIET = "dim"


def grid() -> Table:
    """A table without lines: a name, a value."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style=QUIET, no_wrap=True)
    table.add_column(overflow="fold")
    return table


def render_receipt(receipt: Receipt) -> RenderableType:
    """What became of each message; one line when all went well."""
    lines: list[RenderableType] = [Text(str(receipt), style=GOOD)]
    for each in receipt.recorded:
        words = [] if each.outcome == "stored" else [OUTCOME_WORDS[each.outcome]]
        words += list(each.notes)
        if words:
            lines.append(Text(f"  {safe(each.external_id)}: {'; '.join(words)}", style="yellow"))
    ids = ", ".join(receipt.message_ids[:5]) + (" …" if len(receipt.recorded) > 5 else "")
    lines.append(Text(f"id {safe(ids)}", style=QUIET))
    return Group(*lines)


OUTCOME_WORDS: Mapping[str, str] = {
    "stored": "stored",
    "duplicate": "was there already",
    "conflict": "is there with other words; the stored ones were kept, send the edit under a new id",
    "erased": "was forgotten and is not taken back",
}


def render_preview(preview: ForgetPreview) -> RenderableType:
    """What would be erased."""
    parts = [plural(preview.chunk_count, "chunk")]
    parts += [plural(preview.fact_count, "fact")] if preview.fact_count else []
    what = f"{plural(preview.message_count, 'message')} ({', '.join(parts)})"
    where = ", ".join(conversation_name(each) for each in preview.conversations)
    samples = [Text(f"“{one_line(each)}”") for each in preview.samples]
    more = preview.message_count - len(preview.samples)
    if more > 0:
        samples.append(Text(f"and {more:,} more", style=QUIET))
    title = Text.assemble(("Would be erased for good: ", "bold yellow"), what, (f" in {where}" if where else ""))
    return Group(title, Padding(Group(*samples), (0, 0, 0, 2)))


def render_forgotten(receipt: ForgetReceipt) -> RenderableType:
    """What was erased, from where, and what the erasure cannot reach."""
    table = grid()
    table.add_row("messages", f"{receipt.message_count:,}  ({one_line(', '.join(receipt.message_ids), characters=60)})")
    table.add_row("chunks", f"{receipt.chunk_count:,}")
    table.add_row("facts", f"{receipt.fact_count:,}")
    table.add_row("keyword rows", f"{receipt.lexical_row_count:,}")
    table.add_row("vectors", f"{receipt.vector_count:,}")
    table.add_row("open work", f"{receipt.work_count:,}")
    table.add_row("still found afterwards", f"{receipt.remaining_count:,}")
    if receipt.revision_count:
        table.add_row("texts of prompts", f"{receipt.revision_count:,}")
    table.add_row("not covered", safe("; ".join(receipt.not_covered)))
    if receipt.backups:
        copies = "; ".join(f"{each.path} ({each.at:%Y-%m-%d %H:%M})" for each in receipt.backups)
        table.add_row("copies made before", safe(copies))
    if receipt.receipt_id:
        table.add_row("receipt", receipt.receipt_id)
    title = Text.assemble(("Erased", "bold green"), f" at {receipt.erased_at:%Y-%m-%d %H:%M:%S} UTC")
    return Group(title, Padding(table, (0, 0, 0, 2)))


def render_status(path: str, counts: Mapping[str, Status], wording: Mapping[str, str]) -> RenderableType:
    """One column of counts for the file, one for the scope."""
    whole = next(iter(counts.values()))
    about = grid()
    about.add_row("file", path)
    about.add_row("size", f"{whole.file_bytes / 1e6:,.1f} MB")
    about.add_row("schema", str(whole.schema_version))
    about.add_row("embedder", whole.model or "none")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("", style=QUIET)
    for name in counts:
        table.add_column(wording[name], justify="right", overflow="fold")
    for label, field in STATUS_ROWS.items():
        alarm = field == "failed_count"
        table.add_row(label, *(_count(getattr(status, field), alarm=alarm) for status in counts.values()))
    return Group(about, Text(""), table)


STATUS_ROWS: Mapping[str, str] = {
    "messages": "message_count",
    "conversations": "conversation_count",
    "sessions": "session_count",
    "chunks": "chunk_count",
    "embedded": "vector_count",
    "facts": "fact_count",
    "to do": "pending_count",
    "failed": "failed_count",
    "oldest": "oldest_said_at",
    "newest": "newest_said_at",
}


def _count(value: object, *, alarm: bool) -> Text:
    if isinstance(value, int):
        return Text(f"{value:,}", style=BAD if alarm and value else "")
    return Text("-" if value is None else f"{value:%Y-%m-%d}")


def render_findings(findings: Sequence[Finding]) -> RenderableType:
    """One row per check; what to do where something is wrong."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for each in findings:
        mark = ("repaired", "yellow") if each.repaired else ("ok", GOOD) if each.ok else ("wrong", BAD)
        words = Text(safe(each.detail))
        if each.remedy and not each.repaired:
            words.append(f"\n{safe(each.remedy)}", style="bold")
        table.add_row(Text(mark[0], style=mark[1]), Text(each.check), words)
    wrong = sum(1 for each in findings if not each.ok and not each.repaired)
    verdict = f"{plural(wrong, 'check')} found something wrong" if wrong else "all is well"
    return Group(table, Text(verdict, style=BAD if wrong else GOOD))
