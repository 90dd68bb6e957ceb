"""What is a text that may be stored, and what is "the same text"?

Verbatim means: every character as given, but for two kinds that no store and no terminal can carry. NUL and lone
surrogates become U+FFFD, and the receipt says so.
"""

import hashlib
import re
import unicodedata

from glossator.errors import UsageError

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_VISIBLE = re.compile(r"[^\s\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")


def checked_text(value: object, *, argument: str, bytes_max: int) -> tuple[str, tuple[str, ...]]:
    """The text ready for the journal, and notes on what had to be replaced (empty almost always).

    Raises UsageError naming `argument` when it is no text, blank, or larger than `bytes_max` in UTF-8.
    """
    if not isinstance(value, str):
        raise UsageError(argument, f"is {type(value).__name__}, not text", remedy="pass a str")
    if not _VISIBLE.search(value):
        raise UsageError(argument, "is empty or blank", remedy="leave the message out")
    text, replaced_count = _UNSTORABLE.subn("\ufffd", value)
    size = len(text.encode())
    if size > bytes_max:
        raise UsageError(argument, f"has {size:,} bytes, more than {bytes_max:,}", remedy="split it into several")
    notes = (f"{replaced_count} NUL or lone surrogate characters replaced by U+FFFD",) if replaced_count else ()
    return text, notes


def storable(text: str) -> str:
    """The text without the two kinds of character that no store can carry."""
    return _UNSTORABLE.sub("\ufffd", text)


_QUOTES = re.compile("['‘’ʼ`´\"“”„«»]")
_SENTENCE_MARKS = re.compile(
    r"[;?…]|!(?!=)|[()\[\]{}]|[.,:](?![^\W_])|(?<!\d)[,:]|(?<![\d\W])[.](?=\s|$)|(?<!\S)[-–—]+(?!\S)|[—]"
)


def normalised(text: str) -> str:
    """What two statements must share to be the same: case, white space and sentence punctuation do not count.

    What carries meaning stays: "< 5 ms" and "> 5 ms", "-5" and "5", "C++" and "C#", "1.5" and "1 5", "$50" and "50%".
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return " ".join(_SENTENCE_MARKS.sub(" ", _QUOTES.sub("", folded)).split())


def statement_hash(workspace: str, text: str, *, subject: str = "") -> str:
    """SHA-256 over the workspace, "::" and the normalised text, as 64 hex digits (A37).

    A subject other than the speaker comes before the text: "I like tea" of two people are two statements.
    """
    whose = f"{normalised(subject)}: " if subject else ""
    return hashlib.sha256(f"{workspace}::{whose}{normalised(text)}".encode("utf-8", "surrogatepass")).hexdigest()


def stable_id(*parts: str) -> str:
    """An id made from the parts alone: the same parts give the same id, on every machine."""
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()[:32]
