"""How does a long conversation come in? As lines, kept in batches as they come, and told of once they are kept."""

import asyncio
import json
from collections import Counter, deque
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from glossator.aio import AsyncMemory
from glossator.errors import GlossatorError, UsageError
from glossator.facade import Memory
from glossator.surfaces.http.answers import RefusalError
from glossator.surfaces.http.bodies import check_kind, lines_of
from glossator.surfaces.http.requests import query_of, scope_of
from glossator.wire.bodies import checked_json
from glossator.wire.codec import arguments_of
from glossator.wire.problems import problem_of
from glossator.wire.queries import read_query

KINDS = ("application/x-ndjson", "application/ndjson", "application/jsonl")
OUTCOMES = ("stored", "duplicate", "conflict", "erased")
BATCH_LINES = 200
BATCH_BYTES = 1_000_000
PAUSE_S = 0.2
"""When nothing more comes for so long, what came is kept: the caller may be waiting to hear of it."""
FAULTS_MAX = 10_000
"""Wrong lines that wait to be told to a caller who does not read; the rest is counted."""
ARGUMENTS = arguments_of(Memory.record, leave_out=frozenset({"messages"}))


@dataclass(frozen=True, slots=True)
class Line:
    """A message with the number of its line, from 1."""

    number: int
    message: Mapping[str, Any]
    size: int


@dataclass(slots=True)
class Progress:
    """How far it is: what was kept so far, and the wrong lines that have not been told yet."""

    line: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    faults: deque[dict[str, Any]] = field(default_factory=deque)
    told_line: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def wrong(self, number: int, error: UsageError) -> None:
        """A line that is no message."""
        self.counts["bad"] += 1
        if len(self.faults) < FAULTS_MAX:
            told = {"argument": error.argument, "problem": error.problem, "remedy": error.remedy}
            self.faults.append({"line": number, "error": told})
        self.changed.set()

    def kept(self, number: int, outcomes: Sequence[str]) -> None:
        """Everything up to this line is durable now."""
        self.line = number
        self.counts.update(outcomes)
        self.changed.set()

    def totals(self) -> dict[str, int]:
        """The counts so far."""
        return {name: self.counts[name] for name in (*OUTCOMES, "bad")}

    def untold(self) -> list[dict[str, Any]]:
        """The lines of the answer that are due: the wrong ones, and the newest count."""
        due = list(self.faults)
        self.faults.clear()
        self.changed.clear()
        if self.line > self.told_line:
            due.append({"line": self.line, **self.totals()})
            self.told_line = self.line
        return due


async def ingest(request: Request) -> Response:
    """Take messages in, one JSON object a line; the answer tells of each batch when it is durable."""
    check_kind(request, *KINDS)
    arguments = read_query(query_of(request, scoped=True), ARGUMENTS).given()
    return Ingestion(request, {**arguments, "scope": scope_of(request)})


class Ingestion(Response):
    """The answer to a stream. It reads on while the caller does not: what is to be told is kept short."""

    def __init__(self, request: Request, arguments: Mapping[str, Any]) -> None:
        super().__init__(media_type=KINDS[0])
        del self.headers["content-length"]
        self._memory: AsyncMemory = request.app.state.memory
        self._bytes_max: int = request.app.state.settings.body_bytes_max
        self._request = request
        self._arguments = arguments
        self._progress = Progress()
        self._begun = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI
        reading = asyncio.create_task(self._read())
        reading.add_done_callback(lambda _: self._progress.changed.set())
        try:
            while not reading.done():
                await self._progress.changed.wait()
                await self._tell(self._progress.untold(), send)
            await self._end(reading, send)
        finally:
            reading.cancel()  # where the server ends before it: what is not told of may come again

    async def _end(self, reading: "asyncio.Task[None]", send: Send) -> None:
        """The last line: the totals, and why it ended before its time. Raises where nothing was told yet."""
        last: dict[str, Any] = {"done": True, "lines": self._progress.line, **self._progress.totals()}
        try:
            reading.result()
        except ClientDisconnect:
            return
        except (GlossatorError, RefusalError) as error:
            if not self._begun:
                raise
            told, status = (error.error, error.status) if isinstance(error, RefusalError) else (error, None)
            last |= {"done": False, "error": problem_of(told, status=status)}
        await self._tell([*self._progress.untold(), last], send)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _tell(self, lines: Sequence[Mapping[str, Any]], send: Send) -> None:
        if not lines:
            return
        if not self._begun:
            self._begun = True
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        body = "".join(json.dumps(line) + "\n" for line in lines).encode()
        await send({"type": "http.response.body", "body": body, "more_body": True})

    async def _read(self) -> None:
        """Keep line after line. At a cut what came whole is kept still, and the cut is raised."""
        batch: list[Line] = []
        async for line in self._lines():
            if line is not None:
                batch.append(line)
            if line is None or len(batch) >= BATCH_LINES:
                await self._keep(batch)
                batch = []

    async def _lines(self) -> AsyncIterator[Line | None]:
        """The messages; None where what came should be kept now: at a pause, and at the end or the cut."""
        pieces = lines_of(self._request, bytes_max=self._bytes_max)
        number = size = 0
        while True:
            coming = asyncio.ensure_future(anext(pieces, None))
            try:
                while not (await asyncio.wait({coming}, timeout=PAUSE_S))[0]:
                    yield None
                raws = coming.result()
            except ClientDisconnect:
                yield None
                raise
            finally:
                coming.cancel()
            if raws is None:
                yield None
                return
            for raw in raws:
                number += 1
                line = self._line(number, raw)
                if line is not None:
                    yield line
                    size += line.size
                if size >= BATCH_BYTES:
                    yield None
                    size = 0

    def _line(self, number: int, raw: bytes | None) -> Line | None:
        if raw is None:
            problem = f"is longer than {self._bytes_max:,} bytes"
            self._progress.wrong(number, UsageError("line", problem, remedy="send it as a document"))
            return None
        if not raw.strip():
            return None
        try:
            message = checked_json(raw)
        except UsageError as error:
            self._progress.wrong(number, error)
            return None
        if isinstance(message, dict):
            return Line(number, message, len(raw))
        self._progress.wrong(number, UsageError("line", "is no JSON object", remedy='pass {"content": "..."}'))
        return None

    async def _keep(self, batch: list[Line]) -> None:
        """Record the lines; a wrong one is told and left out. Raises what is wrong with all of them."""
        last = batch[-1].number if batch else 0
        while batch:
            try:
                receipt = await self._memory.record([each.message for each in batch], **self._arguments)
            except UsageError as error:
                place = _place_of(error.argument)
                if place is None or place >= len(batch):
                    raise
                argument = error.argument.partition("].")[2] or "line"
                self._progress.wrong(batch[place].number, UsageError(argument, error.problem, remedy=error.remedy))
                del batch[place]
                continue
            self._progress.kept(last, [each.outcome for each in receipt.recorded])
            return


def _place_of(argument: str) -> int | None:
    """3 of "messages[3].content"."""
    opening, _, rest = argument.partition("[")
    digits = rest.partition("]")[0]
    return int(digits) if opening == "messages" and digits.isdigit() else None
