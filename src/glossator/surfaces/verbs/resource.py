"""`glossator resource`: list, history, show, diff, rollback."""

import sys
from typing import TYPE_CHECKING, Any

from glossator.errors import UsageError
from glossator.facade.resourcing import HISTORY_MAX
from glossator.model import ResourceKind, Revision, Rolled
from glossator.surfaces.call import Call
from glossator.surfaces.show.plain_json import Plain, plain_value
from glossator.upkeep.resources import kind_named, rebuild_warning, rollback_draft

if TYPE_CHECKING:
    from rich.console import RenderableType


def list_resources(call: Call) -> None:
    """The newest revision of each text."""
    with call.open(new=False, embeds=False) as memory:
        found = memory.resources(scope=call.scope)

    def render() -> "RenderableType":
        from glossator.surfaces.show.resources import render_resources

        return render_resources(found, zone=call.options.zone)

    call.screen.answer({"resources": [_without_content(each) for each in found]}, render=render)


def show_history(call: Call, kind: str, *, limit: int) -> None:
    """The revisions, and whether there are more of them."""
    named = _kind_of(call, kind)
    if not 1 <= limit <= HISTORY_MAX:
        raise UsageError("limit", f"{limit} is not between 1 and {HISTORY_MAX}", remedy="for example 20")
    with call.open(new=False, embeds=False) as memory:
        asked = min(limit + 1, HISTORY_MAX)
        found = memory.resource_history(named, scope=call.scope, limit=asked)
    shown, more = found[:limit], len(found) > limit

    def render() -> "RenderableType":
        from glossator.surfaces.show.resources import render_history

        return render_history(named, shown, zone=call.options.zone, more=more)

    call.screen.answer({"revisions": [_without_content(each) for each in shown], "more": more}, render=render)


def show_revision(call: Call, kind: str, number: int | None, *, as_text: bool) -> None:
    """One revision with its text."""
    named = _kind_of(call, kind)
    with call.open(new=False, embeds=False) as memory:
        found = memory.resource(named, scope=call.scope, number=number)
    if as_text and not call.screen.as_json:
        call.screen.verbatim(found.content)
        return

    def render() -> "RenderableType":
        from glossator.surfaces.show.resources import render_revision

        return render_revision(found, zone=call.options.zone)

    call.screen.answer({"revision": found}, render=render)


def show_diff(call: Call, kind: str, first: int, second: int) -> None:
    """How two revisions differ."""
    named = _kind_of(call, kind)
    with call.open(new=False, embeds=False) as memory:
        diff = memory.resource_diff(named, first, second, scope=call.scope)

    if call.screen.as_json:
        call.screen.answer({"type": named, "from": first, "to": second, "diff": diff}, render=lambda: "")
        return
    from glossator.surfaces.show.resources import render_diff
    from glossator.surfaces.show.screen import console

    console().print(render_diff(named, first, second, diff), soft_wrap=True)  # unbroken lines, so that `patch` reads it


def roll_back(call: Call, kind: str, number: int, *, yes: bool) -> None:
    """Show what would change; do it with `yes`, or when a person says yes."""
    named = _kind_of(call, kind)
    rolled: Rolled | None = None
    with call.open(new=False, embeds=False) as memory:
        target = memory.resource(named, scope=call.scope, number=number)
        head = memory.resource(named, scope=call.scope)
        is_there = rollback_draft(head, target, by="") is None
        diff = "" if is_there else memory.resource_diff(named, head.number, number, scope=call.scope)
        if not call.screen.as_json:
            from glossator.surfaces.show.resources import render_rollback_preview

            call.screen.show(render_rollback_preview(head, target, diff, warning=rebuild_warning(named)))
        if not is_there and (yes or _agreed(call)):
            rolled = memory.rollback_resource(named, number, scope=call.scope, expected_sha256=head.sha256)
    if call.screen.as_json:
        call.screen.answer(_rollback_value(named, head, target, diff, rolled), render=lambda: "")
    elif rolled is not None:
        from glossator.surfaces.show.resources import render_rolled

        call.screen.show(render_rolled(rolled.committed.revision, zone=call.options.zone))
    elif not is_there:
        call.screen.note("nothing was changed; add --yes to do it")


def _rollback_value(
    kind: ResourceKind, head: Revision, target: Revision, diff: str, rolled: Rolled | None
) -> dict[str, Any]:
    preview = {"type": kind, "from": head.number, "to": target.number, "diff": diff, "warning": rebuild_warning(kind)}
    revision = None if rolled is None else _without_content(rolled.committed.revision)
    return {"preview": preview, "revision": revision}


def _agreed(call: Call) -> bool:
    if not call.screen.asks():
        return False
    sys.stderr.write("Bring this text back? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _kind_of(call: Call, name: str) -> ResourceKind:
    """The kind that was typed. Raises UsageError where nobody says whose checkpoint is meant."""
    kind = kind_named(name)
    if kind == "checkpoint" and call.scope.conversation is None:
        raise UsageError("--conversation", "is missing: checkpoints belong to one", remedy="for example telegram:42")
    return kind


def _without_content(revision: Revision) -> dict[str, Plain]:
    """A revision's fields but for its text, which `show` gives."""
    fields = plain_value(revision)
    assert isinstance(fields, dict)
    return {name: value for name, value in fields.items() if name != "content"}
