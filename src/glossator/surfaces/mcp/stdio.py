"""How does one client talk to the server over stdin and stdout, with nothing else ever on that wire?

The wire is taken away before anything is loaded: file descriptor 1 is stderr from then on, for Python and for C alike.
A line that is no message is answered with an error and costs nothing but itself. The end of the input, SIGTERM and a
client that is gone all end the server in the same way: what runs is answered, then it leaves.
"""

import asyncio
import json
import os
import signal
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import CallNext, HandlerResult
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from glossator.surfaces.mcp.server import Context, plain
from glossator.surfaces.mcp.wire import Wire

LINE_BYTES_MAX = 16 * 1024 * 1024
"""A longer line is no message of a sane client; all of it is skipped."""
GRACE_S = 10.0
"""So long are calls in work waited for when the input has ended."""
LAST_WORD_S = 2.0
"""A client that reads nothing any more is not waited for longer."""
POLL_S = 0.01
QUIET_POLLS = 3
"""Polls in a row without a call in work: a request that has been read needs a moment until it counts."""
NEVER_ENDING = ("subscriptions/listen",)


class Inbox:
    """The messages that a client sends, as the SDK takes them."""

    def __init__(self, reader: BinaryIO) -> None:
        self._reader = reader
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue(maxsize=16)
        self._loop = asyncio.get_running_loop()

    def start(self) -> None:
        """Read in a thread of its own: a daemon, since nothing wakes it where the client stays silent."""
        threading.Thread(target=self._read, name="glossator-stdin", daemon=True).start()

    def end(self) -> None:
        """Nothing more is taken; what has been read is still answered."""
        while self._lines.full():
            self._lines.get_nowait()
        self._lines.put_nowait(None)

    async def next(self) -> bytes | None:
        """The next line, None at the end."""
        return await self._lines.get()

    def _read(self) -> None:
        line = b"\n"
        while line:
            try:
                line = self._line()
            except (OSError, ValueError):
                line = b""
            try:
                asyncio.run_coroutine_threadsafe(self._lines.put(line or None), self._loop).result()
            except RuntimeError:  # the loop is gone
                return

    def _line(self) -> bytes:
        """The next line; of one that is too long nothing but that there was one."""
        line = self._reader.readline(LINE_BYTES_MAX + 1)
        if len(line) <= LINE_BYTES_MAX or line.endswith(b"\n"):
            return line
        while (rest := self._reader.readline(LINE_BYTES_MAX)) and not rest.endswith(b"\n"):
            pass
        return b"too long\n"


class Outbox:
    """Where messages to the client go, one whole line at a time."""

    def __init__(self, out: int) -> None:
        self._out = out
        self._lock = anyio.Lock()
        self.gone = asyncio.Event()

    async def send(self, message: types.JSONRPCMessage) -> None:
        """Write one message; nothing once the client is gone."""
        line = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        async with self._lock:
            if not self.gone.is_set() and not await anyio.to_thread.run_sync(self._write, line, abandon_on_cancel=True):
                self.gone.set()

    def _write(self, line: bytes) -> bool:
        """False where the other end is closed."""
        view = memoryview(line)
        try:
            while view:
                view = view[os.write(self._out, view) :]
        except OSError:
            return False
        return True


@dataclass(slots=True)
class InWork:
    """How many requests are being answered: a middleware of the SDK."""

    count: int = 0

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        counts = ctx.request_id is not None and ctx.method not in NEVER_ENDING
        self.count += counts
        try:
            return await call_next(ctx)
        finally:
            self.count -= counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A line that is no message, and the answer to it."""

    answer: types.JSONRPCError


def read_message(line: bytes) -> SessionMessage | Refused:
    """The message of a line.

    Half a surrogate pair, which JSON may carry and UTF-8 may not, becomes the mark for an unknown character.
    """
    text = line.decode("utf-8-sig", "replace")  # some shells put a mark before what they pipe
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValidationError:
        pass
    try:
        value = json.loads(text)
        mended = json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
    except (ValueError, RecursionError):
        return _refusal(None, types.PARSE_ERROR, "this line is no JSON of at most 16 MiB")
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(mended, by_name=False))
    except ValidationError:
        named = value.get("id") if isinstance(value, dict) else None
        known = named if isinstance(named, str | int) and not isinstance(named, bool) else None
        return _refusal(known, types.INVALID_REQUEST, "this line is no message of JSON-RPC 2.0")


def _refusal(request_id: str | int | None, code: int, told: str) -> Refused:
    mended = plain(request_id) if isinstance(request_id, str) else request_id
    error = types.ErrorData(code=code, message=told)
    return Refused(answer=types.JSONRPCError(jsonrpc="2.0", id=mended, error=error))


async def serve_stdio(server: Server[Any], wire: Wire) -> None:
    """Serve one client until its input ends, it is gone, or the process is asked to stop."""
    inbox, outbox, in_work = Inbox(wire.reader), Outbox(wire.out), InWork()
    server.middleware.append(in_work)
    _stop_on_signals(inbox)
    inbox.start()
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    all_sent = anyio.Event()
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)

    async def receive() -> None:
        async with to_server:
            while (line := await inbox.next()) is not None:
                if not line.strip():
                    continue
                match read_message(line):
                    case Refused(answer=answer):
                        await outbox.send(answer)
                    case message:
                        await to_server.send(message)
            await _settled(in_work)

    async def send() -> None:
        async for each in from_server:
            await outbox.send(each.message)
        all_sent.set()

    async def leave_when_gone() -> None:
        await outbox.gone.wait()
        inbox.end()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(receive)
        tasks.start_soon(send)
        tasks.start_soon(leave_when_gone)
        await server.run(from_client, to_client, server.create_initialization_options())
        with anyio.move_on_after(LAST_WORD_S):
            await all_sent.wait()
        tasks.cancel_scope.cancel()


async def _settled(in_work: InWork) -> None:
    """Wait until all requests are answered, for a while."""
    quiet = 0
    with anyio.move_on_after(GRACE_S):
        while quiet < QUIET_POLLS:
            quiet = 0 if in_work.count else quiet + 1
            await anyio.sleep(POLL_S)


def _stop_on_signals(inbox: Inbox) -> None:
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        with suppress(AttributeError, NotImplementedError):  # Windows knows none of them
            loop.add_signal_handler(getattr(signal, name), inbox.end)
