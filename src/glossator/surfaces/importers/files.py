"""Which format is this file, and what is in it? Folders and zip archives are read file by file."""

import os
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import IO

from glossator.errors import UsageError
from glossator.surfaces.importers.chatgpt import read_chatgpt
from glossator.surfaces.importers.claude import read_claude
from glossator.surfaces.importers.foreign import HEAD_BYTES, HTML_SUFFIXES, binary_kind, is_html, is_packed
from glossator.surfaces.importers.jsonl import read_jsonl, read_objects
from glossator.surfaces.importers.markdown import read_markdown
from glossator.surfaces.importers.mcp_memory import is_mcp_memory, read_mcp_memory
from glossator.surfaces.importers.pieces import OTHER_KINDS, Home, LeftOut, Piece, Rejected
from glossator.surfaces.importers.plain import read_plain
from glossator.surfaces.importers.reading import decode, each_object
from glossator.surfaces.show.plain_json import shown_path

Reader = Callable[..., Iterator[Piece]]

FORMATS: Mapping[str, Reader] = {
    "chatgpt": read_chatgpt,
    "claude": read_claude,
    "json": lambda text, *, home: _read_list(text, home=home),
    "markdown": read_markdown,
    "mcp-memory": read_mcp_memory,
    "text": read_plain,
}
"""Readers of a whole text; "jsonl" is read line by line instead."""
FORMAT_NAMES = tuple(sorted(("jsonl", *FORMATS)))

SUFFIXES: Mapping[str, str] = {
    ".jsonl": "jsonl?", ".ndjson": "jsonl?", ".json": "json?", ".md": "markdown", ".markdown": "markdown",
    ".txt": "text", ".text": "text", ".log": "text",
}  # fmt: skip

FILE_BYTES_MAX = 2_000_000_000
"""A whole export is read into memory; what is larger is no export of one person's chats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFile:
    """One file to read: its name below the folder or archive, its size, and how to open it.

    `alone` is True if it was asked for by its own name, not with its folder.
    """

    name: str
    size: int
    open: Callable[[], IO[bytes]]
    alone: bool = False


def input_files(path: Path) -> tuple[InputFile, ...]:
    """The file, or all files of the folder or zip archive, by name. Raises UsageError if there is nothing to read."""
    try:
        if path.is_dir():
            return tuple(_in_folder(path))
        members = tuple(_in_archive(path)) if zipfile.is_zipfile(path) else None
        if members is not None and not is_packed(member.name for member in members):
            return members
        name, size = shown_path(Path(path.name)), path.stat().st_size
        return (InputFile(name=name, size=size, open=lambda: path.open("rb"), alone=True),)
    except FileNotFoundError:
        raise UsageError("path", f"{path} does not exist", remedy="pass a file, a folder or a zip archive") from None
    except (OSError, zipfile.BadZipFile) as exc:
        raise UsageError("path", f"{path} cannot be read: {exc}") from exc


def _in_folder(path: Path) -> Iterator[InputFile]:
    for each in sorted(path.rglob("*")):
        name = shown_path(each.relative_to(path)).replace(os.sep, "/")
        if any(part.startswith(".") for part in name.split("/")) or not each.is_file():
            continue
        yield InputFile(name=name, size=each.stat().st_size, open=lambda each=each: each.open("rb"))  # type: ignore[misc]


def _in_archive(path: Path) -> Iterator[InputFile]:
    with zipfile.ZipFile(path) as archive:
        members = sorted((each for each in archive.infolist() if not each.is_dir()), key=lambda each: each.filename)
    for member in members:
        yield InputFile(
            name=member.filename,
            size=member.file_size,
            open=lambda name=member.filename: _open_member(path, name),  # type: ignore[misc]
        )


def _open_member(path: Path, name: str) -> IO[bytes]:
    with zipfile.ZipFile(path) as archive:
        return BytesIO(archive.read(name))


def read_file(file: InputFile, *, home: Home, kind: str | None = None) -> Iterator[Piece]:
    """What is in one file; `kind` forces a format. A file of no known format is rejected if alone, else left out."""
    if kind is not None and kind not in FORMAT_NAMES:
        raise UsageError("format", f"{kind!r} is unknown", remedy=f"choose from {', '.join(FORMAT_NAMES)}")
    home = replace(home, name=file.name)
    kind = kind or SUFFIXES.get(Path(file.name).suffix.casefold(), "text?" if file.alone else "")
    if not kind:
        yield LeftOut(reason=OTHER_KINDS)
        return
    if file.size > FILE_BYTES_MAX and kind not in ("jsonl", "jsonl?"):
        yield Rejected(where="the file", reason=f"is larger than {FILE_BYTES_MAX:,} bytes")
        return
    try:
        with closing(file.open()) as stream:
            yield from _read_stream(stream, file.size, kind, home=home, alone=file.alone)
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as exc:  # the last: it has a password
        yield Rejected(where="the file", reason=f"cannot be read: {exc}")


def _read_stream(stream: IO[bytes], size: int, kind: str, *, home: Home, alone: bool) -> Iterator[Piece]:
    start = stream.read(HEAD_BYTES)
    head = start[:2]
    stream.seek(0)
    if kind in ("jsonl?", "json?") and is_mcp_memory(start):  # both names are in use for it
        kind = "mcp-memory"
    elif kind == "jsonl?":
        kind = "jsonl"
    if kind == "jsonl" and head not in (b"\xff\xfe", b"\xfe\xff"):
        yield from read_jsonl(stream, home=home, size=size)
        return
    data = stream.read()
    if kind in ("text?", "text", "markdown"):
        unreadable = _unreadable(data[:HEAD_BYTES], kind, suffix=Path(home.name).suffix.casefold())
        if unreadable:
            yield Rejected(where="the file", reason=unreadable)
            return
    text, note = decode(data)
    if note:
        yield note
    if kind == "jsonl":
        yield from read_jsonl((line.encode("utf-8", "surrogatepass") for line in text.split("\n")), home=home)
        return
    named = kind_of_json(text) if kind == "json?" else kind.rstrip("?")
    if named is not None:
        yield from FORMATS[named](text, home=home)
    elif alone:
        yield Rejected(where="the file", reason="holds no conversations of a known format")
    else:
        yield LeftOut(reason=OTHER_KINDS)


def _unreadable(head: bytes, kind: str, *, suffix: str) -> str | None:
    """Why these bytes are not read as text or Markdown; None if they are."""
    binary = binary_kind(head)
    if binary is not None:
        return f"is {binary}, from which no text is read"
    if kind != "text?":
        return None
    if suffix in HTML_SUFFIXES or is_html(head):
        return "is a web page; --format text reads it as it stands, with its tags"
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff")
    return "is of no known format" if b"\0" in head and not wide else None


def kind_of_json(text: str) -> str | None:
    """Whose JSON it is, from its first object; None if nobody's that is known. An empty list is our own."""
    for each in each_object(text, what="item"):
        if isinstance(each, Rejected):
            return "json"
        value = each[0]
        if not isinstance(value, dict):
            return None
        if "mapping" in value:
            return "chatgpt"
        if "chat_messages" in value:
            return "claude"
        return "json" if "role" in value and "content" in value else None
    return "json"


def _read_list(text: str, *, home: Home) -> Iterator[Piece]:
    broken: list[Rejected] = []

    def whole() -> Iterator[tuple[object, str, float]]:
        for each in each_object(text, what="message"):
            if isinstance(each, Rejected):
                broken.append(each)
            else:
                yield each

    yield from read_objects(whole(), home=home)
    yield from broken
