"""What went wrong in hooks, so that it is not silent? A small file beside the memory, told when a session starts."""

import os
from datetime import UTC, datetime
from pathlib import Path

ENDING = ".hooks.log"
TOLD = ".old"
BYTES_MAX = 64 * 1024
"""About 500 lines; more of the same says nothing new."""
SHOWN_MAX = 200
"""Characters of a reason: one line of a terminal or two."""


class Mishaps:
    """The failures of hooks of the memory at `path`, one on a line: when, in which event, why. No words of a talk."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(path.name + ENDING)

    def note(self, event: str, reason: str) -> None:
        """Add a failure. Raises OSError where the folder cannot be written."""
        line = f"{datetime.now(UTC).isoformat(timespec='seconds')} {event}: {one_line(reason)}\n"
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "ab") as log:
            if log.tell() < BYTES_MAX:
                log.write(line.encode("utf-8", "replace"))

    def told(self) -> str:
        """What went wrong since this was asked last, in one sentence; "" if nothing did. It counts as told then."""
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
            self.path.replace(self.path.with_name(self.path.name + TOLD))
        except OSError:
            return ""
        if not lines:
            return ""
        times = "once" if len(lines) == 1 else f"{len(lines)} times"
        return f"Glossator's hooks failed {times} since the last session; the last: {lines[-1]} (see {self.path}{TOLD})"


def one_line(reason: str) -> str:
    """A reason on one line that steers no terminal."""
    line = " ".join("".join(each if each.isprintable() else " " for each in reason).split())
    return line if len(line) <= SHOWN_MAX else line[: SHOWN_MAX - 1] + "…"
