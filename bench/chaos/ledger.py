"""What was promised to each client: acknowledged, forgotten, or nobody knows."""

import threading
from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Promise:
    """A message or a statement with its own word. `kept` and `gone` are None where no answer came."""

    word: str
    external_id: str = ""
    fact_id: str = ""
    kept: bool | None = None
    gone: bool | None = False


@dataclass(slots=True)
class Ledger:
    """All promises to one client, and what it met."""

    owner: str
    mark: str
    """Every word of this client begins so, and no word of another one."""
    said: list[Promise] = field(default_factory=list)
    told: list[Promise] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    number: int = 0

    def new(self) -> Promise:
        """A promise with a fresh word of letters alone."""
        self.number += 1
        letters = "".join("abcdefghij"[int(digit)] for digit in f"{self.number:06}")
        return Promise(word=f"{self.mark}{letters}", external_id=f"{self.mark}-{self.number}")

    def fault(self, what: str) -> None:
        """Something that must never be."""
        self.faults.append(f"{self.owner}: {what}")
