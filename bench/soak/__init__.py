"""A month of an agent's life in a minute, with everything going wrong that can: `python -m bench.soak --seed 7`."""
