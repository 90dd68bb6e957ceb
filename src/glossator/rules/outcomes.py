"""What became of a tool call, as far as its return shows: confirmed, only reported, or found to have failed?

A yes has to be the boolean itself, with evidence and without a failure beside it: a tool may not verify itself by a
string. A no is believed in any wording, since believing it too often promotes nothing.
"""

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import regex

OutcomeKind = Literal["verified", "unverified", "failed_verification"]

PYTHON_TEXT_MAX = 100_000
"""A longer text is not read as a Python dict: the parser of Python takes a hundred bytes for each of its characters."""

_EVIDENCE_KEYS = ("evidence", "verification_evidence")
_ERROR_KEYS = ("error", "isError", "is_error")
"""The last two are how MCP and Anthropic results mark a failed call."""
_NOES = frozenset({"false", "no", "0", "failed", "failure"})
_AS_PYTHON_WRITES = regex.compile(r"(?:[^\\\0]|\\['\"\\nrtxuU])*+")
"""Only the escapes that `repr` writes: others make the parser warn, and no tool's return has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a tool's return says about the world. `verified` implies success and evidence that is not empty."""

    kind: OutcomeKind
    success: bool
    evidence: str = ""


def read_outcome(returned: object) -> Outcome:
    """The outcome that a tool's return shows, whatever it is: text, number, flag, list, mapping or nothing.

    Text that is a JSON object or the `repr` of a dict is read as that mapping. Never raises.
    """
    if isinstance(returned, bytes | bytearray):
        returned = returned.decode("utf-8", "replace")
    if isinstance(returned, str):
        read = _mapping_in(returned.strip())
        return Outcome(kind="unverified", success=bool(returned.strip())) if read is None else _stated(read)
    if isinstance(returned, Mapping):
        return _stated(returned)
    return Outcome(kind="unverified", success=returned is not None and returned is not False)


def _stated(returned: Mapping[object, object]) -> Outcome:
    verified = returned.get("verified")
    evidence = next((text for key in _EVIDENCE_KEYS if (text := _as_evidence(returned.get(key)))), "")
    if _says_no(verified):
        return Outcome(kind="failed_verification", success=False, evidence=evidence)
    failed = _says_no(returned.get("success")) or any(_names_an_error(returned.get(key)) for key in _ERROR_KEYS)
    confirmed = verified is True and evidence != "" and not failed
    return Outcome(kind="verified" if confirmed else "unverified", success=not failed, evidence=evidence)


def _says_no(value: object) -> bool:
    """Nothing said is no no: a missing or null flag leaves the outcome open."""
    if isinstance(value, str):
        return value.strip().casefold() in _NOES
    return isinstance(value, bool | int | float) and not value


def _names_an_error(value: object) -> bool:
    """`"error": null`, "", false or 0 say that there was none."""
    return not _is_empty(value) and not _says_no(value)


def _as_evidence(value: object) -> str:
    """The evidence as text that any store can keep; "" if there is none. A bare true is a claim, not evidence."""
    if isinstance(value, bool) or _is_empty(value):
        return ""
    if isinstance(value, str):
        text = value.strip()
    else:
        try:
            text = json.dumps(value, ensure_ascii=False, skipkeys=True, default=lambda other: type(other).__name__)
        except (ValueError, RecursionError):  # it holds itself, or is deeper than anybody can read
            return ""
    return text.encode("utf-8", "replace").decode("utf-8")


def _is_empty(value: object) -> bool:
    """True for null, blank text, and containers that hold nothing but those. Walks without recursion."""
    left, seen = [value], set[int]()
    while left:
        each = left.pop()
        if isinstance(each, str):
            if each.strip():
                return False
        elif isinstance(each, Mapping | list | tuple | set | frozenset):
            if id(each) not in seen:
                seen.add(id(each))
                left.extend(each.values() if isinstance(each, Mapping) else each)
        elif each is not None:
            return False
    return True


def _mapping_in(text: str) -> Mapping[object, object] | None:
    """The mapping that the text is, in JSON or as Python writes it; None for any other text. Nothing is evaluated."""
    if not (text.startswith("{") and text.endswith("}")):
        return None
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        read = _python_in(text)
    return read if isinstance(read, dict) else None


def _python_in(text: str) -> object:
    if len(text) > PYTHON_TEXT_MAX or not _AS_PYTHON_WRITES.fullmatch(text):
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):  # all that it documents
        return None
