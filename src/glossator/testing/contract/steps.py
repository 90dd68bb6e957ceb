"""Are reasoning steps kept in order, found by their words, and seen by nobody else?"""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from glossator.model import Scope, Step
from glossator.ports import Steps
from glossator.rules.tokens import index_terms, query_terms
from glossator.testing.contract.base import NASTY, NOW
from glossator.testing.contract.isolation import OUTSIDERS
from glossator.testing.drafts import SCOPE

AT = datetime(2026, 1, 1, tzinfo=UTC)
ERROR = 'TypeError: cannot read "foo_bar(1)" of None [E-4711]'


def step(number: int, thought: str = "", observation: str = "", *, run_id: str = "r1") -> Step:
    """A step of a run."""
    return Step(run_id=run_id, number=number, thought=thought, action="call tool", observation=observation)


def numbers(store: Steps, words: str, *, scope: Scope = SCOPE, run_id: str | None = None, limit: int = 10) -> list[int]:
    """Numbers of the steps that have one of the words, best first."""
    return [each.step.number for each in store.search_steps(scope, query_terms(words), run_id=run_id, limit=limit)]


class StepsContract:
    """Steps. Asks for nothing but the port: whatever implements it subclasses this with a fixture `store`, empty."""

    def test_steps_come_back_in_order_as_they_were(self, store: Steps) -> None:
        whole = replace(step(2, "think", "see"), verified=True, evidence="exit 0", at=AT)
        assert store.put_steps(SCOPE, [whole, step(1), step(3, run_id="r2")], now=NOW) == 3
        assert store.steps(SCOPE, "r1") == (step(1), whole)
        assert store.steps(SCOPE, "r") == ()

    def test_an_exact_error_is_found_and_an_update_by_its_new_words_only(self, store: Steps) -> None:
        # proves: A66
        store.put_steps(SCOPE, [step(1, "read the file", ERROR), step(2, "try again", "fine")], now=NOW)
        assert numbers(store, ERROR) == [1]
        assert numbers(store, "foo_bar E-4711") == [1]
        store.put_steps(SCOPE, [step(1, "wrote the config")], now=NOW)
        assert (numbers(store, ERROR), numbers(store, "config")) == ([], [1])
        assert store.drop_steps(SCOPE, "r1", [1, 7]) == 1
        assert (numbers(store, "config"), numbers(store, "again")) == ([], [2])
        assert store.drop_steps(SCOPE, "r1") == 1
        assert (numbers(store, "again"), store.steps(SCOPE, "r1")) == ([], ())

    def test_only_thought_and_observation_are_searched(self, store: Steps) -> None:
        store.put_steps(SCOPE, [replace(step(1), action="secretword", evidence="secretword")], now=NOW)
        assert numbers(store, "secretword") == []

    def test_the_best_come_first(self, store: Steps) -> None:
        # proves: A67
        store.put_steps(
            SCOPE,
            [
                step(1, "tea and a long list of other words that say nothing of it at all"),
                step(2, "tea"),
                step(3, "tea tea", "milk"),
                step(4, "bread"),
            ],
            now=NOW,
        )
        found = store.search_steps(SCOPE, ("tea", "milk", "tea"))
        assert [each.step.number for each in found] == [3, 2, 1]
        scores = [each.score for each in found]
        assert scores == sorted(scores, reverse=True)
        assert min(scores) > 0
        assert numbers(store, "tea milk", limit=1) == [3]
        assert numbers(store, "tea", limit=0) == []

    def test_a_search_keeps_to_its_run_and_to_its_scope(self, store: Steps) -> None:
        # proves: D11
        other = Scope(workspace="other", agent="helper", owner="u1")
        store.put_steps(SCOPE, [step(1, "tea"), step(2, "tea", run_id="r2")], now=NOW)
        store.put_steps(other, [step(7, "tea")], now=NOW)
        assert numbers(store, "tea") == [1, 2]
        assert numbers(store, "tea", run_id="r2") == [2]
        assert numbers(store, "tea", scope=other) == [7]
        assert store.steps(other, "r2") == ()
        for outsider in OUTSIDERS:
            if outsider != other:
                assert (numbers(store, "tea", scope=outsider), store.steps(outsider, "r1")) == ([], ())
                assert store.drop_steps(outsider, "r1") == 0
        assert store.drop_steps(SCOPE, "%") == 0

    def test_a_conversation_sees_its_own_steps(self, store: Steps) -> None:
        inside = replace(SCOPE, conversation="telegram:42:root")
        store.put_steps(inside, [step(1, "tea")], now=NOW)
        store.put_steps(SCOPE, [step(2, "tea")], now=NOW)
        assert (numbers(store, "tea", scope=inside), numbers(store, "tea")) == ([1], [1, 2])

    @pytest.mark.parametrize("text", [text[:300] for text in NASTY], ids=range(len(NASTY)))
    def test_any_text_is_found_by_its_words_and_none_is_syntax(self, store: Steps, text: str) -> None:
        # proves: A68, K25, K26
        store.put_steps(SCOPE, [step(1, text, text), step(2, "something else")], now=NOW)
        assert store.steps(SCOPE, "r1")[0].thought == text
        for term in dict.fromkeys(index_terms(text)):
            assert [each.step.number for each in store.search_steps(SCOPE, (term,))] == [1]
        assert store.search_steps(SCOPE, ("", '"', "*", "NEAR(", "a OR b", "thought_words:x")) == ()
        assert store.search_steps(SCOPE, ()) == ()
