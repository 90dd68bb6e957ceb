"""Does a language model keep to its time? From here on it does: the one seam to a model, whoever wrote it."""

import logging
import threading
from collections.abc import Callable

from glossator.errors import ProviderError, ProviderTimeoutError, UsageError
from glossator.model import Completion, Extraction, Prompt, Turn
from glossator.ports import Extractor, LanguageModel
from glossator.rules.log_words import content_of, kind_of, place_of

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
            except Exception as error:  # noqa: BLE001 - whatever a model raises is a ProviderError from here on
                told = (self.name, kind_of(error), place_of(error))
                logger.error("%s broke: %s, %s", *told, extra=content_of(error))  # noqa: TRY400 - no words of it
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


class SafeExtractor:
    """An extractor, whoever wrote it, that raises ProviderError only."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor

    @property
    def name(self) -> str:
        """The extractor's name."""
        return self._extractor.name

    def extract(self, turn: Turn, *, limit: int) -> Extraction:
        """As the extractor. Raises ProviderError whatever it raises."""
        try:
            return self._extractor.extract(turn, limit=limit)
        except ProviderError:
            raise
        except Exception as error:
            raise ProviderError(f"{self.name} failed: {type(error).__name__}: {error}", retryable=True) from error


class NamedModel:
    """The language model of a name, which `make` makes when it is first asked: what is never asked needs no key."""

    def __init__(self, name: str, make: Callable[[str], LanguageModel]) -> None:
        self.name = name
        self._make = make
        self._made: LanguageModel | None = None

    def complete(self, prompt: Prompt) -> Completion:
        """As the model. Raises ProviderError where it cannot be made."""
        if self._made is None:
            try:
                self._made = self._make(self.name)
            except UsageError as error:
                raise ProviderError(str(error)) from error
        return self._made.complete(prompt)


class RoutedModel:
    """A language model with another behind it, which is asked where the first one fails.

    Both keep to `Prompt.timeout_s`, each for itself. The name is the first one's; what failed is logged.
    """

    def __init__(self, first: LanguageModel, fallback: LanguageModel) -> None:
        self._first = BoundedModel(first)
        self._fallback = BoundedModel(fallback)

    @property
    def name(self) -> str:
        """The first model's name."""
        return self._first.name

    def complete(self, prompt: Prompt) -> Completion:
        """As the first model, else as the fallback. Raises ProviderError where that fails too."""
        try:
            return self._first.complete(prompt)
        except ProviderError as error:
            told = (self._fallback.name, prompt.tag, kind_of(error))
            logger.warning("%s is asked instead (%s): %s", *told, extra=content_of(error))
            return self._fallback.complete(prompt)
