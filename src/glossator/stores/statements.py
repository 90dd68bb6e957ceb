"""How is a file of named SQL statements read? One named statement per need."""

import re
from collections.abc import Mapping
from types import MappingProxyType

_name = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def named_statements(text: str) -> Mapping[str, str]:
    """The statements of a file whose parts begin with `-- name: <name>`."""
    parts = _name.split(text)[1:]
    names = parts[::2]
    if len(set(names)) != len(names):
        raise ValueError("two statements have the same name")
    return MappingProxyType({name: body.strip() for name, body in zip(names, parts[1::2], strict=True)})
