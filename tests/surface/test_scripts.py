"""What a user's own script meets: it may forget to close, and it must still end cleanly and keep what it wrote."""

import subprocess
import sys
from pathlib import Path

import pytest

from glossator import Memory, Options, Scope

WRITE = """
from glossator import Memory, Scope
memory = Memory.open({path!r})
memory.record([{{"content": "I like tea."}}] * {count}, scope=Scope(workspace="w"), conversation="c")
{rest}
"""


@pytest.mark.parametrize(
    ("rest", "code"),
    [("", 0), ("raise SystemExit(3)", 3), ("del memory", 0), ("memory.recall('tea', scope=Scope(workspace='w'))", 0)],
)
def test_a_script_that_does_not_close_ends_cleanly_while_the_model_is_still_loading(
    tmp_path: Path, rest: str, code: int
) -> None:
    path = tmp_path / "memory.db"
    script = WRITE.format(path=str(path), count=40, rest=rest)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (code, "")
    with Memory.open(path, options=Options(embedder="none")) as memory:
        assert memory.status(Scope(workspace="w")).message_count == 40
