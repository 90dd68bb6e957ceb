"""How do facts look: one by one, with their evidence, as a line of versions, and when they are forgotten?"""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from glossator.model import (
    SELF,
    Decided,
    DecisionName,
    Evidence,
    Explanation,
    Fact,
    FactPreview,
    FactReceipt,
    Remembered,
    StateChange,
)
from glossator.surfaces.show.upkeep import GOOD, QUIET, grid
from glossator.surfaces.show.wording import (
    conversation_name,
    day,
    interval_words,
    one_line,
    plural,
    safe,
    when_said,
)

GONE = "yellow"
DECISIONS: dict[DecisionName, str] = {
    "admit": "kept as a new fact",
    "merge": "counted as said again",
    "supersede": "kept, and what was held before is closed",
    "hold": "held back",
    "refuse": "not kept",
}


def state_words(fact: Fact, zone: str) -> str:
    """What the state means: "current", "no longer so since Fri 5 Jun 2026, see f43"."""
    match fact.state:
        case "active":
            return "current"
        case "deprioritised":
            return "deprioritised"
        case "superseded":
            since = "" if fact.valid_to is None else f" since {day(fact.valid_to, zone)}"
            return f"no longer so{since}" + ("" if fact.superseded_by is None else f", see f{fact.superseded_by}")
        case "invalidated":
            return "forgotten"
        case "quarantined":
            return "held back" + (f": {safe(fact.reason)}" if fact.reason else "")
        case _:
            return fact.state


def state_text(fact: Fact, zone: str) -> Text:
    """The same, green where the fact holds."""
    return Text(state_words(fact, zone), style=GOOD if fact.state == "active" else GONE)


def fact_words(fact: Fact) -> str:
    """The statement, with whom it is about where that is somebody whom it does not name."""
    if fact.state == "erased":
        return "(erased)"
    words = safe(" ".join(fact.text.split()))
    named = fact.subject in ("", SELF) or fact.subject.casefold() in words.casefold()
    return words if named or fact.category == "note" else f"{safe(fact.subject)}: {words}"


def sort_of(fact: Fact) -> str:
    """Category and kind; the kind that every preference has is left out."""
    plain = fact.kind is None or (fact.category, fact.kind) == ("preference", "implicit_pref")
    return fact.category if plain else f"{fact.category}, {fact.kind}"


def fact_line(fact: Fact, zone: str, *, words: bool) -> Text:
    """Id, statement and state on one line, as below a hit; without the statement where the hit is it."""
    said = f"{fact_words(fact)}  " if words else ""
    return Text.assemble((fact.id, "bold"), "  ", said, state_text(fact, zone))


def render_listed(facts: Sequence[Fact], *, zone: str, as_of: str | None, more: bool) -> RenderableType:
    """The list, with the time that was asked about above it."""
    head = [Text(f"as of {safe(as_of)}", style=QUIET)] if as_of else []
    foot = [Text("there are more; --limit shows them", style=QUIET)] if more else []
    return Group(*head, render_facts(facts, zone=zone), *foot)


def render_facts(facts: Sequence[Fact], *, zone: str) -> RenderableType:
    """Two lines for each fact: what it says; what has become of it, its sort, and where it was said."""
    width = max((len(fact.id) for fact in facts), default=0)
    lines: list[RenderableType] = []
    for fact in facts:
        style = "" if fact.state == "active" else QUIET
        about = Text.assemble(state_text(fact, zone), (" · " + " · ".join(_about(fact, zone)), QUIET))
        lines += [
            Text.assemble((f"{fact.id:<{width}}", "bold"), "  ", (fact_words(fact), style)),
            Padding(about, (0, 0, 0, width + 2)),
        ]
    return Group(*lines)


def _about(fact: Fact, zone: str) -> list[str]:
    parts = [sort_of(fact)]
    parts += [f"key {safe(fact.key.removeprefix('note:'))}"] if fact.category == "note" else []
    parts.append(f"said {day(fact.valid_from, zone)}" + (f", {fact.seen_count} times" if fact.seen_count > 1 else ""))
    parts += [conversation_name(fact.scope.conversation)] if fact.scope.conversation else []
    parts += [f"project {safe(fact.project)}"] if fact.project else []
    return parts


def render_none(*, narrowed: bool, waiting: int) -> RenderableType:
    """Nothing to list, and what to do about it."""
    if waiting:
        advice = f"{plural(waiting, 'piece')} of work to do first; `glossator worker --once` does it"
    elif narrowed:
        advice = "leave an option out, or name other states: --state superseded --state invalidated"
    else:
        advice = 'they come from what users say of themselves:\n`glossator record "I live in Oslo."`'
    return Group(Text("no facts"), Text(advice, style=QUIET))


def render_fact(fact: Fact, evidence: Sequence[Evidence], *, zone: str) -> RenderableType:
    """All of a fact that is not empty, then the words that it rests on."""
    table = grid()
    for name, value in _fields(fact, zone):
        table.add_row(name, value)
    title = Text.assemble((fact.id, "bold"), "  ", (fact_words(fact), "bold"))
    return Group(title, Padding(table, (0, 0, 1, 2)), *_said(evidence))


