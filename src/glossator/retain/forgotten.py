"""May this be learned from these words? Not what was forgotten, and not again what was put away.

Extraction of the same message may run twice: after a crash, at the same time as an erasure, or because an extractor was
switched. The words of a message whose fact was forgotten give no fact again; said in a new message they do (D1).
"""

from collections.abc import Sequence
from dataclasses import replace

from glossator.model import ClosedSpan, Decision, Draft, Merge, Refuse, Turn

FORGOTTEN = "forgotten"
"""The reason in the log. The words are not logged: they are what was forgotten."""


def message_ids_of(turn: Turn) -> tuple[int, ...]:
    """The recorded messages that facts of this turn can rest on."""
    return tuple(dict.fromkeys(each.message_id for each in turn.passages if each.message_id is not None))


def without_forgotten(turn: Turn, decisions: Sequence[Decision], spans: Sequence[ClosedSpan]) -> tuple[Decision, ...]:
    """The decisions, with a refusal in the place of each that rests on closed words."""
    return tuple(_allowed(turn, decision, spans) for decision in decisions)


def _allowed(turn: Turn, decision: Decision, spans: Sequence[ClosedSpan]) -> Decision:
    draft = decision.draft if isinstance(decision, Merge | Refuse) else decision.new.draft
    for span in spans:
        if not _covers(span, draft, turn):
            continue
        if span.state == "erased":
            return Refuse(draft=replace(draft, text="", value="", denies="", start=0, end=0), reason=FORGOTTEN)
        if not isinstance(decision, Merge | Refuse) and span.content_hash == decision.new.content_hash:
            return Refuse(draft=draft, reason=f"{span.state} already")
    return decision


def _covers(span: ClosedSpan, draft: Draft, turn: Turn) -> bool:
    """True if they share a letter: another extractor may cut the same words wider or narrower."""
    passage = turn.passages[draft.passage]
    return passage.message_id == span.message_id and draft.start < span.stop and draft.end > span.start
