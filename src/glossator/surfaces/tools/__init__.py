"""Which tools does an agent get? `agent_tools` gives them for one agent in one conversation.

tools = agent_tools(memory, scope=scope, conversation="telegram:42")
reply = client.chat.completions.create(..., tools=as_openai(tools))
answer = call_tool(tools, call.function.name, call.function.arguments)
"""

from glossator.facade import Memory
from glossator.model import Scope, Trust
from glossator.surfaces.tools.desk import Desk
from glossator.surfaces.tools.forgetting import MEMORY_FORGET
from glossator.surfaces.tools.recalling import EXPLAIN, MEMORY_RECALL, RECALL
from glossator.surfaces.tools.remembering import MEMORY_REMEMBER, MEMORY_STORE, REMEMBER_DOCUMENT
from glossator.surfaces.tools.sources import MEMORY_SOURCES_LIST
from glossator.surfaces.tools.tool import Tool, as_anthropic, as_openai, call_tool, tool_of

__all__ = ["JOB_TOOL_NAMES", "TOOL_NAMES", "Tool", "agent_tools", "as_anthropic", "as_openai", "call_tool"]

_DECLARED = (
    RECALL, EXPLAIN, MEMORY_REMEMBER, MEMORY_FORGET, MEMORY_STORE, MEMORY_RECALL, MEMORY_SOURCES_LIST,
    REMEMBER_DOCUMENT,
)  # fmt: skip
TOOL_NAMES = tuple(each.name for each in _DECLARED)
JOB_TOOL_NAMES = tuple(name for name in TOOL_NAMES if name != RECALL.name)
"""A job searches its own rows and never what was said: it gets no `recall`."""


def agent_tools(
    memory: Memory,
    *,
    scope: Scope,
    conversation: str,
    trust: Trust = "owner",
    run_id: str | None = None,
    job: bool = False,
) -> tuple[Tool, ...]:
    """The tools of an agent that talks in `conversation`; they see and write what `scope` covers, and nothing else.

    Each checks the agent's tier (`Options.tiers`) and the caller's `trust`; what is refused is told in the answer. With
    `job` the tools are those of the job `run_id`: what it keeps lies in a conversation of its own, and it reads no
    other and no history. Raises UsageError for a wrong scope or conversation, or a job without `run_id`.
    """
    desk = Desk.of(memory, scope=scope, conversation=conversation, trust=trust, run_id=run_id, job=job)
    return tuple(tool_of(each, desk) for each in _DECLARED if not job or each.name in JOB_TOOL_NAMES)
