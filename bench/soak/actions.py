"""What happens in the month: one function for each thing that somebody does."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from bench.soak.faults import MARK
from bench.soak.invariants import Seen, broken
from bench.soak.processes import Call, Other, opened
from bench.soak.world import CHATS, BrokenError, World

from glossator.aio import AsyncMemory
from glossator.errors import ConflictError, GlossatorError, UsageError
from glossator.facade import AgentRun, Memory
from glossator.model import CATEGORIES, FactPreview, ForgetPreview, Scope
from glossator.options import Options
from glossator.testing.clock import FakeClock
from glossator.wiring import Memory as FromFile
from glossator.wiring import restore

Action = Callable[[World], object]
TOOL_TURN = (
    {"role": "assistant", "content": "Looking.", "metadata": {"tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]}},
    {"role": "tool", "content": "Nothing there.", "metadata": {"tool_call_id": "c1"}},
)  # fmt: skip


def record(world: World) -> None:
    """A turn through the hooks, which never raise; in a group, where others speak too, now and then."""
    memory, scope, chat = world.here.memory, world.scope(), world.random.choice(CHATS)
    run = memory.run(scope=scope, conversation=chat)
    before = _hook_failures(memory)
    told = world.turn(scope)
    hooks_held(lambda: _turn(world, run, chat, scope, told))
    if _hook_failures(memory) - before != len(run.failures):
        raise BrokenError(f"I1: {len(run.failures)} hooks failed, {_hook_failures(memory) - before} were counted")


def hooks_held(turn: Callable[[], None]) -> None:
    try:
        turn()
    except GlossatorError as error:
        raise BrokenError(f"I1: a hook raised {error!r}") from error


def _turn(world: World, run: AgentRun, chat: str, scope: Scope, told: str) -> None:
    run.preflight()
    run.prefetch(told)
    run.durable_facts()
    run.context([{"role": "user", "content": told}], budget=800)
    said: list[dict[str, object]] = [{"content": told}]
    if world.random.random() < 0.5:
        said[0]["at"] = world.now - timedelta(days=world.random.randint(0, 3))
    if world.random.random() < 0.2:
        said.append({"content": world.statement(scope), "speaker": "Gus", "trust": "guest"})
    tools = TOOL_TURN if world.random.random() < 0.2 else ()
    receipt = run.record([*said, *tools, {"role": "assistant", "content": "Noted."}])
    run.before_truncation(told, window_tokens=world.random.choice((50, 5000)))
    run.after_delivery(prompt_tokens=world.random.randint(0, 1200), window_tokens=1200)
    run.finish(request=told, final_answer="Done.")
    if not receipt.failure and receipt.recorded:
        world.acknowledged[receipt.recorded[0].external_id] = (scope, told)
        world.last = (scope, chat)


def _hook_failures(memory: Memory) -> int:
    counted = memory.metrics()
    return int(sum(value for name, value in counted.items() if name.startswith("glossator_hook_failure_total")))


def remember(world: World) -> None:
    scope = world.scope()
    if world.random.random() < 0.2:
        scope = replace(scope, job="nightly")
    until = world.now + timedelta(days=world.random.randint(1, 9)) if world.random.random() < 0.2 else None
    told = world.statement(scope) + " And so on and on." * world.random.choice((0, 0, 9))
    world.remembered |= set(MARK.findall(told))
    category = world.random.choice(CATEGORIES)
    world.here.memory.remember(told, scope=scope, category=category, expires_at=until)
    world.last = (scope, world.random.choice(CHATS))


def tell_a_lot(world: World) -> None:
    """More than a prompt file has room for."""
    scope = replace(world.scope(), trust="operator")
    for number in range(48):
        told = f"Thing {number} of {world.statement(scope)} {'等等' * 70}"
        world.here.memory.remember(told, scope=scope, category=CATEGORIES[number % len(CATEGORIES)])


def note(world: World) -> None:
    chat, scope = world.random.choice(CHATS), world.scope()
    world.here.memory.note(world.random.choice("abc"), world.statement(scope), scope=scope, conversation=chat)


def read_a_document(world: World) -> None:
    scope = world.scope()
    text = "\n\n".join(world.statement(scope) for _ in range(3))
    world.here.memory.remember_document(text, scope=scope, mode=world.random.choice(("raw", "full")))


def speak(world: World) -> None:
    scope = world.scope()
    turns = [{"content": world.statement(scope)}, {"content": "I mean", "final": False}]
    world.here.memory.record_voice(turns, scope=scope, device="kitchen")


def run_a_job(world: World) -> None:
    """What a job finds out is its own; now and then its host dies before it ends."""
    memory, scope = world.here.memory, replace(world.scope(), trust="operator")
    memory.add_job("nightly", scope=scope, name="Nightly", next_run_at=world.now)
    run = memory.begin_job_run("nightly", scope=scope, next_run_at=world.now + timedelta(days=1))
    told = world.statement(scope)
    memory.remember(told, scope=run.scope, category="context")
    memory.record([{"content": told}], scope=run.scope, conversation=CHATS[0], session=run.session)
    if world.random.random() < 0.8:
        delivered = memory.finish_job_run(run, final_text=world.random.choice(("[silent] nothing", "Done.")))
        if delivered != (memory.job_runs(scope=scope, limit=1)[0].final_text == "Done."):
            raise BrokenError("F50: a silent run is delivered, or the other way round")


def write_a_resource(world: World) -> None:
    memory, scope = world.here.memory, replace(world.scope(), trust="operator")
    kind = world.random.choice(("rules", "soul", "user_md", "memory_md"))
    revisions = memory.resource_history(kind, scope=scope)
    if revisions and world.random.random() < 0.4:
        memory.rollback_resource(kind, world.random.choice(revisions).number, scope=scope)
        return
    stale = world.random.random() < 0.2
    expected = "0" * 64 if stale else revisions[0].sha256 if revisions else ""
    try:
        memory.write_resource(kind, world.statement(scope), scope=scope, expected_sha256=expected)
    except ConflictError:
        if stale:
            return
        raise
    if stale:
        raise BrokenError("F55: a stale writer has overwritten a text")


def move_a_fact(world: World) -> None:
    memory, scope = world.here.memory, world.scope()
    facts = memory.facts(
        scope=scope, states=("active", "deprioritised", "archived", "invalidated", "quarantined", "superseded")
    )
    if not facts:
        return
    fact = world.random.choice(facts)
    ids = [fact.id]
    do = world.random.choice(("archive", "deprioritise", "reinstate", "restore", "forget", "erase", "erase", "erase"))
    if do == "archive":
        memory.archive_facts(ids, scope=scope, reason="soak")
    elif do == "deprioritise":
        memory.deprioritise_facts(ids, scope=scope, reason="soak", reinstate_hints=("yacht",))
    elif do == "reinstate":
        memory.reinstate_facts(ids, scope=scope, reason="soak")
    elif do == "restore":
        memory.restore_fact(ids[0], scope=scope, replace=world.random.random() < 0.5)
    else:
        preview = memory.forget_facts(scope=scope, fact_ids=ids, erase=do == "erase")
        assert isinstance(preview, FactPreview)
        memory.forget_facts(scope=scope, fact_ids=ids, erase=do == "erase", confirm=preview.token)
        if do == "erase":  # what was given to be remembered stands in no message
            world.erased += [mark for mark in MARK.findall(fact.text) if mark in world.remembered]
            if world.mode in ("offline", "both"):
                memory.relearn(scope=replace(scope, trust="operator"))
                work_here(world)


def forget_a_message(world: World) -> None:
    if not world.acknowledged:
        return
    # what is said again and again: a fact that rests on several messages loses one of them
    told_again = [key for key, (_, said) in world.acknowledged.items() if said.startswith("I lo")]
    external_id = world.random.choice(told_again or list(world.acknowledged))
    scope, told = world.acknowledged[external_id]
    owner = replace(scope, trust="owner")
    preview = world.here.memory.forget(scope=owner, message_ids=[external_id])
    assert isinstance(preview, ForgetPreview)
    world.erased.append(told)  # also where the confirmation is lost on its way: it may have happened
    del world.acknowledged[external_id]
    try:
        world.here.memory.forget(scope=owner, message_ids=[external_id], confirm=preview.token)
    except GlossatorError:
        world.here.fail(rate=0)
        _forget_again(world, owner, external_id)
        raise


def _forget_again(world: World, owner: Scope, external_id: str) -> None:
    try:
        preview = world.here.memory.forget(scope=owner, message_ids=[external_id])
        world.here.memory.forget(scope=owner, message_ids=[external_id], confirm=preview.token)
    except UsageError:
        return  # it had happened


def review(world: World) -> None:
    world.here.memory.review(scope=replace(world.scope(), trust="owner"), now=world.random.random() < 0.5)


def window(world: World) -> None:
    memory, scope, chat = world.here.memory, replace(world.scope(), trust="operator"), world.random.choice(CHATS)
    memory.command(world.random.choice(("/new", "/clear", "/compact", "/unknown")), scope=scope, conversation=chat)


def relearn(world: World) -> None:
    world.here.memory.relearn(scope=replace(world.scope(), trust="operator"))


def read_asynchronously(world: World) -> None:
    scope = world.scope()

    async def read() -> object:
        memory = AsyncMemory(world.here.memory)
        return await asyncio.gather(memory.facts(scope=scope), memory.recall("jazz", scope=scope))

    facts, _ = asyncio.run(read())  # type: ignore[misc]
    world.here.fail(rate=0)
    if facts != world.here.memory.facts(scope=scope):
        raise BrokenError("I4: the asynchronous memory says something else")


def copy_and_restore(world: World) -> None:
    """A copy made in the middle of it all is a whole memory, wherever it is put back."""
    number = world.random.getrandbits(40)
    copy, back = world.folder / f"copy-{number}", world.folder / f"back-{number}.db"
    try:
        world.here.memory.backup(copy)
        restore(copy, back)
        plain = Options(embedder="hashing", worker=False)
        with FromFile.open(back, options=plain, clock=FakeClock(world.now)) as memory:
            wrong = [finding.detail for finding in memory.doctor() if not finding.ok and finding.check != "backlog"]
            wrong += broken(back, Seen())
            for key, (scope, told) in world.acknowledged.items():
                found = memory._store.message(scope, key)
                wrong += [] if found and found.content == told else [f"{key} is not in the copy"]
        if wrong:
            raise BrokenError("the copy: " + "; ".join(wrong[:5]))
    finally:
        for left in world.folder.glob(f"*-{number}*"):
            left.unlink()


def work_here(world: World) -> None:
    for _ in range(world.random.randint(1, 6)):
        world.here.step()


def work_there(world: World) -> None:
    """The other process works, records, sums up and reviews; now and then it is killed in the middle of a call."""
    scope, chat = replace(world.scope(), trust="operator"), world.random.choice(CHATS)
    told, die_in = world.turn(scope), world.random.randint(0, 60) if world.random.random() < 0.15 else None
    key = f"there-{world.number}"
    where = {"scope": scope, "conversation": chat}
    calls: list[Call] = [("record", {"messages": [{"content": told, "id": key}], **where})]
    calls += world.random.sample(
        [("compact", {**where, "window_tokens": 600}), ("preflight", where), ("review", {"scope": scope, "now": True}),
         ("clear_window", where), ("rebuild_prompt_files", {"scope": scope})], 2,
    )  # fmt: skip
    calls += [("step", {})] * world.random.randint(1, 6)
    answers = world.other.make(calls, world.now, rate=1, die_in=die_in)
    world.last = (scope, chat)
    if answers is None:
        world.other = Other(world.path, world.mode, world.random.randint(1, 10**9), world.now)
    elif not answers[0]:
        world.acknowledged[key] = (scope, told)


def power_cut(world: World) -> None:
    """The other process dies in the middle of nothing, and another one begins."""
    world.other.kill()
    world.other = Other(world.path, world.mode, world.random.randint(1, 10**9), world.now)


def reopen(world: World) -> None:
    world.here.fail(rate=0)
    world.here.memory.close()
    world.here = opened(world.path, world.mode, world.random.randint(1, 10**9), world.now)


def jump(world: World) -> None:
    """Clocks jump, backwards too."""
    world.now += timedelta(seconds=world.random.choice((-3600, 60, 130, 600, 4000, 90_000)))
    world.here.clock.jump_to(world.now)


ACTIONS: dict[Action, int] = {
    record: 12, remember: 4, tell_a_lot: 1, note: 2, read_a_document: 1, speak: 1, run_a_job: 2, write_a_resource: 2,
    move_a_fact: 9, forget_a_message: 6, review: 3, window: 2, relearn: 1, read_asynchronously: 1, copy_and_restore: 1,
    work_here: 8, work_there: 6, power_cut: 1, reopen: 1, jump: 4,
}  # fmt: skip
