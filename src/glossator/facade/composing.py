"""The verb that composes what goes into a prompt: context."""

from glossator.facade.core import Core


class ContextVerbs(Core):
    """The verb that composes what goes into a prompt: context."""
