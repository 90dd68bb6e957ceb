"""The contract of what is wrong: which error each misuse is, and how it names the argument."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.client.contract_base import Base

from glossator import ConflictError, GlossatorError, Memory, NotFoundError, PermissionDeniedError, Scope, UsageError

Misuse = Callable[[Any, Scope], object]
GUEST: dict[str, Any] = {"trust": "guest"}


def said(memory: Any, scope: Scope, *messages: object, **more: object) -> object:
    return memory.record(list(messages), scope=scope, conversation="c", **more)


MISUSES: tuple[tuple[str, Misuse, type[GlossatorError], str], ...] = (
    ("no list", lambda m, s: m.record("Hello", scope=s, conversation="c"), UsageError, "messages"),
    ("no mapping", lambda m, s: said(m, s, {"content": "a"}, 5), UsageError, "messages[1]"),
    ("blank", lambda m, s: said(m, s, {"content": " "}), UsageError, "messages[0].content"),
    ("number said", lambda m, s: said(m, s, {"content": 5}), UsageError, "messages[0].content"),
    ("role", lambda m, s: said(m, s, {"content": "a", "role": "boss"}), UsageError, "messages[0].role"),
    ("time of a message", lambda m, s: said(m, s, {"content": "a", "at": "soon"}), UsageError, "messages[0].at"),
    ("metadata", lambda m, s: said(m, s, {"content": "a", "metadata": [1]}), UsageError, "messages[0].metadata"),
    ("session", lambda m, s: said(m, s, {"content": "a"}, session=" "), UsageError, "session"),
    ("tags", lambda m, s: said(m, s, {"content": "a"}, tags="x"), UsageError, "tags"),
    ("too large", lambda m, s: said(m, s, {"content": "x" * 5_000_001}), UsageError, "messages[0].content"),
    ("conversation", lambda m, s: m.record([], scope=s, conversation=""), UsageError, "conversation"),
    ("no scope", lambda m, s: m.recall("tea", scope="acme"), UsageError, "scope"),
    ("question", lambda m, s: m.recall(5, scope=s), UsageError, "query"),
    ("limit as text", lambda m, s: m.recall("tea", scope=s, limit="5"), UsageError, "limit"),
    ("limit too low", lambda m, s: m.recall("tea", scope=s, limit=0), UsageError, "limit"),
    ("limit of a page", lambda m, s: m.facts(scope=s, limit=100_000), UsageError, "limit"),
    ("page", lambda m, s: m.messages(scope=s, after_id=-1), UsageError, "after_id"),
    ("time", lambda m, s: m.recall("tea", scope=s, now="soon"), UsageError, "now"),
    ("no time", lambda m, s: m.recall("tea", scope=s, as_of=5), UsageError, "as_of"),
    ("choice", lambda m, s: m.recall("tea", scope=s, per="page"), UsageError, "per"),
    ("namespace", lambda m, s: m.recall("tea", scope=s, namespaces=["dreams"]), UsageError, "namespaces"),
    ("switch", lambda m, s: m.recall("tea", scope=s, explain="yes"), UsageError, "explain"),
    ("no fact", lambda m, s: m.fact("f999999", scope=s), NotFoundError, "fact_id"),
    ("no id", lambda m, s: m.explain("a/b?c#d", scope=s), UsageError, "fact_id"),
    ("no message", lambda m, s: m.learned(scope=s, message_ids=["nobody"]), NotFoundError, "message_ids"),
    ("no target", lambda m, s: m.forget(scope=s), UsageError, "message_ids"),
    ("old token", lambda m, s: m.forget(scope=s, everything=True, confirm="old"), ConflictError, "confirm"),
    ("guest", lambda m, s: m.forget(scope=replace(s, **GUEST), everything=True), PermissionDeniedError, "scope.trust"),
    ("category", lambda m, s: m.remember("I like tea.", scope=s, category="tea"), UsageError, "category"),
    ("confidence", lambda m, s: m.remember("I like tea.", scope=s, confidence=7.0), UsageError, "confidence"),
    ("few letters", lambda m, s: m.forget_facts(scope=s, containing="x"), UsageError, "containing"),
    ("kind", lambda m, s: m.resource("poem", scope=s), UsageError, "kind"),
    ("no revision", lambda m, s: m.resource("rules", scope=s), NotFoundError, "kind"),
    (
        "hash",
        lambda m, s: m.write_resource("rules", "a", scope=s, expected_sha256="abc"),
        UsageError,
        "expected_sha256",
    ),
    ("budget", lambda m, s: m.context("tea?", scope=s, budget=-1), UsageError, "budget"),
    ("no job", lambda m, s: m.begin_job_run("nobody", scope=s), NotFoundError, "job_id"),
)
NAMES = [row[0] for row in MISUSES]


class MisuseContract(Base):
    @pytest.fixture
    def expected(self) -> Memory:
        """A Memory to compare with."""
        raise NotImplementedError

    @pytest.mark.parametrize(
        ("misuse", "kind", "argument"), [row[1:] for row in MISUSES], ids=[row[0] for row in MISUSES]
    )
    def test_a_misuse_is_told_as_the_library_tells_it(
        self, memory: Memory, expected: Memory, scope: Scope, misuse: Misuse, kind: type[GlossatorError], argument: str
    ) -> None:
        with pytest.raises(UsageError) as told:
            misuse(memory, scope)
        with pytest.raises(UsageError) as of_library:
            misuse(expected, scope)

        assert (type(told.value), told.value.argument) == (kind, argument)
        assert (told.value.problem, told.value.remedy) == (of_library.value.problem, of_library.value.remedy)
        assert str(told.value) == str(of_library.value)

    def test_what_a_verb_does_not_take_is_a_type_error(self, memory: Memory, scope: Scope) -> None:
        with pytest.raises(TypeError):
            memory.recall("tea", scope=scope, colour="green")  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            memory.recall(scope=scope)  # type: ignore[call-arg]
