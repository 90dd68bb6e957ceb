"""MemDaily: short daily messages in Chinese, questions with the ids of the messages that answer them.

Reads the published file (kinds and subjects as nested objects), one list of trajectories, or a folder of such files.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from glossator.evaluate.datasets.reading import answer_of, expecting, files_of, json_of, text_of, unique
from glossator.evaluate.values import Dataset, GoldAnswer, Haystack, Question, SessionData, TurnData

__all__ = ["load_memdaily"]

PROTOCOL = (
    "one scope per trajectory; the messages of a day are a session; gold turns: target_step_id",
    "a trajectory has only some ten messages: recall@10 and beyond say little, see recall@1, mrr and ndcg@10",
)
_TIME = re.compile(r"(\d{4})\D+(\d{1,2})\D+(\d{1,2})\D+?(\d{1,2}):(\d{2})")


def load_memdaily(path: Path, *, unscored: bool = False) -> Dataset:
    """Read a file, or each file of a folder; one haystack per trajectory, the category from file and nesting.

    With `unscored` also the questions without a target message.
    """
    haystacks: list[Haystack] = []
    questions: list[Question] = []
    counts: Counter[str] = Counter()
    files = files_of(path)
    for file in files:
        content = json_of(file)
        with expecting("MemDaily", file):
            for names, row in _trajectories(content):
                place = (file.stem, *names) if len(files) > 1 or not names else names
                haystacks.append(_haystack(row, ":".join((*place, str(row["tid"])))))
                kind = "/".join(names) or file.stem
                questions.extend(_questions(row, haystacks[-1], kind, counts, unscored=unscored))
    return Dataset(
        name="memdaily",
        source=path.name,
        haystacks=tuple(haystacks),
        questions=tuple(questions),
        question_count=counts["questions"],
        skipped={"without a target message": counts["skipped"]} if counts["skipped"] else {},
        protocol=PROTOCOL,
    )


def _trajectories(content: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    if isinstance(content, dict):
        for name, inner in content.items():
            yield from _trajectories(inner, (*names, str(name)))
        return
    for row in content:
        row["tid"], row["message_list"], row["question_list"]
        yield names, row


def _haystack(row: Mapping[str, Any], name: str) -> Haystack:
    turns = [
        TurnData(
            id=str(each["mid"]),
            role="user",
            speaker="user",
            text=words,
            at=_at(each["time"]),
            metadata={name: str(each[name]) for name in ("time", "place") if each.get(name)},
        )
        for each in row["message_list"]
        if (words := text_of(each, "message"))
    ]
    days = groupby(turns, key=lambda turn: turn.at.date())
    return Haystack(id=name, sessions=_sessions(days))


def _sessions(days: Iterable[tuple[object, Iterable[TurnData]]]) -> tuple[SessionData, ...]:
    sessions: dict[str, SessionData] = {}
    for day, group in days:
        turns = tuple(group)
        earlier = sessions.get(str(day))
        said = earlier.turns if earlier else ()
        sessions[str(day)] = SessionData(name=str(day), said_at=(said + turns)[0].at, turns=said + turns)
    return tuple(sessions.values())


def _questions(
    row: Mapping[str, Any], haystack: Haystack, kind: str, counts: Counter[str], *, unscored: bool
) -> Iterable[Question]:
    home = {turn.id: session.name for session in haystack.sessions for turn in session.turns}
    for each in row["question_list"]:
        counts["questions"] += 1
        gold = unique([str(step) for step in _flat(each["target_step_id"]) if str(step) in home])
        if not gold:
            counts["skipped"] += 1
            if not unscored:
                continue
        yield Question(
            id=f"{haystack.id}:{each.get('qid', 0)}",
            text=str(each["question"]),
            category=kind,
            haystack_id=haystack.id,
            now=_at(each["time"]),
            sessions_before=len(haystack.sessions),
            gold_turns=gold,
            gold_sessions=unique([home[turn_id] for turn_id in gold]),
            answer=_gold_answer(each),
        )


def _gold_answer(row: Mapping[str, Any]) -> GoldAnswer | None:
    """Of several choices one is right and needs no judge; without choices the answer itself is compared."""
    choices = row.get("choices") or {}
    right = str(row.get("ground_truth") or "")
    if right in choices:
        return GoldAnswer(text=str(choices[right]), rule="choice", choices=dict(choices), right_choice=right)
    text = answer_of(row)
    return GoldAnswer(text=text, rule="plain") if text else None


def _flat(steps: Any) -> Sequence[Any]:
    return steps if isinstance(steps, list) else [steps]


def _at(text: str) -> datetime:
    found = _TIME.search(text)
    if found is None:
        raise ValueError(f"no known date format: {text!r}")
    year, month, day, hour, minute = (int(part) for part in found.groups())
    return datetime(year, month, day, hour, minute, tzinfo=UTC)
