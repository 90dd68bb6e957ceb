"""How does a language model take facts out of a turn?"""

from glossator.retain.modelled.extractor import ModelExtractor
from glossator.retain.modelled.reply import ReplyUnreadableError

__all__ = ["ModelExtractor", "ReplyUnreadableError"]
