"""What does a client of the official MCP memory server find here? Its nine tools, on the very same file."""
