"""After which names does a secret stand, and does what stands there look like one?

"password is hunter2" names one, "my password is long" does not; "api_key=..." names one, "sort key: created_at" does
not. The names are tables that another language can extend.
"""

from collections.abc import Iterator

import regex

from glossator.rules.patterns import late

PASSWORD_NAMES = frozenset({"password", "passwd", "pwd", "passphrase", "passcode", "pin"})
"""Under these any value at all is a secret, a number too."""
_KEY_NAMES = frozenset(
    "apikey apisecret secretkey accesskey secretaccesskey privatekey clientsecret accesstoken refreshtoken authtoken"
    " bearertoken sessiontoken idtoken bottoken authorization credential credentials secret token".split()
)

_PASS_CORES = (
    *("password", "pass word", "pass-word", "pass_word", "passwd", "passphrase", "pass phrase", "passcode", "_pass"),
    *("passwort", "mot de passe"),
)
_CORES = (
    *("key", "token", "secret", "pwd", "pw", "kennwort", "contraseña", "senha", "пароль", "密码", "密碼", "口令"),
    *("パスワード", "seed phrase", "recovery phrase", "mnemonic"),
)
"""The end of each name; what stands before it and behind it is only looked at where one of them occurs."""
_PASSWORD_END = late(
    r"(?:pass[ _-]?word|passwd|pass[ _-]?phrase|passcode|(?<![a-z])pw|pwd|_pass|passwort|kennwort|mot de passe"
    r"|contraseña|(?<![a-z])senha|пароль|密码|密碼|口令|パスワード)\Z",
    regex.IGNORECASE,
)
_PHRASE_END = late(r"(?:(?:seed|recovery|secret|pass)[ _-]?phrase|mnemonic)\Z", regex.IGNORECASE)
_KEY_END = late(
    r"(?:(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?:api|access|secret|client|private|auth|encryption|signing|licen[cs]e"
    r"|account|consumer|service|master|bearer|refresh|session|id|bot|deploy)[ _-]?(?:access[ _-]?)?(?:key|secret|token)"
    r"|[a-z0-9]_(?:key|token|secret|pass))\Z",
    regex.IGNORECASE,
)
_OWN_KEY_END = late(
    r"(?<![A-Za-z])(?:my|our|your|the)\s+(?:[\w.-]{1,20}\s+){0,2}?(?:key|token|secret)\Z", regex.IGNORECASE
)
_BARE_KEY_END = late(r"(?<![A-Za-z ] )(?<![A-Za-z_-])(?:secret|token)\Z", regex.IGNORECASE)
NAME_CHARACTERS_MAX = 64
"""So far back a name may begin."""

_IS = (
    r"(?:\s*(?:=>|:=|[:=：＝])\s*|\s*(?:是|为|為|は)\s*[:：]?\s*|\s+(?:is|was|are|ist|lautet|est|es|é|=)\s*:?\s+"
    r"|['’]s\s+)"
)
_VALUE = (
    r"(?!\[redacted)(?:\"(?P<v>[^\"\n]{1,500}+)\"|'(?P<v>[^'\n]{1,500}+)'|`(?P<v>[^`\n]{1,500}+)`"
    r"|(?P<v>[^\s\"'`;,&<>]{1,500}+))"
)
_BEHIND = late(
    r"(?P<plural>s?)(?:[ _-]?id)?(?:\\?[\"'])?(?:\s+(?:for|to|of|on)\s+[^\n.:=,;\"'\[\]]{1,40}?)?"
    rf"(?P<is>{_IS})\\?{_VALUE}",
    regex.IGNORECASE,
)
_WORDS_BEHIND = late(
    rf"(?:\\?[\"'])?{_IS}(?!\[redacted)[\"'“]?(?P<v>\p{{Ll}}+(?:[ -]\p{{Ll}}+){{3,24}}+)", regex.IGNORECASE
)
_NAMED_PIN = late(
    r"\b(?:(?:my|our|card|bank|sim|phone|atm)\s+pin(?:\s+code)?|(?:door|alarm|gate|safe)\s+code)(?:\s+(?:is|was)\s+"
    r"|\s*[:=]\s*)"
    r"(?P<v>\d{4,8}+)(?![\d-])",
    regex.IGNORECASE,
)

