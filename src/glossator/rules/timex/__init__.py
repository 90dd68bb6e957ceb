"""Which times does a text name, and which of them dates it?

English is read thoroughly, other languages by tables. The rules are pure: the moment of speaking is an argument.
"""

from glossator.rules.timex.engine import event_interval, find_times
from glossator.rules.timex.proximity import proximity_boost
from glossator.rules.timex.questions import asks_when, nostalgic

__all__ = ["asks_when", "event_interval", "find_times", "nostalgic", "proximity_boost"]
