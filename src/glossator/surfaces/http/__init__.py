"""The HTTP API of one memory: versioned REST over the verbs, keys, limits and health."""
