"""Which tools does an agent get? `agent_tools` gives them for one agent in one conversation.

tools = agent_tools(memory, scope=scope, conversation="telegram:42")
reply = client.chat.completions.create(..., tools=as_openai(tools))
answer = call_tool(tools, call.function.name, call.function.arguments)
"""

from glossator.facade import Memory
from glossator.model import Scope
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


def agent_tools(memory: Memory, *, scope: Scope, conversation: str, run_id: str | None = None) -> tuple[Tool, ...]:
    """The tools of one run of an agent in `conversation`; they see and write what `scope` covers, and nothing else.

    Each checks the agent's tier (`Options.tiers`) and how far the caller is believed (`Scope.trust`); what is refused
    is told in the answer. With `Scope.job` the tools are those of this job: what it keeps is its own and lies in a
    conversation that is named after it, and it reads nothing else and no history. Make them anew for each run: three
    refusals of one kind are the last that a run is told the remedy of. Raises UsageError for a wrong scope or
    conversation.
    """
    desk = Desk.of(memory, scope=scope, conversation=conversation, run_id=run_id)
    return tuple(tool_of(each, desk) for each in _DECLARED if scope.job is None or each.name in JOB_TOOL_NAMES)
