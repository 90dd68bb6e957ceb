"""Where does output go? Results on stdout, everything else on stderr, progress only on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from glossator.surfaces.show.plain_json import document

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Advance = Callable[[float, str], None]
"""Tells how much is done, of the total, and what is being done."""


class Screen:
    """One call's output. With `as_json`, stdout carries one JSON document and stderr only errors."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    def answer(self, value: object, render: Callable[[], "RenderableType"]) -> None:
        """The result: the value as JSON, or as `render` shows it."""
        if self.as_json:
            sys.stdout.write(document(value) + "\n")
            sys.stdout.flush()
        else:
            self.show(render())

    def show(self, *renderables: "RenderableType") -> None:
        """Print for a person, one below the other; nothing with `as_json`."""
        if not renderables or self.as_json:
            return
        from rich.console import Group

        target = console()
        if target.is_terminal:
            target.print(Group(*renderables))
            return
        with target.capture() as captured:
            target.print(Group(*renderables))
        sys.stdout.write("".join(line.rstrip() + "\n" for line in captured.get().split("\n")[:-1]))
        sys.stdout.flush()

    def line(self, text: str, *, style: str = "dim") -> None:
        """One line for a person that is not broken, so that it can be copied; nothing with `as_json`."""
        if not self.as_json:
            from rich.text import Text

            console().print(Text(_safe(text), style=style), soft_wrap=True)

    def verbatim(self, text: str) -> None:
        """A stored text to the letter, for a file or a pipe; on a terminal what would steer it is made visible."""
        sys.stdout.write(_safe(text) if sys.stdout.isatty() else text)

    def warn(self, text: str) -> None:
        """Something failed and the call goes on: one line on stderr, also with `as_json`."""
        from rich.text import Text

        console(stderr=True).print(Text(" ".join(_safe(text).split()), style="yellow"), soft_wrap=True)

    def note(self, text: str, *, style: str = "dim") -> None:
        """A remark on stderr; nothing with `as_json`."""
        if not self.as_json:
            from rich.text import Text

            console(stderr=True).print(Text(_safe(text), style=style), soft_wrap=True)

    @property
    def lively(self) -> bool:
        """True where moving output is seen by a person: stderr is a terminal and no JSON was asked for."""
        return not self.as_json and sys.stderr.isatty()

    def asks(self) -> bool:
        """True where a person can answer a question."""
        return not self.as_json and sys.stdin.isatty() and sys.stderr.isatty()

    @contextmanager
    def progress(self, doing: str, *, total: float | None = None) -> Iterator[Advance]:
        """A bar on stderr (a spinner without `total`) for the time of the block; silent where nobody sees it."""
        if not self.lively:
            yield _unseen
            return
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = [SpinnerColumn(), TextColumn("{task.description}")]
        bar = [BarColumn(bar_width=24), TextColumn("{task.percentage:>3.0f}%")] if total is not None else []
        with Progress(*columns, *bar, TimeElapsedColumn(), console=console(stderr=True), transient=True) as shown:
            task = shown.add_task(doing, total=total)

            def advance(done: float, text: str) -> None:
                shown.update(task, completed=done, description=f"{doing} {text}".rstrip())

            yield advance


def _safe(text: str) -> str:
    from glossator.surfaces.show.wording import safe  # here, so that --help need not load it

    return safe(text)


def _unseen(_done: float, _text: str) -> None:
    """Progress that nobody watches."""


def console(*, stderr: bool = False) -> "Console":
    """A console of the present stdout or stderr; colour, width and NO_COLOR are rich's to find out."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)
