"""How is an error told in a log line without a word that somebody said?

The message of an error may quote what it could not read: a wrong argument, the reply of a server, a row. So a log line
has the names of the classes, which are ours or a library's, and the place in the code. The message itself travels with
the record as its attribute `content`, which no formatter shows unless it is asked to.
"""

import errno
import re
import sys
import traceback
from collections.abc import Iterator, Mapping

from glossator.errors import GlossatorError, ProviderError

CONTENT = "content"
"""The attribute of a log record that may hold words of users; a line shows it only where that was asked for."""
STATUS = re.compile(r"\banswered (\d{3})\b")
"""How a provider's error tells the HTTP status that a server answered with."""
ERRNO = re.compile(r"\[Errno (\d{1,3})\]")
"""How the system's number of an error is told where a library has wrapped it."""
CAUSES_MAX = 4
"""What failed first is rarely deeper."""


def kind_of(error: BaseException) -> str:
    """The class of the error with those of its causes: "ProviderError (ConnectError, ECONNREFUSED)".

    With them go the system's name of an error (ENOSPC), SQLite's (SQLITE_IOERR), and the HTTP status of a server.
    """
    names = [name for each in _chain(error) for name in _names(each)]
    first, *causes = dict.fromkeys(names)
    return f"{first} ({', '.join(causes)})" if causes else first


def place_of(error: BaseException) -> str:
    """Where it was raised: "worker.py:120 in step"; "" where it never was."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return ""
    return f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno} in {frames[-1].name}"


def raised() -> str:
    """The class of what is being raised right now, for a `finally` that lets it pass."""
    kind = sys.exc_info()[0]
    return "" if kind is None else kind.__name__


def content_of(error: BaseException) -> Mapping[str, str]:
    """What goes into `extra` of a log call, for who asks for content: our own error's words, another's traceback."""
    if isinstance(error, GlossatorError):
        return {CONTENT: str(error)}
    return {CONTENT: "".join(traceback.format_exception(error)).rstrip()}


def _chain(error: BaseException) -> Iterator[BaseException]:
    found: BaseException | None = error
    for _ in range(CAUSES_MAX):
        if found is None:
            return
        yield found
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)


def _names(error: BaseException) -> Iterator[str]:
    yield type(error).__name__
    code = getattr(error, "sqlite_errorname", None)
    if isinstance(code, str):
        yield code
    told = ERRNO.search(str(error))
    number = error.errno if isinstance(error, OSError) else int(told[1]) if told else None
    if number is not None and number in errno.errorcode:
        yield errno.errorcode[number]
    status = STATUS.search(str(error)) if isinstance(error, ProviderError) else None
    if status is not None:
        yield f"HTTP {status[1]}"
