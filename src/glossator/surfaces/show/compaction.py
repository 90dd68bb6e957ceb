"""How does a compaction look?"""

from rich.console import Group, RenderableType
from rich.text import Text

from glossator.model import CompactionReason, CompactionResult
from glossator.surfaces.show.upkeep import GOOD, QUIET
from glossator.surfaces.show.wording import one_line

WHY: dict[CompactionReason, str] = {
    "no_model": "no language model is configured (GLOSSATOR_LANGUAGE_MODEL)",
    "nothing_to_compact": "there is nothing old enough to sum up",
    "does_not_fit": "the newest message alone leaves no room for a summary",
    "stale": "the conversation changed meanwhile; try again",
    "weak": "a summary would have saved too little",
    "failed": "the summary failed, and everything is as it was",
}


def render_compaction(result: CompactionResult) -> RenderableType:
    """Both sizes, or why it was not done."""
    if result.compacted:
        sizes = Text(f"Compacted: {result.before_tokens:,} to {result.after_tokens:,} tokens.", style=GOOD)
        return Group(sizes, Text("The older messages stay in memory, word for word.", style=QUIET))
    why = Text(f"Not compacted: {WHY.get(result.reason, result.reason)}.", style="yellow")
    lines: list[RenderableType] = [why]
    if result.before_tokens:
        lines.append(Text(f"The conversation has about {result.before_tokens:,} tokens.", style=QUIET))
    if result.detail:
        lines.append(Text(one_line(result.detail, characters=200), style=QUIET))
    return Group(*lines)
