"""How do durable facts stand in a prompt? A labelled, fenced block that says what it is, dated and one line each."""

from collections.abc import Sequence
from datetime import UTC

from glossator.model import SELF, Fact
from glossator.rules.blocks import DURABLE_HEADING, fenced

_MARKS = {"deprioritised": " (set aside)", "superseded": " (no longer so)"}


def durable_block(facts: Sequence[Fact]) -> str:
    """The block; "" for no facts. Facts that were said with a date show the day on which they were first said."""
    if not facts:
        return ""
    return fenced("\n".join([DURABLE_HEADING, *(f"- {fact_line(fact)}" for fact in facts)]))


def fact_line(fact: Fact) -> str:
    """The fact on one line: the day it was first said, whose it is, its words, if nobody said it, what became of it."""
    words = " ".join(fact.text.split())
    subject = fact.subject.casefold()
    whose = "" if subject in ("", SELF) or subject in words.casefold() else f"{fact.subject}: "
    seen = f" (said {fact.seen_count} times)" if fact.seen_count > 1 else ""
    guess = " (inferred)" if fact.epistemic == "inferred" else ""
    return f"[{_day(fact)}] {whose}{words}{guess}{seen}{_MARKS.get(fact.state, '')}"


def _day(fact: Fact) -> str:
    return f"{fact.valid_from.astimezone(UTC):%Y-%m-%d} UTC"
