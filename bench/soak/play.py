"""A month of three owners with two agents in five conversations, drawn from one seed; checked after every step."""

from collections import Counter
from datetime import timedelta

from bench.soak.actions import ACTIONS
from bench.soak.invariants import broken, in_files, left_over, unread, unwritten
from bench.soak.reading import reads
from bench.soak.world import START, BrokenError, World

from glossator.errors import GlossatorError


def check(world: World) -> None:
    """Raises BrokenError for the first invariant that does not hold now."""
    world.here.fail(rate=0)
    wrong = [*broken(world.path, world.seen), *unread(world.path, world.reads.ids()), *reads(world, world.scope())]
    if wrong:
        raise BrokenError("; ".join(wrong))


def check_the_day(world: World) -> None:
    """What takes longer to look at."""
    world.here.fail(rate=0)
    wrong = [f"{each.check}: {each.detail}" for each in world.here.memory.doctor()
             if not each.ok and each.check != "backlog"]  # fmt: skip
    world.here.memory._prompt_folder.refresh()
    wrong += left_over(world.path, world.erased_marks()) + in_files(world.folder / "prompts", world.erased_marks())
    wrong += unwritten(world.path, world.folder / "prompts")
    if wrong:
        raise BrokenError("; ".join(wrong))


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
            except Exception as error:
                raise BrokenError(f"seed {world.seed}, day {day}, step {step}, {action.__name__}: {error!r}") from error
            try:
                check(world)
                if step == steps_per_day - 1:
                    check_the_day(world)
            except Exception as error:
                raise BrokenError(f"seed {world.seed}, day {day}, step {step}, {action.__name__}: {error}") from error
    return world.counts
