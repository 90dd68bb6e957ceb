"""Which scheduled jobs and memory sources are there?"""

from typing import Protocol


class Jobs(Protocol):
    """Which scheduled jobs and memory sources are there?"""
