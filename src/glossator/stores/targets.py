"""For which rendered file is a fact of this category?"""

from glossator.model import Category

OF_THE_USER: tuple[Category, ...] = ("identity", "preference", "interest", "goal")
OF_THE_AGENT: tuple[Category, ...] = ("context", "directive")


def promote_target(category: Category) -> str | None:
    """ "user_md", "memory_md", or None for what is never rendered."""
    if category in OF_THE_USER:
        return "user_md"
    return "memory_md" if category in OF_THE_AGENT else None
