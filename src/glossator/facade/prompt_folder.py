"""When are prompt files written? Behind every change of facts: at once where something was taken away or brought back.

Whoever commits facts through the store that this gives out need not think of the files. A folder that fails never fails
a verb: it is counted and logged, and the next change, `drain` or `close` tries again.
"""

import logging
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, tzinfo
from functools import cached_property
from hashlib import sha256
from typing import Any, cast

from glossator.context.prompt_files import PromptChoices, PromptRenderer
from glossator.errors import GlossatorError, StoreFullError
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
from glossator.ports import Clock, Files, Ids, Store
from glossator.rules.instants import zone_named
from glossator.rules.log_words import content_of, kind_of
from glossator.upkeep.prompt_files import Rebuilt, changes_noted, clear, note_change, note_name, read_rows, rebuild
from glossator.upkeep.prompt_paths import prompt_folder

logger = logging.getLogger("glossator.prompt_files")

SPACING_S = 0.2
"""Changes that come within it are written together: a talk that is read in changes facts many times a second."""
CHANGED = "facts changed"


class PromptFolder:
    """Keeps the files of all owners up to date, where there is a folder for them; renders them in any case."""

    def __init__(
        self, store: Store, files: Files | None, *, clock: Clock, ids: Ids, meters: Meters, options: Options
    ) -> None:
        self._store = store
        self.files = files
        self._ids = ids
        self._clock = clock
        self._meters = meters
        self._options = options
        self._zone: tzinfo = zone_named(options.zone)
        self._stale: set[Scope] = set()
        self._taken: set[Scope] = set()
        self._stale_lock = threading.Lock()
        self._writing, self._refreshing = threading.Lock(), threading.Lock()
        self._put_off_count = 0
        self._begun: Counter[Scope] = Counter()
        self._under_way: Counter[Scope] = Counter()
        self._noted: set[Scope] = set()
        self._found: dict[str, Scope] = {}
        self._noting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._awake, self._closed = threading.Event(), threading.Event()

    def watched(self, store: Store) -> Store:
        """The store as all verbs should have it: with it, no change of facts goes unseen."""
        return store if self.files is None else cast(Store, _WatchedStore(store, self))

    def rendered(self, scope: Scope, *, conversation: str | None = None) -> PromptFiles:
        """Both files from the rows as they are now, for a prompt in `conversation` (its key). Raises StoreError."""
        renderer = self._renderer(conversation)
        return self.tell(renderer.render(self._rows(scope, renderer)))

    def rebuilt(self, scope: Scope, *, trigger: str) -> Rebuilt:
        """Bring the files and their revisions to what the rows say. Raises StoreError."""
        renderer = self._renderer(None)
        with self._writing:
            settled = self._settled(scope.whole)
            done = rebuild(
                self._store, self.files, self._clock, scope.whole, trigger=trigger, render=renderer.render,
                rows=lambda: self._rows(scope.whole, renderer),
            )  # fmt: skip
            self._take_notes_away(scope.whole, settled)
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
            if at_once:
                self._taken.add(scope.whole)
            put_off = self._put_off_count > 0
        if at_once or not (put_off or self._options.worker) or self._closed.is_set():
            self.refresh()
        elif not put_off:
            self._wake()

    @contextmanager
    def change(self, scope: Scope, *, at_once: bool) -> Iterator[None]:
        """Within it the owner's facts change. A note in the folder says so until the files have followed.

        So no crash leaves them behind: whoever opens the memory next finds the note.
        """
        owner = scope.whole
        kept = self.files is not None and scope.job is None
        if kept:
            with self._noting:
                self._begun[owner] += 1
                self._under_way[owner] += 1
                self._note(owner, needed=not at_once)
        try:
            yield
        finally:
            if kept:
                with self._noting:
                    self._under_way[owner] -= 1
            self.changed(scope, at_once=at_once)

    def start(self) -> None:
        """Catch up on what a process that was killed had still to write."""
        if self.files is None:
            return
        try:
            self._found = dict(changes_noted(self.files))
        except (GlossatorError, OSError) as error:
            self.failed(error)
            return
        for scope in dict.fromkeys(self._found.values()):
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
                    self._make_room(scope, error)
                    with self._stale_lock:
                        self._stale.add(scope)
                else:
                    self._taken.discard(scope)

    def _make_room(self, scope: Scope, error: Exception) -> None:
        """On a full disk no text is better than one with words that were taken away. It comes back with room for it."""
        if isinstance(error, StoreFullError) and scope in self._taken and self.files is not None:
            try:
                clear(self.files, scope)
            except (GlossatorError, OSError) as again:
                self.failed(again)

    def failed(self, error: Exception) -> None:
        """Count and log that the folder, or the store behind it, did not do its part."""
        self._meters.counted("glossator_prompt_files_failure_total")
        logger.warning("prompt files are not up to date: %s", kind_of(error), extra=content_of(error))

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

    def _rows(self, scope: Scope, renderer: PromptRenderer) -> tuple[Fact, ...]:
        allowed = self._options.prompt_sensitivities
        return read_rows(self._store, scope, stands=renderer.stands, sensitivities=allowed)

    @cached_property
    def _token(self) -> str:
        return sha256(self._ids.new().encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def _note(self, owner: Scope, *, needed: bool) -> None:
        """One note for all changes until the files follow; where there is no file, nothing can be taken out of one."""
        assert self.files is not None
        if owner in self._noted:
            return
        try:
            if needed or self.files.names(prompt_folder(owner)):
                note_change(self.files, owner, note_name(owner, self._token))
                self._noted.add(owner)
        except (GlossatorError, OSError) as error:
            self.failed(error)

    def _settled(self, owner: Scope) -> int | None:
        """How many changes have begun, if all of them have ended: what is read now has them."""
        with self._noting:
            return None if self._under_way[owner] else self._begun[owner]

    def _take_notes_away(self, owner: Scope, settled: int | None) -> None:
        """This process's note, unless another change has begun since; and those that were found at the start."""
        if self.files is None:
            return
        with self._noting:
            names = [name for name, whose in self._found.items() if whose == owner]
            if owner in self._noted and settled == self._begun[owner]:
                names.append(note_name(owner, self._token))
            for name in names:
                self.files.remove(name)
                self._found.pop(name, None)
            if settled == self._begun[owner]:
                self._noted.discard(owner)

    def _renderer(self, conversation: str | None) -> PromptRenderer:
        choices = PromptChoices(
            zone=self._zone,
            sensitivities=self._options.prompt_sensitivities,
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
        if all(isinstance(each, Refuse) for each in ruling.decisions):
            return self._store.commit(ruling, now=now)
        with self._folder.change(ruling.turn.scope, at_once=False):
            return self._store.commit(ruling, now=now)

    def move_facts(self, scope: Scope, moves: Sequence[Move], *, now: datetime) -> tuple[Fact, ...]:
        with self._folder.change(scope, at_once=True):
            return self._store.move_facts(scope, moves, now=now)

    def erase(self, target: ForgetTarget, *, confirm: str, now: datetime) -> ForgetReceipt:
        with self._folder.change(target.scope, at_once=True):
            return self._store.erase(target, confirm=confirm, now=now)
