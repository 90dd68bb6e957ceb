"""Which tools does the server offer, which verbs of `Memory` do they stand for, and which are missing, and why?"""

from collections.abc import Mapping
from dataclasses import replace

from glossator.surfaces.mcp.keeping import NOTE, RECORD, REMEMBER
from glossator.surfaces.mcp.looking import CONTEXT, FACTS, MESSAGES, STATUS
from glossator.surfaces.mcp.removing import FORGET, SET_ASIDE
from glossator.surfaces.tools.recalling import EXPLAIN, RECALL
from glossator.surfaces.tools.remembering import REMEMBER_DOCUMENT
from glossator.surfaces.tools.sources import MEMORY_SOURCES_LIST
from glossator.surfaces.tools.tool import Declared

SOURCES = replace(MEMORY_SOURCES_LIST, name="sources", action=MEMORY_SOURCES_LIST.name)

TOOLS: tuple[Declared, ...] = (
    RECALL, CONTEXT, MESSAGES, FACTS, EXPLAIN, REMEMBER, RECORD, REMEMBER_DOCUMENT, NOTE, SET_ASIDE, FORGET, SOURCES,
    STATUS,
)  # fmt: skip
"""In the order in which they are listed: what is asked most comes first."""
BY_NAME: Mapping[str, Declared] = {each.name: each for each in TOOLS}

USER_MD, MEMORY_MD = "glossator://prompt/USER.md", "glossator://prompt/MEMORY.md"

VERBS: Mapping[str, tuple[str, ...]] = {
    "archive_facts": ("set_aside",),
    "check_contradictions": ("remember",),
    "context": ("context",),
    "conversations": ("status",),
    "deprioritise_facts": ("set_aside",),
    "explain": ("explain",),
    "facts": ("facts", "note"),
    "forget": ("forget",),
    "forget_facts": ("forget",),
    "memory_sources": ("sources",),
    "messages": ("messages",),
    "note": ("note",),
    "prompt_files": ("context", USER_MD, MEMORY_MD),
    "recall": ("recall",),
    "record": ("record",),
    "reinstate_facts": ("set_aside",),
    "remember": ("remember",),
    "remember_document": ("remember_document",),
    "restore_fact": ("set_aside",),
    "search_facts": ("facts",),
    "status": ("status",),
    "waiting": ("status",),
    "warm": ("status",),
}
"""The verbs of `Memory`, and the tools and resources that call each."""

_HOST = "is for the program that runs the model, not for the model"
_OPERATOR = "is for whoever runs the memory: the command line has it"
_WITHIN = "is shown by"
ABSENT: Mapping[str, str] = {
    "add_job": _HOST,
    "add_key": _OPERATOR,
    "after_delivery": _HOST,
    "backup": _OPERATOR,
    "before_truncation": _HOST,
    "begin_job_run": _HOST,
    "begin_reply": _HOST,
    "claims_without_receipt": _HOST,
    "clear_window": _HOST,
    "close": _HOST,
    "command": _HOST,
    "compact": _HOST,
    "conversation": "is the window that a host sends; `messages` reads the whole conversation",
    "doctor": _OPERATOR,
    "drain": _OPERATOR,
    "drop_reply": _HOST,
    "drop_steps": _HOST,
    "durable_facts": "stand in the block of `context`",
    "end_session": _HOST,
    "expire_due": "is done behind the calls",
    "fact": f"{_WITHIN} `explain`",
    "finish_job_run": _HOST,
    "history": f"{_WITHIN} `explain`, as chain",
    "hook_failed": _HOST,
    "job_runs": _OPERATOR,
    "jobs": _OPERATOR,
    "keep_reply": _HOST,
    "key_of": _HOST,
    "keys": _OPERATOR,
    "learned": f"{_WITHIN} `explain`, for each fact",
    "load_prompt_files": "is for an agent that goes by files in a folder; the resources are always as the facts are",
    "measured": _HOST,
    "metrics": _OPERATOR,
    "metrics_text": _OPERATOR,
    "open": _HOST,
    "open_work": "is counted by `status`",
    "prefetch": "is part of `context`",
    "preflight": _HOST,
    "rebuild_prompt_files": _OPERATOR,
    "receipt_key": _OPERATOR,
    "receipts": _OPERATOR,
    "record_steps": _HOST,
    "record_voice": _HOST,
    "relearn": _OPERATOR,
    "resource": _OPERATOR,
    "resource_diff": _OPERATOR,
    "resource_history": _OPERATOR,
    "resources": _OPERATOR,
    "review": _OPERATOR,
    "review_states": _OPERATOR,
    "revoke_key": _OPERATOR,
    "rollback_resource": _OPERATOR,
    "rotate_key": _OPERATOR,
    "run": _HOST,
    "scopes": "shows whom else the memory is about: the command line has it",
    "search_reasoning_steps_lexical": _HOST,
    "start": _HOST,
    "steps": _HOST,
    "window": _HOST,
    "work": _OPERATOR,
    "write_resource": _OPERATOR,
}
"""The verbs that no tool calls, with the reason."""
