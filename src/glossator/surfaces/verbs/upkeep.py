"""`glossator status`, `doctor`, `backup`, `restore`, `worker`, `version`: the life of the file itself."""

import logging
import platform
import signal
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from glossator import Memory, __version__
from glossator.errors import StoreCorruptError, UsageError
from glossator.model import Finding, Status
from glossator.rules.log_words import CONTENT
from glossator.surfaces.call import Call
from glossator.surfaces.registry import FAILED
from glossator.surfaces.show.plain_json import shown_path
from glossator.surfaces.show.screen import Screen
from glossator.surfaces.verbs.settling import settle

FINISHING_S = 10.0
"""How long a worker that was told to stop may finish its batch; its lease brings the rest back."""


def status(call: Call) -> None:
    """Counts of the whole file, and of the scope."""
    with call.open(new=False, embeds=False) as memory:
        counts = {"file": memory.status(), "scope": memory.status(call.scope)}
    path = shown_path(call.path)
    scope = f"{call.scope.workspace}/{call.scope.agent}/{call.scope.owner}"
    part = f"\n{call.scope.conversation}" if call.scope.conversation else ""
    wording = {"file": "whole file", "scope": scope + part}

    def render() -> object:
        from glossator.surfaces.show.upkeep import render_status

        return render_status(path, counts, wording)

    value: dict[str, str | Status] = {"path": path, "file": counts["file"], "scope": counts["scope"]}
    call.screen.answer(value, render=render)  # type: ignore[arg-type]


def doctor(call: Call, *, repair: bool) -> int:
    """Findings; exit code 1 if something is wrong that was not repaired."""
    try:
        with call.open(new=False) as memory, call.screen.progress("examining"):
            findings = memory.doctor(repair=repair)
    except StoreCorruptError as exc:
        remedy = "check --db; if this was a memory, move it away and put a copy back with `glossator restore`"
        raise StoreCorruptError(f"the file cannot be examined: {_reason(exc)} ({remedy})") from exc
    wrong = any(not each.ok and not each.repaired for each in findings)

    def render() -> object:
        from glossator.surfaces.show.upkeep import render_findings

        return render_findings(findings)

    value: dict[str, bool | tuple[Finding, ...]] = {"ok": not wrong, "findings": findings}
    call.screen.answer(value, render=render)  # type: ignore[arg-type]
    return FAILED if wrong else 0


def _reason(exc: StoreCorruptError) -> str:
    """What SQLite said, where it is the one that found the fault: without the advice that is for other verbs."""
    return str(exc.__cause__ if isinstance(exc.__cause__, sqlite3.Error) else exc)


def backup(call: Call, path: Path) -> None:
    """A consistent copy."""
    with call.open(new=False, embeds=False) as memory, call.screen.progress("copying"):
        memory.backup(path)
    size = path.stat().st_size
    line = f"copied {shown_path(call.path)} to {shown_path(path)} ({size / 1e6:,.1f} MB)"
    call.screen.answer({"path": call.path, "backup": path, "bytes": size}, render=lambda: line)


def restore(call: Call, path: Path) -> None:
    """The copy becomes the memory."""
    from glossator.wiring import restore as put_back

    try:
        put_back(path, call.path)
    except StoreCorruptError as exc:
        words = f"{shown_path(path)} is no whole copy of a memory: {_reason(exc)} (name another that `backup` wrote)"
        raise StoreCorruptError(words) from exc
    line = f"restored {shown_path(call.path)} from {shown_path(path)}"
    call.screen.answer({"path": call.path, "backup": path}, render=lambda: line)


def worker(call: Call, *, once: bool) -> int:
    """Embed what is open and take facts from it, until told to stop, or `once`."""
    if call.options.embedder == "none" and call.options.extracts_by == "none" and not call.options.reviews:
        raise UsageError("options.embedder", "is none, and no facts are taken: nothing is to do", remedy="choose one")
    with call.open(new=False) as memory:
        if once:
            left = settle(memory, call)
        else:
            _work_on(call, memory)
            left = memory.status().pending_count
        counts = memory.status()
    value = {"pending": left, "failed": counts.failed_count, "embedded": counts.vector_count}
    line = f"{counts.vector_count:,} embedded, {left:,} to do, {counts.failed_count:,} failed"
    call.screen.answer(value, render=lambda: line)
    return FAILED if once and left else 0


def _work_on(call: Call, memory: Memory) -> None:
    """Embed in a thread, so that a signal is heard at once."""
    call.screen.note(f"working for {shown_path(call.path)}; Ctrl-C stops it")
    stop = threading.Event()
    _stop_on_signals(stop)
    thread = threading.Thread(target=memory.work, args=(stop,), name="glossator-worker", daemon=True)
    with told_by_the_worker(call.screen):
        thread.start()
        while thread.is_alive() and not stop.wait(1.0):
            pass
        thread.join(FINISHING_S)


@contextmanager
def told_by_the_worker(screen: Screen) -> Iterator[None]:
    """Show what the worker logs, for the time of the block: it tells nobody else what failed."""

    class Shown(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            words = getattr(record, CONTENT, "") if screen.lively else ""  # for eyes at a terminal, not for a file
            screen.warn(f"{record.getMessage()} ({words})" if words else record.getMessage())

    shown = Shown(logging.WARNING)
    log = logging.getLogger("glossator.worker")
    log.addHandler(shown)
    try:
        yield
    finally:
        log.removeHandler(shown)


def _stop_on_signals(stop: threading.Event) -> None:
    def told(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGINT, told)
    signal.signal(signal.SIGTERM, told)


def version(call: Call) -> None:
    """Versions that a report of a fault should name."""
    value = {
        "glossator": __version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "embedder": call.options.embedder,
        "path": call.path,
    }
    line = f"glossator {value['glossator']} (Python {value['python']}, SQLite {value['sqlite']})"
    call.screen.answer(value, render=lambda: line)
