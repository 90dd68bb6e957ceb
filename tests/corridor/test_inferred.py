"""What becomes of what an assistant only concludes? It is kept as a guess, and never counts as anybody's word."""

import pytest
from tests.conftest import ANA, Opener

from glossator import Fact, Memory, UsageError
from glossator.model import FACT_STATES


def guessed(memory: Memory, text: str, **more: object) -> Fact | None:
    return memory.remember(text, scope=ANA, epistemic="inferred", **more).fact  # type: ignore[arg-type]


def test_a_conclusion_is_kept_as_one_and_stands_in_no_user_md(open_memory: Opener) -> None:
    memory = open_memory()

    fact = guessed(memory, "The user seems to like short answers.", confidence=1.0)

    assert fact is not None
    assert (fact.epistemic, fact.category, fact.source_trust) == ("inferred", "context", "unknown")
    assert fact.confidence == 0.6
    (evidence,) = memory.explain(fact.id, scope=ANA).evidence
    assert (evidence.speaker, evidence.role) == ("assistant", "assistant")
    files = memory.prompt_files(scope=ANA)
    assert "short answers" not in files.user_md
    assert "(inferred, " in files.memory_md
    block = memory.context("Does the user like short answers?", scope=ANA, budget=500).block
    assert "The user seems to like short answers. (inferred)" in block


@pytest.mark.parametrize("category", ["identity", "preference", "interest", "goal", "directive"])
def test_a_conclusion_is_context_and_nothing_else(open_memory: Opener, category: str) -> None:
    memory = open_memory()

    with pytest.raises(UsageError, match="only inferred"):
        guessed(memory, "The user hates tea.", category=category)
    with pytest.raises(UsageError, match="epistemic"):
        memory.remember("x y z", scope=ANA, epistemic="guessed")  # type: ignore[arg-type]
    assert memory.facts(scope=ANA, states=FACT_STATES) == ()


@pytest.mark.parametrize("guess", ["The user lives in Paris.", "User lives in Paris", "I live in Paris."])
def test_a_conclusion_neither_closes_nor_stands_beside_what_the_user_said(open_memory: Opener, guess: str) -> None:
    memory = open_memory()
    said = memory.remember("I live in Oslo.", scope=ANA, category="identity").fact
    assert said is not None

    guessed(memory, guess, confidence=1.0)

    held = memory.fact(said.id, scope=ANA)
    assert (held.state, held.confidence, held.seen_count) == ("active", said.confidence, 1)
    if "lives" in guess:  # "I" is the assistant here
        assert [fact.text for fact in memory.facts(scope=ANA)] == ["I live in Oslo."]


def test_a_conclusion_makes_no_statement_surer_and_what_is_said_then_takes_its_place(open_memory: Opener) -> None:
    memory = open_memory()
    first = guessed(memory, "The build runs on two cores.")
    assert first is not None

    said = memory.remember("The build runs on two cores.", scope=ANA, confidence=0.4)
    again = memory.remember("The build runs on two cores.", scope=ANA, confidence=1.0, epistemic="inferred")

    assert said.fact is not None
    assert (said.decided.decision, said.fact.epistemic, said.fact.source_trust) == ("supersede", "stated", "owner")
    assert again.decided.decision == "merge"
    held = memory.fact(said.fact.id, scope=ANA)
    assert (held.state, held.epistemic, held.confidence) == ("active", "stated", 0.4)


def test_a_better_conclusion_takes_the_place_of_an_older_one(open_memory: Opener) -> None:
    memory = open_memory()
    first = guessed(memory, "The user lives in Oslo.")
    second = guessed(memory, "The user lives in Paris.")

    assert first is not None
    assert second is not None
    assert [fact.text for fact in memory.facts(scope=ANA)] == ["The user lives in Paris."]
    assert memory.fact(first.id, scope=ANA).state == "superseded"
