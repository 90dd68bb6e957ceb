"""Which result belongs to which call of its group, and under which id?"""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Wire = Mapping[str, object]
"""A message, a call or a block as it goes over the wire."""

STUB_NAME = "result_without_its_call"
"""The function that a stub call names; no agent has one of this name."""
STUB_RESULT = "[no result: it was cut from the conversation]"
STUB_OPENING = "[the beginning of the conversation was cut]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """The calls and results of a group under ids that are all there and each used once.

    `answered` has the results in their order, `unanswered` the ids of the calls without one in call order, `orphans`
    the results that belong to no call of the group. A second result for a call is left out.
    """

    calls: tuple[Wire, ...]
    answered: tuple[Wire, ...]
    unanswered: tuple[str, ...]
    orphans: tuple[Wire, ...]


def paired(
    calls: Sequence[Wire],
    results: Sequence[Wire],
    *,
    key: str,
    used: set[str],
    taken: set[str],
    spelled: Callable[[str], str] = str,
) -> Pairing:
    """Pair the results with the calls by the id that `key` names in a result; `id` names it in a call.

    A call whose id is missing or already in `used` gets another one, and so does its result. `used` grows by the ids of
    the calls and orphans; new ids keep clear of `taken` and join it. `spelled` gives an id in letters that the format
    allows; the same id where it is in them already.
    """
    waiting: dict[str | None, deque[str]] = defaultdict(deque)
    named = []
    for call in calls:
        name = _unused(_id(call, "id"), used, taken, spelled)
        waiting[_id(call, "id")].append(name)
        named.append(call if call.get("id") == name else {**call, "id": name})
    called, answered, orphans = set(waiting), [], []
    orphan_ids: set[str | None] = set()
    for result in results:
        asked = _id(result, key)
        if waiting.get(asked):
            answered.append(_with_id(result, key, waiting[asked].popleft()))
        elif asked not in called and (asked is None or asked not in orphan_ids):
            orphan_ids.add(asked)
            orphans.append(_with_id(result, key, _unused(asked, used, taken, spelled)))
    left = {name for names in waiting.values() for name in names}
    unanswered = tuple(str(call["id"]) for call in named if call["id"] in left)
    return Pairing(calls=tuple(named), answered=tuple(answered), unanswered=unanswered, orphans=tuple(orphans))


def _id(wire: Wire, key: str) -> str | None:
    found = wire.get(key)
    return found if isinstance(found, str) and found else None


def _with_id(result: Wire, key: str, name: str) -> Wire:
    return result if result.get(key) == name else {**result, key: name}


def _unused(asked: str | None, used: set[str], taken: set[str], spelled: Callable[[str], str]) -> str:
    stem = spelled(asked) if asked else "call"
    name, count = stem if asked else "call-1", 1
    while name in used or (name != asked and name in taken):
        count += 1
        name = f"{stem}-{count}"
    used.add(name)
    taken.add(name)
    return name
