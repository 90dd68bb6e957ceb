"""The parts of the store contract, one per port, and the comparison over random histories."""
