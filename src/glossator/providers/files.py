"""Where do prompt files lie? In a folder of this machine, each written whole or not at all.

A text goes into a new file beside the old one, is forced to the disk, and takes its place in one step; then the folder
is forced to the disk as well. What an interrupted write leaves has one fixed name for each file, so the next write, or
`tidy`, takes it away.
"""

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from glossator.errors import StoreError, StoreFullError, StoreReadOnlyError, UsageError

try:
    import fcntl
except ImportError:  # Windows: two processes that write one file at once are not kept apart there
    LOCKS = False
else:
    LOCKS = True

UNFINISHED = ".unfinished"
"""The ending of a file that is being written; a leading dot hides it."""
FILE_MODE, FOLDER_MODE = 0o600, 0o700
"""What is known about a person is for the account that runs the agent."""
_READ_ONLY = (1, 13, 30)  # EPERM, EACCES, EROFS
_FULL = (28, 122)  # ENOSPC, EDQUOT


class FolderFiles:
    """`ports.Files` in a folder, which is made when the first file is written. Links inside it are not followed.

    `before_replacing` is called with the name when the new text is on the disk and has not taken its place yet: for
    tests that stop there.
    """

    def __init__(self, root: str | Path, *, before_replacing: Callable[[str], None] | None = None) -> None:
        self._root = Path(root).expanduser().absolute()
        self._before_replacing = before_replacing

    def read(self, name: str) -> str | None:
        """See ports.Files."""
        path = self._path(name)
        with _told(f"cannot read {name}"):
            if not os.path.lexists(path):
                return None
            try:
                # without waiting: a pipe that was put in its place would hold the reader for ever
                flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
                with os.fdopen(os.open(path, flags), "rb") as opened:
                    if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                        raise StoreError(f"cannot read {name}: it is no file")
                    return opened.read().decode("utf-8")
            except UnicodeDecodeError as error:
                raise StoreError(f"cannot read {name}: it is no text in UTF-8") from error
            except FileNotFoundError:
                return None

    def write(self, name: str, text: str) -> None:
        """See ports.Files."""
        path = self._path(name)
        with _told(f"cannot write {name}"):
            self._make_folder(path.parent)
            with _locked(path.parent):
                unfinished = path.with_name(f".{path.name}{UNFINISHED}")
                try:
                    _fill(unfinished, text.encode("utf-8", "replace"))
                    if self._before_replacing is not None:
                        self._before_replacing(name)
                    unfinished.replace(path)
                finally:
                    unfinished.unlink(missing_ok=True)
                _force(path.parent)

    def remove(self, name: str) -> bool:
        """See ports.Files."""
        path = self._path(name)
        with _told(f"cannot remove {name}"):
            try:
                path.unlink()
            except FileNotFoundError:
                return False
            _force(path.parent)
            return True

    def names(self, folder: str = "") -> tuple[str, ...]:
        """See ports.Files."""
        start = self._path(folder) if folder else self._root
        found: list[str] = []
        with _told(f"cannot list {folder or self._root}"):
            for at, _, files in os.walk(start, followlinks=False):
                paths = (Path(at) / each for each in files if not each.endswith(UNFINISHED))
                found += [path.relative_to(self._root).as_posix() for path in paths if not path.is_symlink()]
        return tuple(sorted(found))

    def tidy(self, folder: str = "") -> int:
        """See ports.Files."""
        start = self._path(folder) if folder else self._root
        with _told(f"cannot tidy {folder or self._root}"):
            if not start.is_dir():
                return 0
            with _locked(start):
                left = list(start.glob(f".*{UNFINISHED}"))
                for path in left:
                    path.unlink(missing_ok=True)
                return len(left)

    def _path(self, name: str) -> Path:
        """Where the file lies. Raises StoreError for a link on the way to it."""
        parts = name.split("/")
        if any(part in ("", ".", "..") or "\\" in part or "\0" in part or part.endswith(UNFINISHED) for part in parts):
            raise UsageError("name", f"{name!r} is no path inside the folder", remedy='for example "helper/USER.md"')
        path = self._root
        for part in parts:
            path = path / part
            if path.is_symlink():
                raise StoreError(f"{path} is a link; prompt files are neither read nor written through one")
        return path

    def _make_folder(self, folder: Path) -> None:
        """The folder and those above it, each forced into the one that holds it."""
        if folder.is_dir():
            return
        self._make_folder(folder.parent)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=FOLDER_MODE)
        _force(folder.parent)


def _fill(path: Path, content: bytes) -> None:
    """A new file with this content, on the disk."""
    path.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags, FILE_MODE), "wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())


@contextlib.contextmanager
def _told(what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"{what}: {error.strerror or error}"
        if error.errno in _FULL:
            raise StoreFullError(message) from error
        if error.errno in _READ_ONLY:
            raise StoreReadOnlyError(message) from error
        raise StoreError(message) from error


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One writer at a time in this folder, of all processes."""
    if not LOCKS:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _force(folder: Path) -> None:
    """The names in the folder to the disk, where the system can do that."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
