"""`python -m bench.soak [--seed N] [--days 30] [--steps 24]`: prints the seed, what happened, and whether all held."""

import argparse
import logging
import random
import tempfile
import time
from pathlib import Path

from bench.soak.ending import settled
from bench.soak.play import play
from bench.soak.processes import MODES
from bench.soak.world import World


def main() -> None:
    """Play one month per seed."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randint(1, 10**6))
    parser.add_argument("--seeds", type=int, default=1, help="how many months, with rising seeds")
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--steps", type=int, default=24, help="steps a day")
    chosen = parser.parse_args()
    logging.disable(logging.CRITICAL)  # hundreds of failures are made, and each is told
    for seed in range(chosen.seed, chosen.seed + chosen.seeds):
        print(f"seed {seed}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            mode, began = MODES[seed % len(MODES)], time.perf_counter()
            world = World(folder=Path(folder), seed=seed, mode=mode, days=chosen.days)
            counts = play(world, steps_per_day=chosen.steps)
            ended = settled(world)
        print(f"  {mode}, {sum(counts.values())} steps in {time.perf_counter() - began:.0f} s: all invariants held")
        print("  " + ", ".join(f"{name} {count}" for name, count in counts.most_common()))
        print("  " + ", ".join(f"{name} {count}" for name, count in ended.items()))


if __name__ == "__main__":
    main()
