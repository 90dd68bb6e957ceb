"""Which durable statements are in a turn, by rules alone?

The default extractor: no model, no network. It reads what users say, keeps the words as evidence and prefers silence
to a wrong fact. The tables are English; a text in another language passes without drafts.
"""

from collections.abc import Iterator

from glossator.model import Draft, Extraction, Turn
from glossator.retain.offline import english as table
from glossator.retain.offline.drafting import drafts_of
from glossator.retain.offline.places import Ranked, place_of
from glossator.retain.offline.sentences import own_sentences


class OfflineExtractor:
    """The rule-based extractor."""

    name = "offline"

    def extract(self, turn: Turn, *, limit: int) -> Extraction:
        """At most `limit` drafts of the user's passages, the most durable first; the rest counted as "over_limit"."""
        ranked = sorted(_drafts(turn), key=lambda found: (found.rank, found.draft.passage, found.draft.start))
        kept = tuple(found.draft for found in ranked[: max(limit, 0)])
        lost = len(ranked) - len(kept)
        return Extraction(drafts=kept, lost={"over_limit": lost} if lost else {})


def _drafts(turn: Turn) -> Iterator[Ranked]:
    seen: set[tuple[str, str, str]] = set()
    for number, passage in enumerate(turn.passages):
        if passage.role != "user":
            continue
        place = place_of(number, passage)
        if table.JEST.search(place.low) or table.ROLE_PLAY.search(place.low):
            continue
        for begin, stop in own_sentences(passage.text):
            for found in drafts_of(place, begin, stop):
                if _is_new(found.draft, seen):
                    yield found


def _is_new(draft: Draft, seen: set[tuple[str, str, str]]) -> bool:
    """A statement made twice in one turn is one draft."""
    identity = (draft.subject, draft.key or draft.text.casefold(), draft.value)
    if identity in seen:
        return False
    seen.add(identity)
    return True


__all__ = ["OfflineExtractor"]
