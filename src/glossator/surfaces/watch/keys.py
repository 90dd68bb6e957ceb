"""Has the person at the terminal pressed q? Waiting for a key, or only waiting where nobody can press one."""

import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Wait = Callable[[float], bool]
"""Waits so many seconds; True as soon as the person wants to end."""


@contextmanager
def waiting_for_q() -> Iterator[Wait]:
    """How to wait: with an eye on the keyboard where stdin is a terminal, which gets its settings back afterwards."""
    try:
        import termios
        import tty

        number = sys.stdin.fileno()
        before = termios.tcgetattr(number)
    except (ImportError, OSError, ValueError, AttributeError, termios.error):  # no keyboard, or no POSIX
        yield _only_wait
        return
    tty.setcbreak(number)
    try:
        yield lambda seconds: _pressed(number, seconds)
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def _only_wait(seconds: float) -> bool:
    threading.Event().wait(seconds)
    return False


def _pressed(number: int, seconds: float) -> bool:
    import os
    from time import monotonic

    ends = monotonic() + seconds
    while True:
        ready, _, _ = select.select([number], [], [], max(ends - monotonic(), 0.0))
        if not ready:
            return False
        typed = os.read(number, 64)
        if not typed:  # the terminal is gone
            return True
        if b"q" in typed.lower():
            return True
