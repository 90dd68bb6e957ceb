"""RealMem (ACL 2026): one person's sessions over months, with queries inside the dialogue, replayed in time order.

A query is asked before its session is recorded. The next assistant turn names the sessions that the answer rests on
and the memory points used; a memory point names the turn that it was taken from.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from glossator.evaluate.datasets.reading import expecting, files_of, json_of, said_at, text_of, unique
from glossator.evaluate.values import Dataset, Haystack, Question, SessionData, TurnData

__all__ = ["load_realmem"]

DAY_BEGINS = timedelta(hours=8)
SESSION_GAP = timedelta(minutes=30)
TURN_GAP = timedelta(seconds=20)
"""The file gives dates without times: sessions of a day follow one another from the morning on."""
PROTOCOL = (
    "sessions replayed in time order: a query is asked before the session that holds it is recorded",
    "gold sessions: memory_session_uuids of the next assistant turn, as far as recorded by then",
    "gold turns: the source turns of the memory points used (memory_used), where every one of them is traced",
)


def load_realmem(path: Path) -> Dataset:
    """Read one persona's file, or each file of a folder; one haystack per persona."""
    haystacks: list[Haystack] = []
    questions: list[Question] = []
    counts: Counter[str] = Counter()
    for file in files_of(path):
        content = json_of(file)
        with expecting("RealMem", file):
            rows = _in_time_order(content)
            name = file.stem.removesuffix("_dialogues_256k")
            haystacks.append(Haystack(id=name, sessions=_sessions(rows, counts)))
            questions.extend(_questions(rows, haystacks[-1], counts))
    return Dataset(
        name="realmem",
        source=path.name,
        haystacks=tuple(haystacks),
        questions=tuple(questions),
        question_count=counts["questions"],
        skipped={"no gold session recorded by then": counts["skipped"]} if counts["skipped"] else {},
        mended={reason: counts[reason] for reason in ("blank turns left out",) if counts[reason]},
        protocol=PROTOCOL,
    )


def _in_time_order(content: Any) -> Sequence[Mapping[str, Any]]:
    rows = content["dialogues"]
    for row in rows:
        row["session_uuid"], row["dialogue_turns"]
    return sorted(rows, key=_day)  # stable: the file's order within a day


def _day(row: Mapping[str, Any]) -> datetime:
    return said_at(row["current_time"], "%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S")


def _sessions(rows: Sequence[Mapping[str, Any]], counts: Counter[str]) -> tuple[SessionData, ...]:
    of_day: Counter[datetime] = Counter()
    sessions = []
    for row in rows:
        day = _day(row)
        begun_at = day + DAY_BEGINS + of_day[day] * SESSION_GAP
        of_day[day] += 1
        turns = []
        for place, turn in enumerate(row["dialogue_turns"]):
            words = text_of(turn, "content")
            if not words:
                counts["blank turns left out"] += 1
                continue
            turns.append(_turn(row, place, turn, words, begun_at))
        sessions.append(SessionData(name=row["session_uuid"], said_at=begun_at, turns=tuple(turns)))
    return tuple(sessions)


def _turn(row: Mapping[str, Any], place: int, turn: Mapping[str, Any], words: str, begun_at: datetime) -> TurnData:
    speaker = str(turn["speaker"])
    return TurnData(
        id=f"{row['session_uuid']}:{place}",
        role="assistant" if speaker.casefold() == "assistant" else "user",
        speaker=speaker,
        text=words,
        at=begun_at + place * TURN_GAP,
    )


def _questions(rows: Sequence[Mapping[str, Any]], haystack: Haystack, counts: Counter[str]) -> Iterable[Question]:
    seen: dict[str, int] = {}
    sources: dict[str, dict[str, str]] = defaultdict(dict)
    for number, row in enumerate(rows):
        for place, turn in enumerate(row["dialogue_turns"]):
            if not turn.get("is_query"):
                continue
            counts["questions"] += 1
            reply = _reply(row["dialogue_turns"][place + 1 :])
            gold = unique([name for name in reply.get("memory_session_uuids") or () if name in seen])
            if not gold or not text_of(turn, "content"):
                counts["skipped"] += 1
                continue
            yield Question(
                id=f"{haystack.id}:{turn.get('query_id') or f'{number}.{place}'}",
                text=text_of(turn, "content"),
                category=str(turn.get("category_name") or "uncategorised"),
                haystack_id=haystack.id,
                now=haystack.sessions[number].said_at,
                sessions_before=number,
                gold_turns=_gold_turns(reply, gold, sources),
                gold_sessions=gold,
            )
        seen[row["session_uuid"]] = number
        sources[row["session_uuid"]].update(_source_turns(row))


def _reply(following: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    return next((turn for turn in following if str(turn["speaker"]).casefold() == "assistant"), {})


def _gold_turns(
    reply: Mapping[str, Any], gold: Sequence[str], sources: Mapping[str, Mapping[str, str]]
) -> tuple[str, ...]:
    """The turns behind the memory points used, or () where one of them cannot be traced to a turn."""
    used = [point for point in reply.get("memory_used") or () if point.get("session_uuid") in gold]
    turns = [sources[point["session_uuid"]].get(_plain(point.get("content")), "") for point in used]
    return unique(turns) if all(turns) else ()


def _source_turns(row: Mapping[str, Any]) -> dict[str, str]:
    """From the words of a memory point to the id of the turn that it was taken from."""
    turns = row["dialogue_turns"]
    found: dict[str, str] = {}
    for point in row.get("extracted_memory") or ():
        snapshot = _plain(point.get("source_content_snapshot"))
        places = [place for place, turn in enumerate(turns) if snapshot and _plain(turn.get("content")) == snapshot]
        if places:
            number = point.get("source_turn")
            # `source_turn` mostly counts from 1, at times from 0; it decides only where a text was said twice.
            best = min(places, key=lambda place: abs(place + 1 - number)) if isinstance(number, int) else places[0]
            found[_plain(point.get("content"))] = f"{row['session_uuid']}:{best}"
    return found


def _plain(text: object) -> str:
    return " ".join(str(text or "").split())
