"""From where did each fact come: a job, a document, a conversation, or somebody who asked to keep it?"""

from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from glossator.model import JOB_CHANNEL, Fact, ListedJob, MemorySource, SourceType

DOCUMENT_CHANNEL = "document"
EXPLICIT = "kept on request"

SourceKey = tuple[SourceType, str]
"""What sort of source it is, and its id."""


def source_of(fact: Fact) -> SourceKey:
    """The source of one fact."""
    if fact.scope_type == "job":
        return "job", fact.scope_id
    place = source_of_place(fact.scope.conversation or "")
    if place[0] == "conversation" and fact.source == "explicit":
        return "explicit", place[1]
    return place if place[1] else ("conversation", fact.run_id or "")


def source_of_place(conversation: str) -> SourceKey:
    """The source that a conversation is, by its key: "job:nightly:root" is the job "job:nightly"."""
    channel, _, rest = conversation.partition(":")
    chat = unquote(rest.partition(":")[0])
    match unquote(channel):
        case "job":
            return "job", f"{JOB_CHANNEL}:{chat}"
        case "document":
            return "document", chat
        case _:
            return "conversation", conversation


def name_of(source: SourceKey, jobs: Sequence[ListedJob]) -> tuple[str, str]:
    """The source's name and description; a job that was never added has its id for a name."""
    kind, source_id = source
    if kind == "explicit":
        return EXPLICIT, ""
    listed = next((each.job for each in jobs if kind == "job" and each.job.source_id == source_id), None)
    if listed is not None:
        return listed.name, listed.description
    return source_id.removeprefix("job:") if kind == "job" else source_id, ""


def sources_of(facts: Iterable[Fact], jobs: Sequence[ListedJob], *, with_all_jobs: bool) -> tuple[MemorySource, ...]:
    """The sources of these facts, and, where asked, the jobs that have kept nothing yet; in order of type and id."""
    groups: dict[SourceKey, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(source_of(fact), []).append(fact)
    if with_all_jobs:
        for each in jobs:
            groups.setdefault(("job", each.job.source_id), [])
    return tuple(_source(key, rows, jobs) for key, rows in sorted(groups.items()))


def _source(key: SourceKey, rows: Sequence[Fact], jobs: Sequence[ListedJob]) -> MemorySource:
    kind, source_id = key
    name, description = name_of(key, jobs)
    notes = sum(1 for fact in rows if fact.category == "note")
    listed = next((each for each in jobs if kind == "job" and each.job.source_id == source_id), None)
    return MemorySource(
        source_id=source_id,
        source_type=kind,
        name=name,
        description=description,
        conversation=next((fact.scope.conversation for fact in rows), None),
        fact_count=len(rows) - notes,
        note_count=notes,
        taken_by=tuple(sorted({fact.source for fact in rows})),
        projects=tuple(sorted({fact.project for fact in rows if fact.project})),
        sessions=tuple(sorted({fact.session for fact in rows if fact.session})),
        first_said_at=min((fact.valid_from for fact in rows), default=None),
        last_seen_at=max((fact.last_seen_at for fact in rows), default=None),
        run_count=listed.run_count if listed else 0,
        last_run_at=listed.last_run_at if listed else None,
        last_status=listed.last_status if listed else None,
    )
