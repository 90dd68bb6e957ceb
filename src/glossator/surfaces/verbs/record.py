"""`glossator record`: keep one message, or messages from stdin."""

import sys
from io import BytesIO

from glossator.errors import UsageError
from glossator.model import ROLES
from glossator.rules.instants import zone_named
from glossator.surfaces.call import Call
from glossator.surfaces.importers import Home, InputFile
from glossator.surfaces.importers.reading import decode
from glossator.surfaces.verbs.settling import settle

CONVERSATION = "cli:notes"
"""Where a message goes that was typed without naming its conversation."""


def run(
    call: Call,
    text: str | None,
    *,
    message: dict[str, object],
    session: str | None,
    project: str | None,
    tags: tuple[str, ...],
    jsonl: bool,
    embed: bool,
) -> int:
    """Record the text, or stdin as one message, or with `jsonl` stdin's messages line by line."""
    if jsonl:
        home = _home_of_lines(call, text, message, session)
        return _record_lines(call, home, project=project, tags=tags, embed=embed)
    message = {**message, "content": text if text not in (None, "-") else _from_stdin()}
    with call.open(embeds=embed) as memory:
        receipt = memory.record(
            [{key: value for key, value in message.items() if value is not None}],
            scope=call.whole_scope,
            conversation=call.scope.conversation or CONVERSATION,
            session=session,
            project=project,
            tags=tags,
        )
        left = settle(memory, call) if embed else receipt.pending
    value = {"recorded": receipt.recorded, "pending": left}

    def render() -> object:
        from dataclasses import replace

        from glossator.surfaces.show.upkeep import render_receipt

        return render_receipt(replace(receipt, pending=left))

    call.screen.answer(value, render=render)  # type: ignore[arg-type]
    return 0


def _from_stdin() -> str:
    if sys.stdin.isatty():
        raise UsageError("text", "is missing", remedy='pass it, or pipe it in: echo "..." | glossator record')
    text, _ = decode(sys.stdin.buffer.read())
    return text.removesuffix("\n")


def _home_of_lines(call: Call, text: str | None, message: dict[str, object], session: str | None) -> Home:
    """What lines take from the options where they say nothing themselves. Raises UsageError for what they cannot."""
    if text not in (None, "-"):
        raise UsageError("text", "is given together with --jsonl", remedy="--jsonl reads messages from stdin")
    for name in ("id", "at"):
        if message[name] is not None:
            raise UsageError(name, "is given together with --jsonl", remedy="each line has its own")
    role, speaker = message["role"], message["speaker"]
    if role is not None and role not in ROLES:
        raise UsageError("role", f"{role!r} is unknown", remedy=f"choose from {', '.join(ROLES)}")
    return Home(
        name="stdin",
        conversation=call.scope.conversation or CONVERSATION,
        zone=zone_named(call.options.zone),
        stable_ids=False,
        role=None if role is None else str(role),
        speaker=None if speaker is None else str(speaker),
        session=session,
    )


def _record_lines(call: Call, home: Home, *, project: str | None, tags: tuple[str, ...], embed: bool) -> int:
    from glossator.surfaces.verbs.ingest import take_in

    data = sys.stdin.buffer.read()
    stdin = InputFile(name="stdin", size=len(data), open=lambda: BytesIO(data), alone=True)
    return take_in(call, (stdin,), source="stdin", home=home, kind="jsonl", project=project, tags=tags, embed=embed)
