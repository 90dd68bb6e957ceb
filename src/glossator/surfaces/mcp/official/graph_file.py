"""How do several processes read and write one JSONL file, so that no write is lost and no crash leaves it half?

Whoever writes holds the lock file beside it, reads the file again, fills a new one, forces it to the disk and puts it
in its place in one step. The official server knows no lock: if the file has changed meanwhile, the change is made anew
on what is there now. Lines that cannot be read are kept in a file beside, and leave the graph's file with the next
write.
"""

import contextlib
import logging
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from glossator.errors import StoreError, StoreFullError, StoreLockedError, StoreReadOnlyError
from glossator.rules.log_words import content_of, kind_of
from glossator.surfaces.mcp.official.graph import Graph, read_graph, written
from glossator.surfaces.mcp.official.locking import locked

logger = logging.getLogger("glossator.mcp.official")
T = TypeVar("T")

QUARANTINE = ".quarantine"
"""The ending of the file with the lines that could not be read."""
UNFINISHED = ".unfinished"
"""The ending of a file that is being written; what a crash leaves of it, the next write takes away."""
ATTEMPTS_MAX = 20
"""How often a change is made anew because somebody without the lock wrote meanwhile; more is no coincidence."""
TORN_WAIT_S = 0.05
TORN_WAITS = 4
"""An older official server writes in place: a last line that breaks off is looked at again for so long."""
FILE_MODE = 0o600
"""What is known about a person is for the account that runs the server; a file that is there keeps its own mode."""
_READ_ONLY = (1, 13, 30)  # EPERM, EACCES, EROFS
_FULL = (28, 122)  # ENOSPC, EDQUOT

Mark = tuple[int, int, int] | None
"""Inode, size and time of a file as it was read; None where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    mark: Mark
    graph: Graph


class GraphFile:
    """The graph in one file. Safe between threads and between processes.

    `before_replacing` is called when the new file is on the disk and has not taken its place yet: for tests that stop
    there.
    """

    def __init__(self, path: Path, *, before_replacing: Callable[[], None] | None = None) -> None:
        self.path = Path(os.path.realpath(path.expanduser()))
        self.quarantine = self.path.with_name(self.path.name + QUARANTINE)
        self._before_replacing = before_replacing
        self._last = _Read(mark=None, graph=Graph())
        self._kept: set[bytes] = set()
        self._mutex = threading.Lock()

    def read(self) -> Graph:
        """The graph as it is now; empty where there is no file. Raises StoreError where it cannot be read.

        Broken lines are copied to the quarantine if that can be written; a read changes nothing else.
        """
        with self._mutex, _told(f"cannot read {self.path.name}"):
            graph = self._current(torn_waits=TORN_WAITS).graph
            if any(line not in self._kept for line in graph.broken):
                self._keep_if_possible(graph.broken)
            return graph

    def change(self, change: Callable[[Graph], tuple[Graph, T]]) -> T:
        """Make a change of the file as it is at that moment, and return what `change` returns beside the new graph.

        `change` may be called more than once. What it raises leaves the file as it was. Raises StoreError.
        """
        with self._mutex, _told(f"cannot write {self.path.name}"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with locked(self.path.with_name(self.path.name + ".lock")):
                for _ in range(ATTEMPTS_MAX):
                    before = self._current(torn_waits=TORN_WAITS)
                    after, result = change(before.graph)
                    if after == before.graph or self._replaced(before, after):
                        return result
        raise StoreLockedError(f"cannot write {self.path.name}: another program writes it all the time")

    def _current(self, *, torn_waits: int) -> _Read:
        """What is in the file; read anew only if it has changed."""
        for _ in range(torn_waits + 1):
            mark = _mark(self.path)
            if mark is not None and mark == self._last.mark:
                return self._last
            content = self._content()
            graph = read_graph(content)
            breaks_off = bool(graph.broken) and not content.endswith(b"\n") and content.endswith(graph.broken[-1])
            if not breaks_off and mark == _mark(self.path):
                break
            time.sleep(TORN_WAIT_S)
        self._last = _Read(mark=mark, graph=graph)
        return self._last

    def _content(self) -> bytes:
        try:
            flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)  # a pipe in its place would hold the reader for ever
            descriptor = os.open(self.path, flags)
        except FileNotFoundError:
            return b""
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise StoreError(f"cannot read {self.path.name}: it is no file")
            with os.fdopen(descriptor, "rb", closefd=False) as opened:
                return opened.read()
        finally:
            os.close(descriptor)

    def _replaced(self, before: _Read, after: Graph) -> bool:
        """Put the new graph in its place; False if somebody else has changed the file since it was read."""
        self._keep(before.graph.broken)
        unfinished = self.path.with_name(f".{self.path.name}{UNFINISHED}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
        try:
            with os.fdopen(os.open(unfinished, flags, FILE_MODE), "wb") as filling:
                filling.write(written(after))
                filling.flush()
                os.fsync(filling.fileno())
            unfinished.chmod(self._mode())
            if self._before_replacing is not None:
                self._before_replacing()
            if _mark(self.path) != before.mark:
                return False
            unfinished.replace(self.path)
        finally:
            unfinished.unlink(missing_ok=True)
        _force(self.path.parent)
        self._last = _Read(mark=None, graph=Graph())
        return True

    def _mode(self) -> int:
        try:
            return stat.S_IMODE(self.path.stat().st_mode)
        except FileNotFoundError:
            return FILE_MODE

    def _keep_if_possible(self, lines: tuple[bytes, ...]) -> None:
        """In a folder that cannot be written the lines are safe where they are."""
        try:
            with locked(self.path.with_name(self.path.name + ".lock")):
                self._keep(lines)
        except (OSError, StoreError) as error:
            told = (self.path.name, kind_of(error))
            logger.warning("lines of %s could not be read, nor kept: %s", *told, extra=content_of(error))

    def _keep(self, lines: tuple[bytes, ...]) -> None:
        """Add the lines to the quarantine, byte for byte, those that are not in it yet."""
        if all(line in self._kept for line in lines):
            return
        there = self.quarantine.read_bytes() if self.quarantine.exists() else b""
        self._kept |= set(there.split(b"\n"))
        fresh = [line for line in dict.fromkeys(lines) if line not in self._kept]
        if not fresh:
            return
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        with os.fdopen(os.open(self.quarantine, flags, FILE_MODE), "ab") as kept:
            torn = b"\n" if there and not there.endswith(b"\n") else b""
            kept.write(torn + b"".join(line + b"\n" for line in fresh))
            kept.flush()
            os.fsync(kept.fileno())
        self._kept |= set(fresh)
        logger.warning("%d lines of %s could not be read; they are in %s", len(fresh), self.path.name, self.quarantine)


def _mark(path: Path) -> Mark:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _force(folder: Path) -> None:
    """The folder on the disk, where the system can do that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def _told(what: str) -> Iterator[None]:
    """What the system says, as an error of ours."""
    try:
        yield
    except OSError as error:
        kind = (
            StoreReadOnlyError if error.errno in _READ_ONLY else StoreFullError if error.errno in _FULL else StoreError
        )
        raise kind(f"{what}: {error.strerror or error}") from error