_ORDINARY = frozenset(
    """
    a an the my your his her our their its this that these those it i you we they he she in on at to for from with of
    not no none null nil true false yes never always too very so quite really just only also now then here there long
    short weak strong wrong right correct incorrect invalid valid expired required optional missing empty blank safe
    secure insecure stored saved hashed encrypted protected reset changed updated lost forgotten stolen leaked unknown
    secret private public hidden case-sensitive sensitive something anything nothing different same new old set unset
    see use please what which how why when where who whatever still already probably maybe usually often being hard
    easy simple complex good bad fine ok okay important necessary needed mandatory below above attached redacted
    changing getting becoming based made must should can could will would may might about after before because if
    nicht kein keine zu sehr falsch richtig lang kurz pas trop muy no falsch sicher und oder and or but is was are
    string str int bool text field changeme example placeholder your-password yourpassword todo tbd n/a
    """.split()
)
_PLACEHOLDER = late(
    r"[*•x.…_#?-]+|[\$%]?[{(<\[].*|\$\w+.*|.*(?:environ|getenv|process\.env|getpass|input\(|config\.|settings\."
    r"|secrets\.).*"
    r"|\w+\(.*|your[-_ ].*|https?://.*",
    regex.IGNORECASE,
)
_OF_A_SENTENCE = ("ed", "ing", "able", "ible", "ful", "less", "er")
"""Endings of what is said about a password ("is hashed", "is guessable") rather than given as one."""
_TRAILING = ".,;:!?)]}>»”’。，"
_ENDS = late(
    r"[\"'`]?\\?[\"'`]?[\s.,;:!?)\]}]*(?:$|\n|[.;,)\]}](?:\s|$)|(?:and|but|or|so|for|on|at|please)\b)", regex.I
)

Found = tuple[int, int, str]


def assigned_values(text: str) -> list[Found]:
    """Start, end and kind of each secret that a name stands before, in order, none within another."""
    folded = text.lower()
    if len(folded) != len(text):  # a letter whose small form is two
        folded = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    found = [each for end in _ends(folded) if (each := _named(text, end))]
    if " pin" in folded or " code" in folded:
        found += [(*each.span("v"), "password") for each in _NAMED_PIN.finditer(text)]
    apart: list[Found] = []
    for each in sorted(found):
        if not apart or each[0] >= apart[-1][1]:
            apart.append(each)
    return apart


def _ends(folded: str) -> Iterator[int]:
    """Where a name ends."""
    for core in (*_PASS_CORES, *_CORES) if "pass" in folded else _CORES:
        at = folded.find(core)
        while at >= 0:
            yield at + len(core)
            at = folded.find(core, at + 1)


def _named(text: str, end: int) -> Found | None:
    """The secret behind the name that ends at `end`."""
    behind = _BEHIND.match(text, end)
    if behind is None:
        return None
    name = text[max(0, end - NAME_CHARACTERS_MAX) : end]
    if _PHRASE_END.search(name) and (words := _WORDS_BEHIND.match(text, end)):
        return *words.span("v"), "password"
    value = behind["v"].rstrip(_TRAILING)
    if _PASSWORD_END.search(name):
        return _place(behind, "password") if _is_password(behind, value) else None
    if not looks_secret(value):
        return None
    if _KEY_END.search(name) or _OWN_KEY_END.search(name):
        return _place(behind, "API key" if name.lower().endswith("key") else "secret")
    signed = any(sign in behind["is"] for sign in ":=：＝")
    return _place(behind, "secret") if signed and _BARE_KEY_END.search(name) else None


def _place(behind: regex.Match[str], kind: str) -> Found:
    """Without a full stop or bracket at its end, which belongs to the sentence; "!" may be part of a password."""
    start, value = behind.start("v"), behind["v"]
    return start, start + (len(value.rstrip(".,;:)]}>»”’。，")) or len(value)), kind


def looks_secret(value: str) -> bool:
    """True for what people do not write as a word: long, and of more than one sort of characters."""
    if len(value) < 8 or _PLACEHOLDER.fullmatch(value):
        return False
    has_digit = any(letter.isdigit() for letter in value)
    has_letter = any(letter.isalpha() for letter in value)
    return (has_digit and has_letter) or (len(value) >= 20 and _is_mixed(value))


def is_telling(key: str) -> str:
    """The plain name of a member that holds a secret by its name alone ("db_password": "password"), else ""."""
    if "[redacted" in key:  # the mark's own word names nothing
        return ""
    plain = "".join(letter for letter in key.lower() if letter.isalnum())
    for name in ("password", "passwd", "passphrase", "passcode"):
        if plain.endswith(name):
            return name
    if plain in PASSWORD_NAMES or plain in _KEY_NAMES:
        return plain
    return next((name for name in _KEY_NAMES if len(name) > 6 and plain.endswith(name)), "")


def _is_password(behind: regex.Match[str], value: str) -> bool:
    """Any word after a sign; after "is" one that is no part of a sentence about the password."""
    if not value or value.lower() in _ORDINARY or _PLACEHOLDER.fullmatch(value):
        return False
    if behind[0][-1] in "\"'`" or not value.strip("-'’").isalpha() or _is_mixed(value):
        return not value.lower().endswith(("'s", "’s", "n't", "n’t"))
    if behind["is"][0] in "'’" or len(value) < 3 or not _ENDS.match(behind.string, behind.end()):
        return False
    return any(sign in behind["is"] for sign in ":=：＝") or not value.endswith(_OF_A_SENTENCE)


def _is_mixed(value: str) -> bool:
    """Capitals inside the word."""
    return any(letter.isupper() for letter in value[1:]) and any(letter.islower() for letter in value)
