"""Does each conversation have one window, and does a change of it leave the journal as it was?"""

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from glossator.errors import ConflictError
from glossator.model import (
    CompactionAttempt,
    CompactionOutcome,
    ForgetTarget,
    Measure,
    MessageDraft,
    Scope,
    Window,
    WindowChange,
    WindowRecord,
)
from glossator.ports import Store
from glossator.testing.contract.base import LATER, NASTY, NOW, Contract, found, record
from glossator.testing.contract.isolation import OUTSIDERS
from glossator.testing.drafts import CHAT, SCOPE, entry

KEY = CHAT.key
MEASURE = Measure(peak_tokens=850, window_tokens=1000, measured_at=NOW)


def checkpoint(external_id: str = "cp1", text: str = "They spoke of tea.") -> MessageDraft:
    """The draft of a summary."""
    draft = entry(external_id, text, role="system", session="checkpoints", metadata={"first_message_id": 1}).message
    return replace(draft, kind="checkpoint_summary", trust="unknown")


def attempt(
    *, outcome: CompactionOutcome = "compacted", minutes: int = 0, before: int = 90, after: int = 40, reason: str = ""
) -> CompactionAttempt:
    """An attempt, so many minutes after NOW."""
    at = NOW + timedelta(minutes=minutes)
    return CompactionAttempt(at=at, outcome=outcome, before_tokens=before, after_tokens=after, reason=reason)


def said(store: Store, count: int = 4) -> Window:
    """The window after so many messages m0, m1, ..."""
    record(store, *(entry(f"m{number}", f"word{number} tea") for number in range(count)))
    return store.window(SCOPE, KEY)


def compacted(store: Store, seen: Window, count: int, draft: MessageDraft | None = None) -> Window:
    """The window after its first so many messages, and its old checkpoint, have given way to a new checkpoint."""
    gone = [each.message_id for each in seen.messages[:count]]
    gone += [seen.checkpoint.message_id] if seen.checkpoint else []
    change = WindowChange(
        conversation=KEY, last_id=seen.last_id, compacted=tuple(gone), checkpoint=draft or checkpoint(),
        attempt=attempt(),
    )  # fmt: skip
    return store.replace_window(SCOPE, change, now=LATER)


def names(window: Window) -> list[str]:
    """The external ids in order."""
    return [each.external_id for each in window.messages]


