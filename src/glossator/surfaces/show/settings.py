"""How do the options look?"""

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from glossator.configuring import DEFAULT
from glossator.surfaces.show.wording import safe

QUIET = "dim"
VALUE_COLUMNS_MAX = 24
"""Lists go on below, so that the origin has room in 80 columns."""


def render_settings(settings: Sequence[tuple[str, object, str]]) -> RenderableType:
    """Option, value and origin; what somebody has chosen stands out."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("option", no_wrap=True)
    table.add_column("value", overflow="fold", max_width=VALUE_COLUMNS_MAX)
    table.add_column("origin", overflow="fold")
    for option, value, origin in settings:
        style = QUIET if origin == DEFAULT else "bold"
        table.add_row(*(Text(safe(each), style=style) for each in (option, shown_value(value), origin)))
    return table


def shown_value(value: object) -> str:
    """As it may be written in the environment."""
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case frozenset():
            return ", ".join(sorted(value))
        case Mapping():
            return ", ".join(f"{name}={each}" for name, each in value.items())
        case _:
            return str(value)
