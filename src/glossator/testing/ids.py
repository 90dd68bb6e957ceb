"""Ids that can be foretold."""


class CountingIds:
    """id-1, id-2, id-3 ..."""

    def __init__(self, prefix: str = "id-") -> None:
        self._prefix = prefix
        self._count = 0

    def new(self) -> str:
        """The next id."""
        self._count += 1
        return f"{self._prefix}{self._count}"
