"""The verb that composes what goes into a prompt: context."""

from collections.abc import Mapping, Sequence

from glossator.context.block import Said, chosen, compose, merged, signed
from glossator.context.relevance import has_bearing
from glossator.context.requests import Talk, checked_talk, request_of, texts_of
from glossator.errors import UsageError
from glossator.facade.recalling import FACT_LIMIT_MAX, RecallVerbs, prompted
from glossator.model import Conversation, Degradation, Fact, FactList, Hit, Scope
from glossator.model.context import ContextBlock
from glossator.model.rendering import estimated_tokens
from glossator.ports import PieceEmbedder
from glossator.rules.trivial import is_trivial

BUDGET_MAX = 1_000_000
HITS_MAX = 50
SPARE_HITS = 10
"""Asked for on top of those to be shown, and one more for each message of the prompt: what it says already, and what
repeats another hit, is left out."""
ASKED_MAX = 150
"""Each one costs some hundredths of a millisecond to read."""
READ_CHARACTERS_MAX = 20_000
"""Of a request with a pasted file so much is read at all, half at its beginning and half at its end: as much as a query
of `recall` may have. Taking the words out of megabytes would cost seconds."""
REQUEST_CHARACTERS_MAX = 2_000
"""A longer request is looked up by its beginning and its end; the default embedder reads about 1,000 characters."""


class ContextVerbs(RecallVerbs):
    """The verb that composes what goes into a prompt: context."""

    def context(
        self,
        messages: str | Sequence[Mapping[str, object]],
        *,
        scope: Scope,
        budget: int,
        conversation: str | None = None,
        now: object = None,
        limit: int = 10,
        durable: int = 5,
    ) -> ContextBlock:
        """The block to inject for the request that the messages end with, at most `budget` tokens; one recall.

        `messages` are those that go to the model, in OpenAI's or Anthropic's form, or the request alone. At most
        `durable` durable facts (0 to 50; none where a prompt file shows them) come first, then at most `limit` (1 to
        50) recalled pieces; what the messages say already is not repeated. Greetings and very short requests give an
        empty block and are not looked up. Where nothing found bears on the request, only the facts remain that hold
        whatever is asked. `now` and `conversation` are as in `recall` and `record`. The same state, request and `now`
        give the same bytes. Raises UsageError or StoreError; a missing model is said in `degraded`.
        """
        _check_numbers(budget, limit, durable)
        talk = checked_talk(messages)
        key = None if conversation is None else Conversation.parse(conversation).key
        request = _shortened(request_of(talk), READ_CHARACTERS_MAX)
        if not request or is_trivial(request):
            return ContextBlock(skipped="trivial" if request else "no request", conversation=key)
        listed = self.durable_facts(scope=scope, limit=FACT_LIMIT_MAX) if durable else FactList()
        asked = _shortened(request, REQUEST_CHARACTERS_MAX)
        answer = self.recall(asked, scope=scope, limit=_hits_asked(talk, limit), now=now, explain=True)
        hits = self._allowed(prompted(scope, answer.hits))
        composed = self._composed(talk, request, listed.facts, hits, budget=budget, limit=limit, durable=durable)
        return ContextBlock(
            block=composed.block,
            facts=composed.facts,
            hits=composed.hits,
            token_count=estimated_tokens(composed.block),
            degraded=(*listed.degraded, *answer.degraded, *composed.degraded),
            skipped=composed.skipped,
            conversation=key,
        )

    def _composed(
        self, talk: Talk, request: str, facts: Sequence[Fact], hits: Sequence[Hit], *, budget: int, limit: int,
        durable: int,
    ) -> ContextBlock:  # fmt: skip
        said = Said(texts_of(talk))
        fresh = [hit for hit in hits if not said.has(hit.text)]
        cosines = not isinstance(self._embedder, PieceEmbedder)
        bears = has_bearing(request, fresh, cosines=cosines)
        untold = [fact for fact in facts if not said.has(fact.text)]
        told = chosen(untold, request, bears=bears, limit=durable)
        lines = signed(merged(fresh, told)[:limit]) if bears else ()
        composed = compose(told, lines, tokens=budget)
        skipped = "" if composed.block else "no room" if told or lines else "nothing relevant"
        flagged = [each for each in composed.lines if each.sign]
        if flagged:
            self._meters.counted("glossator_context_flagged_total", by=len(flagged))
        return ContextBlock(
            block=composed.block,
            facts=composed.facts,
            hits=tuple(each.hit for each in composed.lines),
            degraded=tuple(
                Degradation(part="hits", reason=f"{_name(each.hit)} {each.sign}: shown as a quotation only")
                for each in flagged
            ),
            skipped=skipped,
        )

    def _allowed(self, hits: Sequence[Hit]) -> list[Hit]:
        """The hits on which no fact rests that is too sensitive for a prompt."""
        allowed = self._options.prompt_sensitivities
        return [hit for hit in hits if all(fact.sensitivity in allowed for fact in hit.facts)]


def _hits_asked(talk: Talk, limit: int) -> int:
    return min(limit + SPARE_HITS + (0 if isinstance(talk, str) else len(talk)), ASKED_MAX)


def _shortened(request: str, characters_max: int) -> str:
    if len(request) <= characters_max:
        return request
    half = characters_max // 2
    return f"{request[:half].rpartition(' ')[0] or request[:half]} {request[-half:]}"


def _name(hit: Hit) -> str:
    return hit.message_ids[0] if hit.message_ids else f"f{hit.fact_id}"


def _check_numbers(budget: object, limit: object, durable: object) -> None:
    for name, value, low, high in (
        ("budget", budget, 0, BUDGET_MAX), ("limit", limit, 1, HITS_MAX), ("durable", durable, 0, HITS_MAX),
    ):  # fmt: skip
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise UsageError(name, f"{value!r} is not between {low} and {high:,}", remedy=f"for example {high // 10}")
