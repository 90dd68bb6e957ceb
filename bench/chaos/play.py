"""A chaos run: clients at work while servers are killed, the disk is full for moments, and keys change."""

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bench.chaos.checks import faults_of
from bench.chaos.clients import AGENT, WORKSPACE, Caller, ToolCaller
from bench.chaos.ledger import Ledger
from bench.chaos.processes import McpProgram, Server

from glossator import GlossatorError, Memory, Options, PermissionDeniedError
from glossator.client import Client

CLIENTS = 8
FULL_S = 1.0
STARTED_WITHIN_S = 60.0
REFUSED_WITHIN_S = 1.2
"""A server looks a key up again after a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a run met."""

    faults: tuple[str, ...]
    counts: Counter[str]


class Trouble(threading.Thread):
    """Does everything that can go wrong, one after the other."""

    def __init__(self, folder: Path, servers: list[Server], mcp: McpProgram, callers: list[Caller], **when: float):
        super().__init__(name="trouble", daemon=True)
        self._folder, self._servers, self._mcp, self._callers = folder, servers, mcp, callers
        self._until, self._every_s, self._chance = when["until"], when["every_s"], random.Random(int(when["seed"]))
        self.counts, self.faults = Counter[str](), list[str]()

    def run(self) -> None:
        """Until the time is over."""
        deeds = (self._kill, self._kill, self._kill, self._fill, self._rotate, self._revoke, self._kill_mcp)
        while time.time() < self._until:
            time.sleep(self._every_s * self._chance.uniform(0.5, 1.5))
            self._chance.choice(deeds)()
            for server in self._servers:
                server.revive()

    def _kill(self) -> None:
        server = self._chance.choice(self._servers)
        server.kill()
        server.start()
        self.counts["servers killed"] += 1

    def _kill_mcp(self) -> None:
        self._mcp.kill()  # its caller starts it again
        self.counts["MCP servers killed"] += 1

    def _fill(self) -> None:
        ballast = self._folder / "ballast"
        if not os.path.ismount(self._folder):
            return
        state = os.statvfs(self._folder)
        free = max(state.f_bavail - self._chance.choice((0, 4, 30)), 0) * state.f_frsize
        with ballast.open("wb") as file, suppress(OSError):  # a server may take the last of it meanwhile
            os.posix_fallocate(file.fileno(), 0, max(free, 1))
        if self._chance.random() < 0.5:
            self._kill()
        time.sleep(FULL_S)
        ballast.unlink()
        self.counts["times the disk was full"] += 1

    def _rotate(self) -> None:
        caller = self._chance.choice(self._callers)
        self._changed(caller, "keys rotated", lambda memory, key_id: memory.rotate_key(key_id).secret)

    def _revoke(self) -> None:
        caller = self._chance.choice(self._callers)

        def renewed(memory: Memory, key_id: str) -> str:
            memory.revoke_key(key_id)
            return new_key(memory, caller.ledger.owner)

        self._changed(caller, "keys revoked", renewed)

    def _changed(self, caller: Caller, name: str, change: Callable[[Memory, str], str]) -> None:
        """Change the key by a process of its own; the old secret is refused by every server soon."""
        old = caller.secret
        try:
            with Memory.open(self._folder / "memory.db", options=Options(embedder="none", worker=False)) as memory:
                key = memory.key_of(old)
                assert key is not None, f"{caller.ledger.owner} has no key"
                caller.secret = change(memory, key.key_id)
        except GlossatorError as error:
            self.counts[f"{name}: {type(error).__name__}"] += 1
            return
        self.counts[name] += 1
        time.sleep(REFUSED_WITHIN_S)
        for server in self._servers:
            try:
                with Client(server.url, key=old, retries=0) as client:
                    client.status(scope=caller.scope)
                self.faults.append(f"an old secret still opens {server.name}")
            except PermissionDeniedError:
                self.counts["old secrets refused"] += 1
            except GlossatorError:
                pass


def new_key(memory: Memory, owner: str) -> str:
    """A key for this owner alone."""
    return memory.add_key(owner, workspace=WORKSPACE, agent=AGENT, owner=owner, trust="owner").secret


def _await(server: Server) -> None:
    deadline = time.time() + STARTED_WITHIN_S
    with Client(server.url) as client:
        while not client.ready() and time.time() < deadline:
            time.sleep(0.1)


def played(folder: Path, *, seconds: float, seed: int, every_s: float = 3.0) -> Outcome:
    """Play; the file is `memory.db` in the folder. Full disks are made only where the folder is a file system."""
    servers, mcp = [Server(folder, "one"), Server(folder, "two")], McpProgram(folder)
    letters = "abcdefghij"
    ledgers = [Ledger(owner=f"owner-{n}", mark=f"zq{letters[n]}{letters[seed % 10]}x") for n in range(CLIENTS)]
    with Memory.open(folder / "memory.db", options=Options(embedder="none", worker=False)) as memory:
        secrets = [new_key(memory, ledger.owner) for ledger in ledgers]
    for server in servers:
        server.start()
    for server in servers:
        _await(server)
    until = time.time() + seconds
    callers = [
        Caller(ledger, servers, secret, until, seed * 100 + number)
        for number, (ledger, secret) in enumerate(zip(ledgers, secrets, strict=True))
    ]
    tools = ToolCaller(Ledger(owner="owner-mcp", mark=f"zqm{letters[seed % 10]}x"), mcp, until)
    trouble = Trouble(folder, servers, mcp, callers, until=until, every_s=every_s, seed=seed)
    for thread in (*callers, tools, trouble):
        thread.start()
    for thread in (*callers, tools, trouble):
        thread.join(seconds + 120)
        if thread.is_alive():
            trouble.faults.append(f"{thread.name} hangs")
    for program in (*servers, mcp):
        program.end()
    bad_ends = [each for program in (*servers, mcp) for each in program.bad_ends]
    faults, counts = faults_of(folder, [*ledgers, tools.ledger])
    for each in (trouble.counts, *(ledger.counts for ledger in (*ledgers, tools.ledger))):
        counts.update(each)
    return Outcome(faults=(*faults, *trouble.faults, *bad_ends), counts=counts)
