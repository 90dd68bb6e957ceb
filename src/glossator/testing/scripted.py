"""How is an extraction tested without a language model? By a script of replies."""

import threading
from collections.abc import Callable, Iterator, Sequence

from glossator.errors import ProviderError
from glossator.model import Completion, Prompt

Line = str | Exception | Completion | Callable[[Prompt], str]


class ScriptedModel:
    """Gives the replies of a script, one for each call, and keeps the prompts; see `ports.LanguageModel`.

    A line is the reply's text, a whole Completion, an error to raise, or a function of the prompt that returns the text
    (one that waits for a threading.Event makes a slow model). After the last line every call raises ProviderError.
    Token counts are words, as if a model had counted them. Safe to share between threads.
    """

    def __init__(self, replies: Sequence[Line] = (), *, name: str = "scripted:test") -> None:
        self.name = name
        self.prompts: list[Prompt] = []
        self._lines: Iterator[Line] = iter(tuple(replies))
        self._lock = threading.Lock()

    def complete(self, prompt: Prompt) -> Completion:
        """The next line of the script."""
        with self._lock:
            self.prompts.append(prompt)
            line = next(self._lines, None)
        if line is None:
            raise ProviderError(f"{self.name}: the script has no line for call {len(self.prompts)}")
        if isinstance(line, Exception):
            raise line
        if isinstance(line, Completion):
            return line
        text = line if isinstance(line, str) else line(prompt)
        return Completion(text=text, tokens_in=len(prompt.text.split()), tokens_out=len(text.split()))
