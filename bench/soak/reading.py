"""I4, I6, I10, I11 and I12 as a reader meets them."""

from collections.abc import Iterator
from dataclasses import replace

from bench.soak.faults import MARK
from bench.soak.world import CHATS, THINGS, World

from glossator.context.tool_pairs import sanitize_tool_pairs
from glossator.context.truncate import truncate_to_context
from glossator.model import RECALLABLE, Conversation, Fact, Scope
from glossator.model.fence import MEMORY_CLOSE, MEMORY_OPEN
from glossator.model.rendering import estimated_tokens
from glossator.testing.wire_formats import openai_refusals

TOKENS_MAX = {"user_md": 1_500, "memory_md": 2_000}
ROWS_MAX = {"user_md": 23, "memory_md": 20}
"""The budgets and caps of both files, as they are promised and not as the code has them."""


def reads(world: World, scope: Scope) -> list[str]:
    """What a reader of this scope should not see."""
    return [*_rows(world, scope), *_jobs(world, scope), *_prompts(world, scope), *_caches(world), *_cuts(world, scope)]


def _rows(world: World, scope: Scope) -> Iterator[str]:
    memory = world.here.memory
    facts = [*memory.facts(scope=scope, limit=1000), *memory.search_facts(world.random.choice(THINGS), scope=scope),
             *memory.durable_facts(scope=scope, limit=20).facts]  # fmt: skip
    answer = memory.recall("Where do I live, and what do I like?", scope=scope)
    messages = memory.messages(scope=scope, limit=10_000)
    texts = [*(fact.text for fact in facts), *(each.content for each in messages), *(hit.text for hit in answer.hits)]
    if any(row.scope.whole != scope.whole for row in (*facts, *messages)) or _foreign(world, scope, texts):
        yield "I4: a row of another scope"
    behind = [fact for hit in answer.hits for fact in hit.facts]
    if any(fact.state not in (*RECALLABLE, "superseded") for fact in behind):  # a hit says what has replaced it
        yield "I6: a hit with a fact that must not be recalled"
    if scope.believed == "guest" and any(fact.category == "directive" for fact in (*facts, *behind)):
        yield "I4: a guest is shown a directive"
    if any(fact.state not in RECALLABLE for fact in facts):
        yield "I6: a fact that must not be recalled"
    if any("yacht" in fact.text for fact in facts):
        yield "I11: a recalled block was taken for something said"


def _foreign(world: World, scope: Scope, texts: list[str]) -> bool:
    owners = {world.whose[mark] for text in texts for mark in MARK.findall(text) if mark in world.whose}
    return bool(owners - {scope.whole})


def _jobs(world: World, scope: Scope) -> Iterator[str]:
    memory, job = world.here.memory, replace(scope, job="nightly")
    facts = [*memory.facts(scope=job), *memory.search_facts(world.random.choice(THINGS), scope=job)]
    if any(fact.scope_type != "job" for fact in facts) or any(each.scope.job is None and each.kind == "chat"
       and not each.session.startswith("job") for each in memory.messages(scope=job)):  # fmt: skip
        yield "I4: a job is shown what is not its own"
    other = replace(scope, job="another")
    if memory.facts(scope=other) or memory.messages(scope=other) or memory.search_facts("limit", scope=other):
        yield "I4: a job is shown what is another's"


def _prompts(world: World, scope: Scope) -> Iterator[str]:
    memory = world.here.memory
    files, again = memory.prompt_files(scope=scope), memory.prompt_files(scope=scope)
    if files != again:
        yield "I10: the files are not a function of the rows"
    if files.user.tokens > files.user.tokens_max or files.memory.tokens > files.memory.tokens_max:
        yield "I10: a file is over its budget"
    for file in (files.user, files.memory):
        if estimated_tokens(file.text) > TOKENS_MAX[file.kind] or len(file.fact_ids) > ROWS_MAX[file.kind]:
            yield f"I10: {file.name} is over its budget or its caps"
    if _foreign(world, scope, [files.user_md, files.memory_md]):
        yield "I4: a file has what another owner said"
    directives = memory.facts(scope=replace(scope, trust="operator"), categories=["directive"])
    if scope.believed == "guest" and any(fact.fact_id in files.memory.fact_ids for fact in directives):
        yield "I4: a guest's prompt has a directive"
    block = memory.context([{"role": "user", "content": "Tell me about jazz and tea."}], scope=scope, budget=600).block
    for text in (block, files.block):
        if text and (text.count(MEMORY_OPEN), text.count(MEMORY_CLOSE)) != (1, 1):
            yield "I11: a fence is not closed once"


def _caches(world: World) -> Iterator[str]:
    """What is kept in memory is what the store says, whoever wrote last."""
    if world.last is None:
        return
    (scope, chat), memory = world.last, world.here.memory
    key = Conversation.parse(chat).key
    if memory.conversation(scope=scope, conversation=chat) != memory._store.window(scope, key).messages:
        yield "F3: a conversation is kept that has changed since"
    ids: list[Fact] = list(memory.facts(scope=scope, limit=8))
    if any(memory.fact(each.id, scope=scope) != memory._fact(scope, each.id) for each in ids):
        yield "F4: a fact is kept that has changed since"


def _cuts(world: World, scope: Scope) -> Iterator[str]:
    prompt = world.statement(scope) * world.random.randint(1, 9)
    cut = truncate_to_context(prompt, window_tokens=100)
    if len(cut) > 300 or (len(prompt) > 300 and (cut[:20], cut[-20:]) != (prompt[:20], prompt[-20:])):
        yield "I12: the cut is over its budget, or lost its head or tail"
    sent = world.here.memory.window(scope=scope, conversation=world.random.choice(CHATS))
    messages = list(sent.messages)
    if openai_refusals(messages) or list(sanitize_tool_pairs(messages)) != messages:
        yield f"I12: what is sent is not in pairs: {openai_refusals(messages)}"
    summary = [str(each["content"]) for each in messages if sent.checkpoint and sent.checkpoint in str(each["content"])]
    if any(text.count(MEMORY_CLOSE) > 1 for text in summary) or MEMORY_CLOSE in sent.checkpoint:
        yield "I11: a checkpoint closes its fence"
