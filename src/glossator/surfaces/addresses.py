"""On which address does a server listen? For `glossator serve` and `glossator mcp --http`."""

import socket

from glossator.errors import UsageError

PORT_MAX = 65_535
BACKLOG = 256
"""Connections that wait to be taken: as many as a server answers at once."""


def check_port(port: int) -> None:
    """Raises UsageError for what is no port."""
    if not 0 <= port <= PORT_MAX:
        raise UsageError("port", f"{port} is no port", remedy=f"0 to {PORT_MAX}, 0 for a free one")


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises UsageError where it cannot: the port is taken, the host is not ours."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        problem = f"{host!r} is no address: {error.strerror or error}"
        raise UsageError("host", problem, remedy="for example 127.0.0.1") from error
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        problem = f"{port} cannot be listened on at {host}: {error.strerror or error}"
        raise UsageError("port", problem, remedy="choose another with --port, or stop what has it") from error
    return listener
