"""Every topic that the model systems test has a test here: the map, and the proof that the map is true."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]

TOPICS: dict[str, tuple[str, ...]] = {
    # Extraction, queue, tools, lexical search and compression: the suites of the first model system.
    "extraction: prefilter": ("unit/test_prefilter.py",),
    "extraction: prompt": ("unit/test_prompt.py",),
    "extraction: reply ladder": ("unit/test_reply.py",),
    "extraction: time-out": ("corridor/test_model_extraction.py::test_a_model_that_is_too_slow_is_left_and_counted",),
    "extraction: provider error": (
        "corridor/test_model_extraction.py::test_a_model_that_raises_is_counted_and_nothing_is_lost",
    ),
    "extraction: cap, sampling": (
        "corridor/test_model_extraction.py::test_at_most_five_facts_are_kept_of_a_turn",
        "corridor/test_model_extraction.py::test_sampling_spares_calls",
    ),
    "extraction: dedup, blend, supersede": ("unit/test_admit.py",),
    "extraction: breaker": ("unit/test_breaker.py",),
    "extraction: time-to-live set": ("unit/test_recent.py",),
    "queue": (
        "corridor/test_model_extraction.py::test_a_full_queue_drops_counts_and_never_blocks",
        "corridor/test_model_extraction.py::test_the_worker_survives_a_turn_that_breaks_its_extractor",
    ),
    "tools": ("surface/test_tools.py",),
    "lexical search of steps": ("corridor/test_steps.py",),
    "compression: elided span": (
        "corridor/test_model_extraction.py::test_the_span_that_is_dropped_is_the_one_that_is_read",
    ),
    "compression: truncation, tool pairs": ("unit/test_truncate.py", "unit/test_tool_pairs.py"),
    # Verbatim and facts: the list of the second one.
    "routing to namespaces": ("corridor/test_facts.py::test_facts_and_preferences_have_namespaces_of_their_own",),
    "date fallback, three branches": (
        "corridor/test_facts.py::test_a_fact_takes_its_date_from_its_words_then_the_session_then_the_clock",
    ),
    "batch stamps": ("corridor/test_fact_recall.py::test_singles_and_a_batch_give_the_same_facts",),
    "source standing in for a better-ranked fact": (
        "unit/test_join.py::test_a_source_stands_at_its_facts_rank_and_only_once",
    ),
    "recall restricted to a project": ("corridor/test_fact_recall.py::test_facts_are_filtered_inside_the_search",),
    "temporal inheritance": ("corridor/test_facts.py::test_last_march_counts_from_the_day_it_was_said",),
    "end to end against the real store": ("corridor/test_facts.py",),
}


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_has_its_tests(topic: str) -> None:
    # proves: A85, O30
    for named in TOPICS[topic]:
        path, _, function = named.partition("::")
        tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
        functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert any(name.startswith("test_") for name in functions), path
        assert not function or function in functions, named
