"""Which messages of a conversation are still sent to the model?"""

from typing import Protocol


class Windows(Protocol):
    """Which messages of a conversation are still sent to the model?"""
