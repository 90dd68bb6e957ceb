"""Whose are stdin and stdout? The client's alone, from the first moment on."""

import os
from dataclasses import dataclass
from typing import BinaryIO


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """The client's end: what it writes, and the descriptor of what it reads."""

    reader: BinaryIO
    out: int


def taken_wire() -> Wire:
    """Take stdin and stdout for the protocol alone: who else reads finds nothing, who else prints does so on stderr.

    It works below Python, so that a library in C which writes to descriptor 1 is diverted too.
    """
    reader, out = os.fdopen(os.dup(0), "rb"), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # stderr is closed
        os.dup2(nothing, 1)
    os.close(nothing)
    return Wire(reader=reader, out=out)
