"""What may not be reached from where, beyond the layers that import-linter keeps."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module", ["glossator.context.elide", "glossator.context.truncate", "glossator.context.durable"]
)
def test_no_model_client_is_reached_from_what_cuts_a_prompt(module: str) -> None:
    # proves: A86, A1
    script = f"""
import sys
import {module}
clients = [name for name in sys.modules if name.startswith("glossator.providers") or name.startswith("httpx")]
clients += [name for name in sys.modules if name in ("openai", "anthropic", "glossator.retain.modelled")]
assert not clients, clients
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
