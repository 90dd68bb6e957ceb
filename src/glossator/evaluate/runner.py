"""What does the product answer? Records haystacks and asks questions through the public API, and takes the times."""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from glossator import Answer, Memory, Options, Scope, UsageError
from glossator.evaluate.embedding import CachingEmbedder
from glossator.evaluate.scorers import SHOWN_SHARE_MIN, distinct, laid_out, shown_share
from glossator.evaluate.values import Dataset, Haystack, Question, SessionData
from glossator.ports import Ranker

__all__ = ["BASELINES", "FACTS_ONLY", "PRODUCT", "WITHOUT", "Asked", "Ingest", "Progress", "Run", "Timer", "run"]

Progress = Callable[[int, int, str], None]
"""Called with how much is done, of how much, and of what ("messages" or "questions")."""
Timer = Callable[[], float]

PRODUCT = "glossator"
WITHOUT = "without facts"
"""The product itself, asked with its facts left out; only in a run with facts."""
FACTS_ONLY = "facts only"
"""The product with facts in place of chunks; only in a run whose answers are read as well."""
BASELINES: Mapping[str, frozenset[str]] = {"bm25": frozenset({"lexical"}), "vector": frozenset({"vector"})}
BUDGETS = (2000, 4000)
HITS_COUNT = 50
SESSION_HITS_COUNT = 20
BLOCK_HITS_COUNT = 200
"""For the token budgets: enough hits that the budget is what ends a block of 4,000 tokens, not the limit."""
STORE_TURNS_MAX = 20_000
"""A new store file once one holds this many turns: pools repeat sessions, and no user's file would hold them all."""
SLICE_TURNS = 64
"""Turns recorded between two drains, so that progress moves and a burst stays like a user's import."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one variant answered to one question.

    `turns` and `sessions_by_turn` from per="turn", `sessions` from per="session"; all distinct and best first. The
    blocks come from a recall of their own with the largest limit.
    `shown` maps a token budget to the evidence turns that `Answer.text` showed, `used` to its length in tokens; `block`
    is the text of the smallest budget.
    """

    question: Question
    turns: tuple[str, ...]
    sessions: tuple[str, ...]
    sessions_by_turn: tuple[str, ...]
    shown: Mapping[int, frozenset[str]]
    used: Mapping[int, int]
    recall_ms: float
    session_recall_ms: float
    empty: bool
    degraded: tuple[str, ...]
    block: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingest:
    """How much was recorded and embedded, and how long the callers waited for it.

    `embedded` counts texts given to the embedder, `computed` those of them that no cache knew.
    """

    messages: int = 0
    record_s: float = 0.0
    embedded: int = 0
    computed: int = 0
    drain_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """All answers by variant, in the order of the dataset's questions, the ingest figures, and the facts that hold."""

    asked: Mapping[str, tuple[Asked, ...]]
    ingest: Ingest
    fact_count: int = 0


def run(
    dataset: Dataset,
    *,
    options: Options,
    embedder: CachingEmbedder | None,
    hits_count: int = HITS_COUNT,
    session_hits_count: int = SESSION_HITS_COUNT,
    ranker: Ranker | None = None,
    facts: bool = False,
    facts_only: bool = False,
    progress: Progress | None = None,
    timer: Timer = time.perf_counter,
) -> Run:
    """Record every haystack that has a question and ask each question of the product and of the baselines.

    The baselines are the same store file opened with one signal. A question is asked when the sessions before it have
    been recorded and embedded. Without `facts` none are taken and none recalled, whatever the options say; with them,
    the same questions are also asked without them, and with `facts_only` of facts in place of chunks. `ranker` takes
    the place of the one that ships. `options.worker` is off: embedding happens in `drain`, where it is measured.
    """
    models = (embedder, ranker)
    chosen = variants(replace(options, worker=False), facts=facts, facts_only=facts_only)
    stage = _Stage(dataset, chosen, models, (hits_count, session_hits_count), progress or _unseen, timer)
    asked_of = {name: list(group) for name, group in groupby(dataset.questions, key=lambda each: each.haystack_id)}
    fact_count = 0
    for group in _store_groups([each for each in dataset.haystacks if each.id in asked_of]):
        with stage.opened() as memories:
            for haystack in group:
                stage.replay(haystack, asked_of[haystack.id], memories)
            fact_count += memories[PRODUCT].status().fact_count
    asked = {name: tuple(answers) for name, answers in stage.asked.items()}
    return Run(asked=asked, ingest=stage.ingest, fact_count=fact_count)


def variants(options: Options, *, facts: bool, facts_only: bool = False) -> dict[str, Options]:
    """The options under which one store file is opened: the product, without its facts, facts only, each baseline."""
    bare = replace(options, facts_join="off", capture_mode="off", turn_fact_extraction_enabled=False)
    chosen = {PRODUCT: options, WITHOUT: bare} if facts else {PRODUCT: bare}
    if facts_only:
        chosen[FACTS_ONLY] = replace(bare, facts_join="replace")
    return chosen | {name: replace(bare, signals=signals) for name, signals in BASELINES.items()}


