"""How good are answers made from what recall found? A reader answers, a judge compares, retrieval stands beside it."""

from glossator.evaluate.answering.models import Models, check_answers, models_of
from glossator.evaluate.answering.table import answering_notes, answering_table
from glossator.evaluate.answering.variants import read_and_judged

__all__ = ["Models", "answering_notes", "answering_table", "check_answers", "models_of", "read_and_judged"]
