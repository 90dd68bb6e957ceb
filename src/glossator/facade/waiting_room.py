"""What becomes of words that the memory could not take at that moment? They wait in files beside it.

One file for each write, with the id under which it is to be kept: a write that was made after all and left its file
behind is made again and changes nothing. Who said them was a hook; the next hook makes them before its own, and whoever
erases messages before that, so that nothing comes in later that was to be forgotten.
"""

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from glossator.errors import UsageError
from glossator.model import Scope

if TYPE_CHECKING:
    from glossator.facade import Memory

FOLDER = ".waiting"
"""The ending of the folder's name."""
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

    def make(self, write: Callable[[Write], None], *, most: int | None = None) -> int:
        """Make the writes in order, the first `most` of them, and take their files away; returns how many.

        What `write` raises ends it.
        """
        made = 0
        for path in self._files(".json")[:most]:
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
        return len(self._files(".json"))

    def drop_damaged(self) -> None:
        """Take away what can never be made: nobody could tell whether it is among what was to be forgotten."""
        for path in self._files(DAMAGED):
            path.unlink(missing_ok=True)

    def _files(self, suffix: str) -> list[Path]:
        try:
            return sorted(each for each in self._folder.iterdir() if each.suffix == suffix)
        except OSError:
            return []


def make(write: Write, memory: "Memory", scope: Scope | None = None) -> None:
    """Keep what was to be kept, in the scope of its own where it waited. Raises StoreError, UsageError, LookupError."""
    own = write.get("scope")
    if isinstance(own, Mapping):
        scope = Scope(workspace=str(own["workspace"]), agent=str(own["agent"]), owner=str(own["owner"]))
    if scope is None:
        raise UsageError("write", "says not whose it is", remedy="it was kept by another program")
    if "step" in write:
        memory.record_steps(str(write["conversation"]), [_mapping(write["step"])], scope=scope)
        return
    project = write.get("project")
    memory.record(
        [_mapping(write["message"])],
        scope=scope,
        conversation=str(write["conversation"]),
        project=project if isinstance(project, str) else None,
    )


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise UsageError("write", "is no mapping", remedy="it was kept by another program")
    return cast(Mapping[str, object], value)
