"""Which drafts do a reply's items make, and why is each of the others refused?

An item is judged alone: one that is wrong costs no other. What is refused is counted by reason.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import regex

from glossator.model import CATEGORIES, KINDS, SELF, Category, Draft, EventTime, Extraction, Kind, Passage, Turn
from glossator.retain.drafts import event_of
from glossator.retain.explicit import keyed
from glossator.retain.modelled.prompt import EXAMPLES, NO_KIND
from glossator.retain.modelled.reply import Reply, fact_of
from glossator.retain.modelled.support import Span, located
from glossator.rules import grounding
from glossator.rules.instants import local_time
from glossator.rules.similar import likeness
from glossator.rules.stopwords import ENGLISH
from glossator.rules.support import (
    OPENERS,
    OVERLAP_QUOTED_MIN,
    USER_WORDS,
    counted,
    shared_share,
    telling_terms,
    unsupported_name,
    unsupported_number,
)
from glossator.rules.timex import event_interval
from glossator.rules.tokens import fold, index_terms

Reason = Literal[
    "not_an_object",
    "no_text",
    "too_long",
    "unknown_category",
    "over_limit",
    "reports_speech",
    "transient",
    "no_support",
    "example_echoed",
    "ungrounded_speaker",
    "other_person",
    "question",
    "hypothesis",
    "polarity",
]
CONFIDENCE = 0.8
DOMAIN = "general"
DOMAIN_CHARACTERS_MAX = 64
TEXT_CHARACTERS_MAX = 600
"""A longer one is no sentence but a retelling."""
TAGS_MAX = 10
ECHO_MIN = 0.5
"""Share of an example's telling words that makes a statement its echo."""
CATEGORY_OF_KIND: Mapping[Kind, Category] = {
    "implicit_pref": "preference",
    "hard_constraint": "context",
    "exact_value": "context",
    "decision_reason": "context",
    "cross_task_dep": "context",
}
"""For replies that name only the kind (C3)."""
_AGENT = frozenset({"agent", "assistant", "the agent", "the assistant"})
_WHO_ONE_IS = regex.compile(
    r"\b(?:age|aged|years old|born|birthday|named|called|phone|e-?mail|address|passport|height|weight|blood)\b", regex.I
)
_NAME_FIRST = regex.compile(r"\p{Lu}[\p{L}\p{M}\p{N}’'-]*(?:\s\p{Lu}[\p{L}\p{M}\p{N}’'-]*)*")
_EXAMPLE_TERMS = tuple(telling_terms(example) for example in EXAMPLES)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Refused:
    reason: Reason


def drafts_of(reply: Reply, turn: Turn, *, limit: int) -> Extraction:
    """At most `limit` drafts in the order of the reply; the limit counts drafts, not items."""
    drafts: list[Draft] = []
    lost: list[str] = ["not_an_object"] * reply.not_objects
    for item in reply.items:
        judged = _judged(item, turn) if len(drafts) < limit else _Refused(reason="over_limit")
        if isinstance(judged, _Refused):
            lost.append(judged.reason)
        else:
            drafts.append(keyed(judged))
    return Extraction(drafts=tuple(drafts), lost=counted(lost), partial=reply.partial)


def _judged(item: Mapping[str, object], turn: Turn) -> Draft | _Refused:
    fact = fact_of(item)
    if not fact:
        return _Refused(reason="no_text")
    if len(fact) > TEXT_CHARACTERS_MAX:
        return _Refused(reason="too_long")
    facets = _facets(item, fact)
    if facets is None:
        return _Refused(reason="unknown_category")
    speaking = _speaking(turn)
    subject_said = _text(item.get("subject"))
    span = _evidence(item, fact, turn, speaking)
    reason = _against(fact, facets[0], subject_said, span, turn, speaking)
    if reason is not None or span is None:
        return _Refused(reason=reason or "no_support")
    return _draft(item, fact, facets, turn.passages[span.passage], span)


def _facets(item: Mapping[str, object], fact: str) -> tuple[Category, Kind | None] | None:
    """Category and kind; a reply may name a kind as its category. None where neither is one of the set."""
    named, kind_named = _name(item.get("category")), _name(item.get("kind"))
    kind = kind_named if kind_named in KINDS else None
    if named in CATEGORIES:
        category = named
        if kind is None and kind_named != NO_KIND and category == "preference":
            kind = "implicit_pref"
        return category, kind
    if named in KINDS:
        kind = named
    elif named or kind is None:
        return None
    return _category_of(kind, fact, _text(item.get("subject"))), kind


def _category_of(kind: Kind, fact: str, subject: str) -> Category:
    about_agent = fold(subject) in _AGENT
    match kind:
        case "implicit_pref" if about_agent:
            return "context"
        case "hard_constraint" if about_agent:
            return "directive"
        case "exact_value" if _WHO_ONE_IS.search(fact):
            return "identity"
        case _:
            return CATEGORY_OF_KIND[kind]


