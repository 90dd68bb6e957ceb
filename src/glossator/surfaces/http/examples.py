"""What does a request look like? One body for each verb that people try first."""

from collections.abc import Mapping
from typing import Any

EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "record": {
        "conversation": "telegram:42",
        "messages": [
            {"role": "user", "content": "I moved to Edinburgh last March.", "speaker": "Ana",
             "at": "2023-05-20T02:21:00+01:00", "id": "D1:3"},
            {"role": "assistant", "content": "How do you like it there?", "at": "2023-05-20T02:21:30+01:00"},
        ],
    },
    "recall": {"query": "When did I move to Edinburgh?", "limit": 5, "now": "2023-06-01T09:00:00Z"},
    "remember": {"text": "Ana plays the cello.", "category": "interest"},
    "remember_document": {"text": "# Plan\n\nWe ship on Friday.", "project": "atlas", "at": "2024-03-01"},
    "search_facts": {"query": "cello"},
    "context": {"messages": "Where does Ana live?", "budget": 1000},
    "prefetch": {"query": "Where does Ana live?"},
    "forget": {"conversation": "telegram:42"},
    "forget_facts": {"containing": "cello"},
    "archive_facts": {"fact_ids": ["f42"], "reason": "no longer of use"},
    "note": {"key": "build", "value": "make demo", "conversation": "telegram:42"},
    "write_resource": {"content": "Answer briefly.", "reason": "the owner asked"},
    "add_job": {"job_id": "nightly", "schedule": "every night at 3"},
    "begin_job_run": {"job_id": "nightly"},
}  # fmt: skip
"""The body of a first request, by its verb."""
