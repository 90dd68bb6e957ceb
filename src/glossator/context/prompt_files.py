"""How do facts become USER.md and MEMORY.md? A pure function of rows and choices: the same rows, the same bytes.

Which rows stay is a matter of when they were last seen; their order in a section is that in which they were learned, so
that saying something again moves nothing and a prompt's cache keeps its prefix.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo

from glossator.context.compose import memory_block
from glossator.context.prompt_line import prompt_line
from glossator.model import (
    PROMPT_FILE_KINDS,
    SENSITIVITIES,
    Fact,
    PromptFile,
    PromptFileKind,
    PromptFiles,
    Sensitivity,
)
from glossator.model.rendering import estimated_tokens
from glossator.rules.injection import suspicion
from glossator.rules.promotion import SECTIONS, TOKENS_MAX, ConversationContext, Section, may_stand, section_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptChoices:
    """What the text depends on beside the rows. `conversation` is the key of the one that the prompt is for."""

    zone: tzinfo = UTC
    sensitivities: tuple[Sensitivity, ...] = SENSITIVITIES[:-1]
    conversation_context: ConversationContext = "operator"
    conversation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    fact: Fact
    line: str


class PromptRenderer:
    """Renders once, by these choices. It keeps what it has found out about each fact, so use it for one rendering."""

    def __init__(self, choices: PromptChoices) -> None:
        self._choices = choices
        self._judged: dict[tuple[int, int], tuple[str, str]] = {}

    def stands(self, fact: Fact) -> bool:
        """True if the fact takes a row of its section, as long as there is room."""
        return self._section(fact) is not None and not self._line(fact)[1]

    def render(self, facts: Iterable[Fact]) -> PromptFiles:
        """Both files and the block, of whatever facts are given and in whatever order."""
        ordered = sorted(facts, key=lambda fact: (fact.last_seen_at, fact.fact_id), reverse=True)
        placed = [(fact, self._section(fact)) for fact in ordered]
        user, memory = (
            self._file(kind, [(fact, section) for fact, section in placed if section and section.file == kind])
            for kind in PROMPT_FILE_KINDS
        )
        return PromptFiles(user=user, memory=memory, block=memory_block(user, memory, zone=self._choices.zone))

    def _section(self, fact: Fact) -> Section | None:
        """Where the fact belongs, None where it has no place in a prompt file or holds no more."""
        if fact.state != "active" or not fact.text.strip() or fact.sensitivity not in self._choices.sensitivities:
            return None
        shown = may_stand(
            fact.category, fact.scope_type, fact.scope_id, fact.source_trust,
            rule=self._choices.conversation_context, conversation=self._choices.conversation,
        )  # fmt: skip
        return section_of(fact.category, fact.scope_type) if shown else None

    def _line(self, fact: Fact) -> tuple[str, str]:
        """The fact's line, and why it is left out though it belongs there: "suspect" or ""."""
        version = fact.fact_id, fact.version
        if version not in self._judged:
            line = prompt_line(fact, zone=self._choices.zone)
            whole = f"{fact.text}\n{line}"  # all of it, however long, and the line as it will be read back
            self._judged[version] = line, "suspect" if suspicion(whole) else ""
        return self._judged[version]

    def _file(self, kind: PromptFileKind, placed: Sequence[tuple[Fact, Section]]) -> PromptFile:
        left_out: Counter[str] = Counter()
        rows = {
            section: self._chosen(section, [fact for fact, its in placed if its == section], left_out)
            for section in SECTIONS
            if section.file == kind
        }
        text = _text(rows)
        while (tokens := estimated_tokens(text)) > TOKENS_MAX[kind]:
            _drop_one(rows)
            left_out["budget"] += 1
            text = _text(rows)
        return PromptFile(
            kind=kind,
            text=text,
            tokens=tokens,
            tokens_max=TOKENS_MAX[kind],
            fact_ids=tuple(row.fact.fact_id for each in rows.values() for row in _in_order(each)),
            total=len(placed),
            left_out=dict(sorted(left_out.items())),
        )

    def _chosen(self, section: Section, facts: Iterable[Fact], left_out: Counter[str]) -> list[_Row]:
        """The rows of a section, of facts with the latest first; one for each statement, wherever it holds."""
        rows: list[_Row] = []
        seen: set[str] = set()
        for fact in facts:
            if len(rows) == section.rows_max:
                left_out["cap"] += 1
                continue
            line, reason = self._line(fact)
            if reason or fact.content_hash in seen:
                left_out[reason or "repeated"] += 1
                continue
            seen.add(fact.content_hash)
            rows.append(_Row(fact=fact, line=line))
        return rows


def render_prompt_files(facts: Iterable[Fact], choices: PromptChoices) -> PromptFiles:
    """Both files and the block of these facts."""
    return PromptRenderer(choices).render(facts)


def _in_order(rows: Sequence[_Row]) -> list[_Row]:
    return sorted(rows, key=lambda row: row.fact.fact_id)


def _text(rows: Mapping[Section, Sequence[_Row]]) -> str:
    """The file; "" without rows."""
    parts = [
        "\n".join([f"## {section.title}", *(row.line for row in _in_order(each))])
        for section, each in rows.items()
        if each
    ]
    return "\n\n".join(parts) + "\n" if parts else ""


def _drop_one(rows: Mapping[Section, list[_Row]]) -> None:
    """Take the row seen longest ago out of the section that takes most room, so that none is crowded out by another."""
    longest = max(rows.values(), key=lambda each: sum(len(row.line.encode()) + 1 for row in each))
    longest.pop()
