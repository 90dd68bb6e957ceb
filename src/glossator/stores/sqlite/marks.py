"""Has anything in a scope changed since it was read? The port Marks over one file."""

from glossator.model import Scope
from glossator.stores.sqlite.base import SqliteBase
from glossator.stores.sqlite.statements import SQL


class SqliteMarks(SqliteBase):
    """The port Marks."""

    def scope_mark(self, scope: Scope) -> str:
        """The scope's number, revision and count of erasures; see ports.Marks."""
        owner = (scope.workspace, scope.agent, scope.owner)
        with self._connections.reading() as connection:
            row = connection.execute(SQL["scope_state"], owner).fetchone()
        return "" if row is None else ".".join(str(part) for part in row)
