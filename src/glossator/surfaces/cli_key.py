"""The verbs of API keys: `glossator key add | list | rotate | revoke`, registered beside those of cli.py."""

from typing import Annotated

import typer

from glossator.surfaces.call import Call
from glossator.surfaces.registry import verb

HELP = "Who may come in through `glossator serve`: keys, shown once and kept as a digest."
LOOK, CHANGE = "Look", "Change"

key_app = typer.Typer(name="key", help=HELP, short_help=HELP)


@key_app.callback(invoke_without_command=True, help=HELP)
def before_any_verb(context: typer.Context) -> None:
    """Without a verb: say which there are."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


KeyId = Annotated[str, typer.Argument(metavar="ID", help="The key's id, for example k3.", show_default=False)]


@verb(key_app, panel=CHANGE, name="add")
def add_key(
    call: Call,
    *,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is for.", show_default=False)],
    trust: Annotated[
        str, typer.Option(metavar="TRUST", help="How far its holder is believed: operator, owner, guest or tool.")
    ] = "owner",
    tier: Annotated[
        str | None,
        typer.Option(
            metavar="TIER",
            help="What its agent may do at most: STUDENT, INTERN, SUPERVISED or AUTONOMOUS.",
            show_default=False,
        ),
    ] = None,
    expires_at: Annotated[
        str | None,
        typer.Option("--expires", metavar="TIME", help="When it opens no more; never if left out.", show_default=False),
    ] = None,
) -> None:
    """Make a key to the workspace, and print its secret: this once, alone on stdout.

    With --agent or --owner it is for that one alone; else each request names its own.
    """
    from glossator.surfaces.verbs import key

    key.add_key(call, name, trust=trust, tier=tier, expires_at=expires_at)


@verb(key_app, panel=LOOK, name="list")
def list_keys(call: Call) -> None:
    """List all keys, also those that open no more; with --workspace those to this one."""
    from glossator.surfaces.verbs import key

    key.list_keys(call)


@verb(key_app, panel=CHANGE, name="rotate")
def rotate_key(
    call: Call,
    *,
    key_id: KeyId,
    grace_s: Annotated[
        int, typer.Option("--grace", metavar="SECONDS", help="How long the old secret still opens.")
    ] = 0,
) -> None:
    """Give the key another secret, and print it: this once, alone on stdout."""
    from glossator.surfaces.verbs import key

    key.rotate_key(call, key_id, grace_s=grace_s)


@verb(key_app, panel=CHANGE, name="revoke")
def revoke_key(call: Call, *, key_id: KeyId) -> None:
    """End the key, at once and for good."""
    from glossator.surfaces.verbs import key

    key.revoke_key(call, key_id)
