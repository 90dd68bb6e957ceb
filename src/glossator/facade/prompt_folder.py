"""When are prompt files written? Behind every change of facts: at once where something was taken away or brought back.

Whoever commits facts through the store that this gives out need not think of the files. A folder that fails never fails
a verb: it is counted and logged, and the next change, `drain` or `close` tries again.
"""

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, tzinfo
from typing import Any, cast

from glossator.context.prompt_files import PromptChoices, PromptRenderer
from glossator.errors import GlossatorError
from glossator.meters import Meters
from glossator.model import (
    Decided,
    Fact,
    ForgetReceipt,
    ForgetTarget,
    Move,
    PromptFile,
    PromptFiles,
    Refuse,
    Ruling,
    Scope,
)
from glossator.options import Options
from glossator.ports import Clock, Files, Store
from glossator.rules.instants import zone_named
from glossator.upkeep.prompt_files import Rebuilt, changes_noted, note_change, read_rows, rebuild

logger = logging.getLogger("glossator.prompt_files")

SPACING_S = 0.2
"""Changes that come within it are written together: a talk that is read in changes facts many times a second."""
CHANGED = "facts changed"


class PromptFolder:
    """Keeps the files of all owners up to date, where there is a folder for them; renders them in any case."""

    def __init__(self, store: Store, files: Files | None, *, clock: Clock, meters: Meters, options: Options) -> None:
        self._store = store
        self.files = files
        self._clock = clock
        self._meters = meters
        self._options = options
        self._zone: tzinfo = zone_named(options.zone)
        self._stale: set[Scope] = set()
        self._stale_lock = threading.Lock()
        self._writing, self._refreshing = threading.Lock(), threading.Lock()
        self._put_off_count = 0
        self._thread: threading.Thread | None = None
        self._awake, self._closed = threading.Event(), threading.Event()

    def watched(self, store: Store) -> Store:
        """The store as all verbs should have it: with it, no change of facts goes unseen."""
        return store if self.files is None else cast(Store, _WatchedStore(store, self))

    def rendered(self, scope: Scope, *, conversation: str | None = None) -> PromptFiles:
        """Both files from the rows as they are now, for a prompt in `conversation` (its key). Raises StoreError."""
        renderer = self._renderer(conversation)
        rows = read_rows(self._store, scope, renderer.stands)
        return self.tell(renderer.render(rows.facts, returned_at=rows.returned_at))

    def rebuilt(self, scope: Scope, *, trigger: str) -> Rebuilt:
        """Bring the files and their revisions to what the rows say. Raises StoreError."""
        renderer = self._renderer(None)
        with self._writing:
            done = rebuild(
                self._store, self.files, self._clock, scope.whole, trigger=trigger, stands=renderer.stands,
                render=lambda rows: renderer.render(rows.facts, returned_at=rows.returned_at),
            )  # fmt: skip
        self.tell(done.files)
        for kind in done.written:
            self._meters.counted("glossator_prompt_files_written_total", file=kind)
        for _ in done.revised:
            self._meters.counted("glossator_revisions_total", source="extraction_rebuild")
        return done

    def changed(self, scope: Scope, *, at_once: bool = False) -> None:
        """The owner's facts have changed. Without `at_once` the files follow behind the caller where they can."""
        if self.files is None or scope.job is not None:
            return
        with self._stale_lock:
            self._stale.add(scope.whole)
            put_off = self._put_off_count > 0
        if at_once or not (put_off or self._options.worker) or self._closed.is_set():
            self.refresh()
        elif not put_off:
            self._wake()

    def changing(self, scope: Scope) -> None:
        """Something of the owner's is about to be taken away: note it in the folder, so that no crash can leave it."""
        if self.files is not None and scope.job is None:
            try:
                note_change(self.files, scope)
            except (GlossatorError, OSError) as error:
                self.failed(error)

    def start(self) -> None:
        """Catch up on what a process that was killed had still to write."""
        if self.files is None:
            return
        try:
            scopes = changes_noted(self.files)
        except (GlossatorError, OSError) as error:
            self.failed(error)
            return
        for scope in scopes:
            self.changed(scope)

    def refresh(self) -> None:
        """Write what is stale; on return it is written, by whichever thread. A failure is counted, logged and tried
        again the next time.
        """
        with self._refreshing:
            with self._stale_lock:
                scopes, self._stale = self._stale, set()
            for scope in sorted(scopes, key=lambda each: (each.workspace, each.agent, each.owner)):
                try:
                    self.rebuilt(scope, trigger=CHANGED)
                except (GlossatorError, OSError) as error:
                    self.failed(error)
                    with self._stale_lock:
                        self._stale.add(scope)

    def failed(self, error: Exception) -> None:
        """Count and log that the folder, or the store behind it, did not do its part."""
        self._meters.counted("glossator_prompt_files_failure_total")
        logger.warning("prompt files are not up to date: %s", error)

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """Within it changes are only noted; at its end they are written."""
        with self._stale_lock:
            self._put_off_count += 1
        try:
            yield
        finally:
            with self._stale_lock:
                self._put_off_count -= 1
            self.refresh()

    def close(self) -> None:
        """Write what is still to be written, and end."""
        self._closed.set()
        self._awake.set()
        if self._thread is not None:
            self._thread.join()
        self.refresh()

    def _renderer(self, conversation: str | None) -> PromptRenderer:
        choices = PromptChoices(
            zone=self._zone,
            sensitivity_max=self._options.prompt_sensitivity_max,
            conversation_context=self._options.render_conversation_context,
            conversation=conversation,
        )
        return PromptRenderer(choices)

    def tell(self, files: PromptFiles) -> PromptFiles:
        """The same files; what they leave out is counted, and told where it is for want of room."""
        for file in (files.user, files.memory):
            self._count(file)
        return files

    def _count(self, file: PromptFile) -> None:
        for reason, count in file.left_out.items():
            self._meters.counted("glossator_prompt_rows_left_out_total", by=count, reason=reason)
        if file.left_out.get("budget"):
            logger.warning(
                "%s keeps %d of %d rows within %d tokens", file.name, len(file.fact_ids), file.total, file.tokens_max
            )

    def _wake(self) -> None:
        with self._stale_lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="glossator-prompt-files", daemon=True)
                self._thread.start()
        self._awake.set()

    def _run(self) -> None:
        while not self._closed.is_set():
            self._awake.wait()
            self._awake.clear()
            self.refresh()
            self._closed.wait(SPACING_S)


class _WatchedStore:
    """Hands every call on to the store, and tells the folder of those that change facts.

    Also of those that fail: what was lost may have been the answer alone.
    """

    def __init__(self, store: Store, folder: PromptFolder) -> None:
        self._store = store
        self._folder = folder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def commit(self, ruling: Ruling, *, now: datetime) -> tuple[Decided, ...]:
        try:
            return self._store.commit(ruling, now=now)
        finally:
            if any(not isinstance(each, Refuse) for each in ruling.decisions):
                self._folder.changed(ruling.turn.scope)

    def move_facts(self, scope: Scope, moves: Sequence[Move], *, now: datetime) -> tuple[Fact, ...]:
        self._folder.changing(scope)
        try:
            return self._store.move_facts(scope, moves, now=now)
        finally:
            self._folder.changed(scope, at_once=True)

    def erase(self, target: ForgetTarget, *, confirm: str, now: datetime) -> ForgetReceipt:
        self._folder.changing(target.scope)
        try:
            return self._store.erase(target, confirm=confirm, now=now)
        finally:
            self._folder.changed(target.scope, at_once=True)
