"""What does the product store? Labelled turns and whole sessions go in through `record`, facts come out by `facts`."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from glossator import Memory, Options, Scope, UsageError
from glossator.evaluate.extraction.judging import Judged, judge
from glossator.evaluate.extraction.points_report import Remembered
from glossator.evaluate.extraction.values import LabelledTurn, Person, StoredFact
from glossator.model.fact import RECALLABLE, Fact, FactState

__all__ = ["Progress", "options_for", "replay_people", "replay_turns"]

Progress = Callable[[int, int, str], None]
WORKSPACE = "bench"
OFFLINE = "offline"
LEARNED: tuple[FactState, ...] = ("active", "deprioritised", "superseded", "archived", "invalidated", "expired")
"""What was let in, whatever became of it; what is held back or erased was not stored for anybody."""
PAGE = 1000
BEFORE = timedelta(seconds=30)
"""What was said before a turn, was said this long before."""


def options_for(extractor: str, options: Options | None = None) -> Options:
    """The options that choose an extractor: "offline", or a model as "provider:model"."""
    base = replace(options or Options(), embedder="none", worker=False)
    if extractor == OFFLINE:
        return replace(base, capture_mode="offline", turn_fact_extraction_enabled=False)
    if ":" not in extractor:
        remedy = "pass offline or provider:model, for example ollama:qwen3"
        raise UsageError("extractor", f"{extractor!r} is neither offline nor provider:model", remedy=remedy)
    return replace(base, capture_mode="per_turn", turn_fact_extraction_enabled=True, language_model=extractor)


def replay_turns(turns: Sequence[LabelledTurn], options: Options, progress: Progress) -> tuple[Judged, ...]:
    """Record each turn in a scope of its own and judge what is stored there."""
    judged = []
    with _opened(options) as memory:
        for number, turn in enumerate(turns, start=1):
            scope = Scope(workspace=WORKSPACE, agent="labelled", owner=turn.id)
            memory.record(_messages(turn), scope=scope, conversation=turn.id)
            memory.drain()
            judged.append(judge(turn, _stored(memory, scope)))
            progress(number, len(turns), "turns")
    return tuple(judged)


def replay_people(people: Sequence[Person], options: Options, progress: Progress) -> tuple[Remembered, ...]:
    """Record the sessions of each person in time order, the user's turns and the others' with their roles."""
    remembered = []
    done, total = 0, sum(len(person.sessions) for person in people)
    for person in people:
        scope = Scope(workspace=WORKSPACE, agent="points", owner=person.id)
        with _opened(options) as memory:
            for session in person.sessions:
                messages = [
                    {"id": turn.id, "role": turn.role, "speaker": turn.speaker, "content": turn.text, "at": turn.at}
                    for turn in session.turns
                ]
                memory.record(messages, scope=scope, conversation=person.id, session=session.name)
                memory.drain()
                done += 1
                progress(done, total, "sessions")
            remembered.append(Remembered(person=person, facts=_stored(memory, scope)))
    return tuple(remembered)


@contextmanager
def _opened(options: Options) -> Iterator[Memory]:
    with (
        tempfile.TemporaryDirectory(prefix="glossator-extract-") as folder,
        Memory.open(Path(folder) / "memory.db", options=options) as memory,
    ):
        yield memory


def _messages(turn: LabelledTurn) -> list[dict[str, object]]:
    own = {"id": turn.id, "role": turn.role, "speaker": turn.speaker, "content": turn.text, "at": turn.said}
    if turn.before is None:
        return [own]
    other = "assistant" if turn.role == "user" else "user"
    before = {
        "id": f"{turn.id}:before",
        "role": other,
        "speaker": other,
        "content": turn.before,
        "at": turn.said - BEFORE,
    }
    return [before, own]


def _stored(memory: Memory, scope: Scope) -> tuple[StoredFact, ...]:
    """Every fact of the scope in the order in which they came, those that were closed since too."""
    found: list[Fact] = []
    while True:
        after = found[-1].fact_id if found else 0
        page = memory.facts(scope=scope, states=LEARNED, limit=PAGE, after_id=after)
        found.extend(page)
        if len(page) < PAGE:
            return tuple(_written(fact) for fact in found)


def _written(fact: Fact) -> StoredFact:
    return StoredFact(
        text=fact.text,
        value=fact.value,
        category=fact.category,
        kind=fact.kind,
        polarity=fact.polarity,
        subject=fact.subject,
        session=fact.session,
        current=fact.state in RECALLABLE,
        event_source=fact.event.source,
        event_start=fact.event.interval.start,
        event_end=fact.event.interval.end,
    )
