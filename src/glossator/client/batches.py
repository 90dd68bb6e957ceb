"""How is a stream of messages taken in? In batches, each recorded whole, so that nobody has to hold them all."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from glossator.client.requests import encoded, plain
from glossator.errors import UsageError
from glossator.model import Receipt

Line = Mapping[str, object] | str | bytes
"""A message as for `record`, or one as a line of JSON."""
Lines = Iterable[Line]
BATCH_MESSAGES_MAX = 200
"""Some 20 ms of writing: a batch is short for whoever waits to write too, and long against its round trip."""
BATCH_BYTES_MAX = 1_000_000
"""Below the body that a server takes; one longer message is a batch of its own."""
_PLACE = re.compile(r"^messages\[(\d+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestProgress:
    """How many messages were acknowledged so far, and what became of them (see `Recorded`)."""

    message_count: int = 0
    stored_count: int = 0
    duplicate_count: int = 0
    conflict_count: int = 0
    erased_count: int = 0

    def after(self, receipt: Receipt) -> "IngestProgress":
        """The progress once a batch has its receipt."""
        return IngestProgress(
            message_count=self.message_count + len(receipt.recorded),
            stored_count=self.stored_count + receipt.count("stored"),
            duplicate_count=self.duplicate_count + receipt.count("duplicate"),
            conflict_count=self.conflict_count + receipt.count("conflict"),
            erased_count=self.erased_count + receipt.count("erased"),
        )


class Batches:
    """Messages in the order given, cut where a batch is full."""

    def __init__(self) -> None:
        self._waiting: list[Mapping[str, object]] = []
        self._bytes = 0
        self._count = 0

    def add(self, message: Line) -> Sequence[Mapping[str, object]]:
        """The batch that is full now, or none (empty). A text is a line of JSON; a blank one is passed over.

        Raises UsageError for a line that is no JSON object.
        """
        if isinstance(message, str | bytes):
            if not message.strip():
                return ()
            message = _read_line(message, self._count)
        size = len(encoded(plain(message, f"messages[{self._count}]")))
        full = self.rest() if self._waiting and self._bytes + size > BATCH_BYTES_MAX else ()
        self._waiting.append(message)
        self._bytes += size
        self._count += 1
        return full or (self.rest() if len(self._waiting) >= BATCH_MESSAGES_MAX else ())

    def rest(self) -> Sequence[Mapping[str, object]]:
        """What waits for its batch; empty at the end if nothing does."""
        batch, self._waiting, self._bytes = self._waiting, [], 0
        return batch


def placed(error: UsageError, *, before_count: int) -> UsageError:
    """The error with its message counted from the first of the stream, not of the batch."""
    argument = _PLACE.sub(lambda found: f"messages[{int(found[1]) + before_count}]", error.argument)
    return type(error)(argument, error.problem, remedy=error.remedy)


def _read_line(line: str | bytes, place: int) -> Mapping[str, object]:
    try:
        message = json.loads(line)
    except ValueError as error:
        raise UsageError(f"messages[{place}]", "is no line of JSON", remedy='for example {"content": "..."}') from error
    if not isinstance(message, dict):
        raise UsageError(f"messages[{place}]", "is no mapping", remedy='pass {"role": "user", "content": "..."}')
    return message
