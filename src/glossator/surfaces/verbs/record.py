"""`glossator record`: keep one message, or messages from stdin."""

import sys
from io import BytesIO

from glossator.errors import UsageError
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
        return _record_lines(call, text, project=project, tags=tags, embed=embed)
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
        left = settle(memory, call.screen) if embed else receipt.pending
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


def _record_lines(call: Call, text: str | None, *, project: str | None, tags: tuple[str, ...], embed: bool) -> int:
    from glossator.surfaces.verbs.ingest import take_in

    if text not in (None, "-"):
        raise UsageError("text", "is given together with --jsonl", remedy="--jsonl reads messages from stdin")
    data = sys.stdin.buffer.read()
    stdin = InputFile(name="stdin", size=len(data), open=lambda: BytesIO(data), alone=True)
    home = Home(
        name="stdin",
        conversation=call.scope.conversation or CONVERSATION,
        zone=zone_named(call.options.zone),
        stable_ids=False,
    )
    return take_in(call, (stdin,), home=home, kind="jsonl", project=project, tags=tags, embed=embed)
