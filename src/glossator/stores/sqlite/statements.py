"""Where is the SQL? In queries/: one named statement per need, a file per subject, read once at import."""

from collections.abc import Mapping
from importlib.resources import files

from glossator.stores.statements import named_statements

__all__ = ["SQL", "named_statements"]

_folder = files(__package__) / "queries"
SQL: Mapping[str, str] = named_statements(
    "\n".join(
        each.read_text("utf-8")
        for each in sorted(_folder.iterdir(), key=lambda each: each.name)
        if each.name.endswith(".sql")
    )
)
