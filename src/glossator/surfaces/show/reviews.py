"""How do reviews look: what was read, what changed, and why not where nothing was done?"""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from glossator.model import Fact, ReviewResult
from glossator.surfaces.show.facts import render_restored
from glossator.surfaces.show.upkeep import BAD, GOOD, QUIET
from glossator.surfaces.show.wording import conversation_name, plural, safe

SKIPS: Mapping[str, str] = {
    "disabled": "reviews are switched off; --now asks for one",
    "under_interval": "reviewed a short while ago; --now does not wait",
    "in_failure_backoff": "the last review failed a moment ago; --now does not wait",
    "no_new_messages": "nothing new was said",
    "concurrent_run": "another review of it is running",
}
"""What a skip means to whoever asked."""


def render_reviews(results: Sequence[ReviewResult], *, forced: bool) -> RenderableType:
    """One paragraph for each conversation."""
    if not results:
        return Text("nothing new was said in any conversation")
    return Group(*(_review(each, forced=forced) for each in results))


def render_back(fact: Fact, *, zone: str) -> RenderableType:
    """The fact, and where it stands again."""
    told = "it is recalled again, and back in the prompt files"
    return Group(render_restored(fact, zone=zone), Text(told, style=QUIET))


def _review(result: ReviewResult, *, forced: bool) -> RenderableType:
    title = Text(safe(conversation_name(result.conversation)), style="bold")
    return Group(title, Padding(Group(*_lines(result, forced=forced)), (0, 0, 0, 2)))


def _lines(result: ReviewResult, *, forced: bool) -> list[Text]:
    if result.status == "skipped":
        words = SKIPS.get(result.skip_reason, result.skip_reason)
        return [Text(words.partition(";")[0] if forced else words, style=QUIET)]
    if result.status == "failed":
        return [Text(f"failed: {safe(result.failure)}", style=BAD)]
    counts = [f"{name} {getattr(result, name)}" for name in ("added", "replaced", "archived") if getattr(result, name)]
    done = ", ".join(counts) or "nothing to save"
    read = f"read {plural(result.input_messages, 'message')}, {result.input_tokens:,} tokens"
    lines = [Text(done, style=GOOD if counts else ""), Text(read, style=QUIET)]
    if result.skipped:
        why = ", ".join(f"{reason.replace('_', ' ')} {count}" for reason, count in sorted(result.skipped_ops.items()))
        lines.append(Text(f"left out {result.skipped}" + (f": {why}" if why else ""), style=QUIET))
    if result.more:
        lines.append(Text("more was said than one review reads; the next goes on from here", style=QUIET))
    return lines
