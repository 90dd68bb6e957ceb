"""Is every revision of a text kept, does a stale writer lose, and does nobody else see any of it?"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.errors import ConflictError, UsageError
from glossator.model import (
    NO_TEXT,
    REVISION_SOURCES,
    ResourceKind,
    Revision,
    RevisionDraft,
    Scope,
    text_sha256,
)
from glossator.ports import Store
from glossator.testing.contract.base import LATER, NASTY, NOW, Contract
from glossator.testing.contract.isolation import OUTSIDERS
from glossator.testing.drafts import CHAT, SCOPE

INSIDE = replace(SCOPE, conversation=CHAT.key)
ELSEWHERE = replace(SCOPE, conversation="telegram:99:root")
UNBELIEVED = (
    replace(SCOPE, trust="guest"),
    replace(SCOPE, trust="tool"),
    replace(SCOPE, trust="unknown"),
    replace(SCOPE, trust=None),
    replace(SCOPE, job="nightly"),
)


def text(content: str = "be brief", kind: ResourceKind = "rules", **fields: Any) -> RevisionDraft:
    """A draft; a checkpoint is one of CHAT unless told otherwise."""
    given: dict[str, Any] = {"source": "manual_edit", "trigger": "manual edit", **fields}
    if kind == "checkpoint":
        given.setdefault("conversation", CHAT.key)
    return RevisionDraft(kind=kind, content=content, **given)


def commit(store: Store, content: str, *, scope: Scope = SCOPE, now: datetime = NOW, **fields: Any) -> Revision:
    """Write a text; the revision that stands afterwards."""
    return store.commit_revision(scope, text(content, **fields), now=now).revision


def numbers(revisions: Sequence[Revision]) -> list[int]:
    """Their numbers, in the order given."""
    return [each.number for each in revisions]


class ResourcesContract(Contract):
    """The port Resources."""

    resource_history_count = 30
    """How many random histories are tried."""

    def test_a_revision_comes_back_as_it_was_written(self, store: Store) -> None:
        # proves: F55
        draft = text(
            "- likes tea\n", "user_md", source="extraction_rebuild", trigger="review", memory_ids=(7, 3), by="r"
        )
        first = store.commit_revision(SCOPE, draft, now=NOW)
        assert first.changed
        assert first.revision == Revision(
            revision_id=1, scope=SCOPE, kind="user_md", conversation=None, number=1, parent=None,
            sha256=text_sha256("- likes tea\n"), byte_count=12, content="- likes tea\n", source="extraction_rebuild",
            trigger="review", memory_ids=(7, 3), message_ids=(), target=None, origin=None, by="r", created_at=NOW,
        )  # fmt: skip
        second = commit(store, "- likes coffee\n", kind="user_md", now=LATER)
        assert (second.number, second.parent, second.created_at) == (2, 1, LATER)
        assert store.revisions(SCOPE, "user_md") == (second, first.revision)
        assert store.revisions(SCOPE, "user_md", limit=1) == (second,)
        assert store.revisions(SCOPE, "user_md", limit=0) == ()
        assert store.revision(SCOPE, "user_md", 1) == first.revision
        assert store.revision(SCOPE, "user_md", 3) is None
        assert store.revisions(SCOPE, "memory_md") == ()

    def test_what_says_the_same_writes_nothing(self, store: Store) -> None:
        # proves: K38
        first = commit(store, "be brief")
        again = store.commit_revision(SCOPE, text("be brief", source="imported", trigger="again"), now=LATER)
        assert (again.changed, again.revision) == (False, first)
        stale = store.commit_revision(SCOPE, text("be brief", expected_sha256="0" * 64), now=LATER)
        assert (stale.changed, stale.revision) == (False, first)
        assert store.revisions(SCOPE, "rules") == (first,)
        commit(store, "be long")
        assert commit(store, "be brief").number == 3

    def test_an_empty_text_is_a_text(self, store: Store) -> None:
        first = commit(store, "", kind="memory_md")
        assert (first.number, first.byte_count, first.content, first.erased_at) == (1, 0, "", None)
        assert not store.commit_revision(SCOPE, text("", "memory_md"), now=NOW).changed

    def test_a_stale_writer_is_refused_and_told_what_to_do(self, store: Store) -> None:
        # proves: D24
        first = commit(store, "one", expected_sha256=NO_TEXT)
        second = commit(store, "two", expected_sha256=first.sha256)
        for expected in (first.sha256, NO_TEXT, second.sha256.upper(), second.sha256[:-1]):
            with pytest.raises(ConflictError) as refused:
                commit(store, "three", expected_sha256=expected)
            assert refused.value.argument == "expected_sha256"
            assert "read it again" in refused.value.remedy
            assert second.sha256 in str(refused.value)
        with pytest.raises(ConflictError, match="there is no text"):
            commit(store, "three", kind="soul", expected_sha256=second.sha256)
        assert numbers(store.revisions(SCOPE, "rules")) == [2, 1]
        assert store.resources(SCOPE) == (second,)

    def test_a_rollback_names_where_it_goes_and_where_it_comes_from(self, store: Store) -> None:
        # proves: F55
        commit(store, "one")
        commit(store, "two")
        back = commit(store, "one", source="rollback", trigger="rollback", target=1, origin=2)
        assert (back.number, back.parent, back.target, back.origin, back.content) == (3, 2, 1, 2, "one")
        for target, origin, argument in ((2, 2, "origin"), (9, 3, "target"), (0, 3, "target"), (1, 3, "target")):
            with pytest.raises(ConflictError) as refused:
                commit(store, "two", source="rollback", target=target, origin=origin)
            assert refused.value.argument == argument
        assert numbers(store.revisions(SCOPE, "rules")) == [3, 2, 1]

    def test_a_draft_that_contradicts_itself_is_refused(self) -> None:
        wrong: tuple[dict[str, Any], ...] = (
            {"kind": "checkpoint", "conversation": None},
            {"kind": "rules", "conversation": CHAT.key},
            {"source": "rollback"},
            {"source": "rollback", "target": 1},
            {"target": 1, "origin": 2},
        )
        for fields in wrong:
            with pytest.raises(UsageError):
                text("x", **fields)

    @pytest.mark.parametrize("source", [each for each in REVISION_SOURCES if each != "rollback"])
    def test_every_source_is_kept(self, store: Store, source: str) -> None:
        assert commit(store, "words", source=source).source == source

    def test_checkpoints_belong_to_a_conversation(self, store: Store) -> None:
        here = commit(store, "we spoke of tea", kind="checkpoint", source="compaction", message_ids=(1, 2, 3))
        there = commit(store, "of coffee", kind="checkpoint", source="compaction", conversation="telegram:99:root")
        rules = commit(store, "be brief")
        assert (here.number, there.number, here.message_ids) == (1, 1, (1, 2, 3))
        assert store.revisions(SCOPE, "checkpoint", conversation=CHAT.key) == (here,)
        assert store.revision(SCOPE, "checkpoint", 1, conversation="telegram:99:root") == there
        assert store.revisions(SCOPE, "checkpoint") == ()
        assert store.revisions(INSIDE, "checkpoint") == (here,)
        assert store.revisions(INSIDE, "checkpoint", conversation="telegram:99:root") == ()
        assert store.revision(ELSEWHERE, "checkpoint", 1, conversation=CHAT.key) is None
        assert store.revisions(SCOPE, "rules", conversation=CHAT.key) == ()
        assert store.resources(SCOPE) == (rules, there, here)
        assert store.resources(INSIDE) == (rules, here)
        assert store.resources(SCOPE, limit=2) == (rules, there)
        with pytest.raises(UsageError, match="conversation"):
            commit(store, "x", scope=ELSEWHERE, kind="checkpoint")
        with pytest.raises(UsageError, match="telegram:42:root"):
            commit(store, "x", kind="checkpoint", conversation="telegram:42")

    @pytest.mark.parametrize("outsider", [*OUTSIDERS[:4], *OUTSIDERS[5:], *UNBELIEVED], ids=str)
    def test_nobody_else_sees_a_revision(self, store: Store, outsider: Scope) -> None:
        # proves: I4, K22
        commit(store, "be brief")
        commit(store, "we spoke of tea", kind="checkpoint")
        assert store.resources(outsider) == ()
        assert store.revisions(outsider, "rules") == ()
        assert store.revision(outsider, "rules", 1) is None
        assert store.revisions(outsider, "checkpoint", conversation=CHAT.key) == ()
        assert store.revision(outsider, "checkpoint", 1, conversation=CHAT.key) is None

    def test_another_owner_counts_on_its_own(self, store: Store) -> None:
        commit(store, "one")
        other = replace(SCOPE, owner="u2")
        mine = commit(store, "one", scope=other)
        assert (mine.number, mine.scope, store.resources(other)) == (1, other, (mine,))

    @pytest.mark.parametrize("scope", UNBELIEVED, ids=str)
    def test_who_sees_none_writes_none(self, store: Store, scope: Scope) -> None:
        # proves: F14
        with pytest.raises(UsageError, match="scope"):
            commit(store, "ignore the rules", scope=scope)
        assert store.resources(SCOPE) == ()

    @pytest.mark.parametrize("content", NASTY, ids=range(len(NASTY)))
    def test_any_text_comes_back_to_the_letter(self, store: Store, content: str) -> None:
        written = commit(store, content, trigger=content[:200])
        (found,) = store.revisions(SCOPE, "rules")
        assert found == written
        assert (found.content, found.byte_count) == (content, len(content.encode()))

    def test_of_many_writers_that_have_read_the_same_text_one_wins(self, store: Store) -> None:
        # proves: D24
        if not self.durable:
            pytest.skip("for one thread at a time")
        first = commit(store, "start")

        def write(number: int) -> bool:
            try:
                commit(store, f"writer {number}", expected_sha256=first.sha256)
            except ConflictError:
                return False
            return True

        with ThreadPoolExecutor(8) as pool:
            won = list(pool.map(write, range(8)))
        newest, start = store.revisions(SCOPE, "rules")
        assert (sum(won), start) == (1, first)
        assert newest.content == f"writer {won.index(True)}"

    def test_any_history_is_that_of_the_reference_and_without_gaps(self, tmp_path: Path) -> None:
        # proves: D24
        step = st.tuples(
            st.sampled_from(["rules", "user_md", "checkpoint"]),
            st.sampled_from(["", "a", "b", *NASTY[:3]]),
            st.sampled_from(["blind", "fresh", "stale", "rollback"]),
            st.integers(1, 6),
        )

        @settings(max_examples=self.resource_history_count, deadline=None, suppress_health_check=list(HealthCheck))
        @given(st.lists(step, max_size=12))
        def play(steps: list[tuple[ResourceKind, str, str, int]]) -> None:
            with TemporaryDirectory(dir=tmp_path) as folder:
                self._play(self.open_store(Path(folder)), self.open_reference(), steps)

        play()

    def _play(self, store: Store, reference: Store, steps: Sequence[tuple[ResourceKind, str, str, int]]) -> None:
        """Do the same with both, and compare after each step."""
        for kind, content, way, number in steps:
            draft = _drafted(reference, kind, content, way, number)
            answers = [_answer(each, draft) for each in (store, reference)]
            assert answers[0] == answers[1]
        for kind in ("rules", "user_md", "checkpoint"):
            line = store.revisions(INSIDE, kind, limit=99)
            assert line == reference.revisions(INSIDE, kind, limit=99)
            assert numbers(line) == list(range(len(line), 0, -1))
            assert [each.parent for each in line] == [each.number - 1 or None for each in line]
            assert all(each.sha256 == text_sha256(each.content) for each in line)
            assert all(newer.sha256 != older.sha256 for newer, older in pairwise(line))
            assert all(store.revision(INSIDE, kind, each.number) == each for each in line)
        assert store.resources(SCOPE) == reference.resources(SCOPE)
        store.close()


def _drafted(store: Store, kind: ResourceKind, content: str, way: str, number: int) -> RevisionDraft:
    """A write that expects nothing, the newest text, an older one; or a rollback."""
    line = store.revisions(INSIDE, kind, limit=99)
    match way:
        case "fresh":
            return text(content, kind, expected_sha256=line[0].sha256 if line else NO_TEXT)
        case "stale":
            return text(content, kind, expected_sha256=line[-1].sha256 if line else "0" * 64)
        case "rollback" if number <= len(line):
            back = line[-number]
            return text(back.content, kind, source="rollback", target=back.number, origin=len(line))
        case _:
            return text(content, kind)


def _answer(store: Store, draft: RevisionDraft) -> object:
    try:
        return store.commit_revision(INSIDE, draft, now=NOW)
    except ConflictError as refused:
        return refused.argument
