"""Where do the secrets of API keys come from? From the operating system's randomness."""

from secrets import token_urlsafe

SECRET_BYTES = 32
"""256 bits: no rate of guessing finds one, so that a plain SHA-256 is enough to keep it by."""


class RandomSecrets:
    """Secrets that nobody can guess."""

    def new(self) -> str:
        """A fresh secret: 43 letters, digits, "-" and "_"."""
        return token_urlsafe(SECRET_BYTES)
