"""How is it doing? Logs, the server's meters, and `glossator top`."""
