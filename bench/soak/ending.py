"""When nothing fails any more: is everything there that was acknowledged, and is gone what was erased?"""

import sqlite3
from contextlib import closing
from datetime import timedelta

from bench.soak.play import AGENTS, OWNERS, BrokenError, World, check

from glossator.facade import Memory
from glossator.model import Message, Scope


def settled(world: World) -> dict[str, int]:
    """Let all work be done, then look; counts of what is there. Raises BrokenError."""
    world.other.close()
    memory = world.here.memory
    world.here.fail(rate=0)
    for _ in range(200):  # what was put off comes due
        world.now += timedelta(hours=1)
        world.here.clock.jump_to(world.now)
        while memory._worker.step() is not None:
            pass
    scopes = [Scope(workspace="acme", agent=agent, owner=owner) for agent in AGENTS for owner in OWNERS]
    for scope in scopes:
        memory.review(scope=scope, now=True)
        memory.rebuild_prompt_files(scope=scope)
    check(world)
    wrong = [finding.detail for finding in memory.doctor() if not finding.ok]
    there = {message.external_id: message.content for scope in scopes for message in _all(memory, scope)}
    wrong += [f"{key} was acknowledged and is not there" for key, (_, told) in world.acknowledged.items()
              if there.get(key) != told]  # fmt: skip
    wrong += _unread(world)
    for scope in scopes:
        files, loaded = memory.prompt_files(scope=scope), memory.load_prompt_files(scope=scope)
        if (files.user_md, files.memory_md) != (loaded.user_md, loaded.memory_md):
            wrong.append(f"I10: the files of {scope.agent}, {scope.owner} are not what the rows say")
    memory.close()
    wrong += _left_over(world)
    if wrong:
        raise BrokenError(f"seed {world.seed}, at the end: " + "; ".join(wrong[:10]))
    return {"messages": len(there), "acknowledged": len(world.acknowledged), "erased": len(world.erased)}


def _all(memory: Memory, scope: Scope) -> tuple[Message, ...]:
    return memory.messages(scope=scope, limit=10_000)


def _unread(world: World) -> list[str]:
    """I9: every user's message below a cursor has been read."""
    with closing(sqlite3.connect(world.path)) as connection:
        rows = connection.execute(
            "SELECT m.id FROM messages AS m JOIN reviews AS r ON r.conversation_id = m.conversation_id "
            "WHERE m.role = 'user' AND m.kind = 'chat' AND m.state = 'live' AND m.id <= r.last_reviewed_message_id"
        ).fetchall()
    missed = [row[0] for row in rows if row[0] not in world.read_ids]
    return [f"I9: the cursor has passed message {message_id}, which nobody read" for message_id in missed]


def _left_over(world: World) -> list[str]:
    """K20: no word that only erased messages had is in any file, but in copies that were made before."""
    said = [word.strip(".").encode() for told in world.erased for word in told.split()[:40]]
    marks = [word for word in said if word.startswith(f"w{world.seed}n".encode())]
    found = []
    for file in world.folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            found += [f"K20: {mark.decode()} is still in {file.name}" for mark in marks if _holds(content, mark)]
    return found


def _holds(content: bytes, mark: bytes) -> bool:
    at = content.find(mark)
    while at >= 0:
        if not content[at + len(mark) : at + len(mark) + 1].isdigit():
            return True
        at = content.find(mark, at + 1)
    return False
