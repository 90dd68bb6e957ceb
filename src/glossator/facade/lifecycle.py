"""The verbs that move facts through their states: archive, deprioritise, reinstate, expire."""

from glossator.facade.core import Core


class LifecycleVerbs(Core):
    """The verbs that move facts through their states: archive, deprioritise, reinstate, expire."""
