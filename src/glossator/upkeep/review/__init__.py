"""What does a review read, ask, understand and allow? Pure stages over values; upkeep/reviewer.py calls the ports.

    messages - pack - prompt - reply - admission      (a model reads them)
    messages - pack - drafts - offline - admission    (the rules do)

A review asks at most once and always ends: with what may be done, with nothing to save, or with an error.
"""

from glossator.upkeep.review.admission import checked
from glossator.upkeep.review.offline import offline_review
from glossator.upkeep.review.packing import MESSAGES_MAX, TOKENS_MAX, TOKENS_MIN, pack, passage_of
from glossator.upkeep.review.prompt import OPERATIONS_MAX, TAG, TEMPERATURE, review_prompt
from glossator.upkeep.review.reply import ReviewUnreadableError, read_review
from glossator.upkeep.review.rows import ROWS_MAX, review_row, shown_rows

__all__ = [
    "MESSAGES_MAX",
    "OPERATIONS_MAX",
    "ROWS_MAX",
    "TAG",
    "TEMPERATURE",
    "TOKENS_MAX",
    "TOKENS_MIN",
    "ReviewUnreadableError",
    "checked",
    "offline_review",
    "pack",
    "passage_of",
    "read_review",
    "review_prompt",
    "review_row",
    "shown_rows",
]
