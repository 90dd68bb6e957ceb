"""`glossator hook`: one event of a coding agent, and the configuration that has an agent call it."""

import json
import sys

from glossator.errors import UsageError
from glossator.surfaces.call import Call
from glossator.surfaces.hooks.arguments import HookArguments
from glossator.surfaces.hooks.event import CLIENTS
from glossator.surfaces.hooks.running import INPUT_BYTES_MAX, Hook
from glossator.surfaces.hooks.samples import FILES, sample
from glossator.surfaces.installation import executable, memory_options


def run(arguments: HookArguments) -> None:
    """Do what the event asks for; what goes wrong is told on stderr and in a file, and fails nothing."""
    said = Hook(arguments).run(sys.stdin.buffer.read(INPUT_BYTES_MAX + 1))
    if said:
        sys.stdout.write(said + "\n")


def install(call: Call, client: str, *, tools: bool) -> None:
    """Print the configuration on stdout, and on stderr where it belongs."""
    known = next((each for each in CLIENTS if each == client), None)
    if known is None:
        raise UsageError("print", f"{client!r} is unknown", remedy=f"choose from {', '.join(CLIENTS)}")
    configuration = sample(known, program=executable(), memory=memory_options(call), tools=tools)
    if call.screen.as_json:
        value = {"client": known, "file": FILES[known], "configuration": configuration}
        sys.stdout.write(json.dumps(value, indent=2) + "\n")
        return
    sys.stdout.write(json.dumps(configuration, ensure_ascii=False, indent=2) + "\n")
    sys.stderr.write(f"put this into {FILES[known]}, beside what is there already\n")
