"""What reads statements without a model? The rules, whose tables are read when they are first asked."""

from glossator.model import Extraction, Turn


class Rules:
    """The rule-based extractor; opening a memory waits for nothing of it."""

    name = "offline"

    def extract(self, turn: Turn, *, limit: int) -> Extraction:
        """See ports.Extractor."""
        from glossator.retain.offline import OfflineExtractor

        return OfflineExtractor().extract(turn, limit=limit)
