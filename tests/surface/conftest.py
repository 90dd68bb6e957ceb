"""The command line in this process, with a file of its own, and as a process of its own."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from glossator.surfaces.cli import called

SOURCES = Path(__file__).parents[2] / "src"


@dataclass(frozen=True)
class Result:
    """What a call of the command line gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)


Cli = Callable[..., Result]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run `glossator` here; the memory is `memory.db` in the test's folder, the embedder needs no model."""
    monkeypatch.setenv("GLOSSATOR_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("GLOSSATOR_EMBEDDER", "hashing")

    def run(*arguments: object, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        code = called([str(each) for each in arguments])
        shown = capsys.readouterr()
        return Result(code, shown.out, shown.err)

    return run


@pytest.fixture
def process(tmp_path: Path) -> Cli:
    """Run `glossator` as a process of its own; `environment` comes over a bare one."""

    def run(*arguments: object, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> Result:
        bare = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCES), "HOME": str(tmp_path)}
        bare |= {"GLOSSATOR_DB": str(tmp_path / "memory.db"), "GLOSSATOR_EMBEDDER": "hashing"}
        done = subprocess.run(
            [sys.executable, "-m", "glossator.surfaces.cli", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            env=bare | dict(environment or {}),
            timeout=60,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    return run
