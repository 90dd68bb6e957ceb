"""After a chaos run: is every promise kept, and is nothing there that must not be?"""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.chaos.clients import AGENT, WORKSPACE
from bench.chaos.ledger import Ledger

from glossator import Memory, Options, Scope, verify_receipt
from glossator.model import FACT_STATES
from glossator.testing.clock import FakeClock

PAGE = 1_000


def faults_of(folder: Path, ledgers: Sequence[Ledger]) -> tuple[list[str], Counter[str]]:
    """What does not hold, and how much was looked at."""
    found = [fault for ledger in ledgers for fault in ledger.faults]
    counts: Counter[str] = Counter()
    path = folder / "memory.db"
    later = FakeClock(datetime.now(UTC) + timedelta(hours=1))  # when the claims of what was killed have ended
    with Memory.open(path, options=Options(embedder="hashing", worker=False), clock=later) as memory:
        memory.warm(10)
        memory.drain(timeout_s=120)
        for ledger in ledgers:
            found += _owner(memory, ledger, counts)
        findings = memory.doctor()
        found += [f"doctor: {each}" for each in findings if not each.ok]
    with sqlite3.connect(path) as connection:
        (word,) = connection.execute("PRAGMA integrity_check").fetchone()
        found += [] if word == "ok" else [f"integrity: {word}"]
    found += _bytes(folder, ledgers, counts)
    return found, counts


def _owner(memory: Memory, ledger: Ledger, counts: Counter[str]) -> list[str]:
    scope = Scope(workspace=WORKSPACE, agent=AGENT, owner=ledger.owner, trust="operator")
    found: list[str] = []
    times = Counter[str]()
    after = 0
    while page := memory.messages(scope=scope, after_id=after, limit=PAGE):
        after = page[-1].message_id
        times.update(message.external_id for message in page)
        found += [f"{ledger.owner} has {m.content!r}" for m in page if ledger.mark not in m.content]
    for promise in ledger.said:
        there = times[promise.external_id]
        counts["messages acknowledged"] += promise.kept is True
        counts["messages forgotten"] += promise.gone is True
        if promise.gone is True and there:
            found.append(f"{promise.external_id} is there and was forgotten")
        elif promise.kept and promise.gone is False and there != 1:
            found.append(f"{promise.external_id} is there {there} times")
        elif there > 1:
            found.append(f"{promise.external_id} is there {there} times, unacknowledged")
    return found + _facts(memory, scope, ledger, counts) + _receipts(memory, scope, counts)


def _facts(memory: Memory, scope: Scope, ledger: Ledger, counts: Counter[str]) -> list[str]:
    found: list[str] = []
    facts, after = {}, 0
    while page := memory.facts(scope=scope, states=FACT_STATES, after_id=after, limit=PAGE):
        after = page[-1].fact_id
        facts.update({fact.id: fact for fact in page})
    counts["facts"] += len(facts)
    words = " ".join(fact.text for fact in facts.values() if fact.state != "erased")
    found += [f"{ledger.owner} has the fact {f.text!r}" for f in facts.values() if f.text and ledger.mark not in f.text]
    for promise in ledger.told:
        counts["statements acknowledged"] += promise.kept is True
        counts["statements erased"] += promise.gone is True
        if promise.kept and promise.gone is False and promise.word not in words:
            found.append(f"the statement {promise.word} is lost")
        if promise.gone is True and promise.word in words:
            found.append(f"the statement {promise.word} is there and was erased")
    return found


def _receipts(memory: Memory, scope: Scope, counts: Counter[str]) -> list[str]:
    receipts = memory.receipts(scope=scope)
    counts["receipts"] += len(receipts)
    key = memory.receipt_key()
    return [
        f"the receipt {each.receipt_id} is no genuine one" for each in receipts if not verify_receipt(each.text, key)
    ]


def _bytes(folder: Path, ledgers: Sequence[Ledger], counts: Counter[str]) -> list[str]:
    found: list[str] = []
    for file in sorted(each for each in folder.rglob("*") if each.is_file() and each.name != "ballast"):
        content = file.read_bytes()
        counts["bytes read"] += len(content)
        for ledger in ledgers:
            for promise in (*ledger.said, *ledger.told):
                if promise.gone is True and promise.word.encode() in content:
                    found.append(f"the bytes of {promise.word} are still in {file.name}")
    return found
