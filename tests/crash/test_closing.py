"""What happens to work that is under way when a memory is closed, or its process is told to end?"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from itertools import count
from pathlib import Path

import pytest
from tests.conftest import ANA

from glossator import Memory, Options, Scope, StoreError
from glossator.model import Prompt
from glossator.testing.scripted import ScriptedModel

SOURCE = Path(__file__).resolve().parents[2] / "src"
LIMIT_S = 20.0
READING = """
import sys, threading
from pathlib import Path
from glossator import Memory, Options, Scope, StoreError

ana = Scope(workspace="acme", agent="helper", owner="ana")
for attempt in range(4):
    memory = Memory.open(Path(sys.argv[1]), options=Options(embedder="hashing", worker=False))
    if attempt == 0:
        memory.record([{"content": f"I live in Oslo {n}."} for n in range(300)], scope=ana, conversation="telegram:1")
        memory.drain()
    reading = threading.Barrier(6)
    told = []

    def read():
        memory.facts(scope=ana)
        reading.wait()
        try:
            while True:
                memory.facts(scope=ana, limit=1000)
                memory.search_facts("Oslo", scope=ana)
        except StoreError as error:
            told.append(str(error))

    threads = [threading.Thread(target=read) for _ in range(5)]
    for thread in threads:
        thread.start()
    reading.wait()
    memory.close()
    for thread in threads:
        thread.join()
    assert told == ["the store is closed"] * 5, told
print("whole")
"""


class Hanging:
    """A model that does not answer until it is let go."""

    def __init__(self) -> None:
        self.asked, self.let_go = threading.Event(), threading.Event()
        self.model = ScriptedModel([self._answer] * 9)

    def _answer(self, prompt: Prompt) -> str:
        self.asked.set()
        self.let_go.wait(LIMIT_S)
        return "Nothing to save."


def test_closing_leaves_a_review_behind_whose_model_does_not_answer(tmp_path: Path) -> None:
    hanging = Hanging()
    options = Options(embedder="none", capture_mode="review")
    memory = Memory.open(tmp_path / "memory.db", options=options, language_model=hanging.model)
    memory.record([{"content": "I live in Oslo."}], scope=ANA, conversation="telegram:1")
    assert hanging.asked.wait(LIMIT_S)
    began = time.monotonic()
    memory.close()
    assert time.monotonic() - began < 6.0  # two seconds are promised; this machine may be busy
    hanging.let_go.set()
    # its lease gives it to whoever comes later, and nothing was passed over
    with Memory.open(tmp_path / "memory.db", options=Options(embedder="none", worker=False)) as again:
        (result,) = again.review(scope=ANA, now=True)
        assert (result.status, result.skip_reason) == ("skipped", "concurrent_run")
        assert all(finding.ok for finding in again.doctor() if finding.check != "backlog")


def test_reads_that_run_while_the_memory_is_closed_end_with_a_typed_error(tmp_path: Path) -> None:
    # in a process of its own: a connection that is closed under a running statement ends the process
    ended = subprocess.run(
        [sys.executable, "-c", READING, str(tmp_path / "memory.db")], capture_output=True, text=True, timeout=120,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1"}, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (0, "whole\n"), ended.stderr


def test_two_memories_of_one_process_see_what_the_other_wrote(tmp_path: Path) -> None:
    options = Options(embedder="none", worker=False, prompt_folder=str(tmp_path / "prompts"))
    with Memory.open(tmp_path / "memory.db", options=options) as one:
        other = Memory.open(tmp_path / "memory.db", options=options)
        for number, memory in zip(count(), (one, other, one, other)):
            memory.record([{"content": f"I live at {number}."}], scope=ANA, conversation="telegram:1")
            memory.remember(f"Number {number} is known.", scope=ANA, category="identity")
            for each in (one, other):
                assert len(each.conversation(scope=ANA, conversation="telegram:1")) == number + 1
                assert each.load_prompt_files(scope=ANA).user_md == memory.prompt_files(scope=ANA).user_md
        other.close()
        one.record([{"content": "Still here."}], scope=ANA, conversation="telegram:1")
        assert len(one.conversation(scope=ANA, conversation="telegram:1")) == 5


def test_a_worker_that_is_told_to_end_while_it_reviews_ends_soon_and_keeps_the_file_whole(tmp_path: Path) -> None:
    scope = Scope(workspace="default", agent="default", owner="default")
    options = Options(embedder="none", worker=False, capture_mode="review")
    with Memory.open(tmp_path / "memory.db", options=options) as memory:
        memory.record([{"content": "I live in Oslo."}], scope=scope, conversation="telegram:1")
    with socket.create_server(("127.0.0.1", 0)) as server:  # it takes the call and never answers
        server.settimeout(60)
        environment = {
            **os.environ, "PYTHONPATH": str(SOURCE), "GLOSSATOR_DB": str(tmp_path / "memory.db"),
            "GLOSSATOR_CAPTURE_MODE": "review", "GLOSSATOR_EMBEDDER": "none",
            "GLOSSATOR_LANGUAGE_MODEL": f"vllm:test@http://127.0.0.1:{server.getsockname()[1]}/v1",
        }  # fmt: skip
        command = [sys.executable, "-c", "from glossator.surfaces.cli import main; main()", "worker"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        call, _ = server.accept()
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=60)
        call.close()
    assert process.returncode == 0, told
    assert time.monotonic() - began < 9.0  # `docker stop` waits ten seconds
    with Memory.open(tmp_path / "memory.db", options=options) as memory:
        assert memory.messages(scope=scope)[0].content == "I live in Oslo."
        assert all(finding.ok for finding in memory.doctor() if finding.check != "backlog")


def test_a_closed_memory_says_so_whatever_is_asked(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "memory.db", options=Options(embedder="none", worker=False))
    memory.close()
    memory.close()
    for call in (
        lambda: memory.messages(scope=ANA),
        lambda: memory.record([{"content": "No."}], scope=ANA, conversation="telegram:1"),
    ):
        with pytest.raises(StoreError, match="the store is closed"):
            call()
