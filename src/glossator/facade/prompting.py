"""The verbs of prompt files and their revisions."""

from glossator.facade.core import Core


class PromptVerbs(Core):
    """The verbs of prompt files and their revisions."""
