"""`glossator config`: which value has each option, and where does it come from?"""

from dataclasses import dataclass, fields
from pathlib import Path

from glossator import Options
from glossator.errors import UsageError
from glossator.rules.secrets import redacted_values
from glossator.surfaces.call import Call
from glossator.wiring import options_from, origins_from


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One option as it stands."""

    option: str
    value: object
    origin: str


def run(call: Call, *, file: Path | None) -> None:
    """Every option with its value and its origin; nothing secret is shown."""
    try:
        settings = settings_of(call, file)
    except UsageError as exc:  # the file that was typed, where it is no variable of the environment
        raise type(exc)("file" if exc.argument == "config" else exc.argument, exc.problem, remedy=exc.remedy) from exc

    def render() -> object:
        from glossator.surfaces.show.settings import render_settings

        return render_settings([(each.option, each.value, each.origin) for each in settings])

    call.screen.answer({"options": settings}, render=render)  # type: ignore[arg-type]


def settings_of(call: Call, file: Path | None) -> list[Setting]:
    """In the order of `Options`. What was typed for this call comes before all else."""
    chosen, origins = options_from(toml=file), origins_from(toml=file)
    unchanged = options_from()
    settings = []
    for field in fields(Options):
        value, origin = getattr(chosen, field.name), origins[field.name]
        if field.name in ("embedder", "zone") and getattr(call.options, field.name) != getattr(unchanged, field.name):
            value, origin = getattr(call.options, field.name), f"--{field.name}"
        settings.append(Setting(option=field.name, value=redacted_values(value)[0], origin=origin))
    return settings
