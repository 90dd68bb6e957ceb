"""How far has the background reviewer read each conversation?"""

from typing import Protocol


class Reviews(Protocol):
    """How far has the background reviewer read each conversation?"""
