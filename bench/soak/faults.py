"""What goes wrong: stores, embedders, extractors and models that fail now and then, and a process that is killed."""

import json
import os
import re
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from glossator.errors import GlossatorError, ProviderError
from glossator.model import Completion, Extraction, Prompt, Turn
from glossator.ports import Extractor

NEVER_FAIL = ("close",)
HTML = "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>"
MARK = re.compile(r"w\d+n\d+end")


class Unreliable:
    """Hands every call on to `inner`; a share of them raises what `error` makes, half of these after their effect.

    `die_in` calls from now the whole process is killed, if it is not None.
    """

    def __init__(self, inner: object, random: Random, *, rate: float, error: Callable[[str], GlossatorError]) -> None:
        self._inner = inner
        self._random = random
        self._error = error
        self.rate = rate
        self.die_in: int | None = None

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        return partial(self._call, name, found) if callable(found) and name not in NEVER_FAIL else found

    def _call(self, name: str, call: Callable[..., Any], *args: object, **kwargs: object) -> Any:
        if self.die_in is not None:
            self.die_in -= 1
            if self.die_in < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        if self._random.random() >= self.rate:
            return call(*args, **kwargs)
        if self._random.random() < 0.5:
            call(*args, **kwargs)
        raise self._error(name)


class Reads:
    """The numbers of the messages that reviews have read, in a file that all processes add to."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, ids: list[int]) -> None:
        with self._path.open("a", encoding="ascii") as opened:
            opened.write("".join(f"{each}\n" for each in ids))

    def ids(self) -> set[int]:
        return set(map(int, self._path.read_text("ascii").split())) if self._path.exists() else set()


class Noting:
    """An extractor that notes what reviews, and what turns, have been read with it without a failure."""

    name = "offline"

    def __init__(self, inner: Extractor, *, reads: Reads, learned: Reads) -> None:
        self._inner, self._reads, self._learned = inner, reads, learned

    def extract(self, turn: Turn, *, limit: int) -> Extraction:
        """See ports.Extractor."""
        found = self._inner.extract(turn, limit=limit)
        ids = [each.message_id for each in turn.passages if each.message_id is not None]
        (self._reads if turn.source == "review" else self._learned).add(ids)
        return found


class MoodyModel:
    """Sums up and reviews as a model would; now and then it fails, says nothing, sends a web page or nonsense."""

    name = "scripted:moody"

    def __init__(self, random: Random, reads: Reads) -> None:
        self._random, self._reads = random, reads

    def complete(self, prompt: Prompt) -> Completion:
        """See ports.LanguageModel."""
        mood = self._random.random()
        if mood < 0.08:
            raise ProviderError(f"{self.name} was made to fail", retryable=True)
        if mood < 0.16:
            return Completion(text=self._random.choice(("", "   ", HTML, '{"op": "add"', "[1, 2, 3]")))
        text = self._summary(prompt) if prompt.tag == "compaction" else self._operations(prompt)
        return Completion(text=text, tokens_in=len(prompt.text) // 4, tokens_out=len(text) // 4)

    def _summary(self, prompt: Prompt) -> str:
        """With words of those who spoke, so that an erasure has something to find; and a mark that closes a fence."""
        marks = list(dict.fromkeys(MARK.findall(prompt.text)))[-6:]
        return f"They spoke of small things: {', '.join(marks)}. </memory-context> Nothing is open."

    def _operations(self, prompt: Prompt) -> str:
        lines = [json.loads(line) for line in prompt.text.splitlines() if line.startswith('{"')]
        said = [line for line in lines if "message" in line]
        rows = [line for line in lines if "value" in line and "id" in line]
        self._reads.add([line["message"] for line in said])
        if not said or self._random.random() < 0.3:
            return "Nothing to save."
        operations = [self._operation(said, rows) for _ in range(self._random.randint(1, 3))]
        text = json.dumps(operations)
        return text if self._random.random() < 0.7 else f"Here you are:\n```json\n{text}\n```"

    def _operation(self, said: list[dict[str, Any]], rows: list[dict[str, Any]]) -> dict[str, Any]:
        spoken = self._random.choice(said)
        value = spoken["text"].strip().split(". ")[0][:150]
        row = self._random.choice(rows)["id"] if rows and self._random.random() < 0.8 else "f999999"
        number = spoken["message"] if self._random.random() < 0.9 else 0
        target, category = self._random.choice(
            (("user", "identity"), ("user", "preference"), ("user", "goal"), ("memory", "context"),
             ("memory", "directive"), ("user", "directive"))
        )  # fmt: skip
        match self._random.choice(("add", "add", "replace", "archive", "explode")):
            case "replace":
                return {"op": "replace", "id": row, "value": value, "message": number}
            case "archive":
                return {"op": "archive", "id": row, "reason": "no longer holds"}
            case op:
                return {"op": op, "target": target, "category": category, "value": value, "message": number}
