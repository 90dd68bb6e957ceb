"""How does a request name its scope? By query parameters, so that names of every script can be written.

`conversation` is an argument of many verbs, so the scope's own is called `within`.
"""

from collections.abc import Mapping

from glossator.model import Scope

PARAMETERS: Mapping[str, str] = {
    "workspace": "workspace",
    "agent": "agent",
    "owner": "owner",
    "within": "conversation",
    "job": "job",
    "trust": "trust",
}
"""The query parameter, and the part of the scope that it names."""
DEFAULTS = Scope(workspace="default")


def parameters_of(scope: Scope) -> dict[str, str]:
    """The query parameters that name the scope; what has its default is left out, but for `workspace` and `trust`.

    The trust is always told, so that a key that is believed more than the scope does not lend it more.
    """
    named = {name: getattr(scope, part) for name, part in PARAMETERS.items()}
    kept = {name: text for name, text in named.items() if text != getattr(DEFAULTS, PARAMETERS[name])}
    return {**kept, "workspace": scope.workspace, "trust": scope.trust or "unknown"}