class WindowsContract(Contract):
    """Windows."""

    def test_what_was_said_is_the_window_in_journal_order(self, store: Store) -> None:
        assert store.window(SCOPE, KEY) == Window(conversation=KEY)
        window = said(store)
        assert names(window) == ["m0", "m1", "m2", "m3"]
        assert (window.checkpoint, window.last_id) == (None, window.messages[-1].message_id)
        assert window.messages == store.messages(SCOPE)
        assert store.window(SCOPE, "telegram:99:root").messages == ()

    def test_a_checkpoint_takes_the_place_of_the_oldest_and_every_id_stays(self, store: Store) -> None:
        # proves: F38, D16, D16b, C-10
        before = said(store)
        window = compacted(store, before, 3)
        assert names(window) == ["m3"]
        assert window == store.window(SCOPE, KEY)
        assert window.checkpoint is not None
        assert (window.checkpoint.content, window.checkpoint.kind) == ("They spoke of tea.", "checkpoint_summary")
        assert window.last_id == window.checkpoint.message_id > before.last_id
        kept = store.messages(SCOPE)
        assert [each.message_id for each in kept[:4]] == [each.message_id for each in before.messages]
        assert [each.window_state for each in kept] == ["compacted"] * 3 + ["live", "live"]
        assert [replace(each, window_state="live") for each in kept[:4]] == list(before.messages)

    def test_the_words_of_what_was_compacted_are_found_and_the_summary_is_not(self, store: Store) -> None:
        # proves: C-10
        window = said(store)
        waiting = store.pending()
        compacted(store, window, 3, checkpoint(text="word0 tea unheardof"))
        assert found(store, "tea") == ["m0", "m1", "m2", "m3"]
        assert found(store, "unheardof") == []
        assert store.pending() == waiting

    def test_a_second_checkpoint_takes_the_place_of_the_first(self, store: Store) -> None:
        compacted(store, said(store), 2)
        record(store, entry("m4", "more tea"))
        window = compacted(store, store.window(SCOPE, KEY), 2, checkpoint("cp2", "Newer."))
        assert names(window) == ["m4"]
        assert window.checkpoint is not None
        assert window.checkpoint.external_id == "cp2"
        old = store.message(SCOPE, "cp1")
        assert old is not None
        assert old.window_state == "compacted"

    def test_a_window_that_something_was_added_to_is_stale(self, store: Store) -> None:
        seen = said(store)
        record(store, entry("m4", "more tea"))
        before = store.messages(SCOPE)
        with pytest.raises(ConflictError, match="stale"):
            compacted(store, seen, 2)
        assert store.messages(SCOPE) == before
        assert store.window_record(SCOPE, KEY) == WindowRecord()

    def test_a_window_that_something_has_left_is_stale_and_stays_whole(self, store: Store) -> None:
        seen = said(store)
        store.replace_window(SCOPE, WindowChange(conversation=KEY, last_id=seen.last_id, cleared=(1,)), now=NOW)
        before = store.messages(SCOPE)
        with pytest.raises(ConflictError, match="stale"):
            compacted(store, seen, 2)
        with pytest.raises(ConflictError, match="stale"):
            compacted(store, replace(store.window(SCOPE, KEY), messages=seen.messages), 4)
        assert store.messages(SCOPE) == before

    def test_what_was_erased_meanwhile_is_stale_and_never_summed_up(self, store: Store) -> None:
        seen = said(store)
        target = ForgetTarget(scope=SCOPE, message_ids=("m1",))
        store.erase(target, confirm=store.preview(target).token, now=NOW)
        assert names(store.window(SCOPE, KEY)) == ["m0", "m2", "m3"]
        assert store.window(SCOPE, KEY).last_id == seen.last_id
        with pytest.raises(ConflictError, match="stale"):
            compacted(store, seen, 2)
        assert store.window(SCOPE, KEY).checkpoint is None

    def test_a_cleared_window_is_empty_and_the_journal_is_not(self, store: Store) -> None:
        # proves: F47, D16
        window = compacted(store, said(store), 2)
        assert window.checkpoint is not None
        gone = (*(each.message_id for each in window.messages), window.checkpoint.message_id)
        mark = store.scope_mark(SCOPE)
        cleared = store.replace_window(
            SCOPE, WindowChange(conversation=KEY, last_id=window.last_id, cleared=gone), now=LATER
        )
        assert cleared == Window(conversation=KEY, last_id=window.last_id)
        assert store.scope_mark(SCOPE) != mark, "who keeps a window in memory reads it again"
        states = [each.window_state for each in store.messages(SCOPE)]
        assert states == ["compacted", "compacted", "cleared", "cleared", "cleared"]
        record(store, entry("m4", "a new beginning"))
        assert names(store.window(SCOPE, KEY)) == ["m4"]

    def test_the_last_measure_is_kept_and_its_peak_until_the_window_changes(self, store: Store) -> None:
        store.measure_window(SCOPE, KEY, replace(MEASURE, peak_tokens=1))
        store.measure_window(SCOPE, KEY, MEASURE)
        assert store.window_record(SCOPE, KEY) == WindowRecord(measure=MEASURE)
        compacted(store, said(store), 2)
        assert store.window_record(SCOPE, KEY).measure == replace(MEASURE, peak_tokens=0)

    def test_attempts_come_back_the_newest_first(self, store: Store) -> None:
        said(store)
        attempts = [attempt(outcome="failed", minutes=minutes, reason="empty") for minutes in range(3)]
        for each in attempts:
            store.log_compaction(SCOPE, KEY, each)
        compacted(store, store.window(SCOPE, KEY), 2)
        newest = (attempt(), *attempts[::-1])
        assert store.window_record(SCOPE, KEY).attempts == newest
        assert store.window_record(SCOPE, KEY, limit=2).attempts == newest[:2]
        assert store.window_record(SCOPE, KEY, limit=0).attempts == ()

    @pytest.mark.parametrize("scope", OUTSIDERS, ids=str)
    def test_nobody_else_sees_or_changes_a_window(self, store: Store, scope: Scope) -> None:
        # proves: K22, I4
        before = said(store)
        store.measure_window(SCOPE, KEY, MEASURE)
        assert store.window(scope, KEY) == Window(conversation=KEY)
        assert store.window_record(scope, KEY) == WindowRecord()
        store.measure_window(scope, KEY, replace(MEASURE, peak_tokens=7))
        store.log_compaction(scope, KEY, attempt(outcome="failed"))
        change = WindowChange(conversation=KEY, last_id=before.last_id, cleared=(before.last_id,))
        with pytest.raises(ConflictError):
            store.replace_window(scope, change, now=NOW)
        assert store.window(SCOPE, KEY) == before
        assert store.window_record(SCOPE, KEY) == WindowRecord(measure=MEASURE)

    def test_a_job_has_no_window(self, store: Store) -> None:
        # proves: F50
        job = replace(SCOPE, job="nightly")
        before = said(store)
        store.measure_window(job, KEY, MEASURE)
        store.log_compaction(job, KEY, attempt(outcome="failed"))
        assert (store.window(job, KEY), store.window_record(job, KEY)) == (Window(conversation=KEY), WindowRecord())
        change = WindowChange(conversation=KEY, last_id=before.last_id, cleared=(before.last_id,))
        with pytest.raises(ConflictError):
            store.replace_window(job, change, now=NOW)
        assert store.window_record(SCOPE, KEY) == WindowRecord()

    def test_a_window_outlives_the_process(self, store: Store, tmp_path: Path) -> None:
        window = compacted(store, said(store), 2)
        store.measure_window(SCOPE, KEY, MEASURE)
        if not self.durable:
            return
        store.close()
        again = self.open_store(tmp_path)
        assert again.window(SCOPE, KEY) == window
        assert again.window_record(SCOPE, KEY) == WindowRecord(measure=MEASURE, attempts=(attempt(),))
        again.close()

    @pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
    def test_a_summary_comes_back_as_it_was(self, store: Store, text: str) -> None:
        window = compacted(store, said(store), 2, checkpoint(text=text))
        assert window.checkpoint is not None
        assert window.checkpoint.content == text

    @pytest.mark.parametrize("seed", range(8))
    def test_random_changes_leave_the_same_window_as_in_the_reference(self, store: Store, seed: int) -> None:
        reference = self.open_reference()
        _changes(store, random.Random(seed), reference)  # noqa: S311 - no secret hangs on it
        assert store.window(SCOPE, KEY) == reference.window(SCOPE, KEY)
        assert store.window_record(SCOPE, KEY) == reference.window_record(SCOPE, KEY)
        assert [(each.message_id, each.window_state) for each in store.messages(SCOPE)] == [
            (each.message_id, each.window_state) for each in reference.messages(SCOPE)
        ]
        reference.close()


