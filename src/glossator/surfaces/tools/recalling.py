"""The tools that find something again: recall, memory_recall, explain."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from glossator.errors import NotFoundError, UsageError
from glossator.model import CATEGORIES, JOB_CHANNEL, Answer, Category, Conversation, Fact, Scope
from glossator.surfaces.tools.answers import EXPLAIN_ANSWER, HITS_ANSWER
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
LIMIT_NAMES = ("k", "n", "top_k", "max_results", "num_results", "count", "max")
QUERY_NAMES = ("q", "question", "text", "search", "query_text", "input")
_LIMIT = Argument(
    name="limit", kind="count", low=1, high=LIMIT_MAX, default=LIMIT, description="How many at most, 1 to 50.",
    aliases=LIMIT_NAMES,
)  # fmt: skip


def _recall(
    desk: Desk, *, query: str, limit: int, since: str | None, until: str | None, as_of: str | None, history: bool,
    conversation: str | None, project: str | None, tags: tuple[str, ...],
) -> Mapping[str, object]:  # fmt: skip
    answer = desk.memory.recall(
        query, scope=desk.seen_in(conversation), limit=limit, since=since, until=until, as_of=as_of, history=history,
        project=project, tags=tags,
    )  # fmt: skip
    return hits_shown(desk, answer)


def hits_shown(desk: Desk, answer: Answer) -> Mapping[str, object]:
    """The hits, without facts that are too sensitive for a prompt."""
    names = desk.names()
    shown = [
        hit_shape(hit, [fact for fact in hit.facts if desk.may_show(fact)], names)
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
        Argument(
            name="query", kind="text", required=True, description="The question, in plain words.", aliases=QUERY_NAMES
        ),
        _LIMIT,
        Argument(
            name="since", kind="text", description="ISO 8601: only what happened then or later.", aliases=("after",)
        ),
        Argument(name="until", kind="text", description="ISO 8601: only what happened before.", aliases=("before",)),
        Argument(name="as_of", kind="text", description="ISO 8601: answer with what was known then."),
        Argument(name="history", kind="switch", default=False, description="Also find facts that hold no more."),
        Argument(name="conversation", kind="text", description='Only what was said there, for example "telegram:42".'),
        Argument(
            name="project", kind="text", description="Only what belongs to this project.", aliases=("project_filter",)
        ),
        Argument(
            name="tags", kind="texts", default=(), description="Only what has all of these tags.", aliases=("tag",)
        ),
    ),
    work=_recall,
    names={},
    title="Recall what was said",
    answer=HITS_ANSWER,
)


def _memory_recall(
    desk: Desk, *, key: str | None, query: str | None, scope: str, source: str, job: str | None, limit: int
) -> Mapping[str, object]:
    key, query = (key or "").strip(), (query or "").strip()
    if bool(key) == bool(query):
        problem = "is given together with query" if key else "and query are both missing"
        raise UsageError("key", problem, remedy="pass a key for a note, or a query")
    if desk.scope.job is not None and source != "memories":
        raise UsageError("source", f"is {source}, and a job reads no history", remedy="pass memories")
    where = _Where.of(desk, scope, (job or "").strip().removeprefix("job:"))
    answer: dict[str, object] = {}
    if source in ("memories", "all"):
        found = _under_key(desk, key, where) if key else _by_words(desk, query, where, limit)
        names = desk.names()
        answer["memories"] = [memory_shape(fact, names) for fact in found if desk.may_show(fact)][:limit]
    if source in ("history", "all"):
        asked = desk.memory.recall(query or key, scope=where.heard, limit=limit, namespaces=("episodic",))
        answer |= {"history": hits_shown(desk, asked)["hits"]}
    return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class _Where:
    """Where `memory_recall` looks: facts in `seen`, of `categories` (of all where none is named), what was said in
    `heard`.
    """

    seen: Scope
    heard: Scope
    categories: tuple[Category, ...] = ()
    job: str | None = None
    jobs: bool = True

    @classmethod
    def of(cls, desk: Desk, scope: str, job: str) -> "_Where":
        """A job only ever sees its own, whatever it asks for."""
        if desk.scope.job is not None:
            return cls(seen=desk.scope, heard=desk.scope)
        if job:
            home = Conversation(channel=JOB_CHANNEL, chat=job).key
            return cls(seen=desk.scope, heard=replace(desk.scope, conversation=home), job=job)
        if scope == "current":
            return cls(seen=desk.here, heard=desk.here)
        if scope == "owner":
            return cls(seen=desk.scope, heard=desk.scope, categories=CATEGORIES, jobs=False)
        return cls(seen=desk.scope, heard=desk.scope)

    def takes(self, fact: Fact) -> bool:
        """True for a fact of the job that is asked for; of any, where jobs are asked for at all."""
        if self.job is not None:
            return fact.scope_id == f"job:{self.job}" and fact.scope_type == "job"
        return self.jobs or fact.scope_type != "job"


def _under_key(desk: Desk, key: str, where: _Where) -> list[Fact]:
    """The latest first, what jobs have kept behind the rest."""
    found = [
        fact
        for fact in all_facts(desk.memory, where.seen, categories=where.categories)
        if where.takes(fact) and (fact.key == f"note:{key}" or (fact.key == key and fact.category != "note"))
    ]
    return sorted(found, key=lambda fact: (fact.scope_type != "job", fact.last_seen_at, fact.fact_id), reverse=True)


def _by_words(desk: Desk, query: str, where: _Where, limit: int) -> list[Fact]:
    return list(
        desk.memory.search_facts(
            query, scope=where.seen, categories=where.categories, limit=limit, job=where.job, jobs=where.jobs
        )
    )


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
                "all: notes of the other conversations and what jobs kept too, jobs last."
            ),
        ),
        Argument(
            name="source",
            kind="text",
            choices=("memories", "history", "all"),
            default="memories",
            description="memories: notes and facts. history: what was said, word for word. all: both.",
        ),
        Argument(
            name="job", kind="text", description="Only what this job kept: its id, as memory_sources_list has it."
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
    names = desk.names()
    return {
        "fact": fact_shape(why.fact, names),
        "evidence": [evidence_shape(each) for each in why.evidence],
        "decisions": [decision_shape(each) for each in why.decided],
        "changes": [change_shape(each) for each in why.changes],
        "chain": [fact_shape(each, names) for each in why.chain if desk.may_show(each)],
    }


EXPLAIN = Declared(
    name="explain",
    description=(
        'Why is this fact held? For the question "why do you say that": the sentence, who said it when, what was '
        "decided about it, and what it replaced or was replaced by."
    ),
    arguments=(
        Argument(
            name="fact_id", kind="text", required=True, description='For example "f42".', aliases=("id", "fact", "key")
        ),
    ),
    work=_explain,
    names={},
    title="Explain why a fact is held",
    answer=EXPLAIN_ANSWER,
)
