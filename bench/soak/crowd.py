"""Eight processes on one file and one folder, some of them killed: `python -m bench.soak.crowd [--seconds 20]`.

Each records, remembers, reviews, rebuilds files, compacts and forgets, with the real clock and worker threads. At the
end nothing that was acknowledged is lost, nobody met an error but a conflict, and the files say what the rows say.
"""

import argparse
import logging
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench.soak.invariants import Seen, broken

from glossator.errors import ConflictError, GlossatorError, NotFoundError, StoreLockedError
from glossator.facade import Memory
from glossator.model import ForgetPreview, Prompt, Scope
from glossator.options import Options
from glossator.testing.scripted import ScriptedModel
from glossator.wiring import Memory as Opened

OWNERS, CHATS = ("ana", "bob"), ("telegram:1", "telegram:2")
CITIES, THINGS = ("Oslo", "Paris", "Lima", "Kyoto"), ("jazz", "tea", "chess", "olives")
SUMMARY = "They talked about cities and tastes, and agreed on several small things that are kept."


def answered(prompt: Prompt) -> str:
    """What the scripted model says to anybody who asks."""
    return SUMMARY if prompt.tag == "compaction" else "Nothing to save."


def opened(folder: Path, *, mode: str = "offline") -> Opened:
    """A memory as a host opens it."""
    options = Options(
        embedder="hashing", capture_mode=mode, prompt_folder=str(folder / "prompts"),
        busy_timeout_s=60.0, work_lease_s=4.0  # type: ignore[arg-type]
    )  # fmt: skip
    return Opened.open(folder / "memory.db", options=options, language_model=ScriptedModel([answered] * 100_000))


class Worker:
    """What one process does until its time is over; a line for each acknowledged write, forced out at once."""

    def __init__(self, folder: Path, name: str, seed: int) -> None:
        self.random, self.name, self.number = random.Random(seed), name, 0
        self.memory: Memory = opened(folder, mode=self.random.choice(("offline", "review")))
        self.log = (folder / f"{name}.log").open("a", encoding="utf-8")

    def run(self, seconds: float) -> None:
        ends = time.monotonic() + seconds
        acts = [self.record] * 6 + [self.remember] * 3 + [self.review, self.rebuild, self.compact, self.forget] * 1
        while time.monotonic() < ends:
            act = self.random.choice(acts)
            try:
                act(self.scope())
                self.told("did", act.__name__)
            except (ConflictError, NotFoundError, StoreLockedError) as error:
                self.told("conflict", f"{act.__name__} {type(error).__name__}")
            except GlossatorError as error:
                self.told("error", f"{act.__name__} {type(error).__name__}: {error}")
        self.memory.close()
        self.told("closed", "")

    def told(self, kind: str, what: str) -> None:
        self.log.write(f"{kind}\t{what}\n")
        self.log.flush()

    def scope(self) -> Scope:
        return Scope(workspace="acme", agent="helper", owner=self.random.choice(OWNERS), trust="operator")

    def said(self) -> str:
        self.number += 1
        said = self.random.choice((f"I live in {self.random.choice(CITIES)}.", f"I like {self.random.choice(THINGS)}."))
        return f"{said} {self.name}-{self.number}."

    def record(self, scope: Scope) -> None:
        told = self.said()
        key = f"{self.name}-{self.number}"
        turn = [{"id": key, "content": told + " and so on" * self.random.choice((0, 0, 200))},
                {"role": "assistant", "content": "Noted."}]  # fmt: skip
        receipt = self.memory.record(turn, scope=scope, conversation=self.random.choice(CHATS))
        assert not receipt.failure, receipt.failure
        self.told("recorded", f"{scope.owner}\t{key}")

    def remember(self, scope: Scope) -> None:
        self.memory.remember(self.said(), scope=scope, category=self.random.choice(("identity", "preference")))

    def review(self, scope: Scope) -> None:
        self.memory.review(scope=scope, now=self.random.random() < 0.3)

    def rebuild(self, scope: Scope) -> None:
        self.memory.rebuild_prompt_files(scope=scope)

    def compact(self, scope: Scope) -> None:
        result = self.memory.compact(scope=scope, conversation=self.random.choice(CHATS), window_tokens=2_000)
        self.told("compact", result.reason)

    def forget(self, scope: Scope) -> None:
        if self.random.random() < 0.5:
            key = f"{self.name}-{self.random.randint(1, max(self.number, 1))}"
            preview = self.memory.forget(scope=scope, message_ids=[key])
            assert isinstance(preview, ForgetPreview)
            self.told("forgetting", f"{scope.owner}\t{key}")
            self.memory.forget(scope=scope, message_ids=[key], confirm=preview.token)
            return
        facts = self.memory.facts(scope=scope)
        if facts:
            ids = [self.random.choice(facts).id]
            shown = self.memory.forget_facts(scope=scope, fact_ids=ids)
            self.memory.forget_facts(scope=scope, fact_ids=ids, confirm=shown.token)  # type: ignore[union-attr]


