"""Whose memory does a page show, and how do its links keep that?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import Depends, Request

from glossator import AsyncMemory
from glossator.errors import GlossatorError
from glossator.model import Scope
from glossator.surfaces.http.callers import Caller
from glossator.wire.scopes import PARAMETERS

ROOT = "/inspect"
"""Where the pages are mounted."""
PARTS: Mapping[str, str] = {name: part for name, part in PARAMETERS.items() if name not in ("job", "trust")}
"""The query parameter, and the part of the scope that it chooses: as in the HTTP API, but for those of a program."""
Parameter = str | int | bool | None | list[str] | tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewpoint:
    """Who looks, at which scope, and where the pages begin. `chosen` holds what the URL said of the scope."""

    caller: Caller
    scope: Scope
    chosen: Mapping[str, str]
    root: str

    def link(self, path: str, /, **parameters: Parameter) -> str:
        """The address of a page, for example `link("facts", state=["active"])`, with the scope kept.

        None and "" leave a parameter out; True is "1" and False is left out.
        """
        given = {name: "1" if value is True else value for name, value in parameters.items() if value not in (None, "")}
        kept = {**self.chosen, **{name: value for name, value in given.items() if value is not False}}
        query = urlencode(kept, doseq=True, errors="replace")
        return f"{self.root}/{quote(path)}" + (f"?{query}" if query else "")

    def fact(self, fact_id: int) -> str:
        """The page of a fact."""
        return self.link(f"facts/f{fact_id}")

    def talk(self, conversation: str, message: str | None = None) -> str:
        """The page of a conversation, by its key, at a message, by its external id."""
        link = self.link("conversation", name=conversation, message=message)
        return link if message is None else f"{link}#here"

    def asset(self, name: str) -> str:
        """The address of a file of the pages."""
        return f"{self.root}/static/{quote(name)}"

    def of(self, scope: Scope) -> "Viewpoint":
        """The same looker at another scope of the list; what the key fixes is not written into links."""
        names = {name: getattr(scope, part) for name, part in PARTS.items() if name in (*self.free, "within")}
        return replace(self, scope=scope, chosen={name: text for name, text in names.items() if text is not None})

    @property
    def free(self) -> tuple[str, ...]:
        """The parts of the scope that the caller's key leaves open."""
        return tuple(part for part in ("workspace", "agent", "owner") if getattr(self.caller, part) is None)

    @property
    def widened(self) -> "Viewpoint":
        """The same without a conversation that narrows it."""
        kept = {name: text for name, text in self.chosen.items() if name != "within"}
        return replace(self, scope=replace(self.scope, conversation=None), chosen=kept)


def viewpoint_of(request: Request) -> Viewpoint:
    """The viewpoint that the URL asks for. Raises PermissionDeniedError for a scope that the key is not for."""
    caller: Caller = request.state.caller
    asked = {name: text for name in PARTS if (text := request.query_params.get(name))}
    scope = caller.scope(
        workspace=asked.get("workspace"), agent=asked.get("agent"), owner=asked.get("owner"),
        conversation=asked.get("within"),
    )  # fmt: skip
    return Viewpoint(caller=caller, scope=scope, chosen=asked, root=root_of(request))


def own_viewpoint(request: Request) -> Viewpoint | None:
    """What a page that failed is framed by: the scope asked for, else the caller's own, else nothing."""
    caller: Caller | None = getattr(request.state, "caller", None)
    if caller is None:
        return None
    try:
        return viewpoint_of(request)
    except GlossatorError:
        return Viewpoint(caller=caller, scope=caller.scope(), chosen={}, root=root_of(request))


def root_of(request: Request) -> str:
    """Where the pages begin, behind a proxy that mounts the server under a path too."""
    return str(request.scope.get("root_path", "")).rstrip("/") + ROOT


def memory_of(request: Request) -> AsyncMemory:
    """The memory that is served."""
    memory: AsyncMemory = request.app.state.memory
    return memory


View = Annotated[Viewpoint, Depends(viewpoint_of)]
Served = Annotated[AsyncMemory, Depends(memory_of)]
