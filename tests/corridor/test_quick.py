"""The promised times, with room for a busy machine; bench/facts.py has the figures."""

import statistics
import time
from collections.abc import Callable

from tests.conftest import ANA, Opener

from glossator import Memory
from glossator.model import SELF, Admit, Draft, EventTime, Interval, Passage, Ruling, SaidTime, Turn
from glossator.retain.placing import placed

FACTS = 10_000


def filled(memory: Memory) -> None:
    """Ten thousand facts of ten thousand people."""
    at = memory._clock.now()
    said = SaidTime(at=at, offset_minutes=0, precision="second")
    event = EventTime(interval=Interval(start=at, end=at, precision="second"), source="session")
    texts = [f"Person{number} likes tea number {number}." for number in range(FACTS)]
    passage = Passage(text="\n".join(texts), role="user", speaker=SELF, said=said, conversation="chat:1:root")
    turn = Turn(scope=ANA, passages=(passage,), source="import")
    decisions, start = [], 0
    for text in texts:
        draft = Draft(
            text=text, category="context", kind=None, subject=text.split()[0], key="", value="", passage=0, start=start,
            end=start + len(text), event=event,
        )  # fmt: skip
        decisions.append(Admit(new=placed(draft, turn), reason="new"))
        start += len(text) + 1
    memory._store.commit(Ruling(turn=turn, by="test", decisions=tuple(decisions)), now=at)


def milliseconds(call: Callable[[], object], count: int) -> list[float]:
    times = []
    for _ in range(count):
        begun = time.perf_counter()
        call()
        times.append((time.perf_counter() - begun) * 1000)
    return sorted(times)


def test_durable_facts_come_within_milliseconds_of_ten_thousand(open_memory: Opener) -> None:
    # proves: A52
    memory = open_memory(embedder=None)
    filled(memory)
    memory.durable_facts(scope=ANA)
    times = milliseconds(lambda: memory.durable_facts(scope=ANA), 200)
    assert statistics.median(times) < 3
    assert times[int(len(times) * 0.9)] < 10


def test_queueing_a_prompt_waits_for_nothing(open_memory: Opener) -> None:
    # proves: A27
    memory = open_memory(turn_fact_queue_maxsize=1_000)
    prompt = "The weather report goes on and on about clouds. " * 100
    times = milliseconds(lambda: memory.before_truncation(prompt, scope=ANA, window_tokens=1_000), 200)
    assert statistics.median(times) < 1
    short = milliseconds(lambda: memory.before_truncation("short", scope=ANA, window_tokens=1_000), 200)
    assert statistics.median(short) < 1
    assert memory._store.pending(kinds=("pre_compress",)) == 200
