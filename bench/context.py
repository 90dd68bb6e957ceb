"""What does the context block cost, and does its floor keep what matters and leave out what does not?

    python bench/context.py speed --data ../shared/data [--cache vectors.db] [--chunks 10000]
    python bench/context.py truncate                   cutting a text of one megabyte
    python bench/context.py floor --data ../shared/data [--cache vectors.db] [--out FILE.json]

`speed` takes context() and recall alone turn about over real talk in one run. `floor` records dev data of
three benchmarks and asks each haystack its own questions, questions of other haystacks ("stranger") and what people
ask a chat bot out of the blue ("request": first turns of LongMemEval's filler sessions). The floor was chosen on the
haystacks that are marked "dev" here; "test" are the others. Intervals are Wilson's, 95 %.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from glossator import ContextBlock, Memory, Options, Scope, truncate_to_context
from glossator.context.relevance import has_bearing
from glossator.evaluate.datasets import load
from glossator.evaluate.embedding import CachingEmbedder, caching
from glossator.evaluate.values import Haystack, Question
from glossator.facade.composing import SPARE_HITS
from glossator.providers.minilm import MiniLM
from speed import SCOPE, spread, timed

FILLER = "longmemeval/filler_sessions.jsonl"
DEV = {
    *("conv-26", "conv-30", "conv-41", "Adeleke_Okonjo", "Kenta_Tanaka", "Kim_Ji_young"),
    *(f"longmemeval-{number}" for number in range(5)),
}
GROUPS, GROUP_QUESTIONS = 10, 20
"""LongMemEval's dev questions in memories of twenty people each: about 40 sessions, as its own haystacks have."""
FACTS = ("I like tea.", "I live in Paris.", "I'm allergic to peanuts.", "I play chess.", "I work at a school.")
ASKED_MAX = 60
LIMIT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Memories:
    """One memory to be filled, and the questions that it answers."""

    dataset: str
    name: str
    haystacks: tuple[Haystack, ...]
    questions: tuple[Question, ...]


def speed(data: Path, cache: Path | None, chunks: int) -> dict[str, object]:
    """Both verbs over the same questions of real talk, turn about, in either order."""
    embedder = caching(MiniLM(), file=cache)
    everything = list(_memories(data))
    with tempfile.TemporaryDirectory() as folder:
        options = Options(worker=False, capture_mode="off")
        with Memory.open(Path(folder) / "memory.db", options=options, embedder=embedder) as memory:
            memory.warm()
            for each in everything:
                if memory.status(SCOPE).chunk_count < chunks:
                    _record(memory, each, SCOPE)
            for text in FACTS:
                memory.remember(text, scope=SCOPE, category="preference")
            memory.drain()
            asked = [question.text for each in everything[:5] for question in each.questions[:20]]
            memory.recall(asked[0], scope=SCOPE)
            taken: dict[str, list[float]] = {"recall": [], "context": []}
            blocks: list[ContextBlock] = []
            for place, question in enumerate(asked):
                prompt = [{"role": "system", "content": "You help. " * 200}, {"role": "user", "content": question}]

                def context(prompt: list[dict[str, str]] = prompt) -> None:
                    blocks.append(memory.context(prompt, scope=SCOPE, budget=2000))

                def recall(question: str = question) -> None:
                    memory.recall(question, scope=SCOPE)

                for name, call in sorted({"recall": recall, "context": context}.items(), reverse=bool(place % 2)):
                    taken[name] += timed(call, 1)  # type: ignore[arg-type]
            spreads = {name: spread(values) for name, values in taken.items()}
            return {
                "chunks": memory.status(SCOPE).chunk_count,
                "ms": spreads,
                "ratio": {key: round(spreads["context"][key] / spreads["recall"][key], 3) for key in ("p50", "p95")},
                "to_reach": 1.3,
                "questions": len(asked),
                "with_recalled_words": sum(bool(each.hits) for each in blocks),
                "tokens_mean": round(statistics.mean(each.token_count for each in blocks)),
            }


