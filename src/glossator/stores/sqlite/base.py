"""What do all parts of the SQLite store stand on?"""

from pathlib import Path

from glossator.stores.sqlite.connections import Connections


class SqliteBase:
    """One file and its connections."""

    def __init__(self, path: Path, connections: Connections) -> None:
        self._path = path
        self._connections = connections
