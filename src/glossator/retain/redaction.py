"""What may not be stored or sent as it was said? Secrets always, personal data where the user has asked for it."""

from dataclasses import dataclass

from glossator.ports import Redactor
from glossator.rules.secrets import redacted, redacted_values

NOTE = "redacted: "
"""How a note in a receipt begins that tells of a replaced part; the part itself is told nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaner:
    """Replaces what must not leave the caller's hands. It runs before ids are made, before any write and any model."""

    secrets: bool = True
    personal: Redactor | None = None

    def text(self, text: str) -> tuple[str, tuple[str, ...]]:
        """The text with marks in place of what was replaced, and a note for each kind. Raises ProviderError."""
        notes: tuple[str, ...] = ()
        if self.secrets:
            text, notes = redacted(text)
        if self.personal is not None:
            text, more = self.personal.redacted(text)
            notes = (*notes, *more)
        return text, tuple(f"{NOTE}{note}" for note in notes)

    def values(self, value: object) -> tuple[object, tuple[str, ...]]:
        """The same for a JSON-like value: its texts, and whatever stands under a telling name."""
        notes: tuple[str, ...] = ()
        if self.secrets:
            value, notes = redacted_values(value)
        noted = [f"{NOTE}{note}" for note in notes]
        if self.personal is not None:
            value = self._walked(value, noted)
        return value, tuple(noted)

    def _walked(self, value: object, noted: list[str]) -> object:
        if isinstance(value, str) and self.personal is not None:
            text, notes = self.personal.redacted(value)
            noted.extend(f"{NOTE}{note}" for note in notes)
            return text
        if isinstance(value, dict):
            return {key: self._walked(each, noted) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self._walked(each, noted) for each in value]
        return value
