"""How is a report shown? A table with intervals and baselines, and the JSON file."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from glossator.errors import UsageError
from glossator.evaluate.answering import answering_notes, answering_table

__all__ = ["render", "show", "write"]

Report = Mapping[str, Any]
GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("turn", "turn", ()),
    ("session", "session", ("recall@",)),
    (
        "session_by_turn",
        "session, turns' order",
        ("recall@", "recall_any@1", "recall_any@20", "recall_all@1", "recall_all@20"),
    ),
)
"""Key and title of each block, and the figures that stand in the JSON only."""


def render(report: Report) -> RenderableType:
    """The whole report for a terminal."""
    parts: list[RenderableType] = [_heading(report), _main_table(report), _category_table(report)]
    if "facts" in report:
        parts.append(_facts_table(report["facts"]))
    if "answering" in report:
        parts.append(answering_table(report["answering"]))
    return Group(*parts, *(Text(line, style="dim", no_wrap=False) for line in _notes(report)))


def show(report: Report, console: Console | None = None) -> None:
    """Print the report."""
    (console or Console()).print(render(report))


def write(report: Report, path: Path) -> None:
    """Write the report as JSON. Raises UsageError when the file cannot be written."""
    try:
        path.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as exc:
        raise UsageError("out", f"{path} cannot be written: {exc.strerror or exc}", remedy="name a file") from exc


def _heading(report: Report) -> Text:
    pool = f", pool {report['pool']}" if report.get("pool") else ""
    counts = f"{report['scored']} of {report['questions']} questions scored, {report['empty_recalls']} empty"
    return Text(f"{report['dataset']} ({report['data']}{pool}): {counts}", style="bold")


def _main_table(report: Report) -> Table:
    table = Table(Column("measure", overflow="fold"))
    for name in ("glossator", "95 %", *report["baselines"], *_gain_title(report)):
        table.add_column(name, justify="right")
    for key, title, left_out in GROUPS:
        table.add_section()
        for name, mean in report[key].items():
            if name.startswith(left_out):
                continue
            table.add_row(f"{title} {name}", *_cells(report, key, name, mean))
    table.add_section()
    for name, block in report["budget"].items():
        others = [_number(each["budget"][name]["evidence_recall"]) for each in report["baselines"].values()]
        span = _span(report["intervals"]["budget"].get(name))
        table.add_row(
            f"evidence in {name.removeprefix('tokens@')} tokens", _number(block["evidence_recall"]), span, *others
        )
    if report["newest_first"] is not None:
        others = [_number(each["newest_first"]) for each in report["baselines"].values()]
        title = f"newest first ({report['newest_first_count']} questions)"
        table.add_row(title, _number(report["newest_first"]), "", *others)
    for name, mean in report.get("published", {}).get("turn", {}).items():
        if name in ("recall@5", "recall@10"):
            span = _span(report["published"]["intervals"]["turn"].get(name))
            table.add_row(f"published labels: turn {name}", _number(mean), span)
    return table


def _cells(report: Report, key: str, name: str, mean: float) -> Iterator[str]:
    yield _number(mean)
    yield _span(report["intervals"][key].get(name))
    for baseline in report["baselines"].values():
        yield _number(baseline[key].get(name))
    if _gain_title(report):
        yield _difference(report["gain"]["bm25"].get(key, {}).get(name))


def _gain_title(report: Report) -> tuple[str, ...]:
    """With facts the table has a column more, and what matters is the difference that they make; JSON has both."""
    return () if "facts" in report else ("gain over bm25, 95 %",)


def _category_table(report: Report) -> Table:
    table = Table("category", title_justify="left")
    columns = (("turn", "recall@5"), ("turn", "recall@10"), ("session", "recall_any@5"), ("session", "recall_all@5"))
    for name in ("count", *(f"{group} {name}" for group, name in columns)):
        table.add_column(name, justify="right")
    for category, block in report["by_category"].items():
        table.add_row(category, str(block["count"]), *(_number(block[group].get(name)) for group, name in columns))
    return table


def _facts_table(facts: Mapping[str, Any]) -> Table:
    """Differences to the same product without facts; a category fell where an interval lies wholly below 0."""
    title = f"{facts['facts']:,} facts ({facts['by']}, {facts['join']}): with minus without, 95 %"
    table = Table("category", title=title, title_justify="left")
    columns = (("turn", "recall@10"), ("session", "recall_any@5"), ("budget", "tokens@2000"))
    for name in ("count", *(f"{group} {name}" for group, name in columns)):
        table.add_column(name, justify="right")
    table.add_column("fell")
    for category, row in facts["by_category"].items():
        cells = (_difference(row[group].get(name)) for group, name in columns)
        verdict = ", ".join(row["fell"]) or ("lower, within noise" if row["lower"] else "no")
        table.add_row(category, str(row["count"]), *cells, verdict)
    return table


def _difference(gain: list[float] | None) -> str:
    return f"{gain[0]:+.3f}  {_span(gain[1:])}" if gain else ""


def _notes(report: Report) -> Iterator[str]:
    latency, ingest = report["latency_ms"], report["ingest"]
    embedded = f"{ingest['embedded_per_s']}/s" if ingest["embedded_per_s"] else "not measured (vectors from a cache)"
    yield (
        f"recall p50 {latency['recall_p50']} ms, p95 {latency['recall_p95']} ms; "
        f"{ingest['messages']} messages at {ingest['messages_per_s']}/s, {ingest['embedded']} embedded, {embedded}"
    )
    corpus = report["corpus"]
    yield (
        f"asked over {corpus['haystacks']} haystacks; sessions {_range(corpus['sessions'])}, "
        f"turns {_range(corpus['turns'])} (min/median/max)"
    )
    if report["saturated"]:
        yield f"k is not below the corpus for most questions, so these say little: {', '.join(report['saturated'])}"
    for title in ("skipped", "mended", "degraded_recalls"):
        if report[title]:
            yield f"{title}: " + ", ".join(f"{reason} {count}" for reason, count in report[title].items())
    if "answering" in report:
        yield from answering_notes(report["answering"])
    yield from report["protocol"]


def _range(span: Mapping[str, float]) -> str:
    return f"{span['min']}/{span['median']:g}/{span['max']}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _span(bounds: list[float] | None) -> str:
    return f"{bounds[0]:.3f} to {bounds[1]:.3f}" if bounds else ""
