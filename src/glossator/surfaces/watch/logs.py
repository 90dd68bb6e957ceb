"""Where do log lines go, and what is in them? To stderr, as JSON or for a person, without a word that somebody said.

Three rules keep content out. What the engine logs names classes and places, not the messages of errors (see
rules/log_words.py). A traceback is told as its places. And what another library logs is told without its message, since
only its author knows what is in there. With `content=True` all of it is shown, for a developer at the own desk.
"""

import logging
import sys
from typing import Any

from glossator.errors import UsageError
from glossator.rules.log_words import CONTENT, kind_of
from glossator.surfaces.show.wording import safe

LEVELS = ("debug", "info", "warning", "error")
OWN = ("glossator", "uvicorn.error")
"""Loggers whose messages are known: the engine's own, and what uvicorn says of its start and end."""
FIELDS = ("tool", "done", "took_ms", "request_id")
"""What a line of the engine or a server may carry in `extra` beside its words: names of ours, numbers."""
UNKNOWN = "another library logged something"
FRAMES_MAX = 12
"""Places of a traceback that are told, the innermost last."""
INSTALL = 'pip install "glossator[server]"'

Event = dict[str, Any]


class StderrHandler(logging.StreamHandler[Any]):
    """The one handler that `log_to_stderr` puts up; calling it again puts up another in its place.

    It writes to whatever stderr is at the moment: a program may put another in its place.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        self.stream = sys.stderr
        super().emit(record)


def log_to_stderr(level: str, *, as_json: bool, content: bool = False) -> None:
    """Send the lines of this process to stderr from `level` on (debug, info, warning, error), never to stdout.

    The engine, the server and uvicorn are shown from `level` on, other libraries from warning on. uvicorn's own access
    log, which quotes addresses with their query, is switched off: `Watched` writes one. Start uvicorn with
    `log_config=None`. `content` also shows what users said, as far as errors quote it. Raises UsageError for an unknown
    level, and where structlog is not installed.
    """
    if level.lower() not in LEVELS:
        raise UsageError("log_level", f"{level!r} is unknown", remedy=f"choose from {', '.join(LEVELS)}")
    formatter = _formatter(as_json=as_json, content=content)
    root = logging.getLogger()
    for each in [each for each in root.handlers if isinstance(each, StderrHandler)]:
        root.removeHandler(each)
    handler = StderrHandler(sys.stderr)
    handler.setFormatter(formatter)
    handler.addFilter(_is_wanted)
    root.addHandler(handler)
    chosen = getattr(logging, level.upper())
    logging.getLogger("glossator").setLevel(chosen)
    logging.getLogger("uvicorn").setLevel(max(chosen, logging.INFO))  # at debug it tells of every byte
    logging.getLogger("uvicorn.access").disabled = True


def _is_wanted(record: logging.LogRecord) -> bool:
    if _is_own(record.name):
        return not str(record.msg).startswith('%s - "WebSocket')  # an address with its query; we serve none
    return record.levelno >= logging.WARNING


def _is_own(name: str) -> bool:
    return any(name == own or name.startswith(own + ".") for own in OWN)


def _formatter(*, as_json: bool, content: bool) -> logging.Formatter:
    structlog = structlog_for("logs")
    before = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(allow=FIELDS),
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    ]
    structlog.configure(  # without this, structlog itself would print to stdout
        processors=[*before, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    shows: Any = structlog.processors.JSONRenderer(sort_keys=False, ensure_ascii=True, default=_named)
    if not as_json:
        shows = structlog.dev.ConsoleRenderer(colors=False, timestamp_key="time", sort_keys=False)
    made: logging.Formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=before,
        processors=[_Wording(content=content), structlog.stdlib.ProcessorFormatter.remove_processors_meta, shows],
    )
    return made


class _Wording:
    """Puts the fields of a line in order and takes out what may hold content."""

    def __init__(self, *, content: bool) -> None:
        self._content = content

    def __call__(self, _logger: object, _method: str, event: Event) -> Event:
        record: logging.LogRecord = event["_record"]
        told: Event = {name: event.pop(name, "") for name in ("time", "level")}
        words = " ".join(str(event.pop("event", "")).split())
        told["event"] = words if self._content or _is_own(record.name) else UNKNOWN
        told |= event
        if told["event"] is UNKNOWN:
            told["at"] = f"{record.module}.py:{record.lineno}"
        raised = told.pop("exc_info", None)
        error = sys.exc_info()[1] if raised is True else raised[1] if isinstance(raised, tuple) else raised
        if isinstance(error, BaseException):
            told["error"], told["at"] = kind_of(error), _places(error)
        if self._content:
            told |= _shown(record, error)
        return {name: safe(value) if isinstance(value, str) else value for name, value in told.items()}


def _shown(record: logging.LogRecord, error: object) -> Event:
    """What was left out so far, for who asked for it."""
    from traceback import format_exception

    shown: Event = {}
    if hasattr(record, CONTENT):
        shown[CONTENT] = str(getattr(record, CONTENT))
    if isinstance(error, BaseException):
        shown["traceback"] = "".join(format_exception(error)).rstrip()
    return shown


def _places(error: BaseException) -> str:
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)[-FRAMES_MAX:]
    return " > ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames)


def _named(value: object) -> str:
    """What JSON has no word for is told by its class: its repr may quote anything."""
    return type(value).__name__


def structlog_for(purpose: str) -> Any:
    """The module structlog. Raises UsageError with the remedy where it is not installed."""
    try:
        import structlog
    except ImportError as error:
        raise UsageError(purpose, "structlog is not installed", remedy=INSTALL) from error
    return structlog