def crowd(folder: Path, *, seconds: float, processes: int, seed: int, kills: bool) -> tuple[Counter[str], list[str]]:
    """Let them run, kill some, and look: what was counted, and what is wrong."""
    chance, ends, number = random.Random(seed), time.monotonic() + seconds, 0
    running: list[subprocess.Popen[bytes]] = []
    wrong: list[str] = []
    opened(folder).close()
    while time.monotonic() < ends:
        while len(running) < processes:
            number += 1
            left = max(ends - time.monotonic(), 1.0)
            command = [sys.executable, "-m", "bench.soak.crowd", "--child", f"p{number}", "--folder", str(folder)]
            command += ["--seed", str(seed + number), "--seconds", str(left)]
            running.append(subprocess.Popen(command, stderr=(folder / f"p{number}.err").open("wb")))
        time.sleep(chance.uniform(0.2, 1.0))
        if kills:
            victim = chance.choice(running)
            victim.send_signal(signal.SIGKILL)
            victim.wait()
            running.remove(victim)
    for each in running:
        if each.wait(60) != 0:
            wrong.append(f"a process ended with {each.returncode}")
    for path in sorted(folder.glob("*.err")):
        wrong += [f"{path.name}: {path.read_text(errors='replace')[-600:]}"] if path.stat().st_size else []
    counts, acknowledged = read_logs(folder, wrong)
    return counts, wrong + looked_at(folder, acknowledged)


def read_logs(folder: Path, wrong: list[str]) -> tuple[Counter[str], set[tuple[str, str]]]:
    counts: Counter[str] = Counter()
    acknowledged: set[tuple[str, str]] = set()
    for path in sorted(folder.glob("*.log")):
        for line in path.read_text("utf-8").splitlines():
            kind, _, what = line.partition("\t")
            owner, _, key = what.partition("\t")
            if kind == "recorded":
                acknowledged.add((owner, key))
            elif kind == "forgetting":
                acknowledged.discard((owner, key))
            elif kind == "error":
                wrong.append(f"{path.name}: {what}")
            counts[f"{kind} {what.partition(':')[0]}" if kind not in ("recorded", "forgetting") else kind] += 1
    return counts, acknowledged


def looked_at(folder: Path, acknowledged: set[tuple[str, str]]) -> list[str]:
    """What is wrong with the file and the folder when all have gone, before and after one more process has worked."""
    wrong = broken(folder / "memory.db", Seen())
    with opened(folder) as memory:
        memory.drain(60)
        for owner in OWNERS:
            scope = Scope(workspace="acme", agent="helper", owner=owner, trust="operator")
            there = {message.external_id for message in memory.messages(scope=scope, limit=10_000)}
            wrong += [f"{key} of {owner} is lost" for whose, key in acknowledged if whose == owner and key not in there]
            files, loaded = memory.prompt_files(scope=scope), memory.load_prompt_files(scope=scope)
            if (files.user_md, files.memory_md) != (loaded.user_md, loaded.memory_md):
                wrong.append(f"the files of {owner} are not what the rows say")
        wrong += [f"{each.check}: {each.detail}" for each in memory.doctor() if not each.ok]
    return wrong


def main() -> None:
    """The parent, or one child."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak.crowd")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randint(1, 10**6))
    parser.add_argument("--no-kills", action="store_true")
    parser.add_argument("--child", default="")
    parser.add_argument("--folder", type=Path)
    chosen = parser.parse_args()
    if chosen.child:
        logging.disable(logging.CRITICAL)
        Worker(chosen.folder, chosen.child, chosen.seed).run(chosen.seconds)
        return
    print(f"seed {chosen.seed}, {os.cpu_count()} cores", flush=True)
    with tempfile.TemporaryDirectory() as name:
        counts, wrong = crowd(
            Path(name), seconds=chosen.seconds, processes=chosen.processes, seed=chosen.seed, kills=not chosen.no_kills
        )
    print("  " + ", ".join(f"{name} {count}" for name, count in counts.most_common()))
    print("\n".join(f"  WRONG {each}" for each in wrong) or "  all held")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
