"""Every addition to plain search has a switch of its own, so that its worth can be measured."""

import pytest
from tests.conftest import ANA, Opener

from glossator.options import SIGNALS

QUESTIONS = {
    "time": ("What happened in May 2024?", "time"),
    "names": ("What did Rachel say?", "names"),
    "phrases": ('Who said "blue heron"?', "phrases"),
    "nostalgia": ("What did I use to do when I was a kid?", "nostalgia"),
}
TEXTS = (
    "Rachel says hello.",
    "I saw a blue heron by the river.",
    "On 3 May 2024 I climbed the tower.",
    "In 1999 I was a kid and we lived by the sea.",
    "Nothing much today.",
)


@pytest.mark.parametrize("signal", QUESTIONS)
def test_a_signal_is_there_and_can_be_switched_off(open_memory: Opener, signal: str) -> None:
    # proves: O29
    question, part = QUESTIONS[signal]
    seen = []
    for signals in (SIGNALS, SIGNALS - {signal}):
        memory = open_memory(name=f"{len(signals)}.db", signals=signals)
        memory.record([{"content": text, "at": "2024-06-01"} for text in TEXTS], scope=ANA, conversation="c")
        memory.drain()
        hits = memory.recall(question, scope=ANA, explain=True, now="2024-06-02").hits
        seen.append(any(hit.trace is not None and part in hit.trace.signals for hit in hits))
    assert seen == [True, False]


def test_facts_can_be_left_untaken_and_left_out(open_memory: Opener) -> None:
    # proves: O29
    counts = []
    for choices in ({}, {"capture_mode": "off"}, {"facts_join": "off"}):
        memory = open_memory(name=f"{len(counts)}.db", **choices)
        memory.record([{"content": "I live in Paris.", "at": "2024-06-01"}], scope=ANA, conversation="c")
        memory.drain()
        hits = memory.recall("Where do I live?", scope=ANA).hits
        counts.append((len(memory.facts(scope=ANA)), sum(len(hit.facts) for hit in hits)))
    assert counts == [(1, 1), (0, 0), (1, 0)]
