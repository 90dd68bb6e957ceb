"""How does a coding agent remember? Its hooks call `glossator hook EVENT`, which reads the event on stdin.

`event.py` reads what the agents send, `acting.py` does with it what it means, `replying.py` writes what they take.
`running.py` keeps all of it from ever failing the agent, and `mishaps.py` what went wrong, until the next session is
told; what the memory could not take at that moment waits in `facade/waiting_room.py`. `samples.py` has the
configurations.
"""
