"""What becomes of a request: a tool is called, a resource read, a prompt filled? Pure of the SDK, run in a thread."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from glossator.errors import NotFoundError, UsageError
from glossator.facade import Memory
from glossator.facade.checks import reading_scope
from glossator.model import Conversation, Scope
from glossator.model.fence import MEMORY_CLOSE, MEMORY_OPEN, without_fences
from glossator.rules.trust import effective_tier
from glossator.surfaces.mcp.bounding import bounded
from glossator.surfaces.mcp.offering import BY_NAME, MEMORY_MD, USER_MD
from glossator.surfaces.mcp.reading import DATA, failure_text, text_of
from glossator.surfaces.tools.desk import Desk
from glossator.surfaces.tools.tool import tried

HOME = Conversation(channel="mcp", chat="main").key
"""Where what is kept belongs, where neither the caller nor the command line names a conversation."""


def desk_of(memory: Memory, scope: Scope) -> Desk:
    """The desk of one request. With a conversation in the scope it sees and writes that one only.

    An operator's scope counts as the owner's: a model passes on what others wrote, and must not give directives.
    """
    asked = replace(scope, trust="owner") if scope.trust == "operator" else scope
    seen = reading_scope(asked)
    tier = effective_tier(memory.options.tiers, seen.agent, at_most=seen.tier)
    return Desk(memory=memory, scope=seen, conversation=seen.conversation or HOME, tier=tier)


def called(
    memory: Memory, scope: Scope, name: str, arguments: Mapping[str, object]
) -> tuple[bool, str, dict[str, Any]]:
    """Whether it was done, what a model reads, and the structured content: the answer, or what was wrong."""
    answer = tried(BY_NAME[name], desk_of(memory, scope), arguments)
    if answer.pop("success"):
        kept, left_out = bounded(answer)
        told = f"\nNot all is shown: {left_out}. Ask for less at once." if left_out else ""
        return True, text_of(name, kept) + told, kept
    error = {"retryable": False, **answer["error"]}
    return False, failure_text(error), error


def resource_text(memory: Memory, scope: Scope, uri: str) -> str:
    """The prompt file of this URI, as the facts are now. Raises NotFoundError for another URI."""
    if uri in (USER_MD, MEMORY_MD):
        return resource_texts(memory, scope)[uri]
    raise NotFoundError("uri", f"{uri[:200]!r} is no resource", remedy=f"read {USER_MD} or {MEMORY_MD}")


def resource_texts(memory: Memory, scope: Scope) -> Mapping[str, str]:
    """Both prompt files by URI."""
    files = memory.prompt_files(scope=desk_of(memory, scope).scope)
    return {USER_MD: files.user_md, MEMORY_MD: files.memory_md}


def about_prompt(memory: Memory, scope: Scope, subject: str) -> str:
    """ "What do you know about ...": the facts and the pieces that speak of it, and how to answer from them."""
    if not subject.strip():
        raise UsageError("subject", "is blank", remedy="name a person, a thing or a topic")
    _, facts, _ = called(memory, scope, "facts", {"query": subject, "limit": 20})
    _, hits, _ = called(memory, scope, "recall", {"query": subject, "limit": 10})
    return (
        f"What do you know about {without_fences(' '.join(subject.split()))}? Answer from the memory below alone, with "
        f"who said it and when. Say what has changed since, and say so if little is known.\n\n{facts}\n\n{hits}"
    )


def brief_prompt(memory: Memory, scope: Scope, topic: str) -> str:
    """ "Brief me": what is known for every request, and what bears on a topic where one is named."""
    known = memory.prompt_files(scope=desk_of(memory, scope).scope).block
    block = known or f"{MEMORY_OPEN}\nNothing is known yet.\n{MEMORY_CLOSE}"
    asked = " ".join(topic.split())
    found = called(memory, scope, "recall", {"query": topic, "limit": 10})[1] if asked else ""
    told = f" on {without_fences(asked)}" if asked else ""
    return (
        f"Brief me{told}: what matters now, what was decided, what is open, in at most ten lines, with dates. Use the "
        f"memory below and nothing else. {DATA}\n\n{block}" + (f"\n\n{found}" if found else "")
    )
