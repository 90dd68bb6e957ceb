"""What Prometheus reads of a memory is what is in it at that moment, and never fails the scrape."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.conftest import ANA

from glossator import Memory, Options, UsageError
from glossator.testing.clock import FakeClock


def scraped(memory: Memory) -> Mapping[str, float]:
    """The samples by name and labels."""
    return {
        sample.name + "".join(f"{{{name}={value}}}" for name, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(memory.metrics_text())
        for sample in family.samples
    }


def say(memory: Memory, *texts: str) -> None:
    memory.record([{"role": "user", "content": text} for text in texts], scope=ANA, conversation="telegram:42")


def test_gauges_tell_what_is_there_and_what_waits_since_when(memory: Memory, clock: FakeClock) -> None:
    say(memory, "I live in Lyon.", "I like tea.")
    clock.advance(seconds=90)
    found = scraped(memory)
    status = memory.status()
    assert found["glossator_messages"] == status.message_count == 2
    assert found["glossator_chunks"] == status.chunk_count
    assert (found["glossator_vectors"], found["glossator_facts"]) == (0, 0)
    assert found["glossator_work_open{kind=embed}"] == found["glossator_work_open{kind=extract}"] == 2
    assert found["glossator_work_oldest_seconds{kind=embed}"] == 90
    assert found["glossator_work_oldest_seconds{kind=embed_fact}"] == 0
    assert found["glossator_embedder_ready"] == found["glossator_store_readable"] == 1
    assert found["glossator_file_bytes{file=store}"] + found["glossator_file_bytes{file=log}"] == status.file_bytes

    memory.drain()
    memory.review(scope=ANA, now=True)
    after, status = scraped(memory), memory.status()
    assert after["glossator_vectors"] == status.vector_count == 2
    assert after["glossator_facts"] == status.fact_count > 0
    assert after["glossator_work_open{kind=embed}"] == after["glossator_work_oldest_seconds{kind=embed}"] == 0
    assert after["glossator_last_review_timestamp_seconds"] == clock.now().timestamp()


def test_a_store_that_cannot_be_read_is_told_and_the_counters_stay(memory: Memory) -> None:
    say(memory, "I like tea.")
    memory.close()
    found = scraped(memory)
    assert found["glossator_store_readable"] == 0
    assert "glossator_messages" not in found
    assert found["glossator_verb_duration_seconds_count{verb=record}"] == 1


def test_every_call_of_a_timed_verb_is_counted_with_its_time_failures_too(memory: Memory) -> None:
    memory.recall("tea?", scope=ANA)
    with pytest.raises(UsageError):
        memory.recall("tea?", scope=ANA, limit=-1)
    memory.status()
    found = scraped(memory)
    assert found["glossator_verb_duration_seconds_count{verb=recall}"] == 2
    assert "glossator_verb_duration_seconds_count{verb=status}" not in found
    assert not any("verb_duration" in name for name in memory.metrics())


def test_a_scrape_of_a_memory_without_an_embedder_says_so(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory.db", options=Options(embedder="none", worker=False)) as memory:
        assert scraped(memory)["glossator_embedder_ready"] == 0
