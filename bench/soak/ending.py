"""When nothing fails any more: is everything there that was acknowledged, and is gone what was erased?"""

from datetime import timedelta

from bench.soak.invariants import in_files
from bench.soak.play import check, check_the_day
from bench.soak.world import AGENTS, OWNERS, BrokenError, World

from glossator.facade import Memory
from glossator.model import Message, Scope


def settled(world: World) -> dict[str, int]:
    """Let all work be done, then look; counts of what is there. Raises BrokenError."""
    world.other.close()
    memory = world.here.memory
    world.here.fail(rate=0)
    _work(world, hours=200)
    scopes = [Scope(workspace="acme", agent=agent, owner=owner) for agent in AGENTS for owner in OWNERS]
    for scope in scopes:
        memory.review(scope=scope, now=True)
        memory.rebuild_prompt_files(scope=scope)
    _work(world, hours=2)
    check(world)
    check_the_day(world)
    wrong = [finding.detail for finding in memory.doctor() if not finding.ok]
    there = {message.external_id: message.content for scope in scopes for message in _all(memory, scope)}
    wrong += [f"{key} was acknowledged and is not there" for key, (_, told) in world.acknowledged.items()
              if there.get(key) != told]  # fmt: skip
    for scope in scopes:
        files, loaded = memory.prompt_files(scope=scope), memory.load_prompt_files(scope=scope)
        if (files.user_md, files.memory_md) != (loaded.user_md, loaded.memory_md):
            wrong.append(f"I10: the files of {scope.agent}, {scope.owner} are not what the rows say")
    wrong += [f"O32: {memory.status().pending_count} rows are never done"] if memory.status().pending_count else []
    wrong += _unlearned(world)
    memory.close()
    wrong += in_files(world.folder, world.erased_marks())
    if wrong:
        raise BrokenError(f"seed {world.seed}, at the end: " + "; ".join(wrong[:10]))
    return {"messages": len(there), "acknowledged": len(world.acknowledged), "erased": len(world.erased)}


def _work(world: World, *, hours: int) -> None:
    """What was put off comes due."""
    for _ in range(hours):
        world.now += timedelta(hours=1)
        world.here.clock.jump_to(world.now)
        while world.here.memory._worker.step() is not None:
            pass
        world.here.memory._worker.expire()


def _all(memory: Memory, scope: Scope) -> tuple[Message, ...]:
    return memory.messages(scope=scope, limit=10_000)


def _unlearned(world: World) -> list[str]:
    """O32: where turns are read as they come, each one that says something was read, whoever was killed meanwhile."""
    if world.mode != "offline":
        return []
    ids, wrong = world.learned.ids(), []
    for key, (scope, told) in world.acknowledged.items():
        message = world.here.memory._store.message(scope, key)
        if scope.trust in ("owner", "operator") and told.startswith("I live in") and message is not None:
            wrong += [] if message.message_id in ids else [f"O32: no facts were taken from {key}"]
    return wrong
