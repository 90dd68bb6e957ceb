"""What does every verb of the command line share: where the memory is, whose it is, and how the result is shown?"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from glossator.errors import StoreError, UsageError
from glossator.surfaces.show.plain_json import shown_path
from glossator.surfaces.show.screen import Screen

if TYPE_CHECKING:
    from glossator import Memory, Options, Scope

LOADING_S = 10.0
"""A process that ends while its embedder loads in the background is aborted by the C++ runtime: wait so long for it."""

PANEL = "Where, whose and how"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """The options that every verb takes. What is None comes from the environment, else from the defaults."""

    db: Path | None
    workspace: str | None
    agent: str | None
    owner: str | None
    conversation: str | None
    embedder: str | None
    zone: str | None
    as_json: bool


SHARED: Mapping[str, object] = {
    "db": Annotated[Path | None, typer.Option(
        "--db", help="The memory's file (else GLOSSATOR_DB).", rich_help_panel=PANEL, show_default=False)],
    "workspace": Annotated[str | None, typer.Option(
        help="Hard boundary of what is seen (else GLOSSATOR_WORKSPACE, else \"default\").", rich_help_panel=PANEL,
        show_default=False)],
    "agent": Annotated[str | None, typer.Option(
        help="Whose memory it is (else GLOSSATOR_AGENT).", rich_help_panel=PANEL, show_default=False)],
    "owner": Annotated[str | None, typer.Option(
        help="Whom it is about (else GLOSSATOR_OWNER).", rich_help_panel=PANEL, show_default=False)],
    "conversation": Annotated[str | None, typer.Option(
        help="For example telegram:42 (else GLOSSATOR_CONVERSATION).", rich_help_panel=PANEL, show_default=False)],
    "embedder": Annotated[str | None, typer.Option(
        help="minilm, none, hashing or provider:model (else GLOSSATOR_EMBEDDER).", rich_help_panel=PANEL,
        show_default=False)],
    "zone": Annotated[str | None, typer.Option(
        help="IANA zone of times without an offset (else GLOSSATOR_ZONE, else UTC).", rich_help_panel=PANEL,
        show_default=False)],
    "as_json": Annotated[bool, typer.Option(
        "--json", help="One JSON document on stdout, nothing else.", rich_help_panel=PANEL)],
}  # fmt: skip


class Interrupted(Exception):
    """Ctrl-C; the text says what was kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a verb, read from its options and the environment."""

    path: Path
    chosen_path: Path | None
    """The path if it was named on the command line."""
    chosen_conversation: str | None
    """The conversation if it was named on the command line."""
    chosen: Mapping[str, str | None]
    """The parts of the scope, as far as an option or the environment names them."""
    scope: "Scope"
    scoped: bool
    """True if any part of the scope was chosen rather than left at its default."""
    options: "Options"
    screen: Screen

    @classmethod
    def of(cls, shared: Shared) -> "Call":
        """Options first, then environment, then defaults. Raises UsageError."""
        from dataclasses import replace

        from glossator import Scope
        from glossator.wiring import default_path, options_from, setting

        parts = ("workspace", "agent", "owner", "conversation")
        chosen = {part: getattr(shared, part) or setting(part) for part in parts}
        options = options_from()
        if shared.embedder:
            options = replace(options, embedder=shared.embedder)
        if shared.zone:
            options = replace(options, zone=shared.zone)
        return cls(
            path=shared.db or default_path(),
            chosen_path=shared.db,
            chosen_conversation=shared.conversation or None,
            chosen=chosen,
            scope=Scope(
                workspace=chosen["workspace"] or "default",
                agent=chosen["agent"] or "default",
                owner=chosen["owner"] or "default",
                conversation=chosen["conversation"],
                trust="operator",  # whoever has the file at hand may do anything with it
            ),
            scoped=any(chosen.values()),
            options=replace(options, worker=False),
            screen=Screen(as_json=shared.as_json),
        )

    @property
    def whole_scope(self) -> "Scope":
        """Where messages are written: no conversation narrows it, and what was said counts as the owner's words."""

        return self.scope.whole

    def opened(self, options: "Options") -> "Memory":
        """The memory, with these options. Raises UsageError for --db, and StoreError that names the file."""
        from glossator import Memory

        if self.chosen_path is None:  # the platform's own folder is nobody's typing error
            self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return Memory.open(self.path, options=options)
        except UsageError as exc:
            argument = "--db" if exc.argument == "path" else exc.argument
            raise type(exc)(argument, exc.problem, remedy=exc.remedy) from exc
        except StoreError as exc:
            raise self.naming_its_file(exc) from (exc.__cause__ or exc)

    def naming_its_file(self, error: StoreError) -> StoreError:
        """The error with the file that it is about: which one that is may come from the environment."""
        return type(error)(f"{shown_path(self.path)}: {error}", retryable=error.retryable)

    def check_there(self) -> None:
        """Raises StoreError where there is no file yet, so that a mistyped path is told and not created."""
        if not self.path.is_file():
            raise StoreError(f"there is no memory at {shown_path(self.path)} yet; `glossator record` makes one")

    @contextmanager
    def open(self, *, new: bool = True, embeds: bool = True) -> Iterator["Memory"]:
        """The memory, for a block.

        With `new=False` only one that exists, so that a mistyped path is told and not created; with `embeds=False`
        without its embedder, which need not be loaded then.
        """
        from dataclasses import replace

        if not new:
            self.check_there()
        options = self.options if embeds else replace(self.options, embedder="none")
        with self.opened(options) as memory:
            try:
                yield memory
            finally:
                memory.warm(LOADING_S)
