"""How does a hook never fail its agent? Whatever happens, it ends with 0, and only what is valid is on stdout.

What goes wrong is one line on stderr and one in a file beside the memory. What was said and could not be kept waits
there too, until the next hook.
"""

import contextlib
import gc
import json
import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from glossator.errors import GlossatorError, UsageError
from glossator.surfaces.hooks.arguments import HookArguments, read_arguments
from glossator.surfaces.hooks.event import CLIENTS, Event, read_event
from glossator.surfaces.hooks.mishaps import Mishaps, one_line
from glossator.surfaces.hooks.replying import Reply, written

if TYPE_CHECKING:
    from glossator import Memory, Options, Scope
    from glossator.facade.waiting_room import Write

BUSY_TIMEOUT_S = 2.0
"""A user waits behind every prompt; the thirty seconds of other programs are too long for that."""
DEADLINE_S = 8.0
"""After so long the hook ends as it is: a folder on a network may never answer."""
INPUT_BYTES_MAX = 16 * 1024 * 1024
"""A prompt is no file. What comes on top is read, so that the agent can write it, and dropped."""
READ_BYTES = 1024 * 1024
MADE_MAX = 200
"""Made by one hook at most, so that the agent does not wait for what many others left."""


class Hook:
    """One call of a hook."""

    def __init__(self, arguments: HookArguments) -> None:
        self.arguments = arguments
        self._path: Path | None = None
        self._scope: Scope | None = None
        self._unkept: Write | None = None
        self._is_aside = False
        self._mutex = threading.Lock()
        self._at = datetime.now(UTC).isoformat(timespec="milliseconds")

    def run(self, data: bytes) -> str:
        """What goes to stdout. Never raises."""
        try:
            return self._answered(data)
        except Exception as error:  # noqa: BLE001 - the outermost handler: the agent goes on, whatever it is
            self.failed(_reason(error))
            self._keep_aside(error)
            return ""

    def ran_out_of_time(self) -> None:
        """Tell it, and keep aside what was not kept yet."""
        self.failed(f"took longer than {DEADLINE_S:g} s")
        self._keep_aside(None)

    def failed(self, reason: str) -> None:
        """Say on stderr and in the file what went wrong; where neither can be written, nobody hears of it."""
        event = self.arguments.event
        with contextlib.suppress(OSError):
            os.write(2, f"glossator: hook {event}: {one_line(reason)}\n".encode("utf-8", "replace"))
        with contextlib.suppress(OSError, GlossatorError):
            if self._path is None:
                self._find()
            if self._path is not None:
                Mishaps(self._path).note(event, reason)

    def _answered(self, data: bytes) -> str:
        arguments = self.arguments
        if arguments.event == "post-tool-use" and not arguments.tools:
            return ""  # runs behind every tool: nothing is loaded for it
        event = _event(arguments, data)
        from glossator.surfaces.hooks.acting import write_of

        self._unkept = write_of(event, tools=arguments.tools)
        self._find()
        if arguments.misread:
            self.failed(f"not understood: {', '.join(arguments.misread)}")
        if self._unkept is None and event.kind in ("stop", "post-tool-use"):
            return ""
        assert self._path is not None
        assert self._scope is not None
        reply = _with_memory(self, event, self._path, self._scope)
        if event.kind == "session-start":
            reply = replace(reply, notice=Mishaps(self._path).told())
        return written(reply, event=event.kind, client=event.client)

    def _find(self) -> None:
        """Where the memory lies, and whose it is."""
        from glossator import Scope
        from glossator.wiring import default_path, setting

        chosen = self.arguments
        self._path = chosen.db or default_path()
        self._scope = Scope(
            workspace=chosen.workspace or setting("workspace") or "default",
            agent=chosen.agent or setting("agent") or "default",
            owner=chosen.owner or setting("owner") or "default",
        )

    def make(self, memory: "Memory", scope: "Scope") -> None:
        """Make the writes that wait, then the event's own."""
        from glossator.facade.waiting_room import WaitingRoom, make

        assert self._path is not None
        WaitingRoom(self._path).make(lambda write: make(write, memory, scope), most=MADE_MAX)
        if self._unkept is not None:
            make(self._unkept, memory, scope)
            self._unkept = None

    def keep_aside(self, error: Exception) -> None:
        """As the memory could not take them now, the words wait; what it never takes is told and dropped."""
        self.failed(_reason(error))
        self._keep_aside(error)

    def _keep_aside(self, error: Exception | None) -> None:
        from glossator.facade.waiting_room import WaitingRoom
        from glossator.surfaces.hooks.acting import waiting

        with self._mutex:
            write = self._unkept
            if write is None or self._is_aside or self._path is None or isinstance(error, UsageError):
                return
            self._is_aside = True
            try:
                WaitingRoom(self._path).keep(waiting(write, self._scope, self._at), name=f"{os.getpid()}")
            except OSError as problem:
                self.failed(f"what was said is lost: {problem}")

    def settle(self) -> None:
        """Wait until what is being kept aside is on the disk: the process may end then."""
        self._mutex.acquire(timeout=DEADLINE_S)


