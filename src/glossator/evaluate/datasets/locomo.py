"""LoCoMo (ACL 2024): long conversations of two people, questions with the turns that answer them.

Reads the published file and the audited one. A published label may be malformed: "D8:6; D9:17" names two turns,
"D:11:26" is D11:26, "D30:05" is D30:5, "D" names none.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from glossator.evaluate.datasets.reading import answer_of, expecting, files_of, json_of, said_at, text_of, unique
from glossator.evaluate.values import Dataset, GoldAnswer, Haystack, Question, SessionData, TurnData

__all__ = ["CATEGORIES", "load_locomo", "mend_labels"]

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
TURN_GAP = timedelta(seconds=20)
"""The file dates sessions only; turns follow at the pace of a chat so that their order is kept."""
PROTOCOL = (
    "main figures: evidence_audited where the file has it, else evidence_clean, else evidence, malformed ids mended",
    '"published": the labels of `evidence`, malformed ids mended, on the same rankings',
    "a question is asked one hour after the conversation's last turn",
)
LOST = "labels that name no turn"
LOST_PUBLISHED = "published labels that name no turn"
_LABEL = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)")
_SESSION = re.compile(r"session_(\d+)")


def load_locomo(path: Path, *, unscored: bool = False) -> Dataset:
    """Read a file, or each file of a folder; one haystack per conversation.

    With `unscored` also the questions without evidence.
    """
    haystacks: list[Haystack] = []
    questions: list[Question] = []
    counts: Counter[str] = Counter()
    for file in files_of(path):
        rows = json_of(file)
        with expecting("LoCoMo", file):
            for row in _conversations(rows):
                haystacks.append(_haystack(row))
                questions.extend(_questions(row["qa"], haystacks[-1], counts, unscored=unscored))
    return Dataset(
        name="locomo",
        source=path.name,
        haystacks=tuple(haystacks),
        questions=tuple(questions),
        question_count=counts["questions"],
        skipped={"without evidence": counts["skipped"]} if counts["skipped"] else {},
        mended={reason: counts[reason] for reason in (LOST, LOST_PUBLISHED) if counts[reason]},
        protocol=PROTOCOL,
    )


def mend_labels(labels: Iterable[str], known: Mapping[tuple[int, int], str]) -> tuple[tuple[str, ...], int]:
    """The turn ids that the labels name, without repeats, and how many labels name no turn of the conversation.

    `known` maps (session number, turn number) to the id that the conversation itself uses.
    """
    found: list[str] = []
    lost = 0
    for label in labels:
        places = [(int(session), int(turn)) for session, turn in _LABEL.findall(label)]
        there = [known[place] for place in places if place in known]
        lost += max(len(places), 1) - len(there)
        found.extend(there)
    return unique(found), lost


def _conversations(rows: Any) -> Sequence[Mapping[str, Any]]:
    conversations: Sequence[Mapping[str, Any]] = rows if isinstance(rows, list) else [rows]
    if not conversations or any("conversation" not in row or "qa" not in row for row in conversations):
        raise KeyError("conversation, qa")
    return conversations


def _haystack(row: Mapping[str, Any]) -> Haystack:
    conversation = row["conversation"]
    numbers = sorted(int(found[1]) for key in conversation if (found := _SESSION.fullmatch(key)))
    sessions = [_session(number, conversation) for number in numbers if conversation[f"session_{number}"]]
    return Haystack(id=str(row["sample_id"]), sessions=tuple(sessions))


def _session(number: int, conversation: Mapping[str, Any]) -> SessionData:
    begun_at = said_at(conversation[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y", "%I:%M %p on %d %B %Y")
    turns = []
    for place, turn in enumerate(conversation[f"session_{number}"]):
        words = _words(turn)
        if words:
            turns.append(_turn(turn, words, begun_at + place * TURN_GAP))
    return SessionData(name=f"session_{number}", said_at=begun_at, turns=tuple(turns))


def _turn(turn: Mapping[str, Any], words: str, at: datetime) -> TurnData:
    # Both are people: neither is the assistant of the other.
    return TurnData(id=turn["dia_id"], role="user", speaker=turn["speaker"], text=words, at=at)


def _words(turn: Mapping[str, Any]) -> str:
    caption = text_of(turn, "blip_caption")
    return " ".join(part for part in (text_of(turn, "text"), f"[image: {caption}]" if caption else "") if part)


def _questions(rows: Any, haystack: Haystack, counts: Counter[str], *, unscored: bool) -> Iterable[Question]:
    home = {turn.id: session.name for session in haystack.sessions for turn in session.turns}
    known = {(int(s), int(t)): turn_id for turn_id in home for s, t in _LABEL.findall(turn_id)}
    now = haystack.sessions[-1].turns[-1].at + timedelta(hours=1)
    for place, row in enumerate(rows):
        counts["questions"] += 1
        published, lost = mend_labels(row.get("evidence") or (), known)
        chosen = row.get("evidence_audited", row.get("evidence_clean"))
        gold, lost_chosen = (published, lost) if chosen is None else mend_labels(chosen, known)
        counts[LOST] += lost_chosen
        counts[LOST_PUBLISHED] += lost
        if not gold:
            counts["skipped"] += 1
            if not unscored:
                continue
        yield Question(
            id=str(row.get("question_id") or f"{haystack.id}:{place}"),
            text=str(row["question"]),
            category=CATEGORIES.get(int(row["category"]), str(row["category"])),
            haystack_id=haystack.id,
            now=now,
            sessions_before=len(haystack.sessions),
            gold_turns=gold,
            gold_sessions=unique([home[turn_id] for turn_id in gold]),
            published_turns=published,
            published_sessions=unique([home[turn_id] for turn_id in published]),
            answer=_gold_answer(row),
        )


def _gold_answer(row: Mapping[str, Any]) -> GoldAnswer | None:
    """An adversarial question has no answer of its own: its premise was swapped, and `adversarial_answer` is the trap.

    Where an audit found the published answer wrong, the audit's answer is the gold one, as with the evidence.
    """
    text = answer_of(row)
    if not text:
        adversarial = CATEGORIES.get(int(row["category"])) == "adversarial"
        trap = answer_of(row, "adversarial_answer")
        return GoldAnswer(text="", rule="abstention", trap=trap) if adversarial else None
    audit = row.get("audit") or {}
    corrected = answer_of(audit, "correct_answer") if audit.get("score_corrupting") else ""
    if corrected and corrected != text:
        return GoldAnswer(text=corrected, rule="plain", published=text)
    return GoldAnswer(text=text, rule="plain")