def _changes(store: Store, draw: random.Random, reference: Store) -> None:
    """Thirty random changes, made to both; a conflict of one is a conflict of the other."""
    for number in range(30):
        change = _change(draw, number, reference.window(SCOPE, KEY))
        assert _end(change, store) == _end(change, reference)


def _change(draw: random.Random, number: int, seen: Window) -> Callable[[Store], object]:
    """One change of the window that was seen."""
    count = draw.randint(0, len(seen.messages))
    gone = tuple(each.message_id for each in seen.messages[:count])
    match draw.choice(("say", "say", "compact", "clear", "measure", "erase", "stale")):
        case "say":
            return lambda store: record(store, entry(f"x{number}", f"tea {number}"))
        case "compact":
            return lambda store: compacted(store, seen, count, checkpoint(f"cp{number}"))
        case "clear":
            change = WindowChange(conversation=KEY, last_id=seen.last_id, cleared=gone)
            return lambda store: store.replace_window(SCOPE, change, now=NOW)
        case "measure":
            return lambda store: store.measure_window(SCOPE, KEY, MEASURE)
        case "erase" if seen.messages:
            target = ForgetTarget(scope=SCOPE, message_ids=(draw.choice(seen.messages).external_id,))
            return lambda store: store.erase(target, confirm=store.preview(target).token, now=NOW)
        case _:
            return lambda store: compacted(store, replace(seen, last_id=0), 0)


def _end(change: Callable[[Store], object], store: Store) -> str:
    try:
        change(store)
    except ConflictError:
        return "conflict"
    return "done"
