"""The verbs of the background reviewer: review."""

from glossator.facade.core import Core


class ReviewVerbs(Core):
    """The verbs of the background reviewer: review."""
