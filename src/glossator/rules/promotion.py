"""Which facts stand in which prompt file, and under which heading?

Worked out anew from category and scope each time a file is rendered: nothing that is stored can force a fact in.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from glossator.model.fact import Category, ScopeType
from glossator.model.prompt_file import PromptFileKind
from glossator.model.scope import Trust
from glossator.rules.trust import TRUSTED

ConversationContext = Literal["operator", "same_conversation", "never"]
"""Where what holds for one conversation may be shown: to all conversations of the owner, in its own only, nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading of a prompt file: the category under it, the kinds of scope it takes, its rows at most."""

    title: str
    file: PromptFileKind
    category: Category
    scope_types: tuple[ScopeType, ...]
    rows_max: int


_OWN: tuple[ScopeType, ...] = ("owner",)
_WORK: tuple[ScopeType, ...] = ("agent", "workspace", "owner")
SECTIONS: tuple[Section, ...] = (
    Section(title="Identity", file="user_md", category="identity", scope_types=_OWN, rows_max=6),
    Section(title="Preferences", file="user_md", category="preference", scope_types=_OWN, rows_max=6),
    Section(title="Interests", file="user_md", category="interest", scope_types=_OWN, rows_max=6),
    Section(title="Goals", file="user_md", category="goal", scope_types=_OWN, rows_max=5),
    Section(
        title="Context", file="memory_md", category="context", scope_types=(*_WORK, "conversation"), rows_max=12
    ),
    Section(title="Working Rules", file="memory_md", category="directive", scope_types=_WORK, rows_max=8),
)  # fmt: skip
"""In their order in the files. What a section's file and scopes do not name is never rendered: notes and summaries,
rows of jobs, rules that were given for one conversation, and statements about a person that are not the owner's."""
TOKENS_MAX: Mapping[PromptFileKind, int] = {"user_md": 1_500, "memory_md": 2_000}


def section_of(category: Category, scope_type: ScopeType) -> Section | None:
    """The section where facts of this category and kind of scope stand, None where they stand in none."""
    return next((each for each in SECTIONS if each.category == category and scope_type in each.scope_types), None)


def promote_target(category: Category, scope_type: ScopeType) -> PromptFileKind | None:
    """The file that a fact of this category and kind of scope belongs into, None for neither."""
    section = section_of(category, scope_type)
    return None if section is None else section.file


def may_stand(
    category: Category, scope_type: ScopeType, scope_id: str, source_trust: Trust, *,
    rule: ConversationContext, conversation: str | None,
) -> bool:  # fmt: skip
    """False for what its source or its conversation keeps out of a prompt in `conversation` (its key).

    Who the owner is, and how the agent is to work, comes from an operator or the owner; so does what holds for one
    conversation, which is shown as far as `rule` says.
    """
    if source_trust not in TRUSTED and (category != "context" or scope_type == "conversation"):
        return False
    if scope_type != "conversation":
        return True
    if rule == "never":
        return False
    return rule == "operator" or (conversation is not None and scope_id == conversation)
