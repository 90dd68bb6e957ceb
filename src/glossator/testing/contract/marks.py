"""Does a scope's mark change with every change to what the scope holds, and with nothing else?"""

from pathlib import Path

from glossator.model import FactFilter, ForgetTarget, Scope, WindowChange
from glossator.ports import Store
from glossator.testing.contract.base import LATER, NOW, Contract, commit, record
from glossator.testing.contract.ledger import moved
from glossator.testing.drafts import CHAT, SCOPE, admitted, entry

NEIGHBOURS = (
    Scope(workspace=SCOPE.workspace, agent=SCOPE.agent, owner=f"{SCOPE.owner}_"),
    Scope(workspace=f"{SCOPE.workspace}%", agent=SCOPE.agent, owner=SCOPE.owner),
)


class MarksContract(Contract):
    """The port Marks."""

    def test_reading_changes_no_mark(self, store: Store) -> None:
        # proves: F4
        record(store, entry("m1", "I like tea."))
        before = store.scope_mark(SCOPE)
        store.messages(SCOPE)
        store.window(SCOPE, CHAT.key)
        store.facts(SCOPE, FactFilter())
        assert store.scope_mark(SCOPE) == before != ""

    def test_a_scope_in_which_nothing_was_kept_has_no_mark(self, store: Store) -> None:
        assert store.scope_mark(Scope(workspace="nobody")) == ""

    def test_every_change_to_what_was_said_gives_another_mark(self, store: Store) -> None:
        # proves: F3
        marks = [store.scope_mark(SCOPE)]
        record(store, entry("m1", "I like tea."))
        marks.append(store.scope_mark(SCOPE))
        record(store, entry("m2", "I like it green."))
        marks.append(store.scope_mark(SCOPE))
        seen = store.window(SCOPE, CHAT.key)
        change = WindowChange(
            conversation=CHAT.key, last_id=seen.last_id, cleared=(seen.messages[0].message_id,)
        )  # fmt: skip
        store.replace_window(SCOPE, change, now=LATER)
        marks.append(store.scope_mark(SCOPE))
        target = ForgetTarget(scope=SCOPE, message_ids=("m2",))
        store.erase(target, confirm=store.preview(target).token, now=NOW)
        marks.append(store.scope_mark(SCOPE))
        assert len(set(marks)) == len(marks)

    def test_every_change_to_a_fact_gives_another_mark(self, store: Store) -> None:
        # proves: F4
        marks = [store.scope_mark(SCOPE)]
        (decided,) = commit(store, admitted("I live in Paris."))
        marks.append(store.scope_mark(SCOPE))
        commit(store, admitted("I play chess."))
        marks.append(store.scope_mark(SCOPE))
        moved(store, decided.fact_id or 0, "archived")
        marks.append(store.scope_mark(SCOPE))
        assert len(set(marks)) == len(marks)

    def test_a_change_elsewhere_leaves_the_mark(self, store: Store) -> None:
        # proves: I4
        record(store, entry("m1", "I like tea."))
        before = store.scope_mark(SCOPE)
        for scope in NEIGHBOURS:
            record(store, entry("m1", "I like coffee."), scope=scope)
        assert store.scope_mark(SCOPE) == before

    def test_another_conversation_job_or_trust_has_the_owners_mark(self, store: Store) -> None:
        record(store, entry("m1", "I like tea."))
        narrowed = Scope(
            workspace=SCOPE.workspace, agent=SCOPE.agent, owner=SCOPE.owner, conversation=CHAT.key, trust="guest"
        )  # fmt: skip
        assert store.scope_mark(narrowed) == store.scope_mark(SCOPE)

    def test_the_mark_outlives_the_store(self, tmp_path: Path) -> None:
        if not self.durable:
            return
        first, second = self.open_store(tmp_path), self.open_store(tmp_path)
        record(first, entry("m1", "I like tea."))
        assert first.scope_mark(SCOPE) == second.scope_mark(SCOPE)
        record(first, entry("m2", "I like it green."))
        assert first.scope_mark(SCOPE) == second.scope_mark(SCOPE)
        first.close()
        second.close()
