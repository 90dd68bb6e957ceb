"""The tool that lists where the remembered facts and notes come from."""

from collections.abc import Iterable, Mapping
from urllib.parse import unquote

from glossator.model import Fact
from glossator.surfaces.tools.desk import JOB_CHANNEL, Desk
from glossator.surfaces.tools.pages import all_facts
from glossator.surfaces.tools.tool import Declared

DOCUMENT_CHANNEL = "document"
Source = tuple[str, str]
"""What sort of source it is, and its id."""


def _sources(desk: Desk) -> Mapping[str, object]:
    groups: dict[Source, list[Fact]] = {}
    for fact in all_facts(desk.memory, desk.scope):
        if desk.may_show(fact):
            groups.setdefault(source_of(fact), []).append(fact)
    return {"sources": [_row(source, facts) for source, facts in sorted(groups.items())]}


def source_of(fact: Fact) -> Source:
    """A job, a document, what was given to be kept explicitly, or a conversation."""
    channel, chat = _place(fact)
    if fact.scope_type == "job" or channel == JOB_CHANNEL:
        return "job", chat if channel == JOB_CHANNEL else fact.scope_id
    if channel == DOCUMENT_CHANNEL:
        return "document", chat
    if fact.source == "explicit":
        return "explicit", fact.scope.conversation or ""
    return "conversation", fact.scope.conversation or fact.run_id or ""


def _place(fact: Fact) -> tuple[str, str]:
    channel, _, rest = (fact.scope.conversation or "").partition(":")
    return unquote(channel), unquote(rest.partition(":")[0])


def _row(source: Source, facts: Iterable[Fact]) -> Mapping[str, object]:
    kind, source_id = source
    rows = list(facts)
    notes = sum(1 for fact in rows if fact.category == "note")
    return {
        "source_type": kind,
        "source_id": source_id or None,
        "conversation": rows[0].scope.conversation,
        "fact_count": len(rows) - notes,
        "note_count": notes,
        "taken_by": sorted({fact.source for fact in rows}),
        "projects": sorted({fact.project for fact in rows if fact.project}),
        "sessions": sorted({fact.session for fact in rows if fact.session}),
        "first_said_at": min(fact.valid_from for fact in rows),
        "last_seen_at": max(fact.last_seen_at for fact in rows),
    }


MEMORY_SOURCES_LIST = Declared(
    name="memory_sources_list",
    description=(
        "Where the remembered facts and notes come from: conversations, documents, jobs, and what was given to be kept "
        "explicitly, each with its counts and dates. What gave no fact is not listed; recall finds it."
    ),
    arguments=(),
    work=_sources,
    names={},
)
