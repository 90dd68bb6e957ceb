"""Where is the SQL? In queries.sql: one named statement per need, read once at import."""

from collections.abc import Mapping
from importlib.resources import files

from glossator.stores.statements import named_statements

__all__ = ["SQL", "named_statements"]

SQL: Mapping[str, str] = named_statements((files(__package__) / "queries.sql").read_text("utf-8"))
