"""Which statements answer a question together with another one?

"I work as a nurse at the Infirmary" answers where (its key is "employer") and as what; "I work as a teacher now" closes
it though its key is "job". "I work at Acme" says nothing about the job and stays.
"""

from collections.abc import Mapping

from glossator.rules.patterns import late
from glossator.rules.tokens import fold

RELATED: Mapping[str, str] = {"job": "employer", "employer": "job"}
_AS_WHAT = late(r"\bas (?:an?|the) (?P<job>[\p{L}][\p{L} '-]*?)(?= (?:at|for|in|with|on|now)\b|[^\p{L} '-]|$)")


def answers_otherwise(key: str, value: str, text: str, other_key: str, other_value: str, other_text: str) -> bool:
    """True if two statements under related keys name different jobs."""
    if RELATED.get(key) != other_key:
        return False
    mine, theirs = _job(key, value, text), _job(other_key, other_value, other_text)
    return bool(mine and theirs) and mine != theirs


def _job(key: str, value: str, text: str) -> str:
    """What somebody works as, folded; "" where it is not said, or where the statement only ends something."""
    if key == "job":
        return "" if value.startswith("not ") or value == "none" else fold(value)
    found = _AS_WHAT.search(fold(text))
    return found["job"].strip() if found else ""
