"""Which messages came in, checked and ready for the journal?"""

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo

from glossator.errors import PermissionDeniedError, UsageError
from glossator.model import ROLES, TRUSTS, MessageDraft, MessageKind, Role, SaidTime, Trust
from glossator.ports import Ids
from glossator.retain.redaction import Cleaner
from glossator.rules.canonical import checked_text, stable_id, storable
from glossator.rules.instants import local_time, read_said_time, said_at_moment
from glossator.rules.plain import plain
from glossator.rules.trust import less_believed

_KNOWN = frozenset({"role", "content", "speaker", "name", "at", "id", "metadata", "trust"})
ID_CHARACTERS_MAX = 500


def read_messages(
    ids: Ids,
    messages: Sequence[Mapping[str, object]],
    *,
    session: str | None,
    zone: tzinfo,
    bytes_max: int,
    now: datetime,
    cleaner: Cleaner,
    trust: Trust,
    kind: MessageKind = "chat",
) -> tuple[tuple[MessageDraft, ...], tuple[tuple[str, ...], ...]]:
    """The drafts of all messages, and beside each the notes on what had to be amended.

    A message without an id gets one: from its own words, speaker and time when `at` is given (so the same export read
    twice is one set of messages), a fresh one otherwise. Raises UsageError naming the first wrong part; a list that
    holds one wrong message is refused whole.
    """
    if isinstance(messages, Mapping | str | bytes) or not isinstance(messages, Sequence):
        raise UsageError("messages", "is no list of messages", remedy='pass [{"role": "user", "content": "..."}]')
    drafts: list[MessageDraft] = []
    notes: list[tuple[str, ...]] = []
    seen: dict[str, int] = {}
    for place, message in enumerate(messages):
        reader = _Reader(message, f"messages[{place}]", cleaner, trust, kind)
        draft, amended = reader.draft(ids, session=session, zone=zone, bytes_max=bytes_max, now=now, seen=seen)
        drafts.append(draft)
        notes.append(amended)
    return tuple(drafts), tuple(notes)


class _Reader:
    """Reads one message; every error names the part as the caller wrote it."""

    def __init__(self, message: object, argument: str, cleaner: Cleaner, trust: Trust, kind: MessageKind) -> None:
        if not isinstance(message, Mapping):
            raise UsageError(argument, "is no mapping", remedy='pass {"role": "user", "content": "..."}')
        self._message = message
        self._argument = argument
        self._cleaner = cleaner
        self._trust = trust
        self._kind = kind

    def draft(
        self, ids: Ids, *, session: str | None, zone: tzinfo, bytes_max: int, now: datetime, seen: dict[str, int]
    ) -> tuple[MessageDraft, tuple[str, ...]]:
        content, notes = self._words(bytes_max)
        content, hidden = self._cleaner.text(content)
        notes = (*notes, *hidden)
        role = self._role()
        speaker = self._name("speaker") or self._name("name") or role
        said = self._said(zone, now)
        name = session or local_time(said).date().isoformat()
        key = self._name("id") or self._made_id(ids, name, role, speaker, said, content, seen)
        cleaned, hidden = self._cleaner.values(self._metadata())
        notes = (*notes, *hidden)
        return (
            MessageDraft(
                external_id=key,
                role=role,
                speaker=speaker,
                content=content,
                said=said,
                session=name,
                metadata=cleaned if isinstance(cleaned, Mapping) else {},
                kind=self._kind,
                trust=self._believed(role),
            ),
            notes,
        )

    def _words(self, bytes_max: int) -> tuple[str, tuple[str, ...]]:
        """What was said; "" for an assistant that only calls tools, as chat interfaces write it."""
        content = self._content()
        if not content and self._message.get("role") == "assistant" and self._message.get("tool_calls"):
            return "", ()
        return checked_text(content, argument=f"{self._argument}.content", bytes_max=bytes_max)

    def _content(self) -> object:
        content = self._message.get("content", "")
        if isinstance(content, Sequence) and not isinstance(content, str | bytes):
            parts = [part.get("text") for part in content if isinstance(part, Mapping)]
            return "\n".join(part for part in parts if isinstance(part, str))
        return content

    def _role(self) -> Role:
        role = self._message.get("role", "user")
        for known in ROLES:
            if role == known:
                return known
        raise UsageError(f"{self._argument}.role", f"{role!r} is unknown", remedy=f"choose from {', '.join(ROLES)}")

    def _believed(self, role: Role) -> Trust:
        """What the message says of its speaker, else the caller's trust for what a user says."""
        given = self._message.get("trust")
        if given is None:
            return self._trust if role == "user" else "tool" if role == "tool" else "unknown"
        for known in TRUSTS:
            if given == known:
                return self._no_more_than_the_caller(known)
        remedy = f"choose from {', '.join(TRUSTS)}"
        raise UsageError(f"{self._argument}.trust", f"{given!r} is unknown", remedy=remedy)

    def _no_more_than_the_caller(self, given: Trust) -> Trust:
        """Nobody lends more trust than they have: words that a guest passes on are a guest's words at most."""
        if less_believed(given, self._trust) == given:
            return given
        problem = f"is {given!r}, and the scope is believed as {self._trust!r} only"
        remedy = f'record it under a Scope with trust="{given}"'
        raise PermissionDeniedError(f"{self._argument}.trust", problem, remedy=remedy)

    def _name(self, part: str) -> str:
        value = self._message.get(part)
        if value is None or value == "":
            return ""
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise UsageError(f"{self._argument}.{part}", f"is {type(value).__name__}, not text", remedy="pass a str")
        text, _ = checked_text(str(value), argument=f"{self._argument}.{part}", bytes_max=4 * ID_CHARACTERS_MAX)
        if len(text) > ID_CHARACTERS_MAX:
            raise UsageError(f"{self._argument}.{part}", f"is longer than {ID_CHARACTERS_MAX} characters")
        return text

    def _said(self, zone: tzinfo, now: datetime) -> SaidTime:
        value = self._message.get("at")
        if value is None:
            return said_at_moment(now.astimezone(zone), given=False)
        return read_said_time(value, argument=f"{self._argument}.at", zone=zone)

    def _made_id(
        self, ids: Ids, session: str, role: str, speaker: str, said: SaidTime, content: str, seen: dict[str, int]
    ) -> str:
        if not said.given:
            return ids.new()
        same = stable_id("message", session, role, speaker, said.at.isoformat(), content)
        seen[same] = seen.get(same, 0) + 1
        return same if seen[same] == 1 else f"{same}-{seen[same]}"

    def _metadata(self) -> Mapping[str, object]:
        """What else the message has, as it is stored: in JSON."""
        metadata = self._message.get("metadata") or {}
        if not isinstance(metadata, Mapping):
            raise UsageError(f"{self._argument}.metadata", "is no mapping", remedy="pass a dict of plain values")
        extra = {part: value for part, value in self._message.items() if part not in _KNOWN}
        given: dict[str, object] = plain(extra, self._argument, text=storable)
        return {**given, **plain(metadata, f"{self._argument}.metadata", text=storable)}
