"""LongMemEval (ICLR 2025): questions about earlier chat sessions, with the sessions and turns that answer them.

Reads the oracle, s and m files. Without a pool each question is asked over the haystack that the file gives it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from glossator.evaluate.datasets.pools import Pooled, pool_of_all, pool_of_size
from glossator.evaluate.datasets.reading import (
    answer_of,
    expecting,
    files_of,
    json_of,
    lines_of,
    said_at,
    text_of,
    unique,
)
from glossator.evaluate.values import AnswerRule, Dataset, GoldAnswer, Haystack, Question, SessionData, TurnData

__all__ = ["load_longmemeval"]

TURN_GAP = timedelta(seconds=20)
"""The file dates sessions only; turns follow at the pace of a chat so that their order is kept."""
BLANK = "blank turns left out"
KNOWLEDGE_UPDATE = "knowledge-update"
ABSTENTION = "abstention"
RULES: Mapping[str, AnswerRule] = {
    "temporal-reasoning": "temporal",
    KNOWLEDGE_UPDATE: "update",
    "single-session-preference": "preference",
    ABSTENTION: "abstention",
}
"""How the answers of a category are judged; all others plainly."""
PROTOCOL = (
    "gold sessions: answer_session_ids; gold turns: the user turns with has_answer",
    "skipped, as published: abstention questions (id ends in _abs) and those without a labelled user turn",
    "asked with `now` at question_date",
    "ndcg_any@10 is the published formula (no discount on the second rank), ndcg@10 the usual one",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One question as the file gives it, with its own haystack."""

    question_id: str
    category: str
    text: str
    now: datetime
    sessions: tuple[SessionData, ...]
    gold_turns: tuple[str, ...]
    gold_sessions: tuple[str, ...]
    labelled: bool
    answer: str


def load_longmemeval(
    path: Path, *, pool: str | None, filler: Path | None, seed: int, unscored: bool = False
) -> Dataset:
    """Read a file; `pool` is None (the haystacks given), "all" (one for all) or a number of sessions ("48").

    With `unscored` also the questions that are skipped as published: they are answered, and their retrieval is not
    scored.
    """
    counts: Counter[str] = Counter()
    rows: list[_Row] = []
    for file in files_of(path):
        content = json_of(file)
        with expecting("LongMemEval", file):
            rows.extend(_row(each, counts) for each in content)
    extra = _filler(filler, counts) if filler else ()
    rows = _told_apart(rows, counts)
    asked = [row for row in rows if unscored or not _skipped(row)]
    pooled = _pooled(rows, asked, extra, pool=pool, seed=seed)
    skipped = Counter(reason for row in rows if (reason := _skipped(row)))
    return Dataset(
        name="longmemeval",
        source=path.name,
        haystacks=pooled.haystacks,
        questions=tuple(_question(row, haystack) for row, haystack in zip(asked, pooled.of_question, strict=True)),
        question_count=len(rows),
        skipped=dict(skipped),
        mended={reason: number for reason, number in (counts + Counter(pooled.mended)).items() if number},
        protocol=(*PROTOCOL, pooled.protocol),
    )


def _pooled(
    rows: Sequence[_Row], asked: Sequence[_Row], extra: Sequence[SessionData], *, pool: str | None, seed: int
) -> Pooled:
    if pool is None:
        own = tuple(Haystack(id=row.question_id, sessions=row.sessions) for row in asked)
        return Pooled(haystacks=own, of_question=own, mended={}, protocol="each question over its own haystack")
    owned = [(row.question_id, row.sessions) for row in rows]
    wanted = [row.question_id for row in asked]
    if pool == "all":
        return pool_of_all(owned, wanted, extra)
    return pool_of_size(owned, wanted, extra, size=int(pool), seed=seed)


def _row(row: Mapping[str, Any], counts: Counter[str]) -> _Row:
    dates, names, contents = row["haystack_dates"], row["haystack_session_ids"], row["haystack_sessions"]
    sessions: dict[str, SessionData] = {}
    labelled: list[str] = []
    for name, date, turns in zip(names, dates, contents, strict=True):
        if name in sessions:
            counts["sessions given twice in one haystack"] += 1
            continue
        sessions[name] = _session(name, date, turns)
        counts[BLANK] += len(turns) - len(sessions[name].turns)
        there = {turn.id for turn in sessions[name].turns}
        labelled += [key for key in _labelled(name, turns) if key in there]
    now = said_at(row["question_date"], "%Y/%m/%d %H:%M", "%Y/%m/%d")
    return _Row(
        question_id=str(row["question_id"]),
        category=str(row["question_type"]),
        text=str(row["question"]),
        now=now,
        sessions=tuple(sorted(sessions.values(), key=lambda session: session.said_at)),
        gold_turns=unique(labelled),
        gold_sessions=unique([name for name in row["answer_session_ids"] if name in sessions]),
        labelled=any(turn.get("has_answer") for turns in contents for turn in turns),
        answer=answer_of(row),
    )


