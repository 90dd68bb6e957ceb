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
from glossator.evaluate.embedding import CachingEmbedder, caching
from glossator.evaluate.values import Haystack, Question
from glossator.model import Filters
from glossator.options import SIGNALS
from glossator.ports import PieceEmbedder, Store
from glossator.providers.minilm import MiniLM
from glossator.recall.candidates import ask_for, within_budgets
from glossator.recall.corridor import TRUST_MIN, late_of
from glossator.recall.features import feature_matrix
from glossator.recall.fuse import blend
from glossator.recall.layout import layout_of
from glossator.recall.parse import addressed, parse_question
from glossator.wiring import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One question with the numbers that the rankers see.

    `turns` are the columns of the candidate rows, `messages` their message numbers, `gold` which of them are evidence
    (for datasets that label sessions only, which lie in an evidence session), `gold_count` how many evidence turns
    there are (0: sessions only). `where` is the session of each candidate row, `gold_sessions` which sessions are
    evidence, `newest` the session that holds the newest of several (-1: no such question). `trusted` says whether
    recall uses a ranker for this question at all: where the embedder does not know the language it does not.
    """

    dataset: str
    fold_key: str
    question: Question
    turns: dict[str, NDArray[np.float32]]
    messages: NDArray[np.int64]
    gold: NDArray[np.bool_]
    gold_count: int
    where: NDArray[np.int32]
    gold_sessions: NDArray[np.bool_]
    newest: int
    trusted: bool


def questions_seen(
    name: str, data: Path, *, cache: Path, pool: str | None = None, filler: Path | None = None
) -> Iterator[Seen]:
    """Replay a dataset and yield every question as recall sees it, in order."""
    dataset = load(name, data, pool=pool, filler=filler, seed=0)
    embedder = caching(MiniLM(threads=1), file=cache)
    asked = {key: list(group) for key, group in groupby(dataset.questions, key=lambda each: each.haystack_id)}
    for haystack in dataset.haystacks:
        if haystack.id in asked:
            with tempfile.TemporaryDirectory() as folder:
                yield from _replay(name, haystack, asked[haystack.id], Path(folder), embedder)


def _replay(
    name: str, haystack: Haystack, questions: list[Question], folder: Path, embedder: CachingEmbedder
) -> Iterator[Seen]:
    scope = Scope(workspace="bench", owner=haystack.id)
    names: dict[int, tuple[str, str]] = {}
    with Memory.open(
        folder / "memory.db", options=Options(worker=False, capture_mode="off", facts_join="off"), embedder=embedder
    ) as memory:
        recorded = 0
        for before, due in groupby(questions, key=lambda each: each.sessions_before):
            for session in haystack.sessions[recorded:before]:
                messages = [
                    {"role": turn.role, "speaker": turn.speaker, "content": turn.text, "at": turn.at, "id": turn.id}
                    for turn in session.turns
                    if turn.text.strip()
                ]
                receipt = memory.record(messages, scope=scope, conversation=haystack.id, session=session.name)
                names |= {each.message_id: (each.external_id, session.name) for each in receipt.recorded}
            recorded = before
            memory.drain()
            for question in due:
                yield _seen(name, question, memory._store, scope, embedder, names)


def _seen(
    name: str, question: Question, store: Store, scope: Scope, embedder: CachingEmbedder,
    names: dict[int, tuple[str, str]],
) -> Seen:  # fmt: skip
    query = parse_question(question.text, now=question.now)
    assert isinstance(embedder, PieceEmbedder)
    asked = embedder.encode_question(question.text)
    ask = ask_for(query, scope=scope, filters=Filters(), vector=asked.vector, model=embedder.name, lexical=True)
    pool = store.survey(ask)
    query = addressed(query, pool.speakers)
    layout = layout_of(pool)
    blended = blend(pool, layout, query, signals=SIGNALS, trust=asked.trust)
    rows = within_budgets(pool, layout, blended, limit=1)
    trusted = asked.trust >= TRUST_MIN
    late = late_of(store, scope, embedder.name, pool, layout, query, rows, asked if trusted else None)
    session_names = [names[int(pool.message[row])][1] for row in layout.bounds]
    wanted_sessions = set(question.gold_sessions)
    gold_sessions = np.array([each in wanted_sessions for each in session_names])
    wanted = set(question.gold_turns)
    if wanted:
        gold = np.array([names[int(message)][0] in wanted for message in pool.message[rows]])
    else:
        gold = gold_sessions[layout.session[rows]]
    newest = session_names.index(question.newest_session) if question.newest_session in session_names else -1
    return Seen(
        dataset=name,
        fold_key=question.haystack_id if name != "longmemeval" else question.id,
        question=question,
        turns=feature_matrix(pool, layout, query, blended, rows, late=late),
        messages=pool.message[rows],
        gold=gold,
        gold_count=len(wanted),
        where=layout.session[rows],
        gold_sessions=gold_sessions,
        newest=newest,
        trusted=trusted,
    )
