"""What does the product itself see of each benchmark question? The training rows of the learned rankers.

Every haystack goes in through `Memory.record`; every question runs the stages of recall up to the feature matrix, with
the product's own tokens, vectors and times. So the rows that train are the rows that will be scored.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from glossator import Options, Scope
from glossator.evaluate.datasets import load
from glossator.evaluate.embedding import CachingEmbedder
from glossator.evaluate.values import Dataset, Haystack, Question
from glossator.model import Filters, Pool, Query
from glossator.options import SIGNALS
from glossator.recall.candidates import ask_for, within_budgets
from glossator.recall.fuse import Blend, blend
from glossator.recall.layout import Layout, layout_of
from glossator.recall.parse import addressed, parse_question
from glossator.wiring import Memory, default_embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One question with what recall sees of it; `gold_rows` are pool rows, `gold_sessions` dense session numbers."""

    dataset: str
    question: Question
    query: Query
    pool: Pool
    layout: Layout
    blended: Blend
    rows: NDArray[np.int32]
    gold: NDArray[np.bool_]
    gold_count: int
    session_names: tuple[str, ...]


def questions_seen(
    name: str, data: Path, *, cache: Path, pool: str | None = None, filler: Path | None = None, limit: int = 150
) -> Iterator[Seen]:
    """Replay a dataset and yield every question as recall sees it, in order."""
    dataset = load(name, data, pool=pool, filler=filler, seed=0)
    embedder = CachingEmbedder(default_embedder(Options()), file=cache)  # type: ignore[arg-type]
    asked = {key: list(group) for key, group in groupby(dataset.questions, key=lambda each: each.haystack_id)}
    for haystack in dataset.haystacks:
        if haystack.id in asked:
            with tempfile.TemporaryDirectory() as folder:
                yield from _replay(name, dataset, haystack, asked[haystack.id], Path(folder), embedder, limit)


def _replay(
    name: str, dataset: Dataset, haystack: Haystack, questions: list[Question], folder: Path, embedder: CachingEmbedder,
    limit: int,
) -> Iterator[Seen]:  # fmt: skip
    scope = Scope(workspace="bench", owner=haystack.id)
    names: dict[int, tuple[str, str]] = {}
    with Memory.open(folder / "memory.db", options=Options(worker=False), embedder=embedder) as memory:
        recorded = 0
        for before, due in groupby(questions, key=lambda each: each.sessions_before):
            for session in haystack.sessions[recorded:before]:
                if session.turns:
                    messages = [
                        {"role": turn.role, "speaker": turn.speaker, "content": turn.text, "at": turn.at, "id": turn.id}
                        for turn in session.turns
                    ]
                    receipt = memory.record(
                        messages, scope=scope, conversation=f"{name}:{haystack.id}", session=session.name
                    )
                    for each in receipt.recorded:
                        names[each.message_id] = (each.external_id, session.name)
            recorded = before
            memory.drain()
            for question in due:
                yield _seen(name, question, memory, scope, embedder, names, limit)


def _seen(
    name: str, question: Question, memory: Memory, scope: Scope, embedder: CachingEmbedder,
    names: dict[int, tuple[str, str]], limit: int,
) -> Seen:  # fmt: skip
    query = parse_question(question.text, now=question.now)
    ask = ask_for(
        query,
        scope=scope,
        filters=Filters(),
        vector=embedder.embed([question.text])[0],
        model=embedder.name,
        lexical=True,
    )
    pool = memory._store.survey(ask)
    query = addressed(query, pool.speakers)
    layout = layout_of(pool)
    blended = blend(pool, layout, query, signals=SIGNALS)
    rows = within_budgets(blended.score, pool.namespace, limit=limit)
    session_names = tuple(names[int(pool.message[row])][1] for row in layout.bounds)
    if question.gold_turns:
        wanted = set(question.gold_turns)
        gold = np.array([names[int(message)][0] in wanted for message in pool.message])
    else:
        sessions = set(question.gold_sessions)
        gold = np.array([session_names[session] in sessions for session in layout.session])
    return Seen(
        dataset=name, question=question, query=query, pool=pool, layout=layout, blended=blended, rows=rows, gold=gold,
        gold_count=len(question.gold_turns), session_names=session_names,
    )  # fmt: skip
