"""How does a picture look on a terminal? Lines that fit its width, from 40 columns on; colour only where it warns."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from glossator.surfaces.show.wording import one_line, safe
from glossator.surfaces.watch.picture import Latency, Picture, Queue

QUIET, LOUD, BAD = "dim", "bold", "bold red"
LATE_S = 3_600.0
"""Work that is older means that no worker runs, as the doctor has it."""
GAP = 3
"""Columns between two numbers of a line."""


def draw(picture: Picture, *, width: int, every_s: float | None, problem: str = "") -> RenderableType:
    """The whole frame; `problem` is told where the last look failed and this is the one before it."""
    blocks: list[list[Text]] = [_heading(picture, width=width, every_s=every_s, problem=problem)]
    blocks.append(_flow(_amounts(picture), width))
    blocks.append(_flow(_happenings(picture), width))
    blocks.append(_queues(picture.queues, width))
    if picture.verbs:
        blocks.append(_latencies(f"verbs {picture.timed_when}", picture.verbs, width))
    if picture.routes:
        blocks.append(_latencies(f"requests {picture.timed_when}", picture.routes, width))
    decided = [(name, f"{count:,}", "") for name, count in picture.decided.items()]
    blocks.append([Text(f"decisions {picture.decided_when}", style=LOUD), *_flow(decided, width)])
    troubles = [(name, f"{count:,}", BAD) for name, count in picture.failures.items()]
    troubles += [(f"turned away: {name}", f"{count:,}", "yellow") for name, count in picture.rejected.items()]
    if troubles:
        blocks.append([Text("failures since its start", style=LOUD), *_flow(troubles, width)])
    return Group(*(line for block in blocks if block for line in [*block, Text("")][: len(block) + 1]))


def _heading(picture: Picture, *, width: int, every_s: float | None, problem: str) -> list[Text]:
    clock = f"{picture.at:%H:%M:%S} UTC"
    room = max(width - len("glossator top  ") - len(clock) - 2, 8)
    source = _cut_left(safe(picture.source), room)
    line = Text.assemble(("glossator top", LOUD), "  ", source)
    line.append(" " * max(width - line.cell_len - len(clock), 1))
    line.append(clock, style=QUIET)
    lines = [_fitted(line, width)]
    if problem:
        lines.append(Text(one_line(f"the last look failed: {problem}", characters=width), style=BAD))
    if every_s is not None:
        lines.append(Text(f"every {every_s:g} s, q ends", style=QUIET))
    return lines


def _amounts(picture: Picture) -> Sequence[tuple[str, str, str]]:
    return [
        ("messages", f"{picture.message_count:,}", ""),
        ("facts", f"{picture.fact_count:,}", ""),
        ("chunks", f"{picture.chunk_count:,}", ""),
        ("vectors", f"{picture.vector_count:,}", ""),
        ("file", size_words(picture.file_bytes), ""),
        ("log", size_words(picture.log_bytes), ""),
    ]


def _happenings(picture: Picture) -> Sequence[tuple[str, str, str]]:
    found = []
    if picture.recorded_per_minute is not None:
        found.append(("recorded", f"{picture.recorded_per_minute:,.0f} a minute", ""))
    if picture.requests_per_s is not None:
        found.append(("requests", f"{picture.requests_per_s:,.1f} a second", ""))
    if picture.in_flight is not None:
        found.append(("in flight", f"{picture.in_flight}", ""))
    if picture.embedder_ready is not None:
        found.append(
            ("embedder", "ready" if picture.embedder_ready else "not there", "" if picture.embedder_ready else BAD)
        )
    for model, state in picture.breakers.items():
        found.append((f"breaker {one_line(model, characters=24)}", state, "" if state == "closed" else BAD))
    reviewed = "never" if picture.reviewed_s is None else f"{age_words(picture.reviewed_s)} ago"
    found.append(("last review", reviewed, ""))
    return found


def _queues(queues: Sequence[Queue], width: int) -> list[Text]:
    lines = [Text("open work".ljust(14) + "open".rjust(8) + "oldest".rjust(9) + "failed".rjust(8), style=LOUD)]
    for each in queues:
        late = each.oldest_s is not None and each.oldest_s > LATE_S
        line = Text(one_line(each.kind, characters=14).ljust(14))
        line.append(f"{each.open_count:,}".rjust(8))
        line.append(("-" if each.oldest_s is None else age_words(each.oldest_s)).rjust(9), style=BAD if late else "")
        line.append(f"{each.failed_count:,}".rjust(8), style=BAD if each.failed_count else "")
        lines.append(line)
    return [_fitted(line, width) for line in lines]


def _latencies(title: str, found: Sequence[Latency], width: int) -> list[Text]:
    room = min(max(width - 26, 14), 44)
    heading = title if len(title) <= room else title.partition(" ")[0]
    lines = [Text(heading.ljust(room) + "calls".rjust(8) + "p50".rjust(9) + "p95".rjust(9), style=LOUD)]
    for each in found:
        name = one_line(each.name, characters=room - 1).ljust(room)
        lines.append(Text(f"{name}{each.count:>8,}{time_words(each.p50_s):>9}{time_words(each.p95_s):>9}"))
    return [_fitted(line, width) for line in lines]


def _flow(pairs: Iterable[tuple[str, str, str]], width: int) -> list[Text]:
    """Names with their values one after another, a new line where the next one would not fit."""
    lines: list[Text] = []
    for name, value, style in pairs:
        piece = Text.assemble((f"{safe(name)} ", QUIET), (value, style))
        if lines and lines[-1].cell_len + GAP + piece.cell_len <= width:
            lines[-1].append(" " * GAP).append_text(piece)
        else:
            lines.append(_fitted(piece, width))
    return lines


def _fitted(line: Text, width: int) -> Text:
    line.truncate(width, overflow="ellipsis")
    return line


def _cut_left(text: str, room: int) -> str:
    """The end of a path says more than its beginning."""
    return text if len(text) <= room else "…" + text[-(room - 1) :]


def size_words(count: int) -> str:
    """ "512 B", "1.4 MB"."""
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:,.1f} {unit}"
        size /= 1000
    return ""


def age_words(seconds: float) -> str:
    """ "12 s", "3 min", "2.5 h", "4 d"."""
    for limit, divisor, unit in ((100, 1, "s"), (6_000, 60, "min"), (172_800, 3_600, "h")):
        if seconds < limit:
            return f"{seconds / divisor:.0f} {unit}"
    return f"{seconds / 86_400:,.0f} d"


def time_words(seconds: float) -> str:
    """ "0.8 ms", "24 ms", "1.3 s"."""
    if seconds < 0.01:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