class _Stage:
    """The state of one run: what was recorded and asked so far."""

    def __init__(
        self,
        dataset: Dataset,
        chosen: Mapping[str, Options],
        models: tuple[CachingEmbedder | None, Ranker | None],
        limits: tuple[int, int],
        progress: Progress,
        timer: Timer,
    ) -> None:
        self._dataset = dataset.name
        self._variants = chosen
        self._embedder, self._ranker = models
        self._limits = limits
        self._progress = progress
        self._timer = timer
        wanted = {question.haystack_id for question in dataset.questions}
        self._message_count = sum(each.turn_count for each in dataset.haystacks if each.id in wanted)
        self._question_count = len(dataset.questions)
        self.asked: dict[str, list[Asked]] = {name: [] for name in self._variants}
        self.ingest = Ingest()

    @contextmanager
    def opened(self) -> Iterator[dict[str, Memory]]:
        """One new store file, opened once by the product and once by each of those it is compared with."""
        with ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="glossator-bench-"))
            memories = {}
            for name, options in self._variants.items():
                memory = Memory.open(
                    Path(folder) / "memory.db", options=options, embedder=self._embedder, ranker=self._ranker
                )
                memories[name] = stack.enter_context(memory)
                memory.warm()
            yield memories

    def replay(self, haystack: Haystack, questions: Sequence[Question], memories: Mapping[str, Memory]) -> None:
        """Record the sessions in order; ask each question when those before it are there."""
        recorded = 0
        texts = {turn.id: turn.text for session in haystack.sessions for turn in session.turns}
        for sessions_before, due in groupby(questions, key=lambda question: question.sessions_before):
            self._record(haystack.id, haystack.sessions[recorded:sessions_before], memories[PRODUCT])
            recorded = sessions_before
            for question in due:
                for name, memory in memories.items():
                    self.asked[name].append(self._ask(question, memory, texts))
                self._progress(len(self.asked[PRODUCT]), self._question_count, "questions")

    def _scope(self, owner: str) -> Scope:
        return Scope(workspace="bench", agent=self._dataset, owner=owner)

    def _record(self, owner: str, sessions: Sequence[SessionData], memory: Memory) -> None:
        waiting = 0
        for session in sessions:
            if not session.turns:
                continue
            messages = _messages(session)
            begun = self._timer()
            receipt = memory.record(
                messages, scope=self._scope(owner), conversation=f"{self._dataset}:{owner}", session=session.name
            )
            record_s = self._timer() - begun
            if receipt.count("stored") != len(messages):
                raise UsageError("data", f"session {session.name!r} of {owner!r} was not kept whole: {receipt}")
            self.ingest = replace(
                self.ingest,
                messages=self.ingest.messages + len(messages),
                record_s=self.ingest.record_s + record_s,
            )
            waiting += len(messages)
            if waiting >= SLICE_TURNS:
                waiting = 0
                self._drain(memory)
        if waiting:
            self._drain(memory)

    def _drain(self, memory: Memory) -> None:
        asked, computed = self._counts()
        begun = self._timer()
        memory.drain()
        drain_s = self._timer() - begun
        asked_after, computed_after = self._counts()
        self.ingest = replace(
            self.ingest,
            drain_s=self.ingest.drain_s + drain_s,
            embedded=self.ingest.embedded + asked_after - asked,
            computed=self.ingest.computed + computed_after - computed,
        )
        self._progress(self.ingest.messages, self._message_count, "messages")

    def _counts(self) -> tuple[int, int]:
        return (0, 0) if self._embedder is None else (self._embedder.asked_count, self._embedder.computed_count)

    def _ask(self, question: Question, memory: Memory, texts: Mapping[str, str]) -> Asked:
        scope, text, now = self._scope(question.haystack_id), question.text, question.now
        begun = self._timer()
        with nullcontext() if self._embedder is None else self._embedder.measured():
            by_turn = memory.recall(text, scope=scope, limit=self._limits[0], now=now)
        turn_done = self._timer()
        by_session = memory.recall(text, scope=scope, limit=self._limits[1], now=now, per="session")
        session_done = self._timer()
        many = memory.recall(text, scope=scope, limit=BLOCK_HITS_COUNT, now=now)
        blocks = {budget: many.text(tokens=budget) for budget in BUDGETS}
        evidence = {*question.gold_turns, *(question.published_turns or ())}
        return Asked(
            question=question,
            turns=laid_out(hit.message_ids for hit in by_turn.hits),
            sessions=distinct(hit.session for hit in by_session.hits),
            sessions_by_turn=distinct(hit.session for hit in by_turn.hits),
            shown={budget: _shown(block, many, evidence, texts) for budget, block in blocks.items()},
            used={budget: _tokens(block) for budget, block in blocks.items()},
            recall_ms=(turn_done - begun) * 1000,
            session_recall_ms=(session_done - turn_done) * 1000,
            empty=not by_turn.hits or not by_session.hits,
            degraded=tuple(sorted({each.part for answer in (by_turn, by_session) for each in answer.degraded})),
            block=blocks[BUDGETS[0]],
        )


def _store_groups(haystacks: Iterable[Haystack]) -> Iterator[list[Haystack]]:
    group: list[Haystack] = []
    turns = 0
    for haystack in haystacks:
        if group and turns + haystack.turn_count > STORE_TURNS_MAX:
            yield group
            group, turns = [], 0
        group.append(haystack)
        turns += haystack.turn_count
    if group:
        yield group


def _messages(session: SessionData) -> list[dict[str, object]]:
    return [
        {
            "id": turn.id,
            "role": turn.role,
            "speaker": turn.speaker,
            "content": turn.text,
            "at": turn.at,
            "metadata": dict(turn.metadata),
        }
        for turn in session.turns
    ]


def _shown(block: str, answer: Answer, evidence: Iterable[str], texts: Mapping[str, str]) -> frozenset[str]:
    """The evidence turns among the hits whose text the block shows, whole or at least for the most part."""
    return frozenset(
        turn_id
        for turn_id in evidence
        if (pieces := [hit.text for hit in answer.hits if turn_id in hit.message_ids])
        and shown_share(texts[turn_id], block, pieces) >= SHOWN_SHARE_MIN
    )


def _tokens(block: str) -> int:
    return -(-len(block.encode("utf-8", "surrogatepass")) // 4)


def _unseen(done: int, total: int, what: str) -> None:
    """Progress that nobody watches."""
