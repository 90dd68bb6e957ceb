"""Which two texts about an owner stand in an agent's prompt, and what became of the facts that might stand in them?"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

PromptFileKind = Literal["user_md", "memory_md"]
PROMPT_FILE_KINDS: tuple[PromptFileKind, ...] = ("user_md", "memory_md")
FILE_NAMES: Mapping[PromptFileKind, str] = {"user_md": "USER.md", "memory_md": "MEMORY.md"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFile:
    """One rendered file. `text` is "" where there is nothing to say; `fact_ids` are the facts in it, in its order.

    `total` is how many facts belong into it, `left_out` how many of them are not, by reason: "cap" (more than the
    section holds), "budget" (more than `tokens_max`), "suspect" (reads like an instruction), "repeated". Facts that are
    older than what was read are not counted.
    """

    kind: PromptFileKind
    text: str
    tokens: int
    tokens_max: int
    fact_ids: tuple[int, ...] = ()
    total: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """USER.md or MEMORY.md."""
        return FILE_NAMES[self.kind]

    @property
    def used_percent(self) -> int:
        """How much of its budget the file takes, rounded up."""
        return -(-100 * self.tokens // self.tokens_max)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFiles:
    """Both files of one owner with one agent, and `block`, the one fenced text that goes into the prompt."""

    user: PromptFile
    memory: PromptFile
    block: str

    @property
    def user_md(self) -> str:
        """The text of USER.md: who the owner is, what they like, what they are after."""
        return self.user.text

    @property
    def memory_md(self) -> str:
        """The text of MEMORY.md: what the agent knows, and how it is to work."""
        return self.memory.text

    @property
    def kept(self) -> int:
        """How many facts stand in the two files."""
        return len(self.user.fact_ids) + len(self.memory.fact_ids)

    @property
    def total(self) -> int:
        """How many facts belong into them."""
        return self.user.total + self.memory.total

    @property
    def left_out(self) -> Mapping[str, int]:
        """How many of those are not in them, by reason."""
        both = (self.user.left_out, self.memory.left_out)
        return {reason: sum(each.get(reason, 0) for each in both) for reason in sorted({*both[0], *both[1]})}
