"""How do values become rows, and rows values?"""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from glossator.model import Chunk, Conversation, EventTime, Interval, Message, SaidTime, Scope

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

Row = tuple[Any, ...]


def micros(at: datetime) -> int:
    """Microseconds since 1970 in UTC, exact."""
    return (at - EPOCH) // MICROSECOND


def micros_or_none(at: datetime | None) -> int | None:
    """Microseconds, or None for an open end."""
    return None if at is None else micros(at)


def instant(value: int) -> datetime:
    """The instant in UTC."""
    return EPOCH + timedelta(microseconds=value)


def instant_or_none(value: int | None) -> datetime | None:
    """The instant, or None for an open end."""
    return None if value is None else instant(value)


def to_json(value: object) -> str:
    """JSON as stored: compact, any script readable."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def ids_json(ids: Iterable[int]) -> str:
    """Ids as the one parameter of a statement that takes a list."""
    return json.dumps([int(each) for each in ids])


def said_parts(said: SaidTime) -> tuple[int, int, str, bool]:
    """A said time as its four columns."""
    return micros(said.at), said.offset_minutes, said.precision, said.given


NOBODY = "\0"
"""A workspace of this name cannot be."""


def scope_parameters(scope: Scope) -> dict[str, str | None]:
    """What every statement about what was said is asked with: a job reads nothing of it."""
    return fact_parameters(scope) | ({} if scope.job is None else {"workspace": NOBODY})


def fact_parameters(scope: Scope) -> dict[str, str | None]:
    """What every statement about facts is asked with."""
    return {
        "workspace": scope.workspace,
        "agent": scope.agent,
        "owner": scope.owner,
        "conversation": scope.conversation,
    }


def message_of(row: Row) -> Message:
    """A row of `messages` or `message`."""
    metadata: Mapping[str, Any] = json.loads(row[18])
    return Message(
        message_id=row[0],
        external_id=row[1],
        scope=Scope(workspace=row[2], agent=row[3], owner=row[4], conversation=row[5]),
        conversation=Conversation(channel=row[6], chat=row[7], thread=row[8]),
        session=row[9],
        role=row[10],
        speaker=row[11],
        kind=row[12],
        content=row[13],
        said=said_of(row[14:18]),
        metadata=metadata,
        trust=row[19],
        window_state=row[20],
        tier=row[21],
    )


def chunk_of(row: Row) -> Chunk:
    """A row of `chunks` or `work_chunks`."""
    start, end, precision, source, words = row[19:24]
    interval = Interval(start=instant_or_none(start), end=instant_or_none(end), precision=precision)
    before_speaker, before_content = row[29:31]
    return Chunk(
        chunk_id=row[0],
        message_id=row[1],
        external_id=row[2],
        scope=Scope(workspace=row[3], agent=row[4], owner=row[5], conversation=row[6]),
        session=row[7],
        position=row[8],
        index=row[9],
        start=row[10],
        end=row[11],
        text=row[12],
        role=row[13],
        speaker=row[14],
        said=said_of(row[15:19]),
        event=EventTime(interval=interval, source=source, words=words),
        namespace=row[24],
        strategy=row[25],
        project=row[26],
        tags=tuple(json.loads(row[27])),
        weight=row[28],
        before="" if before_content is None else f"{before_speaker}: {before_content}",
    )


def said_of(parts: Row) -> SaidTime:
    """The four columns of a said time."""
    at, offset_minutes, precision, given = parts
    return SaidTime(at=instant(at), offset_minutes=offset_minutes, precision=precision, given=bool(given))
