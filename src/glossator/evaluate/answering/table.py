"""How are answers shown? Accuracy and retrieval side by side in columns of their own, and what the figures rest on."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.table import Column, Table

__all__ = ["answering_notes", "answering_table"]

Answering = Mapping[str, Any]


def answering_table(answering: Answering) -> Table:
    """Per category a line for each variant; a category's name stands above its lines so that 80 columns are enough."""
    by = f"judged by {answering['judge']}" if _judging(answering) else "compared with the right choice"
    title = f"answers read by {answering['reader']}, {by}"
    table = Table(Column("category", overflow="fold", min_width=12), title=title, title_justify="left")
    for name in ("judged", "QA accuracy", "95 %", "sessions any@5", "all@5", "empty"):
        table.add_column(name, justify="right", overflow="fold")
    for category, row in answering["by_category"].items():
        table.add_section()
        table.add_row(category)
        for variant, cell in row.items():
            table.add_row(f"  {variant}", *_cells(cell))
    return table


def _cells(cell: Mapping[str, Any]) -> Iterator[str]:
    yield f"{cell['judged']}/{cell['asked']}"
    yield _number(cell["accuracy"])
    yield _span(cell["interval"])
    yield _number(cell["retrieval"].get("recall_any@5"))
    yield _number(cell["retrieval"].get("recall_all@5"))
    yield str(cell["empty_recalls"])


def answering_notes(answering: Answering) -> Iterator[str]:
    """What the accuracy rests on: who judged, what failed, what it took."""
    if answering["one_model"] and _judging(answering):
        yield f"reader and judge are one model ({answering['reader']}): it judges its own answers, maybe too kindly"
    yield (
        f"QA accuracy: of the judged answers, from a block of {answering['tokens']:,} tokens; {_counted(answering)}. "
        "Retrieval is another thing: sessions any@5 and all@5"
    )
    failed = ", ".join(f"{name} {count}" for name, count in answering["failures"].items())
    yield f"not judged, neither right nor wrong: {failed}" if failed else "every answer was judged"
    fewer = ", ".join(_scored_less(answering))
    if fewer:
        yield f"retrieval is scored on fewer questions than are answered, those with evidence: {fewer}"
    for pair, row in answering["differences"].items():
        mean = row["all"]["accuracy"]
        if mean is not None:
            yield f"QA accuracy, {pair}: {mean[0]:+.3f}  {_span(mean[1:])} ({row['all']['judged']} judged in both)"
    yield "; ".join(_calls(role, calls) for role, calls in answering["calls"].items())


def _judging(answering: Answering) -> bool:
    """Whether there is anything that a judge has to compare."""
    return bool(answering["questions"] > answering["choices"])


def _scored_less(answering: Answering) -> Iterator[str]:
    for category, row in answering["by_category"].items():
        cell = next(iter(row.values()))
        if cell["retrieval_scored"] < cell["asked"]:
            yield f"{category} {cell['retrieval_scored']} of {cell['asked']}"


def _counted(answering: Answering) -> str:
    parts = [f"{answering['questions']} questions with a gold answer", f"{answering['without_gold']} without"]
    if answering["gold_corrected"]:
        parts.append(f"{answering['gold_corrected']} gold answers as corrected by an audit")
    if answering["reused"]:
        parts.append(f"{answering['reused']} answers reused where another variant gave the same block")
    return ", ".join(parts)


def _calls(role: str, calls: Mapping[str, Any]) -> str:
    cost = "" if calls["cost_usd"] is None else f", {calls['cost_usd']:.4f} USD"
    cut = f", {calls['cut']} cut" if calls["cut"] else ""
    return f"{role}: {calls['count']:,} calls, {calls['tokens_in']:,} tokens in, {calls['tokens_out']:,} out{cost}{cut}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _span(bounds: list[float] | None) -> str:
    return f"{bounds[0]:.3f} to {bounds[1]:.3f}" if bounds else ""
