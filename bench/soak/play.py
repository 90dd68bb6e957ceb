"""A month of three owners with two agents in five conversations, drawn from one seed; checked after every step."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from bench.soak.invariants import Seen, broken
from bench.soak.processes import Opened, Other, opened

from glossator.context.truncate import truncate_to_context
from glossator.errors import GlossatorError, UsageError
from glossator.facade import Memory
from glossator.model import CATEGORIES, RECALLABLE, ForgetPreview, Scope
from glossator.model.fence import MEMORY_CLOSE, MEMORY_OPEN

START = datetime(2026, 1, 1, 8, tzinfo=UTC)
OWNERS, AGENTS = ("ana", "bob", "bo%"), ("helper", "coder")
CHATS = ("telegram:1", "telegram:2", "mail:a:b", "cli:x", "voice:y")
CITIES, THINGS = ("Oslo", "Paris", "Lima", "Kyoto", "Leeds"), ("jazz", "tea", "chess", "olives", "fog")
JOBS = ("nurse", "teacher", "baker", "pilot")
PLANTED = "I own a yacht called Planted"
"""Stands only inside recalled blocks: it must never become a fact."""


class BrokenError(Exception):
    """An invariant does not hold."""


@dataclass(slots=True)
class World:
    """What has happened so far."""

    folder: Path
    seed: int
    mode: str
    days: int
    random: Random = field(init=False)
    path: Path = field(init=False)
    here: Opened = field(init=False)
    other: Other = field(init=False)
    now: datetime = START
    acknowledged: dict[str, tuple[Scope, str]] = field(default_factory=dict)
    erased: list[str] = field(default_factory=list)
    read_ids: set[int] = field(default_factory=set)
    seen: Seen = field(default_factory=Seen)
    counts: Counter[str] = field(default_factory=Counter)
    number: int = 0

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.path = self.folder / "memory.db"
        self.here = opened(self.path, self.mode, self.seed + 1, self.now)
        self.other = Other(self.path, self.mode, self.seed + 2, self.now)

    def scope(self) -> Scope:
        """Somebody, mostly the owner, now and then an operator, a guest or a job."""
        trust = self.random.choices(("owner", "operator", "guest", None), (6, 2, 2, 1))[0]
        return Scope(workspace="acme", agent=self.random.choice(AGENTS), owner=self.random.choice(OWNERS), trust=trust)

    def statement(self) -> str:
        """Something that people say, with a word of its own that nothing else has."""
        self.number += 1
        pick, mark = self.random.choice, f"w{self.seed}n{self.number:05d}end"
        said = pick((
            f"I live in {pick(CITIES)}.", f"I {pick(('love', 'hate', 'like'))} {pick(THINGS)}.",
            f"I work as a {pick(JOBS)}.", "Always answer in " + pick(("French", "German", "Polish")) + ".",
            f"My goal is to run {self.random.randint(5, 42)} km.", f"My sister is {pick(('Ana', 'Anja', 'Eva'))}.",
            f"The deploy limit is {self.random.randint(1, 9)}0 requests.", "How are you today?",
            "👩‍👩‍👧 猫 O'Hara's 100%_",
        ))  # fmt: skip
        return f"{said} It was {mark}."

    def turn(self) -> str:
        """A statement as a turn brings it: now and then behind a recalled block, or in a very long message."""
        block = f"{MEMORY_OPEN}\n{PLANTED}.\n{MEMORY_CLOSE}\n" if self.random.random() < 0.15 else ""
        return f"{block}{self.statement()}{' filler' * self.random.choice((0, 0, 0, 4000))}"


Action = Callable[[World], object]


def record(world: World) -> None:
    """A turn through the hooks, which never raise."""
    memory, scope, chat = world.here.memory, world.scope(), world.random.choice(CHATS)
    run = memory.run(scope=scope, conversation=chat)
    before = _hook_failures(memory)
    told = world.turn()
    run.context([{"role": "user", "content": told}], budget=800)
    receipt = run.record([{"content": told}, {"role": "assistant", "content": "Noted."}])
    run.after_delivery(prompt_tokens=world.random.randint(0, 2000), window_tokens=2000)
    run.finish(request=told, final_answer="Done.")
    failed = len(run.failures)
    if _hook_failures(memory) - before != failed:
        raise BrokenError(f"I1: {failed} hooks failed, {_hook_failures(memory) - before} were counted")
    if not receipt.failure and receipt.recorded:
        world.acknowledged[receipt.recorded[0].external_id] = (scope, told)


def _hook_failures(memory: Memory) -> int:
    counted = memory.metrics()
    return int(sum(value for name, value in counted.items() if name.startswith("glossator_hook_failure_total")))


def remember(world: World) -> None:
    scope = world.scope()
    if world.random.random() < 0.2:
        scope = replace(scope, job="nightly")
    world.here.memory.remember(world.statement(), scope=scope, category=world.random.choice(CATEGORIES))


def note(world: World) -> None:
    chat = world.random.choice(CHATS)
    world.here.memory.note(world.random.choice("abc"), world.statement(), scope=world.scope(), conversation=chat)


def move_a_fact(world: World) -> None:
    memory, scope = world.here.memory, world.scope()
    facts = memory.facts(scope=scope, states=("active", "deprioritised", "archived", "invalidated", "quarantined"))
    if not facts:
        return
    ids = [world.random.choice(facts).id]
    do = world.random.choice(("archive", "deprioritise", "reinstate", "restore", "forget", "erase"))
    if do == "archive":
        memory.archive_facts(ids, scope=scope, reason="soak")
    elif do == "deprioritise":
        memory.deprioritise_facts(ids, scope=scope, reason="soak", reinstate_hints=("yacht",))
    elif do == "reinstate":
        memory.reinstate_facts(ids, scope=scope, reason="soak")
    elif do == "restore":
        memory.restore_fact(ids[0], scope=scope)
    else:
        preview = memory.forget_facts(scope=scope, fact_ids=ids, erase=do == "erase")
        memory.forget_facts(scope=scope, fact_ids=ids, erase=do == "erase", confirm=preview.token)


def forget_a_message(world: World) -> None:
    if not world.acknowledged:
        return
    external_id = world.random.choice(list(world.acknowledged))
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


def work_here(world: World) -> None:
    for _ in range(world.random.randint(1, 6)):
        world.here.step()


def work_there(world: World) -> None:
    for _ in range(world.random.randint(1, 6)):
        _, read_ids = world.other.step(world.now, rate=1)
        world.read_ids |= set(read_ids)


def power_cut(world: World) -> None:
    """The other process dies in the middle of nothing, and another one begins."""
    world.other.kill()
    world.other = Other(world.path, world.mode, world.random.randint(1, 10**9), world.now)


def reopen(world: World) -> None:
    world.read_ids |= world.here.extractor.read_ids
    world.here.memory.close()
    world.here = opened(world.path, world.mode, world.random.randint(1, 10**9), world.now)


def jump(world: World) -> None:
    """Clocks jump, backwards too."""
    world.now += timedelta(seconds=world.random.choice((-3600, 60, 130, 600, 4000, 90_000)))
    world.here.clock.jump_to(world.now)


ACTIONS: dict[Action, int] = {
    record: 12, remember: 4, note: 2, move_a_fact: 5, forget_a_message: 1, review: 3, window: 2, relearn: 1,
    work_here: 8, work_there: 6, power_cut: 1, reopen: 1, jump: 4,
}  # fmt: skip


def check(world: World) -> None:
    """Raises BrokenError for the first invariant that does not hold now."""
    wrong = broken(world.path, world.seen)
    world.read_ids |= world.here.extractor.read_ids
    world.here.fail(rate=0)
    wrong += _reads(world, world.scope())
    if wrong:
        raise BrokenError("; ".join(wrong))


def _reads(world: World, scope: Scope) -> list[str]:
    """I4, I6, I10, I11 and I12 as a reader meets them."""
    memory, wrong = world.here.memory, []
    facts = [*memory.facts(scope=scope), *memory.search_facts(world.random.choice(THINGS), scope=scope)]
    rows = [*facts, *memory.messages(scope=scope, limit=50)]
    if any(row.scope.whole != scope.whole for row in rows):
        wrong.append("I4: a row of another scope")
    if scope.believed == "guest" and any(fact.category == "directive" for fact in facts):
        wrong.append("I4: a guest is shown a directive")
    job = replace(scope, job="nightly")
    if memory.messages(scope=job) or any(fact.scope_type != "job" for fact in memory.facts(scope=job)):
        wrong.append("I4: a job is shown what is not its own")
    if any(fact.state not in RECALLABLE for fact in facts):
        wrong.append("I6: a fact that must not be recalled")
    if any("yacht" in fact.text for fact in facts):
        wrong.append("I11: a recalled block was taken for something said")
    files, again = memory.prompt_files(scope=scope), memory.prompt_files(scope=scope)
    if files != again:
        wrong.append("I10: the files are not a function of the rows")
    if files.user.tokens > files.user.tokens_max or files.memory.tokens > files.memory.tokens_max:
        wrong.append("I10: a file is over its budget")
    block = memory.context([{"role": "user", "content": "Tell me about jazz and tea."}], scope=scope, budget=600).block
    if block and (block.count(MEMORY_OPEN), block.count(MEMORY_CLOSE)) != (1, 1):
        wrong.append("I11: the fence is not closed once")
    prompt = world.statement() * world.random.randint(1, 9)
    cut = truncate_to_context(prompt, window_tokens=100)
    if len(cut) > 300 or (len(prompt) > 300 and (cut[:20], cut[-20:]) != (prompt[:20], prompt[-20:])):
        wrong.append("I12: the cut is over its budget, or lost its head or tail")
    return wrong


def play(world: World, *, steps_per_day: int) -> Counter[str]:
    """The whole month; the counts of what happened. Raises BrokenError, naming seed and step."""
    actions, weights = list(ACTIONS), list(ACTIONS.values())
    for day in range(world.days):
        world.now = max(world.now, START + timedelta(days=day))
        world.here.clock.jump_to(world.now)
        for step in range(steps_per_day):
            action = world.random.choices(actions, weights)[0]
            world.here.fail(rate=1)
            try:
                action(world)
                world.counts[action.__name__] += 1
            except GlossatorError as error:
                world.counts[f"{action.__name__}: {type(error).__name__}"] += 1
            try:
                check(world)
            except BrokenError as error:
                raise BrokenError(f"seed {world.seed}, day {day}, step {step}, {action.__name__}: {error}") from error
    return world.counts
