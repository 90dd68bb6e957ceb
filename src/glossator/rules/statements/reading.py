"""What does a clause state? The rows of the tables tried on it, in order."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import regex

from glossator.model import Category, Kind, Polarity
from glossator.rules.statements.english_broad import BROAD
from glossator.rules.statements.english_decisions import DECISIONS, DEPENDENCIES, ENDINGS, EVENTS
from glossator.rules.statements.english_goals import ENDED, GOALS, HABITS
from glossator.rules.statements.english_home import HOME, WORK
from glossator.rules.statements.english_life import LIFE
from glossator.rules.statements.english_self import BELONGINGS, ONESELF
from glossator.rules.statements.english_standing import PLAIN, SINCE
from glossator.rules.statements.english_tastes import INTERESTS, TASTES
from glossator.rules.statements.english_values import CONSTRAINTS, VALUES
from glossator.rules.statements.english_ways import WAYS
from glossator.rules.statements.english_words import PETS
from glossator.rules.statements.rule import NO_WAY, Rule
from glossator.rules.statements.things import pair, thing
from glossator.rules.statements.values import Clause, Statement, SubjectKind, Tense

RULES: tuple[Rule, ...] = (
    *DECISIONS, *DEPENDENCIES, *CONSTRAINTS, *HOME, *WORK, *BELONGINGS, *ONESELF, *TASTES, *INTERESTS, *GOALS, *VALUES,
    *ENDINGS, *EVENTS, *WAYS, *HABITS, *ENDED, *LIFE, *SINCE, *PLAIN, *BROAD,
)  # fmt: skip
_NAMED = ("place", "org", "who", "proper")
_NO_MORE = regex.compile(r"\s*\b(?:any ?more|any longer)\b")
_NO_NAME = regex.compile(
    r"(?:the|a|an|my|your|our|this|that|it|them|him|her|me|you|us|some|any|one|its|their|his|these"
    r"|those|what|home|work|"
    r"here|there|bed|nothing|everything|something|somewhere|sure|sorry|glad|happy|ready|fine)\b"
)
_LITTLE = regex.compile(
    r"^(?:it|that|this|them|him|her|you|me|us|there|here|so|not|and|or|one|to|be|do|go|anything"
    r"|everything|nothing|something|huge|big|great|real|total|massive|help|fan|travel sometime|sometime|then\b.*"
    r"|nobody|none)?$"
)
_CUT_OFF = regex.compile(r"\b(?:to|of|for|with|at|about|from|by|and|or|the|an?|my|than)$")
_POINTING = regex.compile(r"(?:this|that|these|those|their|his|her|its|your)\b", regex.IGNORECASE)
"""What such words point at is told elsewhere."""
_OF_THE_TALK = regex.compile(
    r"\b(?:for|with|in|of|on|about) (?:this|that|these|those)\b"
    r"(?! (?:\w+ )?(?:year|month|week|weekend|semester|term|season|summer|winter|spring|autumn|fall|decade|quarter"
    r"|january|february|march|april|may|june|july|august|september|october|november|december)\b)"
    r"|\byour\b|^(?:the |my )?(?:\w+ )?ones?$"
    r"|^(?:the |my )?(?:first|second|third|last|next|other|former|latter|left|right) (?:version|option|draft|image"
    r"|design|idea)s?$"
    r"|\b(?:matrix|variable|parameter|array|vector|function|method|counter|attribute|constant|loop|slider|thread"
    r"|div|regex)$",
    regex.IGNORECASE,
)
"""A plan or a goal "for this query" is a step of the work at hand."""
_TO_YOU = regex.compile(r"\b(?:you|your|yours)\b")
"""What is said of the one spoken to holds in this talk only."""
_ANY_ONE = regex.compile(
    r"^\w+ (?:[\w ]+ )??(?:(?:an?|another|the|some|new|used|different|old|second) )+ones?\b"
    r"|^\w+ (?:to )?(?:(?:an?|some|the) )?(?:event|place|thing|party|home|hurt|somewhere|something|things|there)$"
    r"|^\w+ (?:new|another|used|different|old|second) ones?\b"
)
"""An event with "a new one", or at "an event", tells of nothing by itself."""
_POINTS = regex.compile(
    r":(?:them|it|him|her|this|that|these|those)\b|\b(?:about|with|for|on|of) (?:this|that|it|these|those|them)$"
    r"|\bsince then$|\bhere$|:(?:get there(?: eventually)?|grow|succeed|improve|make it(?: work)?|keep going"
    r"|be ready|win)$"
)
"""A key that points, or an aim without an object."""
_TURNED = ("taste", "eats", "{verb}s", "plays")
_WISHES: frozenset[Category] = frozenset({"preference", "interest", "goal"})
OTHERS_RANK = 4
"""What is told of others is never among the most durable."""
_PARTLY = frozenset("just only simply always even both all".split())
"""What is not always so, or not only so, is not denied."""
_FREE = ("verb", "habit", "what", "more", "subject", "count")
_TWO_DENIALS = regex.compile(
    r"\b(?:nothing|nobody|no one|none|neither|nor|never|without|hardly|not|any less|as much|as well as"
    r"|that much|enough|anything but)\b|n't\b"
)


def read_statement(clause: Clause, *, by_verb: Mapping[str, tuple[Rule, ...]] | None = None) -> Statement | None:
    """The first row that reads the clause, or None: silence is right where no row fits."""
    clause = _without_any_more(clause)
    if clause.group.negation_count > 1 or (clause.group.negation_count and clause.group.tense == "ended"):
        return None
    if clause.group.negation_count and not clause.group.adverbs.isdisjoint(_PARTLY):
        return None
    if "almost" in clause.group.adverbs and clause.group.tense in ("past", "perfect"):
        return None
    for row in _rows(clause) if by_verb is None else by_verb.get(clause.group.verb) or by_verb[""]:
        caught = _catch(row, clause)
        statement = _state(row, clause, caught) if caught is not None else None
        if statement is not None or (caught is not None and not clause.group.ended):
            return statement
    return None


def _index() -> dict[str, tuple[Rule, ...]]:
    verbs = {verb for row in RULES for verb in row.verbs} | {""}
    return {verb: tuple(row for row in RULES if not row.verbs or verb in row.verbs) for verb in verbs}


BY_VERB = _index()
"""The rows by verb, in order; under "" those that take any verb."""
_SPARED = frozenset().union(*(row.spares for row in RULES))


@lru_cache(maxsize=4096)
def _rows_of(verb: str, kind: SubjectKind, tense: Tense) -> tuple[Rule, ...]:
    rows = BY_VERB.get(verb) or BY_VERB[""]
    return tuple(row for row in rows if kind in row.subjects and tense in row.tenses and verb not in row.spares)


def _rows(clause: Clause) -> tuple[Rule, ...]:
    """The rows that may read the clause, in order. Few verbs make most of the clauses, so the choice is kept."""
    verb = clause.group.verb
    return _rows_of(verb if verb in BY_VERB or verb in _SPARED else "", clause.subject.kind, clause.group.tense)


def _without_any_more(clause: Clause) -> Clause:
    """ "don't ... any more": it ended, and the negation has said its say."""
    group = clause.group
    if not group.negation_count or not _NO_MORE.search(clause.rest):
        return clause
    found = _NO_MORE.search(clause.rest)
    assert found is not None
    begin, stop = found.span()
    return replace(
        clause,
        group=replace(group, negation_count=0, ended=True, tense="ended" if group.tense == "present" else group.tense,
                      adverbs=group.adverbs - {"n't", "not"}),
        rest=clause.rest[:begin] + clause.rest[stop:],
        rest_written=clause.rest_written[:begin] + clause.rest_written[stop:],
    )  # fmt: skip


def _catch(row: Rule, clause: Clause) -> dict[str, str] | None:
    group, subject = clause.group, clause.subject
    if subject.kind not in row.subjects or group.tense not in row.tenses:
        return None
    if group.verb in row.spares or (row.needs and row.needs.isdisjoint(group.adverbs) and not group.ended):
        return None
    if "{noun}" in row.key and _POINTING.match(subject.words):
        return None
    if _OF_THE_TALK.search(subject.words) and subject.kind in ("own", "thing"):
        return None
    if row.key in ("job", "is:{job}") and subject.noun in PETS:
        return None
    noun = row.noun.search(subject.noun) if row.noun else None
    if row.noun and noun is None:
        return None
    if row.kind in ("exact_value", "hard_constraint") and subject.words[:5].lower() in (
        "this ",
        "that ",
        "these",
        "those",
    ):
        return None
    found = row.rest.match(clause.rest)
    if found is None or not _names_are_written(found, clause):
        return None
    caught = {name: value for name, value in found.groupdict().items() if value is not None}
    caught |= {name: value for name, value in (noun.groupdict() if noun else {}).items() if value is not None}
    caught["verb"] = group.verb
    caught.setdefault("subject", subject.words)
    if "other" in caught and "thing" in caught:
        caught["pair"] = pair(caught["thing"], caught["other"])
    return caught


def _names_are_written(found: "regex.Match[str]", clause: Clause) -> bool:
    for name in _NAMED:
        caught = found.groupdict().get(name)
        if not caught:
            continue
        written = clause.rest_written[found.start(name) : found.end(name)]
        if _NO_NAME.match(caught) or not caught[0].isalpha():
            return False
        if not written[0].isupper() and (name == "proper" or not clause.is_informal):
            return False
        if not written[0].isupper() and len(caught.split()) > 3:
            return False
    return True


def _state(row: Rule, clause: Clause, caught: dict[str, str]) -> Statement | None:
    group = clause.group
    # A row that asks for a negation has used it up; only another one would deny what it states.
    used = 1 if row.needs & NO_WAY and group.negation_count else 0
    denied = group.negation_count > used
    if _is_refused(row, clause, caught, denied=denied):
        return None
    values = {name: value if name == "pair" else thing(value) for name, value in caught.items()}
    template = row.key + row.value
    is_exact = row.kind == "exact_value"
    if not is_exact and any(f"{{{name}}}" in template and _TO_YOU.search(value) for name, value in values.items()):
        return None
    if any(f"{{{name}}}" in template and _LITTLE.match(values[name]) for name in values if name not in _FREE):
        return None
    wish = values.get("thing", "") or values.get("aim", "")
    if row.category in _WISHES and (_CUT_OFF.search(wish) or _POINTING.match(wish)):
        return None
    value, key = _fill(row.value, values), _fill(row.key, values)
    if not value or _is_vague(row, key, value):
        return None
    denies = _denies(row, clause)
    polarity: Polarity = "negative" if row.is_negative or denied or group.ended or denies else "positive"
    if group.ended:
        value = f"no longer {value}" if row.key.startswith("taste") else row.opposite or f"not {value}"
    elif denied or (denies and row.opposite):
        value = row.opposite or f"not {value}"
    about = _about(row, clause)
    category, kind = _filed(row, about)
    return Statement(
        subject=about, key=key, value=value, polarity=polarity, category=category, kind=kind,
        rank=row.rank if about is None else max(row.rank, OTHERS_RANK), is_event=row.is_event,
    )  # fmt: skip


def _is_vague(row: Rule, key: str, value: str) -> bool:
    """Does the reader need the talk around it to know what is meant?"""
    if row.is_event or not key:
        return _ANY_ONE.search(value) is not None
    return ":" in key and (_CUT_OFF.search(key) is not None or _POINTS.search(key) is not None)


def _is_refused(row: Rule, clause: Clause, caught: dict[str, str], *, denied: bool) -> bool:
    """Silence where a denial does not turn the statement into its opposite, or where two denials meet."""
    group = clause.group
    # "I've never been a morning person" holds; "I haven't seen it" says little.
    is_never = group.verb == "be" and group.tense == "perfect" and "never" in group.adverbs
    is_told_of = group.tense in ("past", "perfect", "perfect_progressive") and not is_never
    if denied and (row.refuses_negation or is_told_of):
        return True
    if group.ended and row.is_negative and row.refuses_negation:
        return True
    is_taste = row.key.startswith("taste:")
    # "I've loved the tour" is told of once, "I've always loved jazz" holds.
    is_told = is_taste and group.tense == "perfect" and not row.is_negative and group.verb not in ("go", "get")
    if is_told and "always" not in group.adverbs:
        return True
    is_turned = (denied or row.is_negative) and row.key.startswith(_TURNED)
    return is_turned and _TWO_DENIALS.search(caught.get("thing", "")) is not None


def _about(row: Rule, clause: Clause) -> str | None:
    """Whom it is about, None for the speaker and for things of theirs."""
    if clause.subject.kind in ("self", "we", "own", "thing") or (row.noun is not None and clause.subject.noun):
        return None
    return clause.subject.words


def _denies(row: Rule, clause: Clause) -> bool:
    """A row that asks for a negation takes it as its own: "can't eat" has the polarity of its negation."""
    return not row.absorbs and bool(row.needs & {"n't", "not", "never"}) and clause.group.negation_count > 0


def _filed(row: Rule, about: str | None) -> tuple[Category, Kind | None]:
    """Another person's taste is context and no preference of the speaker's."""
    if about is None:
        return row.category, row.kind
    return "context", None if row.kind == "implicit_pref" else row.kind


def _fill(template: str, values: dict[str, str]) -> str:
    if "{" not in template:
        return template
    return template.format_map(_Values(values)).strip()


class _Values(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return ""
