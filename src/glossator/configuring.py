"""What has the user chosen, and where: the environment over a TOML file over the defaults?

In the environment an option is GLOSSATOR_ with its name in capitals. The flags of the extraction are also read without
the prefix, as other programs set them; the name with the prefix comes first. In a file the table is [glossator]; a
group may be a table of its own, so that [glossator.capture] mode is capture_mode.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

from glossator.errors import UsageError
from glossator.options import Options

PREFIX = "GLOSSATOR_"
FLAGS = (
    "turn_fact_extraction_enabled",
    "turn_fact_pre_compress_enabled",
    "turn_fact_vector_recall_enabled",
    "lancedb_cloud_enabled",
    "turn_fact_max_per_turn",
    "turn_fact_extraction_sample_rate",
    "turn_fact_queue_maxsize",
)
"""The seven flags that keep their names everywhere."""
BARE_NAMES = (*FLAGS, "turn_fact_cb_threshold", "turn_fact_cb_cooldown_s")
"""Options that the environment may also name without the prefix. No other one: GLOSSATOR_ZONE is ours, ZONE is not."""
DEFAULT = "default"
_TRUTH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured:
    """The options, and for each of them by name where its value comes from."""

    options: Options
    origins: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """A value as it was written. `argument` names the place in an error, `origin` in a list of the options."""

    value: object
    argument: str
    origin: str


def configured(environment: Mapping[str, str], toml: Path | None = None) -> Configured:
    """The options and their origins.

    An unknown name is refused in the file. In the environment it is not: others set names there too, Kubernetes for
    example GLOSSATOR_PORT for a service that is called so. Raises UsageError naming the variable or the file.
    """
    known = [field.name for field in fields(Options)]
    chosen = {} if toml is None else _in_file(toml, known)
    chosen |= _in_environment(environment, known)
    typed = {name: _typed(name, each) for name, each in chosen.items()}
    try:
        options = replace(Options(), **typed)  # type: ignore[arg-type]
    except UsageError as error:  # in the words of the place where the value stands
        at_fault = chosen.get(error.argument.removeprefix("options."))
        argument = at_fault.argument if at_fault else error.argument
        raise UsageError(argument, error.problem, remedy=error.remedy) from error
    origins = {name: chosen[name].origin if name in chosen else DEFAULT for name in known}
    return Configured(options=options, origins=origins)


def _in_environment(environment: Mapping[str, str], known: list[str]) -> dict[str, _Chosen]:
    chosen: dict[str, _Chosen] = {}
    for name in known:
        variables = (PREFIX + name.upper(), *((name.upper(),) if name in BARE_NAMES else ()))
        for variable in variables:
            if variable in environment:
                origin = f"environment {variable}"
                chosen[name] = _Chosen(value=environment[variable], argument=variable, origin=origin)
                break
    return chosen


def _in_file(path: Path, known: list[str]) -> dict[str, _Chosen]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8")).get("glossator", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError("config", f"{path} cannot be read: {error}") from error
    if not isinstance(table, dict):
        raise UsageError("config", f"glossator is no table in {path}", remedy="begin it with [glossator]")
    chosen: dict[str, _Chosen] = {}
    for name, value in _flat(table):
        if name in chosen:
            raise UsageError("config", f"{name} is given twice in {path}", remedy="leave one of them out")
        chosen[name] = _Chosen(value=value, argument=f"{name} in {path}", origin=f"file {path}")
    unknown = sorted(set(chosen) - set(known))
    if unknown:
        raise UsageError("config", f"unknown in {path}: {unknown}", remedy=f"known are {sorted(known)}")
    return chosen


def _flat(table: Mapping[str, object]) -> list[tuple[str, object]]:
    """The members by the option's name: capture.mode is capture_mode. The table of tiers is a value itself."""
    members: list[tuple[str, object]] = []
    for key, value in table.items():
        name = key.replace(".", "_").replace("-", "_")
        if isinstance(value, dict) and name != "tiers":
            members.extend((f"{name}_{inner}", each) for inner, each in _flat(value))
        else:
            members.append((name, value))
    return members


def _typed(name: str, chosen: _Chosen) -> object:
    """The value in the type of the option's default."""
    default = getattr(Options(), name)
    kind, example = "text", str(default)
    try:
        match default:
            case None:
                kind, example = "table of tiers", "agent=INTERN,other=STUDENT"
                return _tiers(chosen.value)
            case bool():
                kind, example = "choice of true and false", str(default).lower()
                return _TRUTH[str(chosen.value).strip().lower()]
            case int():
                kind = "whole number"
                return _whole(chosen.value)
            case float():
                kind = "number"
                return _number(chosen.value)
            case frozenset():
                kind, example = "list of words", ",".join(sorted(default))
                return _words(chosen.value)
        if isinstance(chosen.value, str):
            return chosen.value.strip()
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(chosen.argument, f"{chosen.value!r} is no {kind}", remedy=f"for example {example}") from error
    raise UsageError(chosen.argument, f"{chosen.value!r} is no {kind}", remedy=f"for example {example}")


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    return int(value)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    number = float(value)
    if not math.isfinite(number):
        raise ValueError
    return number


def _words(value: object) -> frozenset[str]:
    if isinstance(value, str):
        return frozenset(part.strip() for part in value.split(","))
    if not isinstance(value, list):
        raise TypeError
    return frozenset(str(part).strip() for part in value)


def _tiers(value: object) -> dict[str, str]:
    if isinstance(value, str):
        pairs = [part.partition("=") for part in value.split(",") if part.strip()]
        value = {agent.strip(): tier.strip() for agent, equals, tier in pairs if equals and agent.strip()}
        if len(value) != len(pairs):  # no "=", no agent, or one agent twice
            raise ValueError
    if not isinstance(value, dict) or not all(isinstance(tier, str) for tier in value.values()):
        raise TypeError
    return dict(value)
