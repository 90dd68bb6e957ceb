"""The tool that lists where the remembered facts and notes come from."""

from collections.abc import Mapping

from glossator.model import MemorySource
from glossator.surfaces.tools.answers import SOURCES_ANSWER
from glossator.surfaces.tools.desk import Desk
from glossator.surfaces.tools.tool import Declared


def _sources(desk: Desk) -> Mapping[str, object]:
    ceiling = desk.memory.options.prompt_sensitivity_max
    return {"sources": [_row(each) for each in desk.memory.memory_sources(scope=desk.scope, sensitivity_max=ceiling)]}


def _row(source: MemorySource) -> Mapping[str, object]:
    return {
        "source_type": source.source_type,
        "source_id": source.source_id or None,
        "source_name": source.name,
        "source_description": source.description,
        "conversation": source.conversation,
        "fact_count": source.fact_count,
        "note_count": source.note_count,
        "taken_by": source.taken_by,
        "projects": source.projects,
        "sessions": source.sessions,
        "first_said_at": source.first_said_at,
        "last_seen_at": source.last_seen_at,
        "run_count": source.run_count,
        "last_run_at": source.last_run_at,
        "last_run_status": source.last_status,
    }


MEMORY_SOURCES_LIST = Declared(
    name="memory_sources_list",
    description=(
        "Where the remembered facts and notes come from: conversations, documents, jobs, and what was given to be kept "
        "explicitly, each with its name, counts and dates, jobs with their last run. What gave no fact is not listed; "
        "recall finds it."
    ),
    arguments=(),
    work=_sources,
    names={},
    title="List where memory comes from",
    answer=SOURCES_ANSWER,
)
