"""How far has the background reviewer read each conversation? The port Reviews over one file."""

from glossator.stores.sqlite.base import SqliteBase


class SqliteReviews(SqliteBase):
    """The port Reviews."""
