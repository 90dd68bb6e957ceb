"""Which models read and judge? Found out before anything is recorded, so that a wrong name costs no time."""

from dataclasses import dataclass

from glossator.errors import UsageError
from glossator.evaluate.values import Dataset
from glossator.ports import LanguageModel
from glossator.wiring import language_model_named

__all__ = ["Models", "check_answers", "models_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Who answers and who judges; the same model unless another judge was named."""

    reader: LanguageModel
    judge: LanguageModel


def models_of(reader: str | LanguageModel | None, judge: str | LanguageModel | None) -> Models | None:
    """The models by name or as given; None where nothing is to be read. Raises UsageError naming the argument."""
    if reader is None:
        if judge is not None:
            raise UsageError("judge", "judges answers, and nobody reads", remedy="add --reader provider:model")
        return None
    chosen = _named("reader", reader)
    return Models(reader=chosen, judge=chosen if judge is None else _named("judge", judge))


def check_answers(dataset: Dataset) -> None:
    """Refuse to read where nothing could be judged. Raises UsageError."""
    if all(question.answer is None for question in dataset.questions):
        problem = f"no question of {dataset.source} that is asked has an answer to compare with"
        raise UsageError("reader", problem, remedy="leave it out, or take locomo, longmemeval or memdaily")


def _named(argument: str, model: str | LanguageModel) -> LanguageModel:
    if not isinstance(model, str):
        return model
    try:
        return language_model_named(model)
    except UsageError as error:
        raise UsageError(argument, error.problem, remedy=error.remedy) from error
