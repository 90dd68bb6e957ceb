"""Prompt files in memory, and a disk that stops at a chosen moment: is a reader ever shown part of a file?"""

import os
import signal
from typing import Literal

from glossator.errors import StoreError


class MemoryFiles:
    """`ports.Files` in a dict. `write_count` says how often a file was written, but for notes, whose names begin with a
    dot; `broken` makes each call fail.
    """

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.write_count = 0
        self.broken = False

    def read(self, name: str) -> str | None:
        """See ports.Files."""
        self._check()
        return self.texts.get(name)

    def write(self, name: str, text: str) -> None:
        """See ports.Files."""
        self._check()
        self.texts[name] = text
        self.write_count += not name.rpartition("/")[2].startswith(".")

    def remove(self, name: str) -> bool:
        """See ports.Files."""
        self._check()
        return self.texts.pop(name, None) is not None

    def names(self, folder: str = "") -> tuple[str, ...]:
        """See ports.Files."""
        self._check()
        return tuple(sorted(name for name in self.texts if not folder or name.startswith(f"{folder}/")))

    def tidy(self, folder: str = "") -> int:  # noqa: ARG002
        """Nothing is ever left."""
        self._check()
        return 0

    def _check(self) -> None:
        if self.broken:
            raise StoreError("the files are broken")


class Stop:
    """For `FolderFiles(before_replacing=...)`: the write stops when its new text has not taken its place yet.

    `way` "error" raises StoreError there, "kill" ends the process as a crash would. It stops while `stopping` is True.
    """

    def __init__(self, way: Literal["error", "kill"] = "error") -> None:
        self._way = way
        self.stopping = True

    def __call__(self, name: str) -> None:
        if not self.stopping:
            return
        if self._way == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        raise StoreError(f"stopped before the new text of {name} took its place")
