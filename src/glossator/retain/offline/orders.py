"""What does a sentence say that has no ordinary subject: an instruction, a rule, a dependency, a name to call by?"""

from dataclasses import dataclass

from glossator.model import Category, Kind, Polarity


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Key, value and how it is filed; see Draft for what the fields mean."""

    key: str
    value: str
    polarity: Polarity
    category: Category
    kind: Kind | None
