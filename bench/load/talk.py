"""What do the clients say and ask? Each follows a talk of its own, and draws what to do from a seed of its own."""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from glossator import Scope

WORKSPACE = "load"
PEOPLE = ("Ana", "Ben", "Chloé", "Dmitri", "小李", "O'Hara")
THINGS = ("the quotation", "a green bicycle", "my sister's wedding", "the tax form", "a cat called Minou", "the server")
DEEDS = ("bought", "lost", "sold", "painted", "asked about", "dreamed of", "repaired", "forgot")
PLACES = ("in Edinburgh", "at the station", "in Zürich", "near the lake", "at work", "in Kyoto")
WHENS = ("last March", "yesterday", "on Friday", "two weeks ago", "in 2021", "this morning")


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What one client has to say, in order and as often as it takes, and what it asks."""

    turns: Sequence[str]
    questions: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One thing that a client does: record a message, or ask."""

    verb: Literal["record", "recall"]
    text: str
    message_id: str = ""

    @property
    def message(self) -> Mapping[str, Any]:
        """What is recorded."""
        return {"role": "user", "content": self.text, "id": self.message_id}


def scope_of(number: int) -> Scope:
    """Each client is an owner of its own in one workspace."""
    return Scope(workspace=WORKSPACE, agent="helper", owner=f"owner-{number}")


def conversation_of(number: int) -> str:
    """Where the client talks."""
    return f"load:{number}"


def talks_of(data: Path | None) -> Sequence[Talk]:
    """The conversations of a LoCoMo file, or made-up ones where none is given."""
    if data is None:
        return [_made_up(seed) for seed in range(8)]
    from glossator.evaluate.datasets.locomo import load_locomo

    dataset = load_locomo(data)
    asked = {each.id: [q.text for q in dataset.questions if q.haystack_id == each.id] for each in dataset.haystacks}
    return [
        Talk(turns=[turn.text for session in each.sessions for turn in session.turns], questions=asked[each.id])
        for each in dataset.haystacks
    ]


def seeds_of(number: int, talk: Talk, count: int) -> list[Mapping[str, Any]]:
    """What the client has said before the measuring begins."""
    turns = itertools.islice(itertools.cycle(talk.turns), count)
    return [{"role": "user", "content": text, "id": f"seed-{number}-{place}"} for place, text in enumerate(turns)]


def deeds_of(number: int, talk: Talk, *, record_share: float, seeded_count: int) -> Iterator[Deed]:
    """What the client does, without end; the same for the same number."""
    draw = random.Random(number)
    turns = itertools.islice(itertools.cycle(talk.turns), seeded_count % len(talk.turns), None)
    for place in itertools.count():
        if draw.random() < record_share:
            yield Deed(verb="record", text=f"{next(turns)} ({place})", message_id=f"said-{number}-{place}")
        else:
            yield Deed(verb="recall", text=draw.choice(talk.questions))


def _made_up(seed: int) -> Talk:
    draw = random.Random(seed)

    def sentence() -> str:
        who, deed, thing = draw.choice(PEOPLE), draw.choice(DEEDS), draw.choice(THINGS)
        return f"{who} {deed} {thing} {draw.choice(PLACES)} {draw.choice(WHENS)}, and I like that."

    turns = [" ".join(sentence() for _ in range(draw.randint(1, 3))) for _ in range(400)]
    asked = (("When", "Where"), PEOPLE, DEEDS, THINGS)
    questions = ["{} was it that {} {} {}?".format(*map(draw.choice, asked)) for _ in range(100)]
    return Talk(turns=turns, questions=questions)
