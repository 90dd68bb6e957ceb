"""Which messages of a conversation are still sent to the model? The port Windows over one file."""

from glossator.stores.sqlite.base import SqliteBase


class SqliteWindows(SqliteBase):
    """The port Windows."""
