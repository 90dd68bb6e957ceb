"""Which parts of a text are keys and passwords, and how does the text read without them?

Two sorts are found: values that look like nothing else (sk-..., AKIA..., ghp_..., a private key), and values that a
telling name stands before ("password: ...", "api_key=...", "my key is ..."). A hash, a UUID or a long word alone is no
secret. Card numbers and the like are personal data, and not looked for here.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

import regex

from glossator.rules.patterns import late
from glossator.rules.secret_names import PASSWORD_NAMES, assigned_values, is_telling, looks_secret

PASSES_MAX = 10
"""A replaced value may uncover one behind it; two passes settle nearly every text."""

Value = TypeVar("Value")

_EDGE = r"(?<![A-Za-z0-9])"
_TOKENS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        ("sk-",),
        "API key",
        r"(?<![A-Za-z0-9_-])sk-(?:(?:ant|proj|svcacct|admin|or-v1|test|live)-[\w-]{12,}|[A-Za-z0-9]{20,})",
    ),
    (("AKIA", "ASIA"), "AWS key id", _EDGE + r"A(?:KI|SI)A[A-Z0-9]{16}(?![A-Za-z0-9])"),
    (("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), "access token", _EDGE + r"gh[pousr]_[A-Za-z0-9]{20,}"),
    (("github_pat_",), "access token", _EDGE + r"github_pat_\w{20,}"),
    (("glpat-",), "access token", _EDGE + r"glpat-[\w-]{16,}"),
    (("xox",), "access token", _EDGE + r"xox[abeprs]-[A-Za-z0-9-]{10,}"),
    (("xapp-",), "access token", _EDGE + r"xapp-\d-[A-Za-z0-9-]{10,}"),
    (("AIza",), "API key", _EDGE + r"AIza[\w-]{30,}"),
    (("ya29.",), "access token", _EDGE + r"ya29\.[\w-]{20,}"),
    (("npm_",), "access token", _EDGE + r"npm_[A-Za-z0-9]{30,}"),
    (("pypi-",), "access token", _EDGE + r"pypi-[A-Za-z0-9][\w-]{31,}"),
    (("hf_",), "access token", _EDGE + r"hf_[A-Za-z0-9]{30,}"),
    (("sk_", "rk_"), "API key", _EDGE + r"[sr]k_(?:live|test)_[A-Za-z0-9]{10,}"),
    (("whsec_",), "secret", _EDGE + r"whsec_[A-Za-z0-9+/=]{16,}"),
    (("SK", "AC"), "API key", _EDGE + r"(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])"),
    (("SG.",), "API key", _EDGE + r"SG\.[\w-]{16,}\.[\w-]{16,}"),
    (("gsk_", "xai-"), "API key", _EDGE + r"(?:gsk_|xai-)[A-Za-z0-9]{30,}"),
    (("shpat_", "dop_v1_"), "access token", _EDGE + r"(?:shpat_|dop_v1_)[0-9a-f]{32,}"),
    (("hooks.slack.com",), "webhook", r"(?<=hooks\.slack\.com/services/)[A-Z0-9]{6,}/[A-Z0-9]{6,}/[A-Za-z0-9]{16,}"),
    (
        ("eyJ",),
        "access token",
        _EDGE + r"eyJ[\w-]{8,}+\.(?:eyJ[\w-]{4,}+(?:\.[\w-]*)?"
        r"|[\w-]{8,}+\.[\w-]{4,}+(?:\.[\w-]+){0,2})",
    ),
    (
        ("PRIVATE KEY",),
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:\s|\\[nr])*+[A-Za-z-]{1,40}: [^\n\\]*+)*+(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{16,}+)*+"
        r"(?:(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{1,15}+){0,2}(?:\s|\\[nr])*+-----END[^-\n]{0,60}-----"
        r"|(?:\s|\\[nr])*+[A-Za-z0-9+/=]{1,15}+(?=\s*\Z))?",
    ),
)  # fmt: skip
"""What the text must hold for a look to be worth while, what is found, and its form."""
_COMPILED = tuple((sign, kind, late(form)) for signs, kind, form in _TOKENS for sign in signs)
_UNDERSCORED = tuple(each for each in _COMPILED if "_" in each[0])
"""Half of them, which plain prose need not be searched for."""
_PLAIN = tuple(each for each in _COMPILED if "_" not in each[0])

_MARK = r"(?!\[redacted)"
_BEARER = late(rf"\b(bearer\s+){_MARK}([\w.~+/=-]{{16,}}+)", regex.IGNORECASE)
_AUTHORIZATION = late(
    rf"(authorization[\"']?\s*[:=]\s*[\"']?(?:(?:basic|bearer|token|digest|apikey)\s+)?){_MARK}([\w.~+/=:-]{{8,}}+)",
    regex.IGNORECASE,
)
_IN_ADDRESS = late(
    rf"(\b[a-z][a-z0-9+.-]{{1,20}}+://[^\s/:@\"'<>]{{0,100}}+:){_MARK}([^\s/@\"'<>]{{1,200}}+)(?=@)", regex.IGNORECASE
)


def redacted(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with each secret replaced by a mark, and what was replaced: kinds with counts, never a value.

    Applied to its own result it changes nothing. A text without secrets comes back as it is.
    """
    counts: dict[str, int] = {}
    return _without_secrets(text, counts), _notes(counts)


