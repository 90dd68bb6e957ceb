"""How is a report on extraction shown? Figures with intervals beside the naive baseline, and what went wrong."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

__all__ = ["render_extract"]

Report = Mapping[str, Any]
LABELLED_ROWS = {
    "precision": "precision",
    "recall": "recall",
    "junk_turns": "negative turns with junk",
    "junk_facts": "junk among facts",
    "date_errors": "dates wrong",
    "category_agreement": "category agrees",
    "kind_agreement": "kind agrees",
}
LABELLED_COUNTS = {
    "polarity_errors": "polarity errors",
    "subject_errors": "subject errors",
    "repeats": "said twice",
}
POINT_ROWS = {
    "found": "gold points found",
    "found_strict": "found, stricter",
    "found_loose": "found, looser",
    "ceiling": "ceiling: the user's words there",
    "ceiling_so_far": "ceiling: all they said so far",
    "updates_found": "updates found",
    "updates_closed_old": "old fact closed by update",
    "traps": "traps taken",
    "matching_nothing_gold": "facts matching nothing gold",
    "unsupported": "unsupported facts",
    "date_errors": "dates wrong",
}
POINT_COUNTS = {"facts": "facts", "facts_per_session": "facts per session"}
LISTED = 10
"""Mistakes on the screen; all of them are in the JSON report."""


def render_extract(report: Report) -> RenderableType:
    """The whole report for a terminal."""
    labelled = report["kind"] == "labelled"
    parts: list[RenderableType] = [_heading(report)]
    if labelled:
        parts += [_figures(report, LABELLED_ROWS, LABELLED_COUNTS), _sorts(report)]
    else:
        parts += [_figures(report, POINT_ROWS, POINT_COUNTS), _groups(report)]
    parts += [Text(line) for line in _mistakes(report)]
    parts += [Text(f"{reason}: {count}", style="dim") for reason, count in report.get("mended", {}).items()]
    parts += [Text(line, style="dim") for line in report["protocol"]]
    return Group(*parts)


def _heading(report: Report) -> Text:
    if report["kind"] == "labelled":
        counts = (
            f"{report['turns']} labelled turns, {report['negative_turns']} of them negative, half: {report['half']}"
        )
    else:
        counts = f"{report['kind']}, {report['people']} people, {report['figures']['sessions']} sessions"
    return Text(f"extraction by {report['extractor']} ({report['data']}): {counts}", style="bold")


def _figures(report: Report, rows: Mapping[str, str], counts: Mapping[str, str]) -> Table:
    table = Table("measure", title_justify="left")
    for name in (report["extractor"], "of", "95 %", "naive baseline"):
        table.add_column(name, justify="right")
    figures, naive = report["figures"], report["naive"]
    for name, title in rows.items():
        rate, other = figures[name], naive[name]
        if rate["share"] is None and other["share"] is None:
            continue
        table.add_row(title, _share(rate), f"{rate['part']}/{rate['of']}", _span(rate["interval"]), _share(other))
    table.add_section()
    for name, title in counts.items():
        table.add_row(title, str(figures[name]), "", "", str(naive[name]))
    return table


def _sorts(report: Report) -> Table:
    table = Table("sort", title_justify="left")
    for name in ("turns", "to find", "found", "stored", "wrong", "naive wrong"):
        table.add_column(name, justify="right")
    for sort, row in report["figures"]["by_sort"].items():
        numbers = (row["turns"], row["labels"], row["found"], row["stored"], row["wrong"])
        table.add_row(sort, *map(str, numbers), str(report["naive"]["by_sort"][sort]["wrong"]))
    return table


def _groups(report: Report) -> Table:
    table = Table("gold points", title_justify="left")
    for name in ("count", "found", "95 %", "ceiling", "naive baseline"):
        table.add_column(name, justify="right")
    for key in ("by_group", "by_origin"):
        for name, rate in report["figures"][key].items():
            ceiling = "" if rate["ceiling"] is None else f"{rate['ceiling']:.3f}"
            naive = _share(report["naive"][key][name])
            table.add_row(name, str(rate["of"]), _share(rate), _span(rate["interval"]), ceiling, naive)
        table.add_section()
    return table


def _mistakes(report: Report) -> Iterator[str]:
    figures = report["figures"]
    if report["kind"] == "labelled":
        for row in figures["false_positives"][:LISTED]:
            yield f"wrong ({row['why']}): {_short(row['fact'])}  <-  {_short(row['text'])}"
        for row in figures["misses"][:LISTED]:
            yield f"missed: {_short(row['quote'])}"
    else:
        for row in figures["traps_taken"][:LISTED]:
            yield f"trap: {_short(row['gold'])}  <-  {_short(row['nearest'] or '')}"
        for row in figures["misses"][:LISTED]:
            yield f"missed: {_short(row['gold'])}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"


def _share(rate: Mapping[str, Any]) -> str:
    return "" if rate["share"] is None else f"{rate['share']:.3f}"


def _span(bounds: list[float] | None) -> str:
    return f"{bounds[0]:.3f} to {bounds[1]:.3f}" if bounds else ""
