"""How does a function become a verb of the command line, with the shared options, exit codes and error lines?"""

import inspect
import logging
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import typer

from glossator.errors import GlossatorError, UsageError
from glossator.rules.log_words import content_of, kind_of, place_of
from glossator.surfaces.call import SHARED, Call, Interrupted, Shared
from glossator.surfaces.show.plain_json import document, mended
from glossator.surfaces.typed import as_typed, words_of

logger = logging.getLogger("glossator.cli")
logging.getLogger("glossator").addHandler(logging.NullHandler())
"""What the engine logs is told by the verbs, in their own words; without a handler Python would print it raw."""

OK, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: done; the store or a provider failed; an argument is wrong; Ctrl-C (128 + SIGINT, as shells have it)."""

P = ParamSpec("P")
Verb = TypeVar("Verb", bound=Callable[..., int | None])


def verb(app: typer.Typer, *, panel: str, name: str | None = None) -> Callable[[Verb], Verb]:
    """Register a function `(call: Call, ...) -> exit code or None` under a name, its docstring as help.

    The name is the function's own where none is given.
    """

    def register(function: Verb) -> Verb:
        def command(**arguments: Any) -> None:
            arguments = {name: _mended(value) for name, value in arguments.items()}
            shared = Shared(**{name: arguments.pop(name) for name in SHARED})
            code = run(function, shared, arguments)
            if code:
                raise typer.Exit(code)

        own = list(inspect.signature(function).parameters.values())[1:]
        added = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False if name == "as_json" else None,
                              annotation=annotation)
            for name, annotation in SHARED.items()
        ]  # fmt: skip
        parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own] + added
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {each.name: each.annotation for each in parameters}
        command.__doc__ = function.__doc__
        app.command(name=name or function.__name__, rich_help_panel=panel)(command)
        return function

    return register


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return mended(value)
    return [_mended(each) for each in value] if isinstance(value, list) else value


def run(function: Callable[Concatenate[Call, ...], int | None], shared: Shared, arguments: Mapping[str, Any]) -> int:
    """Run a verb; every failure becomes one line on stderr and an exit code, never a traceback."""
    try:
        return function(Call.of(shared), **arguments) or OK
    except UsageError as exc:
        return told(as_typed(exc, words_of(function), shared), as_json=shared.as_json)
    except GlossatorError as exc:
        return told(exc, as_json=shared.as_json)
    except (KeyboardInterrupt, Interrupted) as exc:
        kept = str(exc) or "what was acknowledged before is kept"
        return failed({"kind": "Interrupted", "message": kept}, f"interrupted; {kept}", INTERRUPTED, shared.as_json)
    except BrokenPipeError:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - Python flushes it once more at its end
        return FAILED
    except Exception as exc:  # the surface's handler: whatever it is, the user gets one line
        logger.debug("a verb failed: %s, %s", kind_of(exc), place_of(exc), extra=content_of(exc))
        if sys.flags.dev_mode:
            raise
        line = f"unexpected {type(exc).__name__}: {exc}; `python -X dev -m glossator.surfaces.cli ...` shows where"
        return failed({"kind": type(exc).__name__, "message": str(exc)}, line, FAILED, shared.as_json)


def told(exc: GlossatorError, *, as_json: bool) -> int:
    """Say what went wrong, and whose turn it is to act."""
    error: dict[str, object] = {"kind": type(exc).__name__, "message": str(exc)}
    if isinstance(exc, UsageError):
        error |= {"argument": exc.argument, "problem": exc.problem, "remedy": exc.remedy}
    else:
        error["retryable"] = bool(getattr(exc, "retryable", False))
    return failed(error, str(exc), MISUSED if isinstance(exc, UsageError) else FAILED, as_json)


def failed(error: Mapping[str, object], line: str, code: int, as_json: bool) -> int:
    """One line on stderr; with `as_json` also the error as the one document on stdout."""
    from glossator.surfaces.show.wording import safe  # here, so that --help need not load it

    if as_json:
        sys.stdout.write(document({"error": error}) + "\n")
    sys.stderr.write("glossator: " + " ".join(safe(line).split()).encode("utf-8", "replace").decode("utf-8") + "\n")
    return code
