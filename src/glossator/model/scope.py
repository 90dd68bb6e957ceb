"""Who may see it, and which conversation it belongs to."""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, unquote

from glossator.errors import UsageError

Trust = Literal["operator", "owner", "guest", "tool", "unknown"]
TRUSTS: tuple[Trust, ...] = ("operator", "owner", "guest", "tool", "unknown")
Tier = Literal["STUDENT", "INTERN", "SUPERVISED", "AUTONOMOUS"]
TIERS: tuple[Tier, ...] = ("STUDENT", "INTERN", "SUPERVISED", "AUTONOMOUS")
"""How far an agent has matured, in order: each may do what the one before may, and more."""
PART_CHARACTERS_MAX = 200
"""A scope part is a name, not a text; longer ones are almost always a swapped argument."""
CONVERSATION_CHARACTERS_MAX = PART_CHARACTERS_MAX + len("chatroot")
"""Of channel, chat and thread together: what is made for a bare name comes on top of it."""
KEY_CHARACTERS_MAX = 12 * CONVERSATION_CHARACTERS_MAX + 2
"""A conversation may be named by its stored key, in which a character takes up to twelve, between two colons."""
NO_PLAIN_NAME = f"is no plain name of at most {PART_CHARACTERS_MAX} characters"
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a caller may see and where it writes.

    `workspace` is the hard boundary. `agent` and `owner` default to "default", so leaving one out never widens what
    is seen. `conversation` narrows reading to one conversation; None reads all of this owner's with this agent. `job`
    is for a scheduled job: what it keeps is the job's own, it reads nothing else, and never what was said.

    `trust` is how far the caller is believed. A program that holds the Memory acts for the owner; who passes callers
    on says who each one is, and None or "unknown" is a guest. `tier` is the tier that the caller's agent has at most,
    whatever `Options.tiers` says of it; None leaves it to those.
    """

    workspace: str
    agent: str = "default"
    owner: str = "default"
    conversation: str | None = None
    job: str | None = None
    trust: Trust | None = "owner"
    tier: Tier | None = None

    def __post_init__(self) -> None:
        for part in ("workspace", "agent", "owner", "conversation", "job"):
            text = getattr(self, part)
            if part in ("conversation", "job") and text is None:
                continue
            if not isinstance(text, str) or not text.strip():
                problem = "is empty" if isinstance(text, str) else f"is {type(text).__name__}, not text"
                raise UsageError(f"scope.{part}", problem, remedy="pass a non-blank name")
            longest = KEY_CHARACTERS_MAX if part == "conversation" else PART_CHARACTERS_MAX
            if len(text) > longest or _UNSTORABLE.search(text):
                raise UsageError(f"scope.{part}", NO_PLAIN_NAME, remedy="shorten it")
        if self.trust is not None and self.trust not in TRUSTS:
            raise UsageError("scope.trust", f"{self.trust!r} is unknown", remedy=f"choose from {', '.join(TRUSTS)}")
        if self.tier is not None and self.tier not in TIERS:
            raise UsageError("scope.tier", f"{self.tier!r} is unknown", remedy=f"choose from {', '.join(TIERS)}")

    @property
    def whole(self) -> "Scope":
        """All of this owner's with this agent, as the store itself sees it: no conversation, no job, the owner."""
        return Scope(workspace=self.workspace, agent=self.agent, owner=self.owner)

    @property
    def believed(self) -> Trust:
        """The trust that counts: whoever is missing or unknown is a guest (C-12)."""
        return "guest" if self.trust is None or self.trust == "unknown" else self.trust

    @property
    def job_source(self) -> str | None:
        """The memory source of the job's rows, for example "job:nightly"."""
        return None if self.job is None else f"job:{self.job}"

    def covers(self, other: "Scope") -> bool:
        """True if what was said under `other` may be shown to this scope. A job is shown nothing that was said."""
        same = (self.workspace, self.agent, self.owner) == (other.workspace, other.agent, other.owner)
        return same and self.job is None and (self.conversation is None or self.conversation == other.conversation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Where messages are exchanged: a channel, a chat in it, a thread of that chat.

    `key` joins the percent-encoded parts, so that ids that contain colons cannot collide.
    """

    channel: str
    chat: str
    thread: str = "root"

    def __post_init__(self) -> None:
        parts = (self.channel, self.chat, self.thread)
        if sum(map(len, parts)) > CONVERSATION_CHARACTERS_MAX or _UNSTORABLE.search("".join(parts)):
            raise UsageError("conversation", NO_PLAIN_NAME, remedy="shorten it")

    @classmethod
    def parse(cls, text: str) -> "Conversation":
        """Read "telegram:42", "telegram:42:thread-7", a bare name (channel "chat"), or a stored `key`.

        Parts may be percent-encoded: "irc:%23a%3Ab" is chat "#a:b" of channel "irc".
        """
        if not isinstance(text, str):
            raise UsageError("conversation", f"is {type(text).__name__}, not text", remedy='for example "telegram:42"')
        if not text.strip():
            raise UsageError("conversation", "is empty", remedy='pass for example "telegram:42"')
        parts = [unquote(part) for part in text.split(":", 2)]
        if len(parts) == 1:
            return cls(channel="chat", chat=parts[0])
        return cls(channel=parts[0] or "chat", chat=parts[1], thread=parts[2] if len(parts) == 3 else "root")

    @property
    def key(self) -> str:
        """The stored id, for example "telegram:42:root"."""
        return ":".join(quote(part, safe="") for part in (self.channel, self.chat, self.thread))