def _fields(fact: Fact, zone: str) -> list[tuple[str, RenderableType]]:
    texts = {
        "sort": sort_of(fact),
        "about": "" if fact.subject == SELF else fact.subject,
        "answers": f"{fact.key} = {fact.value}" if fact.key and fact.state != "erased" else "",
        "since": day(fact.valid_from, zone),
        "until": "" if fact.valid_to is None else day(fact.valid_to, zone),
        "happened": _happened(fact),
        "said": "once" if fact.seen_count == 1 else f"{fact.seen_count} times, last {day(fact.last_seen_at, zone)}",
        "certainty": f"{fact.confidence:.2f}, {fact.epistemic}",
        "belongs to": f"{fact.scope_type} {fact.scope_id}",
        "taken from": fact.source.replace("_", " "),
        "project": fact.project or "",
        "tags": ", ".join(fact.tags),
        "sensitivity": "" if fact.sensitivity == "internal" else fact.sensitivity,
        "reason": fact.reason,
        "replaces": "" if fact.parent_id is None else f"f{fact.parent_id}",
    }
    rows: list[tuple[str, RenderableType]] = [("state", state_text(fact, zone))]
    return rows + [(name, Text(safe(text))) for name, text in texts.items() if text]


def _happened(fact: Fact) -> str:
    if fact.event.source not in ("own", "source"):
        return ""
    words = f"  (“{one_line(fact.event.words)}”)" if fact.event.words else ""
    return interval_words(fact.event.interval) + words


def _said(evidence: Sequence[Evidence]) -> list[RenderableType]:
    """Each sentence below who said it when, and where it stands."""
    lines: list[RenderableType] = []
    for each in evidence:
        place = [conversation_name(each.conversation)] if each.conversation else []
        place += [f"id {safe(each.external_id)}"] if each.external_id else []
        lines.append(Text.assemble((f"{safe(each.speaker)}, {when_said(each.said)}", "bold green")))
        lines.append(Padding(Text(f"“{safe(each.quote)}”" if each.quote else "(erased)"), (0, 0, 0, 4)))
        lines += [Padding(Text(" · ".join(place), style=QUIET), (0, 0, 0, 4))] if place else []
    return lines or [Text("its words are gone", style=QUIET)]


def render_explanation(why: Explanation, *, zone: str) -> RenderableType:
    """The statement, the sentences, the decisions, and the versions where there is more than one."""
    title = Text.assemble((why.fact.id, "bold"), "  ", (fact_words(why.fact), "bold"), "  ", state_text(why.fact, zone))
    parts: list[RenderableType] = [title, Text("")]
    parts += [Text("because", style=QUIET), _indented(Group(*_said(why.evidence)))]
    parts += [Text("decided", style=QUIET), _indented(Group(*(_decision(each, zone) for each in why.decided)))]
    if why.changes:
        parts += [Text("changed", style=QUIET), _indented(Group(*(_change(each, zone) for each in why.changes)))]
    if len(why.chain) > 1:
        parts += [Text("versions", style=QUIET), _indented(render_facts(why.chain, zone=zone))]
    return Group(*parts)


def _indented(lines: RenderableType) -> RenderableType:
    return Padding(lines, (0, 0, 1, 2))


def _decision(decided: Decided, zone: str) -> Text:
    when = f"{day(decided.at, zone)}: "
    return Text.assemble((when, QUIET), DECISIONS[decided.decision], (f"  {decided.reason} (by {decided.by})", QUIET))


def _change(change: StateChange, zone: str) -> Text:
    words = f"{change.from_state} to {change.to_state}"
    return Text.assemble(
        (f"{day(change.at, zone)}: ", QUIET), words, (f"  {safe(change.reason)} (by {change.by})", QUIET)
    )


def render_restored(fact: Fact, *, zone: str) -> RenderableType:
    """The fact as it is now."""
    return Group(Text("restored", style=GOOD), render_facts([fact], zone=zone))


def render_remembered(kept: Remembered, *, zone: str) -> RenderableType:
    """What became of the statement, and the fact as it is now."""
    decided = kept.decided
    line = Text.assemble(
        (DECISIONS[decided.decision], GOOD if kept.fact else GONE), (f"  {safe(decided.reason)}", QUIET)
    )
    return Group(line, render_facts([kept.fact], zone=zone)) if kept.fact else line


def render_fact_preview(preview: FactPreview, *, erase: bool, zone: str) -> RenderableType:
    """What would be forgotten."""
    does = "Would be erased for good: " if erase else "Would be forgotten: "
    title = Text.assemble((does, "bold yellow"), plural(len(preview.facts), "fact"))
    return Group(title, Padding(render_facts(preview.facts, zone=zone), (0, 0, 0, 2)))


def render_fact_receipt(receipt: FactReceipt, *, erased: bool) -> RenderableType:
    """What is forgotten now, and how far that reaches."""
    ids = ", ".join(fact.id for fact in receipt.facts)
    title = Text.assemble(("Erased" if erased else "Forgotten", "bold green"), f"  {ids}")
    advice = ["the messages stay; `glossator forget` erases them, with the facts that rest on them"]
    advice += [] if erased else ["`glossator facts restore` brings a fact back"]
    return Group(title, *(Text(line, style=QUIET) for line in advice))
