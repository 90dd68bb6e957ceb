"""Where does the program begin? Hooks of coding agents at once, everything else by the command line.

A hook stands between a user and an answer: the library that reads the command line would take a third of its time.
"""

import sys


def main(arguments: list[str] | None = None) -> None:
    """Run a command line and exit."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["hook"]:
        from glossator.surfaces.hooks.arguments import is_quick

        if is_quick(given):
            from glossator.surfaces.hooks.running import main as run_hook

            run_hook(given)
    from glossator.surfaces.cli import main as run_command

    run_command(given)


if __name__ == "__main__":
    main()
