"""How does another program call this very installation, for the memory of this call? For what `install` prints."""

import shutil
import sys
from pathlib import Path

from glossator.surfaces.call import Call


def executable() -> tuple[str, ...]:
    """The whole path of `glossator` beside this Python, else this Python with what makes it `glossator`."""
    name = "glossator.exe" if sys.platform == "win32" else "glossator"
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.is_file() else None
    if found is None and Path(sys.argv[0]).name == name:
        found = shutil.which(sys.argv[0])
    return (found,) if found is not None else (sys.executable, "-m", "glossator.surfaces.start")


def memory_options(call: Call) -> tuple[str, ...]:
    """The file by its whole path, and the parts of the scope that differ from the defaults."""
    given = ["--db", str(call.path.expanduser().absolute())]
    for part in ("workspace", "agent", "owner"):
        if getattr(call.scope, part) != "default":
            given += [f"--{part}", getattr(call.scope, part)]
    return tuple(given)
