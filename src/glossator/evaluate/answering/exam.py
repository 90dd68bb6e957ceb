"""Are the questions answered rightly from what recall found? One call of the reader and one of the judge for each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from glossator.bounded import BoundedModel
from glossator.errors import ProviderError, ProviderTimeoutError
from glossator.evaluate.answering.prompts import judge_prompt, reader_prompt
from glossator.evaluate.answering.replies import read_choice, read_verdict, without_thoughts
from glossator.evaluate.answering.values import Answered, Answers, Calls, Failure, Role
from glossator.evaluate.runner import Asked, Progress
from glossator.evaluate.values import GoldAnswer, Question
from glossator.model import Completion, Prompt
from glossator.ports import LanguageModel

__all__ = ["FAILURES_IN_A_ROW_MAX", "examine"]

FAILURES_IN_A_ROW_MAX = 10
"""Then a model is down, and its time-outs would take hours: ten of two minutes are twenty minutes already."""


def examine(
    asked: Mapping[str, Sequence[Asked]],
    *,
    reader: LanguageModel,
    judge: LanguageModel,
    progress: Progress | None = None,
) -> Answers:
    """Answer and judge each question that has a gold answer, under each variant.

    All variants of a question come one after the other, so that a model that goes down hits them alike.
    """
    exam = _Exam(reader, judge)
    rows = [row for row in zip(*asked.values(), strict=True) if row[0].question.answer is not None]
    found: dict[str, list[Answered]] = {name: [] for name in asked}
    for number, row in enumerate(rows, start=1):
        exam.next_question()
        for name, each in zip(asked, row, strict=True):
            found[name].append(exam.answered(each.question, each.block))
        if progress is not None:
            progress(number, len(rows), "answers")
    return Answers(
        reader=reader.name,
        judge=judge.name,
        by_variant={name: tuple(each) for name, each in found.items()},
        without_gold=len(next(iter(asked.values()), ())) - len(rows),
        calls=exam.calls,
    )


class _Exam:
    """Two models, what they were asked for, and what is known of the question that is on."""

    def __init__(self, reader: LanguageModel, judge: LanguageModel) -> None:
        self._models: dict[Role, BoundedModel] = {"reader": BoundedModel(reader), "judge": BoundedModel(judge)}
        self._failed_in_a_row: dict[Role, int] = {"reader": 0, "judge": 0}
        self._known: dict[str, Answered] = {}
        self.calls: dict[Role, Calls] = {"reader": Calls(), "judge": Calls()}

    def next_question(self) -> None:
        """Answers to the last question are of no use for the next one."""
        self._known = {}

    def answered(self, question: Question, block: str) -> Answered:
        """The answer from this block with its verdict. The same block gives the same answer, at no further cost."""
        if block in self._known:
            return replace(self._known[block], reused=True)
        if any(count >= FAILURES_IN_A_ROW_MAX for count in self._failed_in_a_row.values()):
            return Answered(question=question, failure="not asked any more")
        answered = self._read(question, block)
        if answered.verdict is not None:  # what failed may go well the next time
            self._known[block] = answered
        return answered

    def _read(self, question: Question, block: str) -> Answered:
        gold = question.answer
        assert gold is not None
        reply = self._asked("reader", reader_prompt(question, block))
        if isinstance(reply, ProviderError):
            return Answered(question=question, failure=_failure("reader", reply), said=str(reply))
        answer = without_thoughts(reply.text)
        if not answer:
            return Answered(question=question, failure="reader said nothing", said=_cut(reply))
        if gold.rule == "choice":
            return _chosen(question, gold, answer)
        return self._judged(question, answer)

    def _judged(self, question: Question, answer: str) -> Answered:
        reply = self._asked("judge", judge_prompt(question, answer))
        if isinstance(reply, ProviderError):
            return Answered(question=question, answer=answer, failure=_failure("judge", reply), said=str(reply))
        verdict = read_verdict(reply.text)
        failure: Failure | None = "unreadable verdict" if verdict is None else None
        said = " ".join(filter(None, (reply.text.strip(), _cut(reply))))
        return Answered(question=question, answer=answer, verdict=verdict, failure=failure, said=said)

    def _asked(self, role: Role, prompt: Prompt) -> Completion | ProviderError:
        """The reply, or the error: it is counted and told, and the next question is asked."""
        calls = self.calls[role]
        self.calls[role] = calls = replace(calls, count=calls.count + 1)
        try:
            reply = self._models[role].complete(prompt)
        except ProviderError as error:
            self._failed_in_a_row[role] += 1
            return error
        self._failed_in_a_row[role] = 0
        cost = calls.cost_usd if reply.cost_usd is None else (calls.cost_usd or 0.0) + reply.cost_usd
        self.calls[role] = replace(
            calls,
            cut=calls.cut + reply.cut,
            tokens_in=calls.tokens_in + reply.tokens_in,
            tokens_out=calls.tokens_out + reply.tokens_out,
            cost_usd=cost,
        )
        return reply


def _chosen(question: Question, gold: GoldAnswer, answer: str) -> Answered:
    letter = read_choice(answer, gold.choices)
    if letter is None:
        return Answered(question=question, answer=answer, failure="unreadable choice")
    return Answered(question=question, answer=answer, verdict="right" if letter == gold.right_choice else "wrong")


def _failure(role: Role, error: ProviderError) -> Failure:
    late = isinstance(error, ProviderTimeoutError)
    if role == "reader":
        return "reader timed out" if late else "reader failed"
    return "judge timed out" if late else "judge failed"


def _cut(reply: Completion) -> str:
    return "(cut at its token limit)" if reply.cut else ""
