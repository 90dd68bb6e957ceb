"""Which names may a caller file things under? Projects and tags, the same for writing and for reading."""

from collections.abc import Sequence

from glossator.errors import UsageError


def checked_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """At most 20 distinct tags of 1 to 100 characters, in order; UsageError otherwise."""
    if isinstance(tags, str):
        raise UsageError("tags", "is a str, not a list of them", remedy='pass ["one", "two"]')
    for place, tag in enumerate(tags):
        if not isinstance(tag, str) or not tag.strip() or len(tag) > 100:
            raise UsageError(f"tags[{place}]", "is no text of 1 to 100 characters", remedy="shorten or drop it")
    if len(tags) > 20:
        raise UsageError("tags", f"has {len(tags)} entries, more than 20", remedy="drop some")
    return tuple(dict.fromkeys(tags))


def checked_project(project: str | None) -> str | None:
    """The project's name, or None; UsageError when it is blank or longer than 200 characters."""
    if project is not None and (not isinstance(project, str) or not project.strip() or len(project) > 200):
        raise UsageError("project", "is no text of 1 to 200 characters", remedy="leave it out or name a project")
    return project
