"""Which revisions of prompt files and other texts are kept? The port Resources over one file."""

from glossator.stores.sqlite.base import SqliteBase


class SqliteResources(SqliteBase):
    """The port Resources."""
