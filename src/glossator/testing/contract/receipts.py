"""Is each forgetting proved, and does it reach what other rooms keep of the words?"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from glossator.errors import ConflictError
from glossator.model import Backup, FactState, ForgetTarget, Merge, Move, RevisionDraft, WindowChange
from glossator.ports import Store
from glossator.testing.contract.base import LATER, NASTY, NOW, Contract, commit, fact, record, texts
from glossator.testing.contract.ledger import moved
from glossator.testing.contract.upkeep import forget
from glossator.testing.drafts import CHAT, SCOPE, admitted, draft, entry, passage, ruling, turn
from glossator.upkeep.receipts import DISK_COPIES, UNCLEANED

WORDS = "I like secret tea"


def put_away(store: Store, fact_id: int, to_state: FactState, *, hints: tuple[str, ...] = ()) -> None:
    """Move a fact as an owner would."""
    version = fact(store, fact_id).version
    move = Move(fact_id=fact_id, version=version, to_state=to_state, by="owner", reason="told so", hints=hints)
    store.move_facts(SCOPE, [move], now=LATER)


class ReceiptsContract(Contract):
    """Receipts, and what other rooms keep of the words."""

    def test_each_forgetting_leaves_a_receipt_without_words(self, store: Store) -> None:
        # proves: K20
        (one,) = record(store, entry("m1", WORDS))
        commit(store, admitted(WORDS, recorded=one), admitted("I like milk"))
        put_away(store, 2, "invalidated")
        receipt = forget(store, ForgetTarget(scope=replace(SCOPE, conversation=CHAT.key), message_ids=("m1",)))
        first, second = store.receipts(SCOPE)
        assert (first.receipt_id, second.receipt_id, receipt.receipt_id) == ("r1", "r2", "r2")
        assert (first.at, second.at, first.signed) == (LATER, LATER, "")
        told = json.loads(second.body)
        assert (told["kind"], told["state"], told["by"]) == ("messages", "erased", "owner")
        assert (told["message_ids"], told["fact_ids"]) == (["m1"], ["f1"])
        assert (told["counts"]["messages"], told["counts"]["facts"], told["counts"]["remaining"]) == (1, 1, 0)
        assert told["not_covered"][0] == DISK_COPIES
        assert json.loads(first.body)["fact_ids"] == ["f2"]
        assert not any(word in first.body + second.body for word in ("secret", "tea", "milk", "like"))
        # with a conversation, those that name it
        inside = store.receipts(replace(SCOPE, conversation=CHAT.key))
        assert [each.receipt_id for each in inside] == ["r2"]

    def test_a_move_that_fails_leaves_no_receipt(self, store: Store) -> None:
        commit(store, admitted("tea"), admitted("milk"))
        moves = [
            Move(fact_id=1, version=fact(store, 1).version, to_state="erased", by="owner", reason="x"),
            Move(fact_id=2, version=99, to_state="erased", by="owner", reason="x"),
        ]
        with pytest.raises(ConflictError):
            store.move_facts(SCOPE, moves, now=NOW)
        assert (store.receipts(SCOPE), sorted(texts(store))) == ((), ["milk", "tea"])

    def test_a_receipt_is_sealed_once(self, store: Store) -> None:
        commit(store, admitted("tea"))
        put_away(store, 1, "erased")
        for text in ("signed", "signed by another"):
            store.seal_receipt(SCOPE, 1, text)
        store.seal_receipt(replace(SCOPE, owner="u2"), 1, "forged")
        assert store.receipts(SCOPE)[0].signed == "signed"
        assert UNCLEANED not in store.receipts(SCOPE)[0].body or not self.durable

    def test_the_key_is_made_once(self, store: Store) -> None:
        assert [store.signing_key(made, now=NOW) for made in (b"a" * 32, b"b" * 32)] == [b"a" * 32] * 2

    def test_receipts_name_the_copies_that_were_made_before(self, store: Store) -> None:
        # proves: K20
        commit(store, admitted("tea"))
        store.keep_backup(Path("/copies/one.db"), now=NOW)
        put_away(store, 1, "erased")
        record(store, entry("m1", "milk"))
        receipt = forget(store, ForgetTarget(scope=SCOPE, message_ids=("m1",)))
        assert receipt.backups == (Backup(path="/copies/one.db", at=NOW),)
        copies = [[each["path"] for each in json.loads(row.body)["backups"]] for row in store.receipts(SCOPE)]
        assert copies == [["/copies/one.db"]] * 2

    def test_the_newest_receipts_can_be_asked_for_and_whoever_is_not_trusted_is_given_none(self, store: Store) -> None:
        # proves: K20, I4
        commit(store, *(admitted(f"word {number}") for number in range(4)))
        for fact_id in range(1, 5):
            put_away(store, fact_id, "erased")
        assert [each.receipt_id for each in store.receipts(SCOPE, newest=2)] == ["r3", "r4"]
        assert [len(store.receipts(SCOPE, newest=count)) for count in (0, 4, 9)] == [0, 4, 4]
        for less in (replace(SCOPE, trust="guest"), replace(SCOPE, trust=None), replace(SCOPE, job="nightly")):
            assert store.receipts(less) == ()

    def test_what_only_a_guest_still_says_is_believed_as_a_guests(self, store: Store) -> None:
        # proves: I5
        theirs = entry("m2", WORDS)
        theirs = replace(theirs, message=replace(theirs.message, trust="guest"))
        one, two = record(store, entry("m1", WORDS), theirs)
        commit(store, admitted(WORDS, recorded=one), admitted("I like milk", recorded=one))
        for fact_id, text in ((1, WORDS), (2, "I like milk")):
            again = Merge(draft=draft(text), fact=fact(store, fact_id), confidence=0.8, reason="said again")
            commit(store, ruling(turn(passage(text, recorded=two)), again))
        forget(store, ForgetTarget(scope=SCOPE, message_ids=("m2",)))
        assert fact(store, 2).source_trust == "owner"
        commit(store, ruling(turn(passage(WORDS, recorded=record(store, replace(theirs, message=replace(
            theirs.message, external_id="m3"
        )))[0])), Merge(draft=draft(WORDS), fact=fact(store, 1), confidence=0.8, reason="said again")))  # fmt: skip
        forget(store, ForgetTarget(scope=SCOPE, message_ids=("m1",)))
        assert (fact(store, 1).state, fact(store, 1).source_trust) == ("active", "guest")

    # What other rooms keep

    @pytest.mark.parametrize("text", [WORDS, *NASTY[:4]])
    def test_revisions_that_rest_on_what_went_lose_their_words(self, store: Store, text: str) -> None:
        # proves: K20
        one, two = record(store, entry("m1", text), entry("m2", "I like milk"))
        commit(store, admitted(text, recorded=one), admitted("I like milk", recorded=two))
        for fact_ids in ((1, 2), (2,)):
            rendered = RevisionDraft(
                kind="user_md", content=f"{text} {fact_ids}", source="extraction_rebuild", trigger="x",
                memory_ids=fact_ids,
            )  # fmt: skip
            store.commit_revision(SCOPE, rendered, now=NOW)
        receipt = forget(store, ForgetTarget(scope=SCOPE, message_ids=("m1",)))
        assert receipt.revision_count == 1
        newest, oldest = store.revisions(SCOPE, "user_md")
        assert (oldest.content, oldest.erased_at, newest.erased_at) == ("", LATER, None)
        moved(store, 2, "erased")
        assert [each.content for each in store.revisions(SCOPE, "user_md")] == ["", ""]

    def test_a_checkpoint_goes_with_a_message_that_it_sums_up(self, store: Store) -> None:
        # proves: K20
        record(store, entry("m1", WORDS), entry("m2", "milk"), entry("m3", "bread"))
        summary = replace(entry("c1", f"They said {WORDS}").message, kind="checkpoint_summary", role="system")
        window = store.window(SCOPE, CHAT.key)
        store.replace_window(
            SCOPE, WindowChange(conversation=CHAT.key, last_id=window.last_id, compacted=(1, 2), checkpoint=summary),
            now=NOW,
        )  # fmt: skip
        # a message that is still in the window is in no summary
        assert forget(store, ForgetTarget(scope=SCOPE, message_ids=("m3",))).message_ids == ("m3",)
        preview = store.preview(ForgetTarget(scope=SCOPE, message_ids=("m1",)))
        assert preview.message_count == 2
        receipt = forget(store, ForgetTarget(scope=SCOPE, message_ids=("m1",)))
        assert receipt.message_ids == ("m1", "c1")
        assert store.window(SCOPE, CHAT.key).checkpoint is None
        assert [message.content for message in store.messages(SCOPE)] == ["milk"]
