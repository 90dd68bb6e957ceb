"""`glossator mcp`: serve over stdio or HTTP; print what a client needs."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.errors import GlossatorError, UsageError
from glossator.surfaces.addresses import check_port
from glossator.surfaces.call import Call, Shared
from glossator.surfaces.loading import loading
from glossator.surfaces.mcp.wire import Wire, taken_wire
from glossator.surfaces.registry import FAILED, MISUSED, OK, told
from glossator.surfaces.show.plain_json import shown_path
from glossator.surfaces.typed import as_typed

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from glossator.facade import Memory
    from glossator.model import Scope
    from glossator.model.scope import Trust
    from glossator.surfaces.mcp.opening import Opening

HTTP_HOST, HTTP_PORT = "127.0.0.1", 8765
"""Where --http listens unless asked otherwise."""
CLOSE_S = 6.0
"""A store that is not released by then is left to its journal, which loses nothing."""
THREADS_S = 0.5
TRUSTS: tuple["Trust", ...] = ("owner", "guest", "tool")
INSTALL = 'pip install "glossator[mcp]"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What was chosen for the server."""

    http: bool
    port: int
    host: str
    allow_remote: bool
    allowed_hosts: tuple[str, ...]
    trust: str
    official: Path | None
    log_level: str | None


def serve(shared: Shared, choices: Choices) -> int:
    """Serve until the client leaves or the process is told to stop. Never a traceback: one line and an exit code."""
    try:
        _check(choices)
        wire = None if choices.http else taken_wire()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(OK))  # until the loop takes it: nothing is open yet
        _check_installed(choices)
        return _serve_http(Call.of(shared), choices) if wire is None else _serve_stdio(shared, choices, wire)
    except GlossatorError as exc:
        return _told(exc, shared)


def _told(error: GlossatorError, shared: Shared) -> int:
    """One line on stderr, in the words of the command line; the exit code."""
    words = {"host": "--host", "port": "--port", "log_level": "--log-level"}
    return told(as_typed(error, words, shared) if isinstance(error, UsageError) else error, as_json=False)


def _check(choices: Choices) -> None:
    """Raises UsageError for what can be said before anything is loaded."""
    if choices.trust not in TRUSTS:
        problem = f"{choices.trust!r} is not one of {', '.join(TRUSTS)}"
        raise UsageError("--trust", problem, remedy="an assistant passes on what others wrote, it is no operator")
    check_port(choices.port)
    _check_address(choices)
    if choices.official is not None:
        _check_file(choices.official)


def _check_installed(choices: Choices) -> None:
    """Raises UsageError for a part that is missing, and for an unknown level of the log, which begins here."""
    try:
        with loading():
            import mcp.server.lowlevel  # noqa: F401 - to find out whether it is there

        if choices.log_level is not None:
            import structlog  # noqa: F401 - it takes a while, and logs alone need it
    except ImportError as error:
        missing = str(error.name).partition(".")[0]
        raise UsageError("mcp", f"{missing} is not installed", remedy=INSTALL) from error
    logging.getLogger().addHandler(logging.NullHandler())  # without any, Python would print warnings raw
    if choices.log_level is not None:
        from glossator.surfaces.watch.logs import log_to_stderr

        log_to_stderr(choices.log_level, as_json=True)


def _check_address(choices: Choices) -> None:
    """Raises UsageError for an address that nothing would listen on: stdio has none."""
    given = {
        "--host": choices.host != HTTP_HOST,
        "--port": choices.port != HTTP_PORT,
        "--allow-remote": choices.allow_remote,
        "--allow-host": bool(choices.allowed_hosts),
    }
    for option, is_given in given.items():
        if is_given and not choices.http:
            raise UsageError(option, "is for a server over HTTP, and this one speaks over stdio", remedy="add --http")


def _check_file(official: Path) -> None:
    """Raises UsageError for what can be no file of the official server's: a typing error would be an empty memory."""
    path = official.expanduser()
    if path.is_dir():
        raise UsageError("--official", f"{shown_path(path)} is a folder", remedy="name a file")
    if not path.parent.is_dir():
        problem = f"the folder {shown_path(path.parent)} does not exist"
        raise UsageError("--official", problem, remedy="create it or name another")


def _serve_stdio(shared: Shared, choices: Choices, wire: Wire) -> int:
    import anyio
    from mcp_types import SubscriptionsListenRequestParams

    from glossator.surfaces.mcp.changes import Changes
    from glossator.surfaces.mcp.server import mcp_server
    from glossator.surfaces.mcp.stdio import serve_stdio

    if os.isatty(wire.reader.fileno()):
        sys.stderr.write("glossator: speaking MCP on stdin and stdout; `glossator mcp install` tells clients of it\n")
    memory = _Behind(shared, choices)
    if choices.official is None:
        server = mcp_server(memory, lambda _: memory.scope())
        listen = Changes(memory.texts)
        server.add_request_handler("subscriptions/listen", SubscriptionsListenRequestParams, listen)
        memory.start()
    else:  # its file is the whole memory
        server = _official(choices.official)
    try:
        anyio.run(serve_stdio, server, wire)
    finally:
        code = memory.code()
        signal.signal(signal.SIGTERM, lambda *_: os._exit(code))  # a client that has lost its patience
        _leave(memory.close)
    return _ended(code)


