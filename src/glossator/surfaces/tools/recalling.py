"""The tools that find something again: recall, memory_recall, explain."""

from collections.abc import Mapping

from glossator.errors import NotFoundError, UsageError
from glossator.model import CATEGORIES, Answer, Category, Fact, Scope
from glossator.surfaces.tools.arguments import Argument
from glossator.surfaces.tools.desk import Desk
from glossator.surfaces.tools.pages import all_facts
from glossator.surfaces.tools.shapes import (
    change_shape,
    decision_shape,
    evidence_shape,
    fact_shape,
    hit_shape,
    memory_shape,
)
from glossator.surfaces.tools.tool import Declared

LIMIT = 10
LIMIT_MAX = 50
_LIMIT = Argument(
    name="limit", kind="count", low=1, high=LIMIT_MAX, default=LIMIT, description="How many at most, 1 to 50."
)


def _recall(desk: Desk, *, query: str, limit: int, as_of: str | None, history: bool) -> Mapping[str, object]:
    return _hits(desk, desk.memory.recall(query, scope=desk.scope, limit=limit, as_of=as_of, history=history))


def _hits(desk: Desk, answer: Answer) -> Mapping[str, object]:
    """The hits, without facts that are too sensitive for a prompt."""
    shown = [
        hit_shape(hit, [fact for fact in hit.facts if desk.may_show(fact)])
        for hit in answer.hits
        if hit.fact_id is None or all(desk.may_show(fact) for fact in hit.facts)
    ]
    return {"hits": shown, "degraded": [f"without {each.part}: {each.reason}" for each in answer.degraded]}


RECALL = Declared(
    name="recall",
    description=(
        "Ask what was said before, in plain words. Each hit is what somebody said, word for word, with the date, and "
        "the facts that rest on it; no_longer_so marks what has been replaced since."
    ),
    arguments=(
        Argument(name="query", kind="text", required=True, description="The question, in plain words."),
        _LIMIT,
        Argument(name="as_of", kind="text", description="ISO 8601: answer with what was known then."),
        Argument(name="history", kind="switch", default=False, description="Also find facts that hold no more."),
    ),
    work=_recall,
    names={},
)


def _memory_recall(
    desk: Desk, *, key: str | None, query: str | None, scope: str, source: str, limit: int
) -> Mapping[str, object]:
    key, query = (key or "").strip(), (query or "").strip()
    if bool(key) == bool(query):
        problem = "is given together with query" if key else "and query are both missing"
        raise UsageError("key", problem, remedy="pass a key for a note, or a query")
    if desk.job and source != "memories":
        raise UsageError("source", f"is {source}, and a job reads no history", remedy="pass memories")
    seen, categories = _within(desk, scope)
    answer: dict[str, object] = {}
    if source in ("memories", "all"):
        found = _under_key(desk, key, seen, categories) if key else _by_words(desk, query, seen, categories, limit)
        answer["memories"] = [memory_shape(fact) for fact in found if desk.may_show(fact)][:limit]
    if source in ("history", "all"):
        asked = desk.memory.recall(query or key, scope=seen, limit=limit, namespaces=("episodic",))
        answer |= {"history": _hits(desk, asked)["hits"]}
    return answer


def _within(desk: Desk, scope: str) -> tuple[Scope, tuple[Category, ...]]:
    """Where to look, and for which categories; all of them where none is named. A job only ever sees its own."""
    if desk.job or scope == "current":
        return desk.here, ()
    return desk.scope, CATEGORIES if scope == "owner" else ()


def _under_key(desk: Desk, key: str, seen: Scope, categories: tuple[Category, ...]) -> list[Fact]:
    found = [
        fact
        for fact in all_facts(desk.memory, seen, categories=categories)
        if fact.key == f"note:{key}" or (fact.key == key and fact.category != "note")
    ]
    return sorted(found, key=lambda fact: (fact.last_seen_at, fact.fact_id), reverse=True)


def _by_words(desk: Desk, query: str, seen: Scope, categories: tuple[Category, ...], limit: int) -> list[Fact]:
    return list(desk.memory.search_facts(query, scope=seen, categories=categories, limit=limit))


MEMORY_RECALL = Declared(
    name="memory_recall",
    description=(
        "Look up what memory_store and memory_remember kept: a note by its key, or notes and facts by words. By "
        "default only of this conversation."
    ),
    arguments=(
        Argument(name="key", kind="text", description="The key of a note, or of a fact, exactly."),
        Argument(name="query", kind="text", description="Words to search for, where there is no key."),
        Argument(
            name="scope",
            kind="text",
            choices=("current", "owner", "all"),
            default="current",
            description=(
                "current: notes and facts of this conversation. owner: facts of all conversations with this user. "
                "all: notes and jobs of the other conversations too."
            ),
        ),
        Argument(
            name="source",
            kind="text",
            choices=("memories", "history", "all"),
            default="memories",
            description="memories: notes and facts. history: what was said, word for word. all: both.",
        ),
        _LIMIT,
    ),
    work=_memory_recall,
    names={},
)


def _explain(desk: Desk, *, fact_id: str) -> Mapping[str, object]:
    why = desk.memory.explain(fact_id, scope=desk.scope)
    if not desk.may_show(why.fact):
        raise NotFoundError("fact_id", f"{fact_id!r} is too sensitive to be shown to a model", remedy="leave it")
    return {
        "fact": fact_shape(why.fact),
        "evidence": [evidence_shape(each) for each in why.evidence],
        "decisions": [decision_shape(each) for each in why.decided],
        "changes": [change_shape(each) for each in why.changes],
        "chain": [fact_shape(each) for each in why.chain if desk.may_show(each)],
    }


EXPLAIN = Declared(
    name="explain",
    description=(
        'Why is this fact held? For the question "why do you say that": the sentence, who said it when, what was '
        "decided about it, and what it replaced or was replaced by."
    ),
    arguments=(Argument(name="fact_id", kind="text", required=True, description='For example "f42".'),),
    work=_explain,
    names={},
)
