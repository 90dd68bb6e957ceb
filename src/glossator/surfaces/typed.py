"""What did the user type for an argument that Python names: an option, a positional, a variable of the environment?"""

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from typer.models import ArgumentInfo

from glossator.errors import UsageError
from glossator.surfaces.call import SHARED, Shared

_PLACE = re.compile(r"\[\d+\]")
_LIST = re.compile(r"(?:\(|\[)((?:'[^']*'(?:, )?)+),?(?:\)|\])")
"""A tuple or list of texts as Python prints it."""
_SWITCH = re.compile(r"\b([a-z]+)=True\b")


def words_of(function: Callable[..., object]) -> dict[str, str]:
    """How a verb's own parameters are typed, by the name of the parameter and by that of the flag."""
    words: dict[str, str] = {}
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        (info,) = parameter.annotation.__metadata__
        typed = _word(name, info)
        words |= {name: typed, typed.removeprefix("--"): typed}
    return words


def _word(name: str, info: Any) -> str:
    if isinstance(info, ArgumentInfo):
        return str(info.metavar or name.upper())
    declared = (info.default, *(info.param_decls or ()))  # in Annotated, the first flag stands in place of a default
    flags = [flag for flag in declared if isinstance(flag, str) and flag.startswith("--")]
    return flags[0].partition("/")[0] if flags else "--" + name.replace("_", "-")


def as_typed(exc: UsageError, words: Mapping[str, str], shared: Shared) -> UsageError:
    """The same error in the words of the command line."""
    remedy = _SWITCH.sub(r"--\1", exc.remedy)
    return type(exc)(_argument(exc.argument, words, shared), _plain(exc.problem), remedy=_plain(remedy))


def _argument(argument: str, words: Mapping[str, str], shared: Shared) -> str:
    group, _, name = _PLACE.sub("", argument).rpartition(".")
    name = "text" if name == "content" else name
    if name in SHARED:
        return f"--{name}" if getattr(shared, name) or name == "db" else f"GLOSSATOR_{name.upper()}"
    if group == "options":
        return f"GLOSSATOR_{name.upper()}"
    return words.get(name, "--db" if argument == "path" else argument)


def _plain(text: str) -> str:
    """Lists without Python's brackets and quotes."""
    return _LIST.sub(lambda found: found[1].replace("'", ""), text)
