"""What does a tool promise to answer with, as JSON schemas? They describe the shapes of shapes.py.

An answer may gain fields later, so that nothing forbids more than is named; what is named is always there. Every client
pays for each word of it with each conversation: of what stands within a row only the fields are named.
"""

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

TEXT: Schema = {"type": "string"}
TEXT_OR_NOTHING: Schema = {"type": ["string", "null"]}
COUNT: Schema = {"type": "integer"}
SWITCH: Schema = {"type": "boolean"}


def listed(items: Schema) -> Schema:
    """A list of these."""
    return {"type": "array", "items": dict(items)}


def shape(**fields: Schema) -> Schema:
    """An object that always has these fields."""
    return {"type": "object", "properties": {name: dict(each) for name, each in fields.items()}, "required": [*fields]}


def row(**fields: Schema) -> Schema:
    """What stands within an answer: an object with these fields."""
    return {"type": "object", "properties": {name: dict(each) for name, each in fields.items()}}


def or_nothing(schema: Schema) -> Schema:
    """This, or null."""
    return {**schema, "type": [schema["type"], "null"]}


SOURCE: Schema = {"type": "object"}
"""Its id, type, name and description."""
FACT = row(
    fact_id=TEXT, text=TEXT, category=TEXT, kind=TEXT_OR_NOTHING, about=TEXT, state=TEXT, current=SWITCH,
    inferred=SWITCH, confidence={"type": "number"}, since=TEXT, until=TEXT_OR_NOTHING, times_said=COUNT,
    conversation=TEXT_OR_NOTHING, source=SOURCE, replaced_by=TEXT_OR_NOTHING,
)  # fmt: skip
EVENT = row(start=TEXT_OR_NOTHING, end=TEXT_OR_NOTHING, words=TEXT_OR_NOTHING)
HIT = row(
    text=TEXT, speaker=TEXT, said_at=TEXT, event=or_nothing(EVENT), conversation=TEXT, source=SOURCE,
    message_ids=listed(TEXT), link=TEXT_OR_NOTHING, no_longer_so=SWITCH, facts=listed(FACT),
)  # fmt: skip
EVIDENCE = row(
    sentence=TEXT, speaker=TEXT, role=TEXT, said_at=TEXT, conversation=TEXT_OR_NOTHING, message_id=TEXT_OR_NOTHING
)
DECISION = row(at=TEXT, by=TEXT, decision=TEXT, reason=TEXT)
CHANGE = row(**{"at": TEXT, "by": TEXT, "from": TEXT, "to": TEXT, "why": TEXT})
RECEIPT = row(id=TEXT, kind=TEXT, stored=TEXT_OR_NOTHING)
COLLISION = row(fact_id=TEXT, text=TEXT, outcome=TEXT, reason=TEXT)
MESSAGE = row(number=COUNT, id=TEXT, role=TEXT, speaker=TEXT, said_at=TEXT, session=TEXT, text=TEXT)
NOTE = row(key=TEXT, value=TEXT, fact_id=TEXT, stored_at=TEXT, conversation=TEXT_OR_NOTHING)

HITS_ANSWER = shape(hits=listed(HIT), degraded=listed(TEXT))
EXPLAIN_ANSWER = shape(
    fact=FACT, evidence=listed(EVIDENCE), decisions=listed(DECISION), changes=listed(CHANGE),
    chain=listed({"type": "object"}),
)  # fmt: skip
FACTS_ANSWER = shape(facts=listed(FACT), more=SWITCH)
MESSAGES_ANSWER = shape(conversation=TEXT, messages=listed(MESSAGE), next_after=or_nothing(COUNT))
CONTEXT_ANSWER = shape(block=TEXT, skipped=TEXT, token_count=COUNT, degraded=listed(TEXT))
DOCUMENT_ANSWER = shape(document_id=TEXT, outcome=TEXT, pieces=COUNT, notes=listed(TEXT), receipt=RECEIPT, message=TEXT)
REMEMBER_ANSWER = shape(
    decision=TEXT, message=TEXT, fact=or_nothing(FACT), receipt=or_nothing(RECEIPT), collides_with=listed(COLLISION)
)
RECORD_ANSWER = shape(
    conversation=TEXT, stored=COUNT, pending=COUNT, message=TEXT,
    recorded=listed(row(id=TEXT, outcome=TEXT, notes=listed(TEXT))),
)  # fmt: skip
NOTE_ANSWER = shape(notes=listed(NOTE), decision=TEXT_OR_NOTHING, message=TEXT)
SET_ASIDE_ANSWER = shape(facts=listed(FACT), message=TEXT)
FORGET_ANSWER = shape(
    done=SWITCH, facts=listed(row(fact_id=TEXT, text=TEXT_OR_NOTHING)), message_count=COUNT, samples=listed(TEXT),
    confirm=TEXT_OR_NOTHING, receipt_id=TEXT_OR_NOTHING, not_covered=listed(TEXT), message=TEXT,
)  # fmt: skip
SOURCES_ANSWER = shape(
    sources=listed(
        row(
            source_type=TEXT, source_id=TEXT_OR_NOTHING, source_name=TEXT, source_description=TEXT,
            conversation=TEXT_OR_NOTHING, fact_count=COUNT, note_count=COUNT,
        )
    )
)  # fmt: skip
STATUS_ANSWER = shape(
    workspace=TEXT, agent=TEXT, owner=TEXT, trust=TEXT, tier=TEXT, conversation=TEXT_OR_NOTHING, messages=COUNT,
    facts=COUNT, conversations=COUNT, waiting_for_meaning=COUNT, waiting_for_facts=COUNT,
    latest_conversations=listed(row(conversation=TEXT, messages=COUNT, last_said_at=TEXT)),
    oldest_said_at=TEXT_OR_NOTHING, newest_said_at=TEXT_OR_NOTHING, meaning=TEXT, version=TEXT,
)  # fmt: skip
