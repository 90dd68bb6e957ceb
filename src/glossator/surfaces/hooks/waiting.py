"""What becomes of words that the memory could not take at that moment? They wait in files beside it.

One file for each write, with the id under which it is to be kept: a write that was made after all and left its file
behind is made again and changes nothing. The next hook makes them before its own.
"""

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from glossator.errors import UsageError

FOLDER = ".waiting"
"""The ending of the folder's name."""
MADE_MAX = 200
"""Made by one hook at most, so that the agent does not wait for what many others left."""
DAMAGED = ".damaged"

Write = Mapping[str, object]


class WaitingRoom:
    """The writes that wait for the memory at `path`."""

    def __init__(self, path: Path) -> None:
        self._folder = path.with_name(path.name + FOLDER)

    def keep(self, write: Write, *, name: str) -> None:
        """Keep a write on the disk. Raises OSError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        target = self._folder / f"{time.time_ns():020d}-{name}.json"
        unfinished = target.with_suffix(".part")
        data = json.dumps(write, ensure_ascii=True).encode("ascii")
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        unfinished.replace(target)

    def make(self, write: Callable[[Write], None]) -> int:
        """Make the writes in order and take their files away; returns how many. What `write` raises ends it."""
        made = 0
        for path in self._files()[:MADE_MAX]:
            try:
                kept = json.loads(path.read_bytes())
            except FileNotFoundError:  # another hook was quicker
                continue
            except ValueError:
                path.replace(path.with_suffix(DAMAGED))
                continue
            try:
                write(kept)
            except (UsageError, LookupError):  # it will never be taken; those behind it are
                path.replace(path.with_suffix(DAMAGED))
                continue
            path.unlink(missing_ok=True)
            made += 1
        return made

    def count(self) -> int:
        """How many wait."""
        return len(self._files())

    def _files(self) -> list[Path]:
        try:
            return sorted(each for each in self._folder.iterdir() if each.suffix == ".json")
        except OSError:
            return []
