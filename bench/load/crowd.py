"""How do many clients act at once? As tasks of an event loop over HTTP, as threads in the bare library.

python -m bench.load.crowd PLAN.json     the clients of one process; their tally goes to the plan's file
"""

import asyncio
import json
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.load.figures import Tally
from bench.load.talk import Deed, conversation_of, deeds_of, scope_of, talks_of

from glossator import GlossatorError, Memory, Options, Receipt
from glossator.client import AsyncClient

TIMEOUT_S = 60.0
"""Longer than any answer may take: a slow answer is a figure, not an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the clients of one process do. Over HTTP where `url` is given, in the library at `path` otherwise.

    They begin at `begin_at` (time.time()) together, and begin nothing new `seconds` later.
    """

    url: str
    key: str | None
    path: str
    embedder: str
    data: str | None
    clients: tuple[int, int]
    seconds: float
    begin_at: float
    record_share: float
    seeded_count: int
    tally: str

    def written(self, path: Path) -> Path:
        """Kept for the process that will do it."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")
        return path

    @property
    def numbers(self) -> Sequence[int]:
        """The clients' numbers."""
        return range(*self.clients)

    def deeds(self) -> dict[int, Iterator[Deed]]:
        """What each client does."""
        talks = talks_of(Path(self.data) if self.data else None)
        return {
            number: deeds_of(
                number, talks[number % len(talks)], record_share=self.record_share, seeded_count=self.seeded_count
            )
            for number in self.numbers
        }


def noted(tally: Tally, deed: Deed, taken_ms: float, answer: object) -> None:
    """Take one answer into the tally."""
    tally.taken_ms[deed.verb].append(taken_ms)
    if isinstance(answer, Receipt):
        if answer.count("stored") == 1:
            tally.acknowledged[deed.message_id] = deed.text
        else:
            tally.strange.append(f"{deed.message_id}: {answer}")


async def over_http(plan: Plan) -> Tally:
    """Each client is a task with a connection of its own."""
    tally = Tally()
    every = plan.deeds()

    async def act(number: int) -> None:
        scope, conversation = scope_of(number), conversation_of(number)
        async with AsyncClient(plan.url, key=plan.key, timeout_s=TIMEOUT_S, connections_max=1) as client:
            await asyncio.sleep(max(0.0, plan.begin_at - time.time()))
            for deed in every[number]:
                if time.time() >= plan.begin_at + plan.seconds:
                    return
                begun = time.perf_counter()
                try:
                    if deed.verb == "record":
                        answer: Any = await client.record([deed.message], scope=scope, conversation=conversation)
                    else:
                        answer = await client.recall(deed.text, scope=scope)
                except GlossatorError as error:
                    tally.errors.append(f"{deed.verb}: {type(error).__name__}: {error}")
                else:
                    noted(tally, deed, (time.perf_counter() - begun) * 1000, answer)

    before_s = time.process_time()
    await asyncio.gather(*(act(number) for number in plan.numbers))
    tally.seconds, tally.clients_cpu_s = time.time() - plan.begin_at, time.process_time() - before_s
    return tally


def in_library(plan: Plan) -> Tally:
    """Each client is a thread over one Memory."""
    tally = Tally()
    every = plan.deeds()
    memory = Memory.open(plan.path, options=Options(embedder=plan.embedder))
    memory.warm(60)

    def act(number: int) -> None:
        scope, conversation = scope_of(number), conversation_of(number)
        time.sleep(max(0.0, plan.begin_at - time.time()))
        for deed in every[number]:
            if time.time() >= plan.begin_at + plan.seconds:
                return
            begun = time.perf_counter()
            try:
                if deed.verb == "record":
                    answer: Any = memory.record([deed.message], scope=scope, conversation=conversation)
                else:
                    answer = memory.recall(deed.text, scope=scope)
            except GlossatorError as error:
                tally.errors.append(f"{deed.verb}: {type(error).__name__}: {error}")
            else:
                noted(tally, deed, (time.perf_counter() - begun) * 1000, answer)

    before_s = time.process_time()
    threads = [threading.Thread(target=act, args=(number,)) for number in plan.numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tally.seconds, tally.cpu_s = time.time() - plan.begin_at, time.process_time() - before_s
    memory.close()
    return tally


def main() -> None:
    """Do what the plan says."""
    read = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    plan = Plan(**{**read, "clients": tuple(read["clients"])})
    tally = asyncio.run(over_http(plan)) if plan.url else in_library(plan)
    Path(plan.tally).write_text(json.dumps(tally.plain()), encoding="utf-8")


if __name__ == "__main__":
    main()
