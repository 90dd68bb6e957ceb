"""Does a language model keep to its time? From here on it does: the one seam to a model, whoever wrote it."""

import logging
import threading

from glossator.errors import ProviderError, ProviderTimeoutError
from glossator.model import Completion, Prompt
from glossator.ports import LanguageModel

logger = logging.getLogger("glossator.language")


class BoundedModel:
    """A language model whose calls end when `Prompt.timeout_s` is over, and that raises ProviderError only.

    A call that outlasts its time goes on in a daemon thread, unheard: it holds neither the worker nor the interpreter.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def complete(self, prompt: Prompt) -> Completion:
        """As the model. Raises ProviderTimeoutError when the time is over first."""
        outcome: list[Completion | BaseException] = []
        done = threading.Event()

        def call() -> None:
            try:
                outcome.append(self._model.complete(prompt))
            except ProviderError as error:
                outcome.append(error)
            except Exception as error:
                logger.exception("%s broke", self.name)
                failure = ProviderError(f"{self.name} failed: {type(error).__name__}: {error}", retryable=True)
                failure.__cause__ = error
                outcome.append(failure)
            finally:
                done.set()

        threading.Thread(target=call, name="glossator-language-model", daemon=True).start()
        if not done.wait(prompt.timeout_s):
            raise ProviderTimeoutError(f"{self.name} did not answer within {prompt.timeout_s:g} s")
        if not outcome:
            raise ProviderError(f"{self.name} broke off", retryable=True)
        (came,) = outcome
        if isinstance(came, BaseException):
            raise came
        return came
