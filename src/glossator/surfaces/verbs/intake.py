"""What became of everything that was read from files?"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, assert_never

from glossator.errors import UsageError
from glossator.surfaces.importers import ImportedMessage, LeftOut, Note, Page, Piece, Rejected, Transcript
from glossator.surfaces.importers.pieces import excerpt
from glossator.surfaces.show.wording import one_line

if TYPE_CHECKING:
    from glossator import Memory, Receipt, Scope

BATCH_MESSAGES_MAX = 200
"""Messages in one transaction: few enough that Ctrl-C loses nothing worth speaking of, many enough to be fast."""
LISTED_MAX = 1000
"""Rejected items that are listed one by one; the rest is counted."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of one ingest, growing."""

    outcomes: Counter[str] = field(default_factory=Counter)
    conversations: set[str] = field(default_factory=set)
    document_count: int = 0
    rejected_count: int = 0
    rejected: list[Mapping[str, str]] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    @property
    def accepted_count(self) -> int:
        """Messages that are in the memory now, whether this ingest brought them or an earlier one."""
        return self.outcomes["stored"] + self.outcomes["duplicate"]

    def reject(self, file: str, each: Rejected) -> None:
        """Count and list something that could not be read."""
        self.rejected_count += 1
        if len(self.rejected) < LISTED_MAX:
            item = {"file": file, "where": each.where, "reason": each.reason, "excerpt": each.excerpt}
            self.rejected.append(item)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Records pieces, and tallies what became of each."""

    memory: "Memory"
    scope: "Scope"
    project: str | None
    tags: tuple[str, ...]
    tally: Tally = field(default_factory=Tally)

    def take(self, file: str, piece: Piece) -> None:
        """Record or count one piece of a file."""
        match piece:
            case Transcript():
                self.tally.conversations.add(piece.conversation)
                for start in range(0, len(piece.messages), BATCH_MESSAGES_MAX):
                    self._record(file, piece, piece.messages[start : start + BATCH_MESSAGES_MAX])
            case Page():
                self._remember(file, piece)
            case Rejected():
                self.tally.reject(file, piece)
            case LeftOut():
                self.tally.left_out[piece.reason] += piece.count
            case Note():
                self.tally.notes[f"{file}: {piece.text}"] += 1
            case _:
                assert_never(piece)

    def _record(self, file: str, piece: Transcript, messages: Sequence[ImportedMessage]) -> None:
        """One transaction; where a message of it is refused, one by one, so that only that one is left out."""
        try:
            receipt = self.memory.record(
                [_as_message(each) for each in messages],
                scope=self.scope,
                conversation=piece.conversation,
                session=piece.session,
                project=self.project,
                tags=self.tags,
            )
        except UsageError as exc:
            if len(messages) == 1:
                reason = str(exc).removeprefix("messages[0].")
                where = messages[0].where or f"message {one_line(messages[0].message_id or '', characters=40)}"
                item = Rejected(where=where, reason=reason, excerpt=excerpt(messages[0].content))
                self.tally.reject(file, item)
                return
            for each in messages:
                self._record(file, piece, [each])
            return
        self._count(receipt)

    def _remember(self, file: str, page: Page) -> None:
        """Keep the page; where another text has its name, as another version beside it, under a name of its own."""
        try:
            receipt = self._kept(page, page.document_id)
            if receipt.count("conflict"):
                digest = hashlib.blake2b(page.text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
                receipt = self._kept(page, f"{page.document_id}@{digest}")
                if receipt.count("stored"):
                    self.tally.notes[f"{file} has changed: the new text is kept beside the old one"] += 1
        except UsageError as exc:
            self.tally.reject(file, Rejected(where="the file", reason=str(exc)))
            return
        self.tally.document_count += 1
        self._count(receipt)

    def _kept(self, page: Page, document_id: str) -> "Receipt":
        return self.memory.remember_document(
            page.text,
            scope=self.scope,
            document_id=document_id,
            project=self.project,
            tags=(*self.tags, *page.tags),
            at=page.at,
        )

    def _count(self, receipt: "Receipt") -> None:
        for each in receipt.recorded:
            self.tally.outcomes[each.outcome] += 1
            if each.outcome == "conflict" and len(self.tally.conflicts) < LISTED_MAX:
                self.tally.conflicts.append(each.external_id)
            for note in each.notes:
                self.tally.notes[note] += 1


def _as_message(each: ImportedMessage) -> dict[str, object]:
    message = {"role": each.role, "content": each.content, "id": each.message_id}
    message |= {"speaker": each.speaker, "at": each.at}
    return {name: value for name, value in message.items() if value is not None}