def _with_memory(hook: Hook, event: Event, path: Path, scope: "Scope") -> Reply:
    """Keep what was said and answer; a store that cannot be written still answers."""
    from glossator import Memory
    from glossator.surfaces.hooks.acting import Occasion, reply_to
    from glossator.wiring import options_from

    path.parent.mkdir(parents=True, exist_ok=True)
    with Memory.open(path, options=_quick(options_from())) as memory:
        try:
            hook.make(memory, scope)
        except GlossatorError as error:
            hook.keep_aside(error)
        return reply_to(Occasion(memory=memory, scope=scope, event=event, tokens=hook.arguments.tokens))


def _quick(options: "Options") -> "Options":
    """The user's options without what would have to be loaded: found by words now, embedded by the next worker."""
    return replace(
        options,
        embedder="none",
        reranker="none",
        signals=options.signals - {"ranker"},
        worker=False,
        busy_timeout_s=min(options.busy_timeout_s, BUSY_TIMEOUT_S),
        max_conversation_history=100,
    )


def _event(arguments: HookArguments, data: bytes) -> Event:
    """Raises UsageError for what is no JSON object."""
    if len(data) > INPUT_BYTES_MAX:
        raise UsageError("stdin", f"has more than {INPUT_BYTES_MAX:,} bytes", remedy="it is not kept")
    try:
        value = json.loads(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise UsageError("stdin", "is no JSON object", remedy="an agent writes its event there")
    return read_event(arguments.event, value, next((each for each in CLIENTS if each == arguments.client), None))


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def stdin_bytes() -> bytes:
    """All of stdin up to one byte more than may be read; the rest is read and dropped. Never raises."""
    parts: list[bytes] = []
    size = 0
    with contextlib.suppress(OSError):
        while part := os.read(0, READ_BYTES):
            if size <= INPUT_BYTES_MAX:
                parts.append(part)
            size += len(part)
    return b"".join(parts)


def main(arguments: Sequence[str]) -> NoReturn:
    """Run the hook of a command line, and end the process with 0."""
    gc.disable()  # this process ends sooner than it could have any garbage
    os.putenv("OPENBLAS_NUM_THREADS", "1")  # numpy's threads spin while they wait: twice the time of the processor
    hook = Hook(read_arguments(arguments))
    watch = threading.Timer(DEADLINE_S, _ended, args=(hook,))
    watch.daemon = True
    watch.start()
    try:
        said = hook.run(stdin_bytes())
        _say(said, hook)
    finally:  # also at Ctrl-C; the interpreter's own end would take a sixth of the time of a hook
        hook.settle()
        os._exit(0)


def _ended(hook: Hook) -> None:
    try:
        hook.ran_out_of_time()
    finally:
        os._exit(0)


def _say(said: str, hook: Hook) -> None:
    left = f"{said}\n".encode("utf-8", "replace") if said else b""
    try:
        while left:
            left = left[os.write(1, left) :]
    except OSError as error:
        hook.failed(f"cannot answer: {error}")
