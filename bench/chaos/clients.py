"""What the clients of a chaos run do: record, remember, recall and forget, and write down what they were promised."""

import random
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from bench.chaos.ledger import Ledger, Promise
from bench.chaos.processes import McpProgram, Server

from glossator import (
    ConflictError,
    GlossatorError,
    NotFoundError,
    PermissionDeniedError,
    ProviderError,
    Scope,
    StoreError,
)
from glossator.client import Client
from glossator.model import FactPreview

T = TypeVar("T")
WORKSPACE, AGENT = "acme", "helper"
CONVERSATION = "telegram:42"
FINDABLE = 40
"""So many of the last words are asked for."""


class Caller(threading.Thread):
    """One client with its own owner and its own key, over both servers."""

    def __init__(self, ledger: Ledger, servers: list[Server], secret: str, until: float, seed: int) -> None:
        super().__init__(name=ledger.owner, daemon=True)
        self.ledger, self.secret = ledger, secret
        self.scope = Scope(workspace=WORKSPACE, agent=AGENT, owner=ledger.owner, trust="owner")
        self._servers, self._until, self._chance = servers, until, random.Random(seed)

    def run(self) -> None:
        """Act until the time is over."""
        acts = [self._record] * 5 + [self._remember] * 2 + [self._recall] * 5 + [self._forget, self._forget_fact]
        while time.time() < self._until:
            act = self._chance.choice(acts)
            secret = self.secret
            try:
                server = self._chance.choice(self._servers)
                with Client(server.url, key=secret, retries=2, timeout_s=20) as client:
                    for _ in range(5):
                        act(client)
                        act = self._chance.choice(acts)
            except PermissionDeniedError:
                self.ledger.counts["refused key"] += 1
                if secret == self.secret:  # the key was changed, and the new one is not known yet
                    time.sleep(0.05)
            except (StoreError, ProviderError, ConflictError) as error:
                self.ledger.counts[type(error).__name__] += 1
            except GlossatorError as error:
                self.ledger.fault(f"{act.__name__}: {type(error).__name__}: {error}")

    def _counted(self, name: str, act: Callable[[], T]) -> T:
        done = act()
        self.ledger.counts[name] += 1
        return done

    def _record(self, client: Client) -> None:
        made = [self.ledger.new() for _ in range(self._chance.randint(1, 3))]
        messages = [{"content": f"I like {each.word} tea.", "id": each.external_id} for each in made]
        with self.ledger.lock:
            self.ledger.said.extend(made)
        receipt = self._counted("record", lambda: client.record(messages, scope=self.scope, conversation=CONVERSATION))
        for promise, recorded in zip(made, receipt.recorded, strict=True):
            promise.kept = True
            if recorded.outcome not in ("stored", "duplicate"):
                self.ledger.fault(f"{promise.external_id} was {recorded.outcome}")

    def _remember(self, client: Client) -> None:
        promise = self.ledger.new()
        self.ledger.told.append(promise)
        done = self._counted("remember", lambda: client.remember(f"I play {promise.word}.", scope=self.scope))
        if done.fact is not None:
            promise.kept, promise.fact_id = True, done.fact.id

    def _recall(self, client: Client) -> None:
        known = [each for each in self.ledger.said[-FINDABLE:] if each.kept]
        if not known:
            return
        promise = self._chance.choice(known)
        gone_before = promise.gone
        answer = self._counted("recall", lambda: client.recall(promise.word, scope=self.scope))
        texts = [hit.text for hit in answer.hits]
        for text in texts:
            if "zq" in text and self.ledger.mark not in text:
                self.ledger.fault(f"was shown another's words: {text!r}")
        found = any(promise.word in text for text in texts)
        if found and gone_before is True:
            self.ledger.fault(f"{promise.word} was found after it was forgotten")
        if not found and promise.gone is False:
            self.ledger.fault(f"{promise.word} was acknowledged and is not found")

    def _forget(self, client: Client) -> None:
        known = [each for each in self.ledger.said[:-5] if each.kept and each.gone is False]
        if not known:
            return
        named = self._chance.sample(known, min(len(known), self._chance.randint(1, 3)))
        ids = [each.external_id for each in named]
        preview = self._counted("preview", lambda: client.forget(scope=self.scope, message_ids=ids))
        before = [each.gone for each in named]
        for each in named:
            each.gone = None
        try:
            receipt = client.forget(scope=self.scope, message_ids=ids, confirm=preview.token)
        except (ConflictError, NotFoundError, PermissionDeniedError):
            for each, was in zip(named, before, strict=True):
                each.gone = was
            self.ledger.counts["forget: changed meanwhile"] += 1
            raise
        self.ledger.counts["forget"] += 1
        self.ledger.counts["erased messages"] += receipt.message_count
        for each in named:
            each.gone = True

    def _forget_fact(self, client: Client) -> None:
        known = [each for each in self.ledger.told if each.kept and each.gone is False and each.fact_id]
        if not known:
            return
        promise = self._chance.choice(known)
        ids = [promise.fact_id]
        preview = self._counted("preview", lambda: client.forget_facts(scope=self.scope, fact_ids=ids, erase=True))
        assert isinstance(preview, FactPreview)
        promise.gone = None
        try:
            client.forget_facts(scope=self.scope, fact_ids=ids, erase=True, confirm=preview.token)
        except (ConflictError, NotFoundError, PermissionDeniedError):
            promise.gone = False
            raise
        promise.gone = True
        self.ledger.counts["forget_facts"] += 1


class ToolCaller(threading.Thread):
    """An agent that remembers and recalls through the MCP server."""

    def __init__(self, ledger: Ledger, program: McpProgram, until: float) -> None:
        super().__init__(name="mcp", daemon=True)
        self.ledger, self._program, self._until = ledger, program, until

    def run(self) -> None:
        """Act until the time is over."""
        while time.time() < self._until:
            promise = self.ledger.new()
            self.ledger.said.append(promise)
            message = {"role": "user", "content": f"I like {promise.word} tea.", "id": promise.external_id}
            done = self._program.call("record", {"messages": [message], "conversation": CONVERSATION})
            self._note("record", promise, done)
            if promise.kept:
                found = self._program.call("recall", {"query": promise.word})
                if found is not None and not found.get("isError") and promise.word not in str(found):
                    self.ledger.fault(f"{promise.word} was acknowledged over MCP and is not found")
            time.sleep(0.02)

    def _note(self, name: str, promise: Promise, done: dict[str, Any] | None) -> None:
        outcome = "no answer" if done is None else "error" if done.get("isError") else "done"
        self.ledger.counts[f"{name}: {outcome}"] += 1
        if outcome == "done":
            promise.kept = True
