"""How do facts and what stands behind them become rows, and rows values?"""

import json
from datetime import datetime
from typing import Any

from glossator.model import (
    Decided,
    EventTime,
    Evidence,
    Fact,
    Interval,
    Passage,
    QueuedTurn,
    SaidTime,
    Scope,
    StateChange,
    Step,
    Turn,
)
from glossator.stores.sqlite.rows import Row, instant, instant_or_none, micros, said_of, to_json


def fact_of(row: Row) -> Fact:
    """A row of `facts`."""
    return Fact(
        fact_id=row[0],
        scope=Scope(workspace=row[1], agent=row[2], owner=row[3], conversation=row[4]),
        scope_type=row[5],
        scope_id=row[6],
        text=row[7],
        category=row[8],
        kind=row[9],
        subject=row[10],
        key=row[11],
        value=row[12],
        polarity=row[13],
        epistemic=row[14],
        confidence=row[15],
        content_hash=row[16],
        state=row[17],
        weight=row[18],
        event=_event_of(row[19:24]),
        valid_from=instant(row[24]),
        valid_to=instant_or_none(row[25]),
        created_at=instant(row[26]),
        last_seen_at=instant(row[27]),
        updated_at=instant(row[28]),
        seen_count=row[29],
        version=row[30],
        parent_id=row[31],
        superseded_by=row[32],
        source=row[33],
        source_trust=row[34],
        project=row[35],
        tags=tuple(json.loads(row[36])),
        domain=row[37],
        sensitivity=row[38],
        session=row[39],
        run_id=row[40],
        reason=row[41],
        expires_at=instant_or_none(row[42]),
    )


def _event_of(parts: Row) -> EventTime:
    start, end, precision, source, words = parts
    interval = Interval(start=instant_or_none(start), end=instant_or_none(end), precision=precision)
    return EventTime(interval=interval, source=source, words=words)


def evidence_of(row: Row) -> Evidence:
    """A row of `evidence`."""
    return Evidence(
        fact_id=row[0],
        quote=row[1],
        speaker=row[2],
        role=row[3],
        said=said_of(row[4:8]),
        start=row[8],
        end=row[9],
        message_id=row[10],
        external_id=row[11],
        conversation=row[12],
        session=row[13],
    )


def decided_of(row: Row) -> Decided:
    """A row of `decisions`."""
    return Decided(
        decision_id=row[0],
        at=instant(row[1]),
        by=row[2],
        decision=row[3],
        reason=row[4],
        text=row[5],
        fact_id=row[6],
        message_id=row[7],
        external_id=row[8],
    )


def change_of(row: Row) -> StateChange:
    """A row of `changes`."""
    return StateChange(fact_id=row[0], at=instant(row[1]), by=row[2], from_state=row[3], to_state=row[4], reason=row[5])


def step_of(row: Row) -> Step:
    """A row of `steps`."""
    return Step(
        run_id=row[0],
        number=row[1],
        thought=row[2],
        action=row[3],
        observation=row[4],
        verified=bool(row[5]),
        evidence=row[6],
        at=instant_or_none(row[7]),
    )


def message_passage(row: Row, *, conversation: str, session: str) -> Passage:
    """A message of `extract_turns`: id, external id, role, sender, content and the four parts of its time."""
    return Passage(
        text=row[4],
        role=row[2],
        speaker=row[3],
        said=said_of(row[5:9]),
        message_id=row[0],
        external_id=row[1],
        conversation=conversation,
        session=session,
    )


def payload_of(queued: QueuedTurn) -> str:
    """A queued turn as JSON."""
    turn = queued.turn
    scope = turn.scope
    return to_json(
        {
            "kind": queued.kind,
            "scope": [scope.workspace, scope.agent, scope.owner, scope.conversation, scope.job],
            "passages": [_passage_json(passage) for passage in turn.passages],
            "before": None if turn.before is None else _passage_json(turn.before),
            "source": turn.source,
            "project": turn.project,
            "tags": list(turn.tags),
            "run_id": turn.run_id,
        }
    )


def queued_of(payload: str, *, queued_at: datetime) -> QueuedTurn:
    """The queued turn that a payload says; a passage of an older version without a said time was said when queued."""
    given = json.loads(payload)
    workspace, agent, owner, conversation, *job = given["scope"]
    before = given["before"]
    turn = Turn(
        scope=Scope(
            workspace=workspace, agent=agent, owner=owner, conversation=conversation, job=job[0] if job else None
        ),
        passages=tuple(_passage_of(each, queued_at) for each in given["passages"]),
        source=given["source"],
        before=None if before is None else _passage_of(before, queued_at),
        project=given["project"],
        tags=tuple(given["tags"]),
        run_id=given["run_id"],
    )
    return QueuedTurn(kind=given["kind"], turn=turn)


def _passage_json(passage: Passage) -> dict[str, Any]:
    said = passage.said
    return {
        "text": passage.text,
        "role": passage.role,
        "speaker": passage.speaker,
        "said": [micros(said.at), said.offset_minutes, said.precision, said.given],
        "message_id": passage.message_id,
        "external_id": passage.external_id,
        "conversation": passage.conversation,
        "session": passage.session,
        "trust": passage.trust,
    }


def _passage_of(given: dict[str, Any], queued_at: datetime) -> Passage:
    said = SaidTime(at=queued_at, offset_minutes=0, precision="second", given=False)
    if "said" in given:
        at, offset_minutes, precision, is_given = given["said"]
        said = SaidTime(at=instant(at), offset_minutes=offset_minutes, precision=precision, given=is_given)
    return Passage(**{**given, "said": said})
