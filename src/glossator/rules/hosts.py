"""Which names and addresses are this very machine?"""

from contextlib import suppress
from ipaddress import ip_address

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""As they stand in a Host header."""


def is_here(host: str) -> bool:
    """True for a name or an address that only this machine can reach; an IPv6 address may have its brackets."""
    with suppress(ValueError):
        return ip_address(host.strip("[]")).is_loopback
    return host.lower() == "localhost"
