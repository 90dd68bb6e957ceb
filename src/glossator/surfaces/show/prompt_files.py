"""How do the prompt files look, and the sources that facts come from?"""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from glossator.model import MemorySource, PromptFile, PromptFiles
from glossator.surfaces.show.upkeep import QUIET
from glossator.surfaces.show.wording import clock, conversation_name, plural, safe

LEFT_OUT: Mapping[str, str] = {
    "cap": "their section is full",
    "budget": "the file is full",
    "suspect": "they read like an instruction to the model",
    "repeated": "another fact says the same",
}
"""Why facts that belong into a file are not in it."""


def render_prompt_files(files: PromptFiles, *, folder: str | None) -> RenderableType:
    """Both texts, what is left out of each, and where they lie."""
    where = f"written to {safe(folder)}" if folder else "written to no folder; GLOSSATOR_PROMPT_FOLDER names one"
    return Group(*_file(files.user), *_file(files.memory), Text(where, style=QUIET))


def _file(file: PromptFile) -> list[RenderableType]:
    size = f"  {len(file.fact_ids):,} of {plural(file.total, 'fact')} · {file.tokens:,} of {file.tokens_max:,} tokens"
    lines: list[RenderableType] = [Text.assemble((file.name, "bold"), (size, QUIET))]
    lines += [
        Text(f"left out: {plural(count, 'fact')}, {LEFT_OUT.get(why, why)}", style="yellow")
        for why, count in file.left_out.items()
    ]
    words = Text(safe(file.text).rstrip("\n")) if file.text else Text("(empty)", style=QUIET)
    return [*lines, Padding(words, (0, 0, 1, 2))]


def render_sources(sources: Sequence[MemorySource], *, zone: str) -> RenderableType:
    """Two lines each: what it is and what it holds; when."""
    if not sources:
        return Group(Text("no sources"), Text("they are where facts come from; there are no facts yet", style=QUIET))
    lines: list[RenderableType] = []
    for each in sources:
        about = [each.source_type, plural(each.fact_count, "fact")]
        about += [plural(each.note_count, "note")] if each.note_count else []
        about += [f"last seen {clock(each.last_seen_at, zone)}"] if each.last_seen_at else []
        if each.last_run_at is not None:
            about.append(
                f"{plural(each.run_count, 'run')}, the last {each.last_status} {clock(each.last_run_at, zone)}"
            )
        elif each.source_type == "job":
            about.append("not run yet")
        name = conversation_name(each.name) if each.source_type == "conversation" else safe(each.name)
        lines += [Text(name, style="bold"), Padding(Text(" · ".join(about), style=QUIET), (0, 0, 0, 4))]
        lines += [Padding(Text(safe(each.description)), (0, 0, 0, 4))] if each.description else []
    return Group(*lines)
