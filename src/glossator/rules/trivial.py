"""Is there anything to look up in this request? Greetings, thanks and a word or two of three letters hold nothing."""

import regex

from glossator.rules.tokens import fold

_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*")
_COMMAND = regex.compile(r"\s*/(?:[\p{L}\p{N}_-]+(?:@\w+)?)?\s*")
"""A command with no word behind it: "/clear". With some it may be a request, and a path is none: "/etc/hosts fails"."""
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]")
_EMPTY_WORDS = frozenset(
    """
    hi hello hey hiya yo good morning evening afternoon night thanks thank you thx ty cheers please ok okay k yes no yep
    yeah nope sure fine great cool nice perfect awesome bye goodbye see ya later welcome continue go on ahead next stop
    done hallo danke bitte ja nein guten tag merci bonjour salut oui non hola gracias si adios there so much very a lot
    """.split()
)
LETTERS_MIN = 4
"""Three letters embed to nothing telling; a single Chinese word may have two."""


def is_trivial(text: str) -> bool:
    """True for a request that memory has nothing to say to."""
    if _COMMAND.fullmatch(text):
        return True
    words = _WORD.findall(fold(text))
    letters = sum(len(word) for word in words)
    if letters < (2 if _UNSPACED.search(text) else LETTERS_MIN):
        return True
    return all(word in _EMPTY_WORDS for word in words)