def _evidence(item: Mapping[str, object], fact: str, turn: Turn, speaking: frozenset[str]) -> Span | None:
    span = located(_text(item.get("quote")), fact, turn.passages, speaking=speaking)
    if span is None or not span.quoted:
        return span
    text = turn.passages[span.passage].text
    return span if shared_share(fact, text, speaking=speaking) >= OVERLAP_QUOTED_MIN else None


def _against(
    fact: str, category: Category, subject: str, span: Span | None, turn: Turn, speaking: frozenset[str]
) -> Reason | None:
    """The first reason to refuse the statement, or None."""
    if grounding.is_report(fact):
        return "reports_speech"
    if grounding.is_transient(fact):
        return "transient"
    texts = [passage.text for passage in turn.passages if passage.role != "system"]
    texts += [turn.before.text, turn.before.speaker] if turn.before is not None else []
    texts += [passage.speaker for passage in turn.passages]
    if (
        span is None
        or unsupported_number(fact, texts, turn.passages) is not None
        or unsupported_name(fact, texts, turn.passages, speaking=speaking) is not None
    ):
        return "example_echoed" if _echoes(fact) else "no_support"
    passage = turn.passages[span.passage]
    if category != "context" and passage.role != "user":
        return "ungrounded_speaker"
    evidence = passage.text[span.start : span.end]
    if grounding.asks_only(fact, evidence):
        return "question"
    if grounding.supposes_only(fact, evidence):
        return "hypothesis"
    if grounding.flips_polarity(fact, evidence):
        return "polarity"
    own = _is_self(subject, fact, speaking) and passage.role == "user"
    return "other_person" if own and grounding.tells_of_another(fact, evidence, speaking=speaking) else None


def _draft(
    item: Mapping[str, object], fact: str, facets: tuple[Category, Kind | None], passage: Passage, span: Span
) -> Draft:
    category, kind = facets
    said_as = _text(item.get("subject"))
    own = _is_self(said_as, fact, _words(passage.speaker) | USER_WORDS)
    is_inferred = _name(item.get("epistemic")) == "inferred" or passage.role != "user"
    return Draft(
        text=fact,
        category=category,
        kind=kind,
        subject=_self_name(passage) if own else said_as or _subject_of(fact, passage),
        key="",
        value="",
        passage=span.passage,
        start=span.start,
        end=span.end,
        event=_event(_text(item.get("event")), passage, span),
        polarity="negative" if likeness(fact).negated else "positive",
        epistemic="inferred" if is_inferred else "stated",
        confidence=_confidence(item.get("confidence")),
        domain=_text(item.get("domain"))[:DOMAIN_CHARACTERS_MAX].strip() or DOMAIN,
        tags=_tags(item.get("tags")),
    )


def _event(phrase: str, passage: Passage, span: Span) -> EventTime:
    """By the phrase that the model names, if the passage has it; else by the evidence; else when it was said."""
    if phrase and fold(phrase) in fold(passage.text):
        found = event_interval(phrase, now=local_time(passage.said))
        if found is not None:
            return EventTime(interval=found.interval, source="own", words=found.words)
    return event_of(passage.text[span.start : span.end], passage.said, is_document=False)


def _is_self(subject: str, fact: str, speaking: frozenset[str]) -> bool:
    """Is it about the speaker? Where the model names no subject, the statement's beginning says so."""
    named = _words(subject) - {"the"}
    if named:
        return named <= speaking | {"i", "me", "speaker", "myself"}
    if grounding.relative_of(fact):
        return False
    return bool(set(index_terms(" ".join(fact.split()[:3]))) & speaking)


def _subject_of(fact: str, passage: Passage) -> str:
    """The subject where the model names none: one of the user's people, a name at the beginning, else the speaker."""
    found = _NAME_FIRST.match(fact)
    named = found.group() if found is not None and fold(found.group()) not in ENGLISH | OPENERS else ""
    named = named if named in passage.text else ""
    return grounding.relative_of(fact) or named or _self_name(passage)


def _self_name(passage: Passage) -> str:
    return SELF if passage.speaker == passage.role or not passage.speaker.strip() else passage.speaker


def _speaking(turn: Turn) -> frozenset[str]:
    """Words that name the turn's users: "user" in some languages and their names."""
    return USER_WORDS.union(*(_words(passage.speaker) for passage in turn.passages if passage.role == "user"))


def _words(name: str) -> frozenset[str]:
    return frozenset(index_terms(name)) | frozenset(fold(name).split())


def _echoes(fact: str) -> bool:
    told = telling_terms(fact)
    return any(len(told & terms) >= ECHO_MIN * len(terms) for terms in _EXAMPLE_TERMS)


def _confidence(value: object) -> float:
    """In [0, 1]; 0.8 for what is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return CONFIDENCE
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return CONFIDENCE
    return CONFIDENCE if math.isnan(number) else min(1.0, max(0.0, number))


def _tags(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(tag.strip()[:DOMAIN_CHARACTERS_MAX] for tag in value if isinstance(tag, str) and tag.strip())[
        :TAGS_MAX
    ]


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _name(value: object) -> str:
    """A word of a closed set as models write it: "Exact Value", "hard-constraint"."""
    return _text(value).lower().replace(" ", "_").replace("-", "_")
