"""How do receipts of what was forgotten look?"""

import json
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from glossator.model import SignedReceipt
from glossator.surfaces.show.upkeep import BAD, GOOD, QUIET
from glossator.surfaces.show.wording import one_line, plural, safe


def render_receipts(receipts: Sequence[SignedReceipt]) -> RenderableType:
    """One line each."""
    if not receipts:
        return Text("nothing was forgotten here", style=QUIET)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("id", "when (UTC)", "by", "what"):
        table.add_column(heading, overflow="fold")
    for each in receipts:
        fields = json.loads(each.text)
        table.add_row(each.receipt_id, f"{each.at:%Y-%m-%d %H:%M:%S}", safe(fields["by"]), _what(each.text))
    return table


def render_verdict(name: str, text: bytes, *, genuine: bool) -> RenderableType:
    """Is it genuine, and if so, what does it say?"""
    if not genuine:
        return Text(f"{safe(name)} is not what this key signed: it was changed, or another key signed it", style=BAD)
    receipt = text.decode()
    return Group(Text(f"{safe(name)} is genuine", style=GOOD), Text(_what(receipt)))


def _what(text: str) -> str:
    fields = json.loads(text)
    counts = fields["counts"]
    parts = [plural(counts["messages"], "message")] if "messages" in counts else []
    parts += [plural(counts["facts"], "fact")] if counts.get("facts") else []
    named = one_line(", ".join([*fields["message_ids"], *fields["fact_ids"]]), characters=60)
    return f"{fields['state']} {', '.join(parts)} ({safe(named)})"
