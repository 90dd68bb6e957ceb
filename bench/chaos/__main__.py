"""`python -m bench.chaos [--seconds 300] [--seed N]`: prints what was done, and whether all held."""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.chaos.play import played


def main() -> int:
    """Play on a file system of its own, where this machine lets us have one."""
    parser = argparse.ArgumentParser(prog="python -m bench.chaos")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 1000)
    parser.add_argument("--size-mb", type=int, default=64)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as outer:
        folder = Path(outer) / "disk"
        folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={chosen.size_mb}m", "tmpfs", str(folder)]
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
        try:
            outcome = played(folder, seconds=chosen.seconds, seed=chosen.seed)
            said = "".join((Path(outer) / f"{name}.log").read_text()[-3000:] for name in ("one", "two", "mcp"))
        finally:
            if mounted:
                subprocess.run(["umount", "-l", str(folder)], check=False)
    print(f"seed {chosen.seed}, {chosen.seconds:g} s, disk {'of its own' if mounted else 'shared'}")
    print(", ".join(f"{name} {count:,}" for name, count in sorted(outcome.counts.items())))
    if outcome.faults:
        print(f"{len(outcome.faults)} FAULTS", *outcome.faults[:60], said, sep="\n  ")
        return 1
    print("all held")
    return 0


if __name__ == "__main__":
    sys.exit(main())
