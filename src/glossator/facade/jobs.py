"""The verbs of scheduled jobs, memory sources and voice."""

from glossator.facade.core import Core


class JobVerbs(Core):
    """The verbs of scheduled jobs, memory sources and voice."""