class _Behind:
    """The memory and its scope, read and opened behind the handshake, which loads the engine."""

    def __init__(self, shared: Shared, choices: Choices) -> None:
        self._shared = shared
        self._choices = choices
        self._lock = threading.Lock()
        self._call: Call | None = None
        self._opening: Opening | None = None
        self._failure: GlossatorError | None = None

    def start(self) -> None:
        """Begin, in a thread of its own."""
        threading.Thread(target=self._begin, name="glossator-opening", daemon=True).start()

    def _begin(self) -> None:
        try:
            self()
        except GlossatorError as error:
            self._failure = error
            _told(error, self._shared)

    def __call__(self) -> "Memory":
        """The memory; whoever comes early waits. Raises GlossatorError, and is tried again at the next call."""
        from glossator.surfaces.mcp.opening import Opening

        with self._lock:
            call = self._read()
            self._opening = self._opening or Opening(lambda: _opened(call))
        memory = self._opening()
        self._failure = None
        return memory

    def scope(self) -> "Scope":
        """For whom the server acts."""
        with self._lock:
            return replace(self._read().scope, trust=_trust(self._choices))

    def texts(self) -> Mapping[str, str]:
        """The prompt files by URI."""
        from glossator.surfaces.mcp.calling import resource_texts

        return resource_texts(self(), self.scope())

    def _read(self) -> Call:
        self._call = self._call or Call.of(self._shared)
        return self._call

    def code(self) -> int:
        """The exit code: what was never opened is told by it."""
        if self._failure is None:
            return OK
        return MISUSED if isinstance(self._failure, UsageError) else FAILED

    def close(self) -> None:
        """Release the store, if it was opened."""
        if self._opening is not None:
            self._opening.close()


def _opened(call: Call) -> "Memory":
    """The memory with its worker, which embeds and takes facts behind the calls."""
    return call.opened(replace(call.options, worker=True))


def _leave(close: Callable[[], None]) -> None:
    """Close the store, and wait no longer than it is worth."""
    closing = threading.Thread(target=close, name="glossator-closing", daemon=True)
    closing.start()
    closing.join(CLOSE_S)


def _ended(code: int) -> int:
    """The exit code. A thread that still waits, for a model that does not answer, must not keep the process alive."""
    sys.stderr.flush()
    for each in threading.enumerate():
        if each is not threading.current_thread() and not each.daemon:
            each.join(THREADS_S)
            if each.is_alive():
                os._exit(code)
    return code


def _serve_http(call: Call, choices: Choices) -> int:
    from glossator.surfaces.mcp.listening import listened, serve_http
    from glossator.surfaces.mcp.mounting import app_of, mcp_app

    names = listened(choices.host, choices.allowed_hosts, allow_remote=choices.allow_remote)
    if choices.official is not None:
        app = app_of(_official(choices.official), hosts=names)
        serve_http(app, host=choices.host, port=choices.port, say=call.screen.note)
        return OK
    memory = _opened(call)
    try:
        app = mcp_app(memory, scope=replace(call.scope, trust=_trust(choices)), hosts=names)
        serve_http(app, host=choices.host, port=choices.port, say=call.screen.note)
    finally:
        _leave(memory.close)
    return _ended(OK)


def _official(path: Path) -> "Server[Any]":
    from glossator.surfaces.mcp.official.serving import official_server

    return official_server(path=path)


def _trust(choices: Choices) -> "Trust":
    return next(each for each in TRUSTS if each == choices.trust)


def install(call: Call, client: str) -> None:
    """Print the snippet of a client."""
    from glossator.surfaces.mcp.clients import snippet_for

    snippet = snippet_for(client, arguments=_arguments(call))

    if call.screen.as_json:
        call.screen.answer(snippet, render=snippet.shown)
    else:
        call.screen.verbatim(snippet.shown())  # to be pasted: no line may be broken


def _arguments(call: Call) -> tuple[str, ...]:
    """What the server is to be started with: the memory, and what differs from the defaults."""
    from glossator import Options
    from glossator.surfaces.installation import memory_options

    given = ["mcp", *memory_options(call)]
    if call.scope.conversation is not None:
        given += ["--conversation", call.scope.conversation]
    for name in ("embedder", "zone"):
        if getattr(call.options, name) != getattr(Options(), name):
            given += [f"--{name}", getattr(call.options, name)]
    return tuple(given)
