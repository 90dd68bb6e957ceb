"""How are the fields of a form read? What is wrong in them the engine says itself."""

DAY = len("2026-11-30")


def day_end(text: str) -> str | None:
    """A day as its last second, so that what was said on it counts; anything else as it was given; None for ""."""
    given = text.strip()
    return f"{given}T23:59:59" if len(given) == DAY else given or None


def labels(text: str) -> tuple[str, ...]:
    """The tags of a field that separates them by commas."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
