"""The verbs of a conversation window: window, compact, new, clear."""

from glossator.facade.core import Core


class WindowVerbs(Core):
    """The verbs of a conversation window: window, compact, new, clear."""
