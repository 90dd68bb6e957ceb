"""What does a request ask of a verb: whose memory, and with which arguments?"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from starlette.requests import Request

from glossator.errors import PermissionDeniedError, UsageError
from glossator.model import JobRun, Scope
from glossator.model.scope import Trust
from glossator.surfaces.http.answers import refused
from glossator.surfaces.http.callers import Caller
from glossator.wire.queries import Pairs
from glossator.wire.scopes import PARAMETERS

ANY = "*"
NO_TEXT = ""


def caller_of(request: Request) -> Caller:
    """Who asks."""
    return cast(Caller, request.state.caller)


def scope_of(request: Request) -> Scope:
    """The scope that the query names, within the caller's own. Raises UsageError, PermissionDeniedError."""
    parts: dict[str, str] = {}
    for name, text in request.query_params.multi_items():
        if name in PARAMETERS:
            if PARAMETERS[name] in parts:
                raise UsageError(name, "is given more than once", remedy="give it once")
            parts[PARAMETERS[name]] = text
    trust = cast(Trust | None, parts.pop("trust", None))
    try:
        _ = Scope(workspace="any", trust=trust)
        return caller_of(request).scope(trust=trust, **parts)
    except UsageError as error:
        raise type(error)(_parameter_of(error.argument), error.problem, remedy=error.remedy) from None


def _parameter_of(argument: str) -> str:
    """ "within" for "scope.conversation": the part by its name in the query."""
    part = argument.removeprefix("scope.")
    return next((name for name, named in PARAMETERS.items() if named == part), argument)


def query_of(request: Request, *, scoped: bool) -> Pairs:
    """What the query names beside the scope."""
    pairs = request.query_params.multi_items()
    return [(name, text) for name, text in pairs if not (scoped and name in PARAMETERS)]


def check_query(request: Request, *, scoped: bool) -> None:
    """Raises UsageError for a name in the query that stands for nothing there."""
    for name, _ in query_of(request, scoped=scoped):
        raise UsageError(name, "is no parameter of this request", remedy="the arguments stand in the JSON body")


def expected_sha256(request: Request) -> str | None:
    """The text that is to be replaced, by its hash; "" where there must be none, None where any may be.

    Raises RefusalError (428) for a request that says nothing of it: two writers would take each other's words away.
    """
    match, none_match = request.headers.get("if-match"), request.headers.get("if-none-match")
    if none_match is not None and none_match.strip() == ANY and match is None:
        return NO_TEXT
    if match is None:
        remedy = "send the ETag that you have read, `If-None-Match: *` for a first text, or `If-Match: *` for any"
        raise refused(428, "If-Match", "is missing", remedy)
    return None if match.strip() == ANY else match.strip().removeprefix("W/").strip('"')


def knows(request: Request, etag: str) -> bool:
    """True if the caller has this text already (If-None-Match)."""
    given = request.headers.get("if-none-match", "")
    known = {each.strip().removeprefix("W/") for each in given.split(",")}
    return etag in known or ANY in known


def check_run(arguments: Mapping[str, Any], scope: Scope) -> dict[str, Any]:
    """The arguments with the run of a job as this caller has it: what the body says of its scope is only a claim.

    Raises PermissionDeniedError for another's run.
    """
    run = arguments["run"]
    assert isinstance(run, JobRun)
    for part in ("workspace", "agent", "owner"):
        if getattr(run.scope, part) != getattr(scope, part):
            raise PermissionDeniedError(
                f"run.scope.{part}", "is not the scope of this request", remedy="name its scope"
            )
    return {**arguments, "run": replace(run, scope=replace(run.scope, trust=scope.trust, tier=scope.tier))}
