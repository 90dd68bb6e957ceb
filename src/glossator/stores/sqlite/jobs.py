"""Which scheduled jobs and memory sources are there? The port Jobs over one file."""

from glossator.stores.sqlite.base import SqliteBase


class SqliteJobs(SqliteBase):
    """The port Jobs."""
