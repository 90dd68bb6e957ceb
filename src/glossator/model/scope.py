"""Who may see it, and which conversation it belongs to."""

from dataclasses import dataclass
from urllib.parse import quote, unquote

from glossator.errors import UsageError

PART_CHARACTERS_MAX = 200
"""A scope part is a name, not a text; longer ones are almost always a swapped argument."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a caller may see and where it writes.

    `workspace` is the hard boundary. `agent` and `owner` default to "default", so leaving one out never widens what
    is seen. `conversation` narrows reading to one conversation; None reads all of this owner's with this agent.
    """

    workspace: str
    agent: str = "default"
    owner: str = "default"
    conversation: str | None = None

    def __post_init__(self) -> None:
        for part in ("workspace", "agent", "owner", "conversation"):
            text = getattr(self, part)
            if part == "conversation" and text is None:
                continue
            if not isinstance(text, str) or not text.strip():
                raise UsageError(f"scope.{part}", "is empty", remedy="pass a non-blank name")
            if len(text) > PART_CHARACTERS_MAX or "\0" in text:
                raise UsageError(
                    f"scope.{part}",
                    f"is no plain name of at most {PART_CHARACTERS_MAX} characters",
                    remedy="shorten it",
                )

    def covers(self, other: "Scope") -> bool:
        """True if a row written under `other` may be shown to this scope."""
        same = (self.workspace, self.agent, self.owner) == (other.workspace, other.agent, other.owner)
        return same and (self.conversation is None or self.conversation == other.conversation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Where messages are exchanged: a channel, a chat in it, a thread of that chat.

    `key` joins the percent-encoded parts, so that ids that contain colons cannot collide.
    """

    channel: str
    chat: str
    thread: str = "root"

    @classmethod
    def parse(cls, text: str) -> "Conversation":
        """Read "telegram:42", "telegram:42:thread-7", a bare name (channel "chat"), or a stored `key`.

        Parts may be percent-encoded: "irc:%23a%3Ab" is chat "#a:b" of channel "irc".
        """
        if not isinstance(text, str) or not text.strip():
            raise UsageError("conversation", "is empty", remedy='pass for example "telegram:42"')
        parts = [unquote(part) for part in text.split(":", 2)]
        if len(parts) == 1:
            return cls(channel="chat", chat=parts[0])
        return cls(channel=parts[0] or "chat", chat=parts[1], thread=parts[2] if len(parts) == 3 else "root")

    @property
    def key(self) -> str:
        """The stored id, for example "telegram:42:root"."""
        return ":".join(quote(part, safe="") for part in (self.channel, self.chat, self.thread))
