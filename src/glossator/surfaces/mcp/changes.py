"""How does a client that listens hear that a prompt file has changed? It is looked at while somebody listens.

Facts change behind the calls too, by the worker and by other processes, so that no call could tell.
"""

from collections.abc import Callable, Mapping

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated

from glossator.errors import GlossatorError
from glossator.surfaces.mcp.server import Context

LOOK_S = 1.0
"""Rendering both files takes some milliseconds."""

Texts = Callable[[], Mapping[str, str]]
"""Gives the resources' texts by URI."""


class Changes:
    """The handler of `subscriptions/listen`."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    async def __call__(
        self, ctx: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Tell of changes until the client stops to listen."""
        bus = InMemorySubscriptionBus()
        before = await self._now({})
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._watch, bus, before)
            ended = await ListenHandler(bus)(ctx, params)
            tasks.cancel_scope.cancel()
        return ended

    async def _watch(self, bus: InMemorySubscriptionBus, before: Mapping[str, str]) -> None:
        while True:
            await anyio.sleep(LOOK_S)
            now = await self._now(before)
            for uri, text in now.items():
                if before.get(uri) != text:
                    await bus.publish(ResourceUpdated(uri=uri))
            before = now

    async def _now(self, before: Mapping[str, str]) -> Mapping[str, str]:
        """The texts as they are; as they were, while the memory does not answer."""
        try:
            return await anyio.to_thread.run_sync(self._texts, abandon_on_cancel=True)
        except GlossatorError:
            return before
