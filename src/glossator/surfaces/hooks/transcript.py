"""What did the agent say last? Read from the end of the transcript file that its event names.

Claude Code, Codex and Cursor write one JSON object a line, each in its own shape; all that is read is text of the
assistant. Thoughts, calls of tools and the talk of sub-agents are not.
"""

import json
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

TAIL_BYTES = 512 * 1024
"""The last answer stands at the end; what a session of days wrote before it is not read."""


def last_answer(path: str) -> str:
    """The text of the last message of the assistant; "" where there is none or no file that can be read."""
    texts: list[str] = []
    message_id: object = None
    for line in reversed(list(_lines(path))):
        found = _answer(line)
        if found is None:
            if texts:
                break
            continue
        text, own_id = found
        if texts and (own_id is None or own_id != message_id):
            break
        if text:
            texts.append(text)
            message_id = own_id
    return "\n\n".join(reversed(texts))


def _lines(path: str) -> Iterator[Mapping[str, object]]:
    """The objects at the end of the file, in order."""
    try:
        data = _end_of(Path(path).expanduser()) if path else b""
    except (OSError, ValueError, RuntimeError):  # the last two: no name of a file, nobody's home
        return
    for line in data.split(b"\n"):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):  # the first one is cut, the last may be in writing
            continue
        if isinstance(value, dict):
            yield value


def _end_of(path: Path) -> bytes:
    """The last bytes of a file. Without waiting: a pipe in its place would hold the hook for ever."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return b""
        os.lseek(descriptor, max(0, found.st_size - TAIL_BYTES), os.SEEK_SET)
        return os.read(descriptor, TAIL_BYTES)
    finally:
        os.close(descriptor)


def _answer(line: Mapping[str, object]) -> tuple[str, object] | None:
    """Text and message id of a line of the assistant's; None for a line that ends its message: the user's.

    A line of neither, such as a summary, gives no text.
    """
    if line.get("isSidechain") is True:
        return "", None
    said = line.get("payload") if line.get("type") == "response_item" else line.get("message", line)
    if not isinstance(said, dict):
        return "", None
    role = said.get("role") or line.get("role") or line.get("type")
    if role == "user":
        return None
    return (_words(said.get("content")), said.get("id")) if role == "assistant" else ("", None)


def _words(content: object) -> str:
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, list):
        return ""
    kinds = ("text", "output_text")
    texts = [each.get("text") for each in content if isinstance(each, dict) and each.get("type") in kinds]
    return "\n\n".join(each.strip() for each in texts if isinstance(each, str) and each.strip())
