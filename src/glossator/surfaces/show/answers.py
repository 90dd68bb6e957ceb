"""How does an answer look: its hits with their evidence, or the block for a prompt?"""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from glossator.model import Answer, Hit, Trace
from glossator.surfaces.show.facts import fact_line
from glossator.surfaces.show.marking import matched_spans, matched_words
from glossator.surfaces.show.wording import (
    conversation_name,
    heading,
    interval_words,
    one_line,
    reason,
    safe,
    when_it_happened,
    whole,
)

MATCHED = "bold yellow"
TIMED = "bold cyan"
QUIET = "dim"
SPOKEN_CHARACTERS_MAX = 600
"""As much of a long hit as is read at a glance; `--json` and `--text` give all of it."""


def render_answer(answer: Answer, *, explain: bool, zone: str = "UTC") -> RenderableType:
    """All hits, best first, with what was missing and what time the question named."""
    parts: list[RenderableType] = []
    if answer.asked_time is not None:
        parts.append(Text(f"asked about {interval_words(answer.asked_time)}", style=QUIET))
    parts += [render_hit(hit, rank, explain=explain, zone=zone) for rank, hit in enumerate(answer.hits, start=1)]
    if not answer.hits:
        parts.append(Text("nothing found"))
    return Group(*parts, *missing_parts([answer]))


def missing_parts(answers: Sequence[Answer]) -> list[RenderableType]:
    """One line for each part that the answers had to do without."""
    lines = dict.fromkeys(f"without {each.part}: {each.reason}" for answer in answers for each in answer.degraded)
    return [Text(line, style="yellow") for line in lines]


def render_hit(hit: Hit, rank: int, *, explain: bool, zone: str = "UTC") -> RenderableType:
    """Rank, score, speaker and date; the words; the facts that rest on them; where they stand."""
    title = Text.assemble((f"{rank:>2}", "bold"), "  ", (f"{hit.score:.3f}", QUIET), "  ", (heading(hit), "bold green"))
    lines: list[RenderableType] = [spoken(hit)]
    happened = event_line(hit)
    if happened is not None:
        lines.append(happened)
    lines += [Text.assemble(("fact ", QUIET), fact_line(fact, zone, words=hit.fact_id is None)) for fact in hit.facts]
    lines.append(Text(place(hit), style=QUIET))
    if explain and hit.trace is not None:
        lines.append(Text(f"why: {reason(hit.trace, trace_words(hit))}", style=QUIET))
        lines.append(Text(signals(hit.trace), style=QUIET))
    return Group(title, Padding(Group(*lines), (0, 0, 1, 4)))


def spoken(hit: Hit) -> Text:
    """The verbatim words, matched ones and the words of time marked."""
    shown = clipped(hit)
    text = Text(safe(shown))
    terms = hit.trace.matched_terms if hit.trace is not None else ()
    for start, end in matched_spans(text.plain, terms):
        text.stylize(MATCHED, start, end)
    words = hit.event.words if hit.event.source == "own" else ""
    place_of = text.plain.casefold().find(words.casefold()) if words else -1
    if place_of >= 0:
        text.stylize(TIMED, place_of, place_of + len(words))
    return text


def clipped(hit: Hit) -> str:
    """The hit's text, or the part of a long one around its first match."""
    if len(hit.text) <= SPOKEN_CHARACTERS_MAX:
        return hit.text
    spans = matched_spans(hit.text, hit.trace.matched_terms if hit.trace is not None else ())
    first = whole(hit.text, max(0, (spans[0][0] if spans else 0) - SPOKEN_CHARACTERS_MAX // 3))
    last = whole(hit.text, first + SPOKEN_CHARACTERS_MAX)
    return ("…" if first else "") + hit.text[first:last] + ("…" if last < len(hit.text) else "")


def event_line(hit: Hit) -> Text | None:
    """When it happened, and the words that say so; None where only the time of saying is known."""
    when = when_it_happened(hit.event, hit.said)
    if not when:
        return None
    line = Text.assemble(("happened ", QUIET), (when, TIMED))
    if hit.event.words:
        line.append(f"  (“{one_line(hit.event.words)}”)", style=QUIET)
    return line


def place(hit: Hit) -> str:
    """Where it stands: session, conversation, namespace, message ids, project and tags."""
    parts = [
        f"session {hit.session}",
        conversation_name(hit.conversation),
        hit.namespace,
    ]
    parts += ["id " + ", ".join(hit.message_ids)] if hit.message_ids else []
    parts += [f"project {hit.project}"] if hit.project else []
    parts += ["tags " + ", ".join(hit.tags)] if hit.tags else []
    return " · ".join(safe(part) for part in parts)


def trace_words(hit: Hit) -> tuple[str, ...]:
    """The words of the hit that matched."""
    return matched_words(hit.text, hit.trace.matched_terms) if hit.trace is not None else ()


def signals(trace: Trace) -> str:
    """The lanes, and every signal's value."""
    values = ", ".join(f"{name} {value:.3g}" for name, value in sorted(trace.signals.items()) if value)
    return f"lanes: {', '.join(trace.lanes) or '-'}\nsignals: {values or '-'}"