def redacted_values(value: Value) -> tuple[Value, tuple[str, ...]]:
    """The same for dicts, lists and texts within each other; what stands under a telling name is replaced whole."""
    counts: dict[str, int] = {}
    return _redacted_value(value, "", counts), _notes(counts)  # type: ignore[return-value]


def mark(kind: str) -> str:
    """What stands where a secret stood."""
    return f"[redacted: {kind}]"


def _without_secrets(text: str, counts: dict[str, int]) -> str:
    for _ in range(PASSES_MAX):
        replaced = _replaced(text, counts)
        if replaced == text:
            break
        text = replaced
    return text


def _replaced(text: str, counts: dict[str, int]) -> str:
    for sign, kind, form in _UNDERSCORED + _PLAIN if "_" in text else _PLAIN:
        if sign in text:
            text = form.sub(_whole(kind, counts), text)
    if "://" in text:
        text = _IN_ADDRESS.sub(_tail("password", counts), text)
    folded = text.lower()
    if "authorization" in folded:
        text = _AUTHORIZATION.sub(_tail("access token", counts), text)
    if "bearer" in folded:
        text = _BEARER.sub(_tail("access token", counts, plausible=looks_secret), text)
    parts: list[str] = []
    at = 0
    for start, end, kind in assigned_values(text):
        _count(counts, kind)
        parts += (text[at:start], mark(kind))
        at = end
    return "".join(parts) + text[at:] if parts else text


def _whole(kind: str, counts: dict[str, int]) -> Callable[[regex.Match[str]], str]:
    def replacement(_found: regex.Match[str]) -> str:
        _count(counts, kind)
        return mark(kind)

    return replacement


def _tail(
    kind: str, counts: dict[str, int], *, plausible: Callable[[str], bool] = bool
) -> Callable[[regex.Match[str]], str]:
    def replacement(found: regex.Match[str]) -> str:
        if not plausible(found[2]):
            return str(found[0])
        _count(counts, kind)
        return str(found[1]) + mark(kind)

    return replacement


def _redacted_value(value: object, name: str, counts: dict[str, int]) -> object:
    if isinstance(value, str):
        if name and value and (name in PASSWORD_NAMES or len(value) >= 4) and not value.startswith("[redacted"):
            _count(counts, "secret")
            return mark("secret")
        return _without_secrets(value, counts)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        if name not in PASSWORD_NAMES:
            return value
        _count(counts, "secret")
        return mark("secret")
    if isinstance(value, Mapping):
        return _redacted_members(value, name, counts)
    if isinstance(value, list | tuple):
        return type(value)(_redacted_value(each, name, counts) for each in value)
    return value


def _redacted_members(value: Mapping[object, object], name: str, counts: dict[str, int]) -> dict[object, object]:
    members: dict[object, object] = {}
    for key, each in value.items():
        shown = _redacted_value(key, "", counts) if isinstance(key, str) else key
        while shown in members:  # two keys that are secrets get one mark; no member may be lost for that
            shown = f"{shown}'"
        members[shown] = _redacted_value(each, is_telling(key) if isinstance(key, str) else name, counts)
    return members


def _count(counts: dict[str, int], kind: str) -> None:
    counts[kind] = counts.get(kind, 0) + 1


def _notes(counts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(f"{kind} x {count}" for kind, count in sorted(counts.items()))