def truncate() -> dict[str, object]:
    """Milliseconds to cut one megabyte of several kinds of text."""
    kinds = {"words": "word ", "han": "我", "family": "👩‍👩‍👧", "accents": "e\u0301", "hangul": "각"}
    took = {}
    for name, letter in kinds.items():
        text = letter * (1_000_000 // len(letter))
        took[name] = round(min(timed(lambda text=text: truncate_to_context(text, window_tokens=100_000), 5)), 3)  # type: ignore[misc]
    return {"characters": 1_000_000, "ms": took, "to_reach": 20}


def floor(data: Path, cache: Path | None) -> dict[str, object]:
    """Shares of questions above the floor, by dataset and split, with and without an embedder."""
    embedder = caching(MiniLM(threads=1), file=cache)
    everything = list(_memories(data))
    requests = [text for text in _requests(data / FILLER) if text]
    draw = random.Random(7)
    seen: dict[tuple[str, str, str, str], list[bool]] = {}
    for each in everything:
        strangers = [
            text
            for other in everything
            if other.name != each.name
            for text in (question.text for question in draw.sample(other.questions, min(6, len(other.questions))))
        ]
        asked: dict[str, list[Question] | list[str]] = {
            "evidence kept": draw.sample(each.questions, min(ASKED_MAX, len(each.questions))),
            "stranger left out": draw.sample(strangers, min(ASKED_MAX, len(strangers))),
            "request left out": draw.sample(requests, ASKED_MAX),
        }
        for kind, part, cleared in _measured(each, asked, embedder):
            split = "dev" if each.name in DEV else "test"
            seen.setdefault((part, each.dataset, split, kind), []).append(cleared)
        print(each.name, flush=True)
    return {" | ".join(key): _share(values) for key, values in sorted(seen.items())}


def _memories(data: Path) -> Iterator[Memories]:
    for name, path in (("locomo", "locomo/locomo5_dev.json"), ("realmem", "realmem")):
        dataset = load(name, data / path, pool=None, filler=None, seed=0)
        for haystack in dataset.haystacks:
            questions = tuple(each for each in dataset.questions if each.haystack_id == haystack.id and each.scored)
            yield Memories(dataset=name, name=haystack.id, haystacks=(haystack,), questions=questions)
    dataset = load("longmemeval", data / "longmemeval/longmemeval_oracle_dev.json", pool=None, filler=None, seed=0)
    of = {each.haystack_id: each for each in dataset.questions}
    haystacks = [each for each in dataset.haystacks if each.id in of]
    random.Random(1).shuffle(haystacks)
    for number in range(GROUPS):
        part = haystacks[number * GROUP_QUESTIONS : (number + 1) * GROUP_QUESTIONS]
        yield Memories(
            dataset="longmemeval", name=f"longmemeval-{number}", haystacks=tuple(part),
            questions=tuple(of[each.id] for each in part),
        )  # fmt: skip


def _requests(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        turns = json.loads(line)["turns"]
        yield next((turn["content"][:2000] for turn in turns if turn["role"] == "user"), "")


def _measured(
    each: Memories, asked: dict[str, list[Question] | list[str]], embedder: CachingEmbedder
) -> Iterator[tuple[str, str, bool]]:
    scope = Scope(workspace="bench", owner=each.name)
    bare = {"capture_mode": "off", "worker": False}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with (
            Memory.open(path, options=Options(**bare, embed_threads=1), embedder=embedder) as full,  # type: ignore[arg-type]
            Memory.open(path, options=Options(**bare, embedder="none")) as words,  # type: ignore[arg-type]
        ):
            full.warm()
            _record(full, each, scope)
            now = each.questions[-1].now
            for kind, questions in asked.items():
                for question in questions:
                    for part, memory in (("embedder", full), ("words alone", words)):
                        cleared = _cleared(memory, scope, question, now)
                        if cleared is not None:
                            yield kind, part, cleared


def _record(memory: Memory, each: Memories, scope: Scope) -> None:
    for haystack in each.haystacks:
        for session in haystack.sessions:
            messages = [
                {"id": f"{haystack.id}|{turn.id}", "role": turn.role, "speaker": turn.speaker, "content": turn.text,
                 "at": turn.at}
                for turn in session.turns
                if turn.text.strip()
            ]  # fmt: skip
            if messages:
                memory.record(messages, scope=scope, conversation=haystack.id, session=f"{haystack.id}/{session.name}")
    memory.drain()


def _cleared(memory: Memory, scope: Scope, question: Question | str, now: object) -> bool | None:
    """Of a question that recall answers: does it keep its evidence? Of any other: does it get no words at all?"""
    if isinstance(question, str):
        hits = memory.recall(question, scope=scope, now=now, limit=LIMIT + SPARE_HITS, explain=True).hits
        return not has_bearing(question, hits, cosines=False)
    answer = memory.recall(question.text, scope=scope, now=question.now, limit=LIMIT + SPARE_HITS, explain=True)
    turns = {f"{question.haystack_id}|{turn}" for turn in question.gold_turns}
    sessions = {f"{question.haystack_id}/{name}" for name in question.gold_sessions}
    shown = answer.hits[:LIMIT]
    found = any(turns & set(hit.message_ids) if turns else hit.session in sessions for hit in shown)
    return has_bearing(question.text, answer.hits, cosines=False) if found else None


def _share(values: Iterable[bool]) -> dict[str, object]:
    """The share with Wilson's interval."""
    counted = list(values)
    n, p, z = len(counted), statistics.mean(counted), 1.96
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return {"share": round(p, 3), "from": round(middle - half, 3), "to": round(middle + half, 3), "n": n}


def main() -> None:
    """Measure one thing and print it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["speed", "truncate", "floor"])
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    begun = time.perf_counter()
    match chosen.what:
        case "speed":
            report = speed(chosen.data, chosen.cache, chosen.chunks)
        case "truncate":
            report = truncate()
        case _:
            report = floor(chosen.data, chosen.cache)
    report |= {"seconds": round(time.perf_counter() - begun, 1)}
    if chosen.out:
        chosen.out.write_text(json.dumps(report, indent=1), encoding="utf-8")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
