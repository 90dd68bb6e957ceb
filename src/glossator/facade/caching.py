"""The verb that reads a conversation as it is sent to a model, from memory where it can: conversation."""

from glossator.facade.core import Core


class CacheVerbs(Core):
    """The verbs that are answered from memory."""
