"""Do I1 to I12 hold whatever goes wrong? Two short lives from `bench.soak`: processes, jumping clocks, failures, kills.

`python -m bench.soak --seed N` plays a whole month of the same.
"""

import logging
from pathlib import Path

import pytest
from bench.soak.ending import settled
from bench.soak.play import play
from bench.soak.processes import MODES
from bench.soak.world import World


@pytest.fixture(autouse=True)
def _quiet() -> object:
    logging.disable(logging.CRITICAL)  # hundreds of failures are made, and each is told
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("seed", [0, 2])
def test_whatever_goes_wrong_the_invariants_hold_at_every_step(tmp_path: Path, seed: int) -> None:
    # proves: I3, I4, I5, I9
    world = World(folder=tmp_path, seed=seed, mode=MODES[seed % len(MODES)], days=4)
    try:
        play(world, steps_per_day=24)
        ended = settled(world)
    finally:
        world.other.kill()
        world.here.memory.close()
    assert ended["acknowledged"] > 0
