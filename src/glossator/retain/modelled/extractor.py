"""How does a language model read one turn: prompts out, replies in, drafts with a count of what was lost?"""

import logging
from collections.abc import Mapping
from itertools import chain, zip_longest

from glossator.model import Completion, Draft, Extraction, Prompt, Turn
from glossator.ports import LanguageModel
from glossator.retain.modelled.items import drafts_of
from glossator.retain.modelled.pieces import PROMPTS_MAX
from glossator.retain.modelled.prompt import prompts_for
from glossator.retain.modelled.reply import RAW_CHARACTERS_MAX, ReplyUnreadableError, read_reply
from glossator.rules.log_words import CONTENT

TIMEOUT_S = 2.0
"""Per call, with its retries (A17)."""
LOG = logging.getLogger(__name__)


class ModelExtractor:
    """An extractor that asks `model`, once for a turn of usual length; see `ports.Extractor`.

    A turn of more than 8,000 characters takes several calls, at most `prompts_max`. Raises what the model raises, and
    ReplyUnreadableError when no reply could be read; if only some could, the rest is counted as "parse_error".
    """

    def __init__(self, model: LanguageModel, *, timeout_s: float = TIMEOUT_S, prompts_max: int = PROMPTS_MAX) -> None:
        self._model = model
        self._timeout_s = timeout_s
        self._prompts_max = prompts_max

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def extract(self, turn: Turn, *, limit: int) -> Extraction:
        """See ports.Extractor. The drafts of several calls are taken in turns, each call's most durable first."""
        asked = prompts_for(turn, limit=limit, timeout_s=self._timeout_s, prompts_max=self._prompts_max)
        lost: list[Mapping[str, int]] = [asked.lost]
        read: list[Extraction] = []
        failure: ReplyUnreadableError | None = None
        for prompt in asked.prompts:
            try:
                read.append(self._read(prompt, turn, limit))
            except ReplyUnreadableError as error:
                failure = error
                lost.append({"parse_error": 1})
        if failure is not None and not read:
            raise failure
        return _joined(read, lost, limit=limit)

    def _read(self, prompt: Prompt, turn: Turn, limit: int) -> Extraction:
        completion = self._model.complete(prompt)
        reply = read_reply(completion.text)
        if reply is None:
            self._log(completion)
            raise ReplyUnreadableError(self.name, completion.text)
        drawn = drafts_of(reply, turn, limit=limit)
        return Extraction(
            drafts=drawn.drafts,
            lost=drawn.lost,
            partial=drawn.partial or completion.cut,
            tokens_in=completion.tokens_in,
            tokens_out=completion.tokens_out,
        )

    def _log(self, completion: Completion) -> None:
        """Whether it was cut, since a model that thinks may have no tokens left to write, and, apart, how it begins."""
        cut = " (cut at its token limit)" if completion.cut else ""
        quoted = {CONTENT: completion.text[:RAW_CHARACTERS_MAX]}
        LOG.warning("%s: a reply of %d characters cannot be read%s", self.name, len(completion.text), cut, extra=quoted)


def _joined(read: list[Extraction], lost: list[Mapping[str, int]], *, limit: int) -> Extraction:
    drafts = [
        draft
        for draft in chain.from_iterable(zip_longest(*(extraction.drafts for extraction in read)))
        if isinstance(draft, Draft)
    ]
    counts: dict[str, int] = {}
    over = {"over_limit": len(drafts) - limit} if len(drafts) > limit else {}
    for losses in (*lost, *(extraction.lost for extraction in read), over):
        for reason, count in losses.items():
            counts[reason] = counts.get(reason, 0) + count
    unread = any(lost)
    return Extraction(
        drafts=tuple(drafts[:limit]),
        lost=counts,
        partial=unread or any(extraction.partial for extraction in read),
        tokens_in=sum(extraction.tokens_in for extraction in read),
        tokens_out=sum(extraction.tokens_out for extraction in read),
    )