def _told_apart(rows: Sequence[_Row], counts: Counter[str]) -> list[_Row]:
    """The rows, with a session renamed ("name~2") where an earlier row has other words under the same name."""
    contents: dict[str, list[tuple[str, ...]]] = {}
    apart = []
    for row in rows:
        renamed: dict[str, str] = {}
        for session in row.sessions:
            words = tuple(turn.text for turn in session.turns)
            known = contents.setdefault(session.name, [])
            if words not in known:
                known.append(words)
            if number := known.index(words):
                renamed[session.name] = f"{session.name}~{number + 1}"
        counts["sessions with another content under a known name (renamed)"] += len(renamed)
        apart.append(_renamed(row, renamed) if renamed else row)
    return apart


def _renamed(row: _Row, names: Mapping[str, str]) -> _Row:
    turn_ids = {
        turn.id: turn.id.replace(session.name, names.get(session.name, session.name), 1)
        for session in row.sessions
        for turn in session.turns
    }
    sessions = [
        replace(
            session,
            name=names.get(session.name, session.name),
            turns=tuple(replace(turn, id=turn_ids[turn.id]) for turn in session.turns),
        )
        for session in row.sessions
    ]
    return replace(
        row,
        sessions=tuple(sessions),
        gold_turns=tuple(turn_ids[turn_id] for turn_id in row.gold_turns),
        gold_sessions=tuple(names.get(name, name) for name in row.gold_sessions),
    )


def _labelled(name: str, turns: Sequence[Mapping[str, Any]]) -> list[str]:
    places = enumerate(turns)
    return [f"{name}:{place}" for place, turn in places if turn.get("has_answer") and turn["role"] == "user"]


def _session(name: str, date: str, turns: Sequence[Mapping[str, Any]]) -> SessionData:
    begun_at = said_at(date, "%Y/%m/%d %H:%M", "%Y/%m/%d")
    said = tuple(
        TurnData(
            id=f"{name}:{place}", role=turn["role"], speaker=turn["role"], text=words, at=begun_at + place * TURN_GAP
        )
        for place, turn in enumerate(turns)
        if (words := text_of(turn, "content"))
    )
    return SessionData(name=name, said_at=begun_at, turns=said)


def _filler(path: Path, counts: Counter[str]) -> tuple[SessionData, ...]:
    rows = lines_of(path, argument="filler")
    with expecting("LongMemEval filler sessions", path, argument="filler"):
        sessions = tuple(_session(row["session_id"], row["date"], row["turns"]) for row in rows)
    counts[BLANK] += sum(len(row["turns"]) for row in rows) - sum(len(session.turns) for session in sessions)
    counts["filler sessions without a turn"] += sum(1 for session in sessions if not session.turns)
    return tuple(session for session in sessions if session.turns)


def _skipped(row: _Row) -> str:
    if row.question_id.endswith("_abs"):
        return ABSTENTION
    if not row.gold_turns:
        return "evidence in assistant turns only" if row.labelled else "without a labelled turn"
    return "" if row.gold_sessions else "without an evidence session in the haystack"


def _question(row: _Row, haystack: Haystack) -> Question:
    said = {session.name: session.said_at for session in haystack.sessions}
    skipped = _skipped(row)
    category = ABSTENTION if skipped == ABSTENTION else row.category
    update = not skipped and row.category == KNOWLEDGE_UPDATE and len(row.gold_sessions) > 1
    return Question(
        id=row.question_id,
        text=row.text,
        category=category,
        haystack_id=haystack.id,
        now=row.now,
        sessions_before=len(haystack.sessions),
        gold_turns=() if skipped else row.gold_turns,
        gold_sessions=() if skipped else row.gold_sessions,
        newest_session=max(row.gold_sessions, key=lambda name: said[name]) if update else None,
        answer=_gold_answer(row.answer, category),
    )


def _gold_answer(text: str, category: str) -> GoldAnswer | None:
    """An abstention question's answer only says what is missing, so it may be blank; no other's may."""
    rule = RULES.get(category, "plain")
    return GoldAnswer(text=text, rule=rule) if text or rule == "abstention" else None
