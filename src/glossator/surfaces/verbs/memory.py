"""`glossator memory`: files, sources, review, restore."""

from pathlib import Path
from typing import TYPE_CHECKING

from glossator.model import PromptFile
from glossator.surfaces.call import Call
from glossator.surfaces.registry import FAILED
from glossator.surfaces.show.plain_json import Plain, plain_value
from glossator.surfaces.verbs.facts import fact_value, in_words_of

if TYPE_CHECKING:
    from rich.console import RenderableType


def files(call: Call) -> None:
    """Both prompt files as they are rendered now, with what is left out of them, and the folder where they lie."""
    from glossator.upkeep.prompt_paths import prompt_folder

    with call.open(new=False, embeds=False) as memory:
        found = memory.prompt_files(scope=call.scope)
    root = call.options.prompt_folder
    folder = str(Path(root) / prompt_folder(call.scope)) if root else None

    def render() -> "RenderableType":
        from glossator.surfaces.show.prompt_files import render_prompt_files

        return render_prompt_files(found, folder=folder)

    both = [{"name": each.name, **_fields(each)} for each in (found.user, found.memory)]
    call.screen.answer({"folder": folder, "files": both, "block": found.block}, render=render)


def sources(call: Call) -> None:
    """Where the facts come from, scheduled jobs with their last run among them."""
    with call.open(new=False, embeds=False) as memory:
        found = memory.memory_sources(scope=call.scope)

    def render() -> "RenderableType":
        from glossator.surfaces.show.prompt_files import render_sources

        return render_sources(found, zone=call.options.zone)

    call.screen.answer({"sources": found}, render=render)


def _fields(file: PromptFile) -> dict[str, Plain]:
    fields = plain_value(file)
    assert isinstance(fields, dict)
    return fields


def review(call: Call, *, now: bool) -> int:
    """Review the conversation, or all of the scope that have something new; exit code 1 where one failed."""
    with call.open(new=False, embeds=False) as memory, call.screen.progress("reviewing"):
        results = memory.review(scope=call.scope, now=now)

    def render() -> "RenderableType":
        from glossator.surfaces.show.reviews import render_reviews

        return render_reviews(results, forced=now)

    call.screen.answer({"reviews": results}, render=render)
    return FAILED if any(each.status == "failed" for each in results) else 0


def restore(call: Call, fact_id: str, *, replaces: bool) -> None:
    """The fact is current again, and what is made of facts has it."""
    with call.open(new=False, embeds=False) as memory, in_words_of("fact_id"):
        fact = memory.restore_fact(fact_id, scope=call.scope, replace=replaces)

    def render() -> "RenderableType":
        from glossator.surfaces.show.reviews import render_back

        return render_back(fact, zone=call.options.zone)

    call.screen.answer({"fact": fact_value(fact)}, render=render)
