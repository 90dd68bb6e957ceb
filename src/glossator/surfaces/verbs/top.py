"""`glossator top`: looks at the file, or asks a server, again and again."""

import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from types import FrameType
from typing import TYPE_CHECKING

from glossator.errors import GlossatorError, StoreError, UsageError
from glossator.surfaces.call import Call
from glossator.surfaces.show.plain_json import shown_path
from glossator.surfaces.show.screen import console
from glossator.surfaces.watch.keys import waiting_for_q
from glossator.surfaces.watch.picture import Picture, picture_of_file, picture_of_server
from glossator.surfaces.watch.scrape import Scrape, fetch, metrics_address, read_scrape
from glossator.wiring import SystemClock, setting, vitals_at

if TYPE_CHECKING:
    from rich.console import RenderableType

EVERY_MIN_S, EVERY_MAX_S = 0.2, 3_600.0
"""More often than five times a second nobody reads, and the looking itself would show."""
LATELY = timedelta(seconds=60)
"""Rates and latencies of a server are told over so long."""

Look = Callable[[], Picture]


def run(call: Call, *, url: str | None, once: bool, every_s: float) -> int:
    """Show a picture every `every_s` seconds until q or Ctrl-C; with `once` or --json a single one."""
    if not EVERY_MIN_S <= every_s <= EVERY_MAX_S:
        raise UsageError("--every", f"{every_s:g} is out of range", remedy=f"pass {EVERY_MIN_S:g} to {EVERY_MAX_S:g}")
    clock = SystemClock()
    look = _look_at_file(call, clock.now) if url is None else _ask_server(metrics_address(url), clock.now)
    first = look()
    if once or call.screen.as_json:
        call.screen.answer(first, render=lambda: _drawn(first, None))
        return 0
    with _ending_on_signals(), waiting_for_q() as wait, suppress(KeyboardInterrupt):
        (_live if sys.stdout.isatty() else _printed)(first, look, wait, every_s)
    return 0


def _look_at_file(call: Call, now: Callable[[], datetime]) -> Look:
    call.check_there()
    path = shown_path(call.path)

    def look() -> Picture:
        try:
            return picture_of_file(vitals_at(call.path), path=path, now=now())
        except StoreError as error:
            raise call.naming_its_file(error) from (error.__cause__ or error)

    return look


def _ask_server(address: str, now: Callable[[], datetime]) -> Look:
    """Each answer is compared with the oldest of the last minute."""
    key, answers = setting("api_key"), deque[Scrape]()

    def look() -> Picture:
        scrape = read_scrape(fetch(address, key=key), at=now())
        while answers and scrape.at - answers[0].at > LATELY:
            answers.popleft()
        before = answers[0] if answers else None
        answers.append(scrape)
        return picture_of_server(scrape, before, url=address.removesuffix("/metrics"))

    return look


def _live(first: Picture, look: Look, wait: Callable[[float], bool], every_s: float) -> None:
    """On the whole terminal, which gets its text back at the end. What fails later is told, and tried again."""
    from rich.live import Live

    picture, problem = first, ""
    live = Live(_drawn(picture, every_s), console=console(), screen=True, auto_refresh=False)
    try:  # not `with`: told to end while it begins, it would leave the terminal as it is
        live.start(refresh=True)
        while not wait(every_s):
            picture, problem = _next(picture, look)
            live.update(_drawn(picture, every_s, problem), refresh=True)
    finally:
        live.stop()


def _printed(first: Picture, look: Look, wait: Callable[[float], bool], every_s: float) -> None:
    """One picture below the other, for a file or a pipe: no control codes."""
    from glossator.surfaces.show.screen import Screen

    screen, picture, problem = Screen(as_json=False), first, ""
    screen.show(_drawn(picture, None))
    while not wait(every_s):
        picture, problem = _next(picture, look)
        screen.show(_drawn(picture, None, problem))


def _next(picture: Picture, look: Look) -> tuple[Picture, str]:
    try:
        return look(), ""
    except GlossatorError as error:
        return picture, str(error)


def _drawn(picture: Picture, every_s: float | None, problem: str = "") -> "RenderableType":
    from glossator.surfaces.watch.drawing import draw

    return draw(picture, width=console().width, every_s=every_s, problem=problem)


@contextmanager
def _ending_on_signals() -> Iterator[None]:
    """What a supervisor sends ends it as Ctrl-C does, so that the terminal gets its text and settings back."""

    def told(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, told)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
