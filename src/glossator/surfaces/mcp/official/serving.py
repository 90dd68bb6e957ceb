"""How are the nine tools of the official memory server offered over MCP? A server that any transport can run."""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.errors import StoreError
from glossator.rules.log_words import content_of, kind_of
from glossator.surfaces.mcp.official.graph import Graph
from glossator.surfaces.mcp.official.graph_file import GraphFile
from glossator.surfaces.mcp.official.operations import CHANGES, LOOKS, Missing, Outcome
from glossator.surfaces.mcp.official.tools import TOOLS, MisfitError, checked

if TYPE_CHECKING:
    import mcp_types as types
    from mcp.server.lowlevel import Server

logger = logging.getLogger("glossator.mcp.official")

NAME = "memory-server"
"""What the official server calls itself; some clients key on it."""
RESOURCE = "memory://knowledge-graph"
META = "glossator/quarantine"
"""The key of a result's `_meta` under which broken lines are told; clients ignore keys that they do not know."""
INVALID_PARAMS = -32602
_BY_NAME = {tool.name: tool for tool in TOOLS}


def official_server(*, path: Path) -> "Server[Any]":
    """The server for the JSONL file at `path`, which need not be there yet.

    The file alone is the memory in this mode, so that one may go back to the official server at any time.
    `glossator ingest FILE` brings such a file into a memory of ours.
    """
    import anyio.to_thread
    import mcp_types as types
    from mcp.server.lowlevel import Server

    from glossator import __version__

    file = GraphFile(path)

    async def list_tools(_: object, __: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=_listed())

    async def call_tool(_: object, asked: types.CallToolRequestParams) -> types.CallToolResult:
        return await anyio.to_thread.run_sync(called, file, asked.name, asked.arguments or {})

    async def list_resources(_: object, __: object) -> types.ListResourcesResult:
        resource = types.Resource(
            name="knowledge-graph",
            title="Knowledge Graph",
            uri=RESOURCE,
            description="The whole knowledge graph: all entities and relations",
            mime_type="application/json",
        )
        return types.ListResourcesResult(resources=[resource])

    async def read_resource(_: object, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await anyio.to_thread.run_sync(_resource, file, str(asked.uri))

    return Server(
        NAME,
        version=__version__,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def called(file: GraphFile, name: str, arguments: Mapping[str, Any]) -> "types.CallToolResult":
    """What a tool answers; what is wrong is told in the result, as the official server tells it, and never raised."""
    tool = _BY_NAME.get(name)
    if tool is None:
        return _error(f"MCP error {INVALID_PARAMS}: Tool {name} not found")
    try:
        given = checked(arguments, tool.arguments)
    except MisfitError as error:
        problem = f"Input validation error: Invalid arguments for tool {name}: {error}"
        return _error(f"MCP error {INVALID_PARAMS}: {problem}")
    try:
        if tool.reads:
            graph = file.read()
            return _result(name, LOOKS[name](graph, given), broken=graph.broken, file=file)
        return _result(name, file.change(lambda graph: CHANGES[name](graph, given)), broken=(), file=file)
    except Missing as error:
        return _error(str(error))
    except StoreError as error:
        logger.warning("%s failed: %s", name, kind_of(error), extra=content_of(error))
        return _error(str(error))


def _listed() -> "list[types.Tool]":
    import mcp_types as types

    return [
        types.Tool(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            input_schema=tool.arguments,
            output_schema=tool.result,
            annotations=types.ToolAnnotations(
                read_only_hint=tool.reads,
                destructive_hint=tool.destroys,
                idempotent_hint=tool.is_idempotent,
                open_world_hint=False,
            ),
        )
        for tool in TOOLS
    ]


def _result(name: str, outcome: Outcome, *, broken: tuple[bytes, ...], file: GraphFile) -> "types.CallToolResult":
    """The result in the official shape; `read_graph` also says in a text of its own what it could not read."""
    import mcp_types as types

    texts = [outcome.text or _json(outcome.shown)]
    told = {META: {"lines": len(broken), "file": str(file.quarantine)}} if broken else None
    if broken and name == "read_graph":
        texts.append(_told(len(broken), file))
    content: list[Any] = [types.TextContent(type="text", text=each) for each in texts]
    return types.CallToolResult(content=content, structured_content=outcome.structured, _meta=told)


def _told(count: int, file: GraphFile) -> str:
    lines = "1 line" if count == 1 else f"{count} lines"
    return f"{lines} of {file.path.name} could not be read; a copy is kept in {file.quarantine}"


def _error(text: str) -> "types.CallToolResult":
    import mcp_types as types

    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def _resource(file: GraphFile, uri: str) -> "types.ReadResourceResult":
    import mcp_types as types
    from mcp.shared.exceptions import MCPError

    if uri != RESOURCE:
        raise MCPError(INVALID_PARAMS, f"Resource {uri} not found")
    try:
        graph: Graph = file.read()
    except StoreError as error:
        raise MCPError(types.INTERNAL_ERROR, str(error)) from error
    text = _json(graph.shown())
    contents: list[Any] = [types.TextResourceContents(uri=uri, mime_type="application/json", text=text)]
    return types.ReadResourceResult(contents=contents)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
