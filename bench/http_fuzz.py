"""Ask every operation of the HTTP API many times, rightly and wrongly, and say what it broke of its promises.

    python -m bench.http_fuzz --examples 100

The suite does the same with a few examples (tests/surface/test_http_schema.py).
"""

import argparse
import tempfile
import time
from pathlib import Path

from tests.surface.http_server import serving
from tests.surface.test_http_schema import MUCH, filled, fuzzed

from glossator import Options
from glossator.surfaces.http.settings import Settings


def main() -> None:
    """Run, print each broken promise, and end with 1 if there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--examples", type=int, default=100, help="requests of each operation, right ones and wrong ones"
    )
    parser.add_argument("--seed", type=int, default=1, help="0 asks the same each time")
    chosen = parser.parse_args()
    settings = Settings(inspector=False, mcp=False, rate_per_s=MUCH, rate_burst=MUCH, refused_per_minute=MUCH)
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "memory.db", settings, options=Options(embedder="hashing")) as served,
    ):
        filled(served)
        secret = served.memory.add_key("fuzz", workspace="acme", trust="operator").secret
        headers = {"Authorization": f"Bearer {secret}"}
        broken = 0
        for name, told in fuzzed(served, headers, examples_max=chosen.examples, seed=chosen.seed):
            broken += 1
            print(f"{name}: {told}\n")
        with served.client(secret) as client:
            lines = client.get("/metrics").text.splitlines()
    counts = [float(line.rpartition(" ")[2]) for line in lines if line.startswith("glossator_http_requests_total{")]
    faults = [line for line in lines if line.startswith("glossator_http_requests_total{") and 'status="5xx"' in line]
    print(f"{sum(counts):,.0f} requests in {time.monotonic() - began:.0f} s; {broken} operations broke a promise")
    print("5xx: " + ("none" if not faults else "; ".join(faults)))
    raise SystemExit(1 if broken or faults else 0)


if __name__ == "__main__":
    main()
