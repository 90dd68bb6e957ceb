"""Does what was promised through the surfaces hold while servers are killed, keys change and the disk is full?

`python -m bench.chaos --seconds 300` plays the same for longer.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.chaos.play import played


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own where this machine lets us have one, else a folder, which is never full."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield folder
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=False)


def test_whatever_dies_what_was_promised_holds(disk: Path) -> None:
    # proves: I3, I4, I5
    outcome = played(disk, seconds=5, seed=4, every_s=1.5)
    assert outcome.faults == ()
    assert outcome.counts["messages acknowledged"] > 0
    assert outcome.counts["servers killed"] + outcome.counts["MCP servers killed"] > 0
