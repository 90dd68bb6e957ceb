"""What is kept of what was erased: tombstones, receipts, the list of backups? The port Erasures over one file."""

from glossator.stores.sqlite.base import SqliteBase


class SqliteErasures(SqliteBase):
    """The port Erasures."""
