"""Is this body the JSON object that a verb takes? What no two readers read alike is refused, and named."""

import json
import math
from typing import Any, NoReturn

from pydantic import ValidationError

from glossator.errors import UsageError
from glossator.wire.codec import Arguments, as_usage_error

BODY = "body"


class MalformedError(UsageError):
    """The body is no JSON that can be read one way only. Nothing was written."""


def read_body(raw: bytes, model: type[Arguments]) -> Arguments:
    """The arguments in a JSON object. An empty body is an empty object.

    Raises MalformedError for what is no JSON (a name twice, NaN, too deep, no UTF-8), UsageError for what the verb does
    not take.
    """
    raw = raw or b"{}"
    given = checked_json(raw)
    try:
        return model.model_validate_json(raw, strict=True)
    except ValidationError as error:
        if error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
            raise MalformedError(BODY, "is no JSON that can be kept: nested too deeply, or half a character") from None
        raise as_usage_error(error, given) from None


def checked_json(raw: bytes) -> Any:
    """What the JSON says. Raises MalformedError."""
    try:
        return json.loads(
            raw.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite
        )  # fmt: skip
    except RecursionError:
        raise MalformedError(BODY, "is nested too deeply", remedy="flatten it") from None
    except MalformedError:
        raise
    except ValueError as error:
        reason = "no UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)[:200]
        raise MalformedError(BODY, f"is no JSON: {reason}", remedy="pass one JSON object") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise MalformedError(twice[:80], "is given more than once", remedy="name each member once")
    return members


def _no_number(text: str) -> NoReturn:
    raise MalformedError(BODY, f"holds {text}, which JSON does not have", remedy="pass a number or null")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise MalformedError(BODY, f"holds {text[:40]}, which no computer can count", remedy="pass a smaller number")
    return number
