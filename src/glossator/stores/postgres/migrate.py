"""How does a database get the schema that this version needs? Numbered SQL files, all in one transaction.

PostgreSQL rolls back tables like rows, so a migration that is killed leaves nothing. Several processes that open one
database at once wait for each other. Copies are the operator's (pg_dump): nothing is copied before a change.
"""

import re
from dataclasses import dataclass
from importlib.resources import files

import psycopg
from psycopg import sql

from glossator.errors import StoreCorruptError, StoreTooNewError, UsageError
from glossator.stores.postgres.connections import settle_in
from glossator.stores.postgres.faults import mapped
from glossator.stores.postgres.statements import SQL

_plain_name = re.compile(r"[a-z_][a-z0-9_]{0,62}").fullmatch
"""What PostgreSQL takes for a name without quotes; it cuts longer ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One numbered step."""

    number: int
    name: str
    script: str


def shipped_migrations() -> tuple[Migration, ...]:
    """The migrations of this version, in order."""
    folder = files("glossator.stores.postgres") / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return tuple(
        Migration(number=int(name[:4]), name=name[5:-4], script=(folder / name).read_text("utf-8")) for name in names
    )


def migrate(dsn: str, schema: str, migrations: tuple[Migration, ...], *, busy_timeout_s: float) -> int:
    """Bring the schema to the newest version, making it if missing; returns the version.

    Raises UsageError for a schema that is no plain name and for a database that is not in UTF-8, StoreTooNewError,
    StoreCorruptError, StoreReadOnlyError, StoreLockedError, and StoreError when the server cannot be reached.
    """
    if not _plain_name(schema) or schema.startswith("pg_"):
        raise UsageError("schema", f"{schema!r} is no plain name", remedy='lower case as in "glossator"')
    with mapped(), psycopg.connect(dsn, autocommit=True) as connection:
        settle_in(connection, schema=schema, busy_timeout_s=busy_timeout_s)
        [(encoding,)] = connection.execute(SQL["server_encoding"]).fetchall()
        if encoding != "UTF8":
            raise UsageError("dsn", f"the database is in {encoding}", remedy="create it with ENCODING 'UTF8'")
        with connection.transaction():
            connection.execute(SQL["lock_schema"], {"schema": schema})
            version = _version(connection, schema)
            newest = migrations[-1].number
            if version > newest:
                raise StoreTooNewError(
                    f"the schema {schema} is at {version}, this version of Glossator knows up to {newest}: upgrade the"
                    " package; a downgrade is refused because it would lose what the newer version wrote"
                )
            for migration in migrations:
                if migration.number > version:
                    connection.execute(migration.script)
                    connection.execute(SQL["add_version"], {"number": migration.number, "name": migration.name})
            return newest


def _version(connection: psycopg.Connection, schema: str) -> int:
    """The schema's version; 0 if it is new, and made then. Raises StoreCorruptError if it is something else."""
    [(exists, ours, used)] = connection.execute(SQL["schema_state"], {"schema": schema}).fetchall()
    if not exists:
        connection.execute(sql.SQL(SQL["create_schema"]).format(schema=sql.Identifier(schema)))
    if not ours:
        if used:
            raise StoreCorruptError(f"the schema {schema} holds other tables and is no Glossator store")
        return 0
    [(version,)] = connection.execute(SQL["schema_version"]).fetchall()
    return int(version)
